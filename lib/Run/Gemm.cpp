#include "Run/Gemm.h"

#include "Run/LaunchDescription.h"
#include "Support/Diagnostic.h"

#include <fmt/format.h>

namespace rdna::run {

GemmShape squareGemm(uint64_t n, float alpha, float beta) {
  GemmShape shape{n, n, n, 1, alpha, beta, {}, {}, {}, {}, GemmShape::Kind::Square};
  size_t buffer = 0;
  for (MatrixPlace *matrix : {&shape.a, &shape.b, &shape.c})
    *matrix = {buffer++, 0, n, 1, 0};
  shape.d = shape.c;
  return shape;
}

std::optional<GemmShape> recognizedGemm(const ResolvedLaunch &launch) {
  const auto &arguments = launch.arguments;
  if (arguments.size() != 6 || launch.buffers.size() != 3)
    return std::nullopt;
  const std::optional<double> n = arguments[3].number(), alpha = arguments[4].number(),
                              beta = arguments[5].number();
  if (!n || !alpha || !beta || isFloat(*arguments[3].type) || bytesOf(*arguments[3].type) != 4 ||
      arguments[4].type != ElementType::F32 || arguments[5].type != ElementType::F32 || *n < 1)
    return std::nullopt;
  const auto side = static_cast<uint64_t>(*n);
  for (size_t i = 0; i < 3; ++i) {
    const ResolvedBuffer &matrix = launch.buffers[i];
    if (!arguments[i].isAddress() || arguments[i].addresses[0].buffer != i ||
        arguments[i].addresses[0].offset != 0 || matrix.type != ElementType::F32 ||
        matrix.bytes != 4 * side * side || matrix.isOutput() != (i == 2))
      return std::nullopt;
  }
  return squareGemm(side, static_cast<float>(*alpha), static_cast<float>(*beta));
}

namespace {

class GemmResolver {
public:
  GemmResolver(const GemmDescription &description, const ResolvedLaunch &launch)
      : description_(description), launch_(launch) {}
  llvm::Expected<GemmShape> run();

private:
  llvm::Error bad(const Place &place, std::string message) const {
    return makeError(Failure::BadInput,
                     Diagnostic{Severity::Error, description_.file, place.line, place.column,
                                std::move(message), place.sourceLine});
  }
  llvm::Error size(const char *what, const Formula &formula, int64_t least, uint64_t &out) const;
  llvm::Error factor(const char *what, const std::variant<double, std::string> &factor,
                     float &out) const;
  /// `rows` x `columns` as the product sees it, that is transposed where it is.
  llvm::Error matrix(const char *what, const MatrixDescription &matrix, uint64_t rows,
                     uint64_t columns, MatrixPlace &out) const;

