#include "Tune/Space.h"

#include "Pipeline/Registry.h"
#include "Support/Diagnostic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cctype>

namespace rdna::tune {

using generate::KernelSpec;

std::string toString(const Problem &p) { return fmt::format("{}x{}x{}", p.m, p.n, p.k); }

/// Nothing unless all of `text` is numbers from 1 to 999999 with x in between.
static std::vector<unsigned> numbersOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x');
  std::vector<unsigned> numbers;
  for (const llvm::StringRef part : parts) {
    unsigned number = 0;
    if (!llvm::all_of(part, llvm::isDigit) || part.getAsInteger(10, number) || number == 0 ||
        number > 999999)
      return {};
    numbers.push_back(number);
  }
  return numbers;
}

std::optional<Problem> problemOf(std::string_view text) {
  const std::vector<unsigned> numbers = numbersOf(text);
  if (numbers.size() != 3)
    return std::nullopt;
  return Problem{numbers[0], numbers[1], numbers[2]};
}

llvm::Expected<Problem> parseProblem(std::string_view text, std::string_view option) {
  if (const auto problem = problemOf(text))
    return *problem;
  return makeError(Failure::BadInput, "",
                   fmt::format("{}: '{}' is not of the form 4096x4096x4096, each number from 1 to "
                               "999999",
                               option, text));
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

namespace {

using Json = nlohmann::json;

struct Axis {
  std::string_view name;
  std::vector<unsigned> Space::*numbers;
};

constexpr std::array<Axis, 7> kAxes = {{{"block_rows", &Space::blockRows},
                                        {"block_columns", &Space::blockColumns},
                                        {"bk", &Space::bk},
                                        {"stages", &Space::stages},
                                        {"fragments", &Space::fragments},
                                        {"swizzle", &Space::swizzle},
                                        {"split_k", &Space::splitK}}};

class SpaceReader {
public:
  explicit SpaceReader(std::string_view file) : file_(file) {}
  llvm::Expected<Space> read(std::string_view text);

private:
  template <typename... Args>
  llvm::Error fail(fmt::format_string<Args...> text, Args &&...args) const {
    return makeError(Failure::BadInput, file_, fmt::format(text, std::forward<Args>(args)...));
  }
  llvm::Error readAxis(const std::string &name, const Json &values);
  llvm::Error readTiles(const Json &values);
  llvm::Error readRewrites(const Json &values);

  std::string file_;
  Space space_;
};

llvm::Error SpaceReader::readAxis(const std::string &name, const Json &values) {
  const auto axis = llvm::find_if(kAxes, [&](const Axis &a) { return a.name == name; });
  if (axis == kAxes.end()) {
    std::string known = "rewrite, thread_tiles";
    for (const Axis &a : kAxes)
      known += fmt::format(", {}", a.name);
    return fail("\"{}\" is no axis; there are {}", name, known);
  }
  std::vector<unsigned> numbers;
  for (const Json &value : values) {
    if (!value.is_number_unsigned() || value.get<uint64_t>() < 1 || value.get<uint64_t>() > 1024)
      return fail("\"{}\": {} is no number from 1 to 1024", name, value.dump());
    if (llvm::is_contained(numbers, value.get<unsigned>()))
      return fail("\"{}\": {} stands there twice", name, value.dump());
    numbers.push_back(value.get<unsigned>());
  }
  space_.*(axis->numbers) = std::move(numbers);
  return llvm::Error::success();
}

llvm::Error SpaceReader::readTiles(const Json &values) {
  space_.threadTiles.clear();
  for (const Json &value : values) {
    const std::vector<unsigned> numbers =
        value.is_string() ? numbersOf(value.get<std::string>()) : std::vector<unsigned>();
    if (numbers.size() != 2)
      return fail("\"thread_tiles\": {} is not of the form \"8x16\"", value.dump());
    const Space::Tile tile(numbers[0], numbers[1]);
    if (llvm::is_contained(space_.threadTiles, tile))
      return fail("\"thread_tiles\": {} stands there twice", value.dump());
    space_.threadTiles.push_back(tile);
  }
  return llvm::Error::success();
}

llvm::Error SpaceReader::readRewrites(const Json &values) {
  space_.rewrites.clear();
  for (const Json &value : values) {
    if (!value.is_string())
      return fail("\"rewrite\": {} is no text", value.dump());
    const auto text = value.get<std::string>();
    llvm::SmallVector<llvm::StringRef> names;
    llvm::StringRef(text).split(names, '+');
    if (text != "none" && text != "all")
      for (const llvm::StringRef name : names)
        if (findPass(name) == nullptr)
          return fail("\"rewrite\": there is no pass '{}' (none, all, or names of passes with + in "
                      "between: dualfmac-sched rewrite --help)",
                      name.str());
    if (llvm::is_contained(space_.rewrites, text))
      return fail("\"rewrite\": {} stands there twice", value.dump());
    space_.rewrites.push_back(text);
  }
  return llvm::Error::success();
}

llvm::Expected<Space> SpaceReader::read(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    return fail("this is no JSON");
  if (!json.is_object())
    return fail("a space is an object of lists: {{\"block_rows\": [64, 128]}}");
  for (const auto &[name, values] : json.items()) {
    if (!values.is_array() || values.empty())
      return fail("\"{}\": a list with at least one value is wanted", name);
    llvm::Error error = name == "thread_tiles" ? readTiles(values)
                        : name == "rewrite"    ? readRewrites(values)
                                               : readAxis(name, values);
    if (error)
      return error;
  }
  return space_;
}

} // namespace

llvm::Expected<Space> readSpace(std::string_view text, std::string_view file) {
  return SpaceReader(file).read(text);
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

std::string keyOf(const Point &point) {
  const KernelSpec &s = point.spec;
  return fmt::format("{}x{} {}x{} k{} s{} f{} w{} z{} {}", s.blockRows, s.blockColumns,
                     s.threadRows, s.threadColumns, s.bk, s.stages, s.fragments, s.swizzle,
                     s.splitK, point.rewrite);
}

std::string optionsOf(const Point &point) {
  const KernelSpec &s = point.spec;
  const auto isTurned = [](generate::Transpose t) { return t == generate::Transpose::Yes; };
  std::string text =
      fmt::format("--block-tile {}x{} --thread-tile {}x{} --bk {} --stages {}", s.blockRows,
                  s.blockColumns, s.threadRows, s.threadColumns, s.bk, s.stages);
  if (s.fragments != 0)
    text += fmt::format(" --fragments {}", s.fragments);
  if (s.swizzle != 1)
    text += fmt::format(" --swizzle {}", s.swizzle);
  if (s.splitK != 1)
    text += fmt::format(" --split-k {}", s.splitK);
  if (isTurned(s.a) || isTurned(s.b))
    text += fmt::format(" --layout {}{}", isTurned(s.a) ? 't' : 'n', isTurned(s.b) ? 't' : 'n');
  if (s.order == generate::Order::Column)
    text += " --order col";
  if (s.source == generate::Source::Scalar)
    text += " --a scalar";
  if (s.edges == generate::Edges::Exact)
    text += " --edges exact";
  return text;
}

std::string limitOf(std::string_view message) {
  std::string text;
  for (const char c : message.substr(0, message.find(';'))) {
    const bool isDigit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!isDigit)
      text += c;
    else if (text.empty() || text.back() != '#')
      text += '#';
  }
  return text;
}

/// Why a point is none, or nothing.
static std::string whyCut(const KernelSpec &s, const Problem &p) {
  if (s.edges == generate::Edges::Exact &&
      (p.m % s.blockRows != 0 || p.n % s.blockColumns != 0 || p.k % s.bk != 0))
    return "--edges exact: the tile does not divide the size";
  if (s.swizzle > 1 && s.swizzle > llvm::divideCeil(p.m, s.blockRows))
    return "--swizzle is more than there are rows of blocks";
  if (s.splitK > 1 && s.splitK > llvm::divideCeil(p.k, s.bk))
    return "--split-k is more than there are steps of K";
  auto shape = generate::shapeOf(s);
  if (!shape) {
    std::string why;
    llvm::handleAllErrors(
        shape.takeError(),
        [&](const InputError &error) { why = limitOf(error.diagnostics().front().message); },
        [&](const llvm::ErrorInfoBase &error) { why = limitOf(error.message()); });
    return why;
  }
  generate::TileSpec tile = shape->tile();
  if (generate::tileVgprs(tile) > 256)
    return "the tile's accumulators and elements take more than 256 VGPRs";
  return {};
}

Points enumerate(const Space &space, const KernelSpec &base, const Problem &problem) {
  Points points;
  const auto add = [&](KernelSpec spec) {
    const std::string why = whyCut(spec, problem);
    for (const std::string &rewrite : space.rewrites) {
      ++points.all;
      if (why.empty())
        points.legal.push_back({spec, rewrite});
      else
        ++points.cut[why];
    }
  };
  KernelSpec s = base;
  const auto lastAxes = [&] {
    for (const unsigned stages : space.stages)
      for (const unsigned fragments : space.fragments)
        for (const unsigned swizzle : space.swizzle)
          for (const unsigned splitK : space.splitK) {
            s.stages = stages;
            s.fragments = fragments;
            s.swizzle = swizzle;
            s.splitK = splitK;
            add(s);
          }
  };
  for (const unsigned rows : space.blockRows)
    for (const unsigned columns : space.blockColumns)
      for (const auto &[threadRows, threadColumns] : space.threadTiles)
        for (const unsigned bk : space.bk) {
          std::tie(s.blockRows, s.blockColumns) = std::pair(rows, columns);
          std::tie(s.threadRows, s.threadColumns) = std::pair(threadRows, threadColumns);
          s.bk = bk;
          lastAxes();
        }
  return points;
}

} // namespace rdna::tune
