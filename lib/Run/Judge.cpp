#include "Run/Judge.h"

#include "Run/Compare.h"
#include "Support/Diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::run {

namespace {

class Judge {
public:
  explicit Judge(const LaunchResults &results) : results_(results) {}
  Judgement run();

private:
  void compareWithGemm();
  void compareWithFile(const Buffer &buffer);
  std::vector<Tile> coveredTiles() const;
  void checkUntouched(const std::vector<Tile> &tiles);
  void problem(std::string text) { out_.problems.push_back(std::move(text)); }

  const LaunchResults &results_;
  Judgement out_;
};

/// What the workgroups that ran compute. Of a described product all of them run.
std::vector<Tile> Judge::coveredTiles() const {
  const GemmShape &shape = *results_.launch.gemm;
  std::vector<Tile> tiles;
  if (results_.workgroups.empty()) {
    for (uint64_t batch = 0; batch < shape.batches; ++batch)
      tiles.push_back({0, shape.m, 0, shape.n, batch});
    return tiles;
  }
  const uint64_t width = (shape.n + results_.launch.grid[0] - 1) / results_.launch.grid[0];
  const uint64_t height = (shape.m + results_.launch.grid[1] - 1) / results_.launch.grid[1];
  for (const auto &group : results_.workgroups) {
    const uint64_t row = group[1] * height, column = group[0] * width;
    if (row < shape.m && column < shape.n)
      tiles.push_back(
          {row, std::min(height, shape.m - row), column, std::min(width, shape.n - column), 0});
  }
  return tiles;
}

/// What is in D's buffer but in none of the tiles must be as it was.
void Judge::checkUntouched(const std::vector<Tile> &tiles) {
  const MatrixPlace &place = results_.launch.gemm->d;
  const std::vector<std::byte> &before = results_.before[place.buffer];
  const Buffer &buffer = results_.buffers.buffers()[place.buffer];
  std::vector<bool> covered(before.size() / 4);
  for (const Tile &tile : tiles)
    for (uint64_t r = 0; r < tile.rows; ++r)
      for (uint64_t c = 0; c < tile.columns; ++c)
        covered[place.at(tile.firstRow + r, tile.firstColumn + c, tile.batch)] = true;
  const std::byte *after = buffer.bytes.data();
  for (uint64_t i = 0; i < covered.size(); ++i)
    if (!covered[i] && !std::equal(after + 4 * i, after + 4 * i + 4, before.data() + 4 * i))
      return problem(
          results_.workgroups.empty()
              ? fmt::format("{}: element {} was written, though it is no part of the matrix",
                            buffer.facts.name, i)
              : fmt::format("C[{}][{}] was written, though no workgroup that ran owns it (tiles of "
                            "{}x{} assumed)",
                            i / place.rowStride, i % place.rowStride, tiles[0].columns,
                            tiles[0].rows));
}

void Judge::compareWithGemm() {
  const GemmShape &shape = *results_.launch.gemm;
  const auto floats = [](const std::byte *data) { return reinterpret_cast<const float *>(data); };
  const auto found = [&](const MatrixPlace &matrix) {
    return floats(results_.before[matrix.buffer].data());
  };
  const std::vector<Tile> tiles = coveredTiles();
  const Buffer &d = results_.buffers.buffers()[shape.d.buffer];
  const ReferenceResult result =
      checkGemm({found(shape.a), found(shape.b), found(shape.c), floats(d.bytes.data()), shape},
                tiles, results_.threads);
  out_.method = result.method;
  out_.bitExact = result.exact;
  out_.difference = result.difference;
  if (!result.withinBound)
    problem(fmt::format("{}: {}", d.facts.name,
                        result.missing.empty() ? describe(result.difference) : result.missing));
  else if (!result.exact && results_.exactness == Exactness::BitExact)
    problem(fmt::format("{}: not bit-exact in any sequential FMA order", d.facts.name));
  checkUntouched(tiles);
}

void Judge::compareWithFile(const Buffer &buffer) {
  const Expectation &expected = *buffer.facts.expected;
  const Difference difference =
      compareWithin(buffer.bytes, std::as_bytes(std::span(*expected.contents)), buffer.facts.type,
                    expected.absolute, expected.relative);
  out_.method += (out_.method.empty() ? "" : ", ") + expected.file;
  out_.bitExact &= difference.maxAbsError == 0 && difference.mismatches == 0;
  mergeDifference(out_.difference, difference);
  if (difference.mismatches != 0)
    problem(fmt::format("{}: {}", buffer.facts.name, describe(difference)));
  else if (!out_.bitExact && results_.exactness == Exactness::BitExact)
    problem(fmt::format("{}: within its tolerance of {}, but not bit-exact", buffer.facts.name,
                        expected.file));
}

Judgement Judge::run() {
  if (results_.launch.gemm)
    compareWithGemm();
  const auto &buffers = results_.buffers.buffers();
  for (size_t i = 0; i < buffers.size(); ++i) {
    const std::vector<std::byte> &before = results_.before[i];
    if (buffers[i].facts.role == BufferArgument::Role::Input &&
        !std::equal(before.begin(), before.end(), buffers[i].bytes.begin()))
      problem(fmt::format("{} is an input, but was changed", buffers[i].facts.name));
    if (buffers[i].facts.expected)
      compareWithFile(buffers[i]);
  }
  return std::move(out_);
}

} // namespace

Judgement judgeByReference(const LaunchResults &results) { return Judge(results).run(); }

llvm::Error checkReference(const ResolvedLaunch &launch, Coverage coverage) {
  const auto refuse = [](std::string message) { return makeError(Failure::BadInput, "", message); };
  const auto isKnown = [&](const ResolvedBuffer &buffer) {
    return buffer.expected || (launch.gemm && &launch.buffers[launch.gemm->d.buffer] == &buffer);
  };
  if (std::none_of(launch.buffers.begin(), launch.buffers.end(), isKnown))
    return refuse("there is no host reference for this launch (it does not look like an SGEMM, and "
                  "its description has neither \"reference\" nor \"expected\"); compare with "
                  "another kernel by --against");
  for (const ResolvedBuffer &buffer : launch.buffers)
    if (buffer.isOutput() && !isKnown(buffer))
      return refuse(fmt::format("nothing says what the output {} must be; give it \"expected\", or "
                                "compare with another kernel by --against",
                                buffer.name));
  if (coverage == Coverage::Sample &&
      (!launch.gemm || launch.gemm->kind != GemmShape::Kind::Square))
    return refuse("--sample: which workgroup computes which part of the output is not known for "
                  "this launch; compare with another kernel by --against");
  return llvm::Error::success();
}

} // namespace rdna::run