  const GemmDescription &description_;
  const ResolvedLaunch &launch_;
  GemmShape shape_;
};

llvm::Error GemmResolver::size(const char *what, const Formula &formula, int64_t least,
                               uint64_t &out) const {
  llvm::Expected<int64_t> value = evaluate(formula, launch_.parameters, description_.file);
  if (!value)
    return value.takeError();
  constexpr int64_t most = int64_t{1} << 31; // So that no product of two overflows.
  if (*value < least || *value > most)
    return bad(formula.place, fmt::format("\"{}\" of the gemm is {}; it must lie in {}..{}", what,
                                          *value, least, most));
  out = static_cast<uint64_t>(*value);
  return llvm::Error::success();
}

llvm::Error GemmResolver::factor(const char *what, const std::variant<double, std::string> &factor,
                                 float &out) const {
  if (const auto *constant = std::get_if<double>(&factor)) {
    out = static_cast<float>(*constant);
    return llvm::Error::success();
  }
  const std::string &name = std::get<std::string>(factor);
  for (const ResolvedArgument &argument : launch_.arguments)
    if (argument.name == name && argument.type == ElementType::F32) {
      out = static_cast<float>(*argument.number());
      return llvm::Error::success();
    }
  return bad(description_.place,
             fmt::format("\"{}\" is '{}', but no f32 argument has this name", what, name));
}

llvm::Error GemmResolver::matrix(const char *what, const MatrixDescription &matrix, uint64_t rows,
                                 uint64_t columns, MatrixPlace &out) const {
  for (out.buffer = 0; out.buffer < launch_.buffers.size(); ++out.buffer)
    if (launch_.buffers[out.buffer].name == matrix.buffer)
      break;
  if (out.buffer == launch_.buffers.size())
    return bad(matrix.place, fmt::format("matrix \"{}\" is in '{}', but no buffer has this name",
                                         what, matrix.buffer));
  const ResolvedBuffer &buffer = launch_.buffers[out.buffer];
  if (buffer.type != ElementType::F32)
    return bad(matrix.place, fmt::format("matrix \"{}\" has elements of {}; the reference knows "
                                         "f32 only",
                                         what, toString(buffer.type)));
  // In memory, vectors of `inner` elements lie `leading` apart.
  const bool rowsAreVectors = (description_.order == GemmDescription::Order::RowMajor) !=
                              (matrix.transposed == MatrixDescription::Transposed::Yes);
  const uint64_t inner = rowsAreVectors ? columns : rows, vectors = rowsAreVectors ? rows : columns;
  uint64_t leading = std::max<uint64_t>(inner, 1);
  if (matrix.leading)
    if (llvm::Error error = size("ld", *matrix.leading, 1, leading))
      return error;
  if (leading < inner)
    return bad(matrix.leading->place,
               fmt::format("\"ld\" of \"{}\" is {}, less than its vectors' {} elements", what,
                           leading, inner));
  out.batchStride = leading * vectors;
  if (matrix.stride)
    if (llvm::Error error = size("stride", *matrix.stride, 0, out.batchStride))
      return error;
  if (llvm::Error error = size("offset", matrix.offset, 0, out.first))
    return error;
  out.rowStride = rowsAreVectors ? leading : 1;
  out.columnStride = rowsAreVectors ? 1 : leading;
  const uint64_t elements = buffer.bytes / 4;
  if (rows == 0 || columns == 0)
    return llvm::Error::success();
  // In this order, so that nothing overflows.
  const uint64_t last = out.first + (vectors - 1) * leading + (inner - 1);
  if (last >= elements ||
      (shape_.batches > 1 &&
       (out.batchStride > elements || last + (shape_.batches - 1) * out.batchStride >= elements)))
    return bad(matrix.place,
               fmt::format("matrix \"{}\" ({} x {}, {} batches) does not fit into "
                           "'{}', which has {} elements",
                           what, rows, columns, shape_.batches, buffer.name, elements));
  return llvm::Error::success();
}

llvm::Expected<GemmShape> GemmResolver::run() {
  const GemmDescription &d = description_;
  for (const auto &[what, formula, least, out] :
       {std::tuple("m", &d.m, 1, &shape_.m), std::tuple("n", &d.n, 1, &shape_.n),
        std::tuple("k", &d.k, 0, &shape_.k), std::tuple("batches", &d.batches, 1, &shape_.batches)})
    if (llvm::Error error = size(what, *formula, least, *out))
      return error;
  if (llvm::Error error = factor("alpha", d.alpha, shape_.alpha))
    return error;
  if (llvm::Error error = factor("beta", d.beta, shape_.beta))
    return error;
  for (const auto &[what, from, rows, columns, to] :
       {std::tuple("a", &d.a, shape_.m, shape_.k, &shape_.a),
        std::tuple("b", &d.b, shape_.k, shape_.n, &shape_.b),
        std::tuple("c", &d.c, shape_.m, shape_.n, &shape_.c),
        std::tuple("d", &d.d, shape_.m, shape_.n, &shape_.d)})
    if (llvm::Error error = matrix(what, *from, rows, columns, *to))
      return error;
  const ResolvedBuffer &output = launch_.buffers[shape_.d.buffer];
  if (!output.isOutput())
    return bad(d.d.place, fmt::format("matrix \"d\" is in '{}', which is no output", output.name));
  const bool rowsAreVectors = d.order == GemmDescription::Order::RowMajor;
  const uint64_t extent = rowsAreVectors ? shape_.d.rowStride * (shape_.m - 1) + shape_.n
                                         : shape_.d.columnStride * (shape_.n - 1) + shape_.m;
  if (shape_.batches > 1 && shape_.d.batchStride < extent)
    return bad(d.d.place, "the batches of matrix \"d\" overlap");
  return shape_;
}

} // namespace

llvm::Expected<GemmShape> resolveGemm(const GemmDescription &description,
                                      const ResolvedLaunch &launch) {
  return GemmResolver(description, launch).run();
}

} // namespace rdna::run
