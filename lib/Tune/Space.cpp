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

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static constexpr std::array<std::pair<std::string_view, Elements>, 3> kElements = {
    {{"lds", Elements::Lds}, {"scalar", Elements::Scalar}, {"direct", Elements::Direct}}};
static constexpr std::array<std::pair<std::string_view, generate::Hints>, 2> kHints = {
    {{"all", generate::Hints::All}, {"none", generate::Hints::None}}};

Elements elementsOf(const KernelSpec &spec) {
  return spec.source != generate::Source::Scalar      ? Elements::Lds
         : spec.otherSource == generate::Source::Vgpr ? Elements::Direct
                                                      : Elements::Scalar;
}

std::string_view toString(Elements elements) {
  return kElements[static_cast<size_t>(elements)].first;
}

static void setElements(KernelSpec &spec, Elements elements) {
  using generate::Source;
  spec.source = elements == Elements::Lds ? Source::Lds : Source::Scalar;
  spec.otherSource = elements == Elements::Direct ? Source::Vgpr : Source::Lds;
}

void setScalarTile(KernelSpec &spec, Space::Tile tile, Space::Tile waves) {
  std::pair rows{tile.first, tile.first * waves.first};
  std::pair columns{tile.second, 32 * tile.second * waves.second};
  if (spec.order == generate::Order::Column)
    std::swap(rows, columns);
  std::tie(spec.threadRows, spec.blockRows) = rows;
  std::tie(spec.threadColumns, spec.blockColumns) = columns;
}

ScalarTile scalarTileOf(const KernelSpec &spec) {
  std::pair rows{spec.threadRows, spec.blockRows}, columns{spec.threadColumns, spec.blockColumns};
  if (spec.order == generate::Order::Column)
    std::swap(rows, columns);
  return {{rows.first, columns.first},
          {rows.second / rows.first, columns.second / columns.first / 32}};
}

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
  llvm::Error readTiles(const std::string &name, const Json &values);
  llvm::Error readRewrites(const Json &values);
  template <typename T, size_t n>
  llvm::Error readWords(const std::string &name, const Json &values, std::vector<T> &to,
                        const std::array<std::pair<std::string_view, T>, n> &words) const;

  std::string file_;
  Space space_;
};

llvm::Error SpaceReader::readAxis(const std::string &name, const Json &values) {
  const auto axis = llvm::find_if(kAxes, [&](const Axis &a) { return a.name == name; });
  if (axis == kAxes.end()) {
    std::string known = "elements, hints, rewrite, scalar_tiles, thread_tiles, waves";
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

llvm::Error SpaceReader::readTiles(const std::string &name, const Json &values) {
  std::vector<Space::Tile> &tiles = name == "waves"          ? space_.waves
                                    : name == "thread_tiles" ? space_.threadTiles
                                                             : space_.scalarTiles;
  tiles.clear();
  for (const Json &value : values) {
    const std::vector<unsigned> numbers =
        value.is_string() ? numbersOf(value.get<std::string>()) : std::vector<unsigned>();
    if (numbers.size() != 2 || numbers[0] > 1024 || numbers[1] > 1024)
      return fail("\"{}\": {} is not of the form \"8x16\"", name, value.dump());
    const Space::Tile tile(numbers[0], numbers[1]);
    if (llvm::is_contained(tiles, tile))
      return fail("\"{}\": {} stands there twice", name, value.dump());
    tiles.push_back(tile);
  }
  return llvm::Error::success();
}

template <typename T, size_t n>
llvm::Error
SpaceReader::readWords(const std::string &name, const Json &values, std::vector<T> &to,
                       const std::array<std::pair<std::string_view, T>, n> &words) const {
  to.clear();
  std::vector<std::string_view> known;
  for (const auto &[word, meaning] : words)
    known.push_back(word);
  for (const Json &value : values) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    const auto word = llvm::find(known, text);
    if (word == known.end())
      return fail("\"{}\": '{}' is none of {}", name, text, fmt::join(known, ", "));
    const T meaning = words[static_cast<size_t>(word - known.begin())].second;
    if (llvm::is_contained(to, meaning))
      return fail("\"{}\": {} stands there twice", name, value.dump());
    to.push_back(meaning);
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
    const bool isTiles = name == "thread_tiles" || name == "scalar_tiles" || name == "waves";
    llvm::Error error = isTiles              ? readTiles(name, values)
                        : name == "rewrite"  ? readRewrites(values)
                        : name == "elements" ? readWords(name, values, space_.elements, kElements)
                        : name == "hints"    ? readWords(name, values, space_.hints, kHints)
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
  const Elements elements = elementsOf(s);
  const std::string from = elements == Elements::Lds ? "" : fmt::format(" {}", toString(elements));
  return fmt::format("{}x{} {}x{}{} k{} s{} f{} w{} z{}{} {}", s.blockRows, s.blockColumns,
                     s.threadRows, s.threadColumns, from, s.bk, s.stages, s.fragments, s.swizzle,
                     s.splitK, s.hints == generate::Hints::None ? " bare" : "", point.rewrite);
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
  if (s.otherSource == generate::Source::Vgpr)
    text += " --b direct";
  if (s.hints == generate::Hints::None)
    text += " --hints none";
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

std::string whyCut(const KernelSpec &s, const Problem &p) {
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
    for (const unsigned bk : space.bk)
      for (const unsigned stages : space.stages)
        for (const unsigned fragments : space.fragments)
          for (const unsigned swizzle : space.swizzle)
            for (const unsigned splitK : space.splitK)
              for (const generate::Hints hints : space.hints) {
                s.bk = bk;
                s.stages = stages;
                s.fragments = fragments;
                s.swizzle = swizzle;
                s.splitK = splitK;
                s.hints = hints;
                add(s);
              }
  };
  const auto blocks = [&] {
    for (const unsigned rows : space.blockRows)
      for (const unsigned columns : space.blockColumns)
        for (const auto &[threadRows, threadColumns] : space.threadTiles) {
          std::tie(s.blockRows, s.blockColumns) = std::pair(rows, columns);
          std::tie(s.threadRows, s.threadColumns) = std::pair(threadRows, threadColumns);
          lastAxes();
        }
  };
  const auto scalarBlocks = [&] {
    for (const Space::Tile &tile : space.scalarTiles)
      for (const Space::Tile &waves : space.waves) {
        setScalarTile(s, tile, waves);
        lastAxes();
      }
  };
  for (const Elements elements : space.elements) {
    setElements(s, elements);
    elements == Elements::Lds ? blocks() : scalarBlocks();
  }
  return points;
}

} // namespace rdna::tune
