// The reference of a launch description.
#include "Run/LaunchParser.h"

#include <fmt/format.h>

namespace rdna::run {

llvm::Error LaunchParser::readReference(const JsonNode &node, LaunchDescription &out) const {
  if (llvm::Error error = checkKeys(node, {"gemm"}))
    return error;
  if (!node.has("gemm"))
    return bad(node, "\"reference\" must have \"gemm\"");
  GemmDescription gemm;
  gemm.file = file_;
  if (llvm::Error error = readGemm(node.member("gemm"), gemm))
    return error;
  out.gemm = std::move(gemm);
  return llvm::Error::success();
}

llvm::Error LaunchParser::readGemm(const JsonNode &node, GemmDescription &out) const {
  if (llvm::Error error =
          checkKeys(node, {"m", "n", "k", "batches", "order", "a", "b", "c", "d", "alpha", "beta"}))
    return error;
  out.place = places_[node.pointer];
  for (const char *required : {"m", "n", "k", "a", "b"})
    if (!node.has(required))
      return bad(node, fmt::format("\"{}\" of {} is missing", required, node.what));
  for (const auto &[key, size] : {std::pair("m", &out.m), std::pair("n", &out.n),
                                  std::pair("k", &out.k), std::pair("batches", &out.batches)})
    if (node.has(key))
      if (llvm::Error error = readFormula(node.member(key), *size))
        return error;
  if (node.has("order")) {
    const JsonNode order = node.member("order");
    if (order.json == "column")
      out.order = GemmDescription::Order::ColumnMajor;
    else if (order.json != "row")
      return bad(order, "\"order\" must be \"row\" or \"column\"");
  }
  for (const auto &[key, factor] : {std::pair("alpha", &out.alpha), std::pair("beta", &out.beta)})
    if (node.has(key))
      if (llvm::Error error = readFactor(node.member(key), *factor))
        return error;
  if (!node.has("c") && !node.has("d"))
    return bad(node, fmt::format("{} needs \"c\", \"d\" or both", node.what));
  for (const auto &[key, matrix] :
       {std::pair("a", &out.a), std::pair("b", &out.b),
        std::pair(node.has("c") ? "c" : "d", &out.c), std::pair(node.has("d") ? "d" : "c", &out.d)})
    if (llvm::Error error = readMatrix(node.member(key), *matrix))
      return error;
  for (const auto &[key, matrix] : {std::pair("c", &out.c), std::pair("d", &out.d)})
    if (matrix->transposed == MatrixDescription::Transposed::Yes)
      return bad(node, fmt::format("\"{}\" cannot be transposed", key));
  return llvm::Error::success();
}

/// "name", or {"buffer": "name", "transpose": true, "ld": ..., "stride": ..., "offset": ...}
llvm::Error LaunchParser::readMatrix(const JsonNode &node, MatrixDescription &out) const {
  out.place = places_[node.pointer];
  if (node.json.is_string())
    return readString(node, out.buffer);
  if (llvm::Error error = checkKeys(node, {"buffer", "transpose", "ld", "stride", "offset"}))
    return error;
  if (!node.has("buffer"))
    return bad(node, fmt::format("{} needs \"buffer\", the name of an argument", node.what));
  if (llvm::Error error = readString(node.member("buffer"), out.buffer))
    return error;
  if (node.has("transpose")) {
    const JsonNode transpose = node.member("transpose");
    if (!transpose.json.is_boolean())
      return bad(transpose, fmt::format("{} must be true or false", transpose.what));
    if (transpose.json.get<bool>())
      out.transposed = MatrixDescription::Transposed::Yes;
  }
  for (const auto &[key, formula] :
       {std::pair("ld", &out.leading), std::pair("stride", &out.stride)})
    if (node.has(key))
      if (llvm::Error error = readFormula(node.member(key), formula->emplace()))
        return error;
  return node.has("offset") ? readFormula(node.member("offset"), out.offset)
                            : llvm::Error::success();
}

llvm::Error LaunchParser::readFactor(const JsonNode &node,
                                     std::variant<double, std::string> &out) const {
  if (node.json.is_string()) {
    out = node.json.get<std::string>();
    return llvm::Error::success();
  }
  if (!node.json.is_number())
    return bad(node, fmt::format("{} must be a number or the name of an f32 argument", node.what));
  out = node.json.get<double>();
  return llvm::Error::success();
}

} // namespace rdna::run
