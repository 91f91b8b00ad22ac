// The launch description of a generated kernel.
#include "Generate/KernelCode.h"
#include "Generate/KernelText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rdna::generate {

using Json = nlohmann::ordered_json;

namespace {

/// A matrix as the user sees it: lines of elements that lie side by side.
struct Stored {
  std::string lines, length, leading;
  std::string stride() const { return fmt::format("{}*({})", lines, leading); }
};

} // namespace

static Stored storedAs(const char *rows, const char *columns, bool isByRow, const char *pad) {
  const char *lines = isByRow ? rows : columns, *length = isByRow ? columns : rows;
  std::string leading = fmt::format("{}+{}", length, pad);
  if (std::string_view(length) == "K") // Which may be 0, and a leading dimension not.
    leading = fmt::format("{0}+1/({0}+1)", leading);
  return {lines, length, leading};
}

std::string launchOf(const KernelShape &shape, Part part) {
  const KernelSpec &s = shape.spec;
  const bool isRow = s.order == Order::Row, isBatched = s.batches == Batches::Strided;
  const Stored a = storedAs("M", "K", isRow == (s.a == Transpose::No), "padA");
  const Stored b = storedAs("K", "N", isRow == (s.b == Transpose::No), "padB");
  const Stored c = storedAs("M", "N", isRow, "padC");
  const auto tiles = [](const char *size, unsigned block) {
    return fmt::format("({}+{})/{}", size, block - 1, block);
  };
  const std::string rows = tiles("M", s.blockRows), columns = tiles("N", s.blockColumns);
  std::string along = isRow ? columns : rows, across = isRow ? rows : columns;
  if (s.swizzle > 1) {
    along = fmt::format("{}*({})", s.swizzle, along);
    across = fmt::format("({}+{})/{}", across, s.swizzle - 1, s.swizzle);
  }
  const auto buffer = [&](const char *what, const Stored &m, unsigned seed) {
    return Json{{"name", what},
                {"buffer", fmt::format("4*{}{}", isBatched ? "batches*" : "", m.stride())},
                {"type", "f32"},
                {"init", "random"},
                {"seed", seed}};
  };
  Json arguments = Json::array();
  arguments.push_back(buffer("A", a, 1));
  arguments.push_back(buffer("B", b, 2));
  arguments.push_back(buffer("C", c, 3));
  arguments.back()["output"] = true;
  for (const char *size : {"M", "N", "K"})
    arguments.push_back({{"name", size}, {"i32", size}});
  for (const auto &[what, m] : {std::pair("lda", &a), std::pair("ldb", &b), std::pair("ldc", &c)})
    arguments.push_back({{"name", what}, {"i32", m->leading}});
  arguments.push_back({{"name", "alpha"}, {"f32", 1.25}});
  arguments.push_back({{"name", "beta"}, {"f32", 0.5}});
  if (isBatched)
    for (const auto &[what, m] :
         {std::pair("strideA", &a), std::pair("strideB", &b), std::pair("strideC", &c)})
      arguments.push_back({{"name", what}, {"i64", m->stride()}});
  if (shape.isSplit()) {
    arguments.push_back({{"name", "workspace"}, {"workspace", fmt::format("4*{}*M*N", s.splitK)}});
    if (part == Part::Sum) // The other kernel has filled it.
      arguments.back()["init"] = "zero";
  }
  const auto matrix = [&](const char *what, const Stored &m, Transpose transpose) {
    Json out{{"buffer", what}, {"ld", m.leading}, {"stride", m.stride()}};
    if (transpose == Transpose::Yes)
      out["transpose"] = true;
    return out;
  };
  Json grid{along, across, isBatched ? Json("batches") : Json(s.splitK)};
  if (part == Part::Sum)
    grid = {tiles(isRow ? "N" : "M", kSumThreads), isRow ? "M" : "N", 1};
  Json launch{
      {"kernel", part == Part::Product ? shape.name : sumName(shape)},
      {"grid", std::move(grid)},
      {"block", {part == Part::Product ? shape.threads() : kSumThreads, 1, 1}},
      {"lds", 0},
      {"args", std::move(arguments)},
      {"params", {{"M", 256}, {"N", 256}, {"K", 256}, {"padA", 0}, {"padB", 0}, {"padC", 0}}},
      {"reference",
       {{"gemm",
         {{"order", isRow ? "row" : "column"},
          {"m", "M"},
          {"n", "N"},
          {"k", "K"},
          {"batches", isBatched ? Json("batches") : Json(1)},
          {"a", matrix("A", a, s.a)},
          {"b", matrix("B", b, s.b)},
          {"c", matrix("C", c, Transpose::No)},
          {"alpha", "alpha"},
          {"beta", "beta"}}}}}};
  if (isBatched)
    launch["params"]["batches"] = 2;
  if (shape.isSplit()) // It takes both kernels.
    launch.erase("reference");
  return launch.dump(2) + "\n";
}

} // namespace rdna::generate
