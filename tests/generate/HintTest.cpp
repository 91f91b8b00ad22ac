// What a refusal says would fit, taken by its words, is accepted.

#include "Generate/Hints.h"
#include "Generate/KernelText.h"
#include "Generate/LoopText.h"
#include "Support/Random.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hintTest {

using namespace rdna;
using namespace rdna::generate;

namespace {

/// The words behind the last semicolon that end with "fits", without that.
std::vector<std::string> hintIn(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  llvm::StringRef hint = llvm::StringRef(text).rtrim().rsplit("; ").second;
  std::vector<std::string> words;
  if (!hint.consume_back(" fits"))
    return words;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::SplitString(hint, parts);
  for (const llvm::StringRef part : parts)
    words.push_back(part.str());
  return words;
}

std::pair<unsigned, unsigned> twoOf(llvm::StringRef text, char between) {
  std::pair<unsigned, unsigned> numbers;
  const auto [first, second] = text.split(between);
  EXPECT_FALSE(first.getAsInteger(10, numbers.first) || second.getAsInteger(10, numbers.second));
  return numbers;
}

unsigned numberOf(llvm::StringRef text) {
  unsigned number = 0;
  EXPECT_FALSE(text.getAsInteger(10, number)) << text.str();
  return number;
}

void apply(LoopSpec &spec, llvm::StringRef option, llvm::StringRef value) {
  if (option == "--tile")
    std::tie(spec.tile.rows, spec.tile.columns) = twoOf(value, 'x');
  else if (option == "--lanes")
    std::tie(spec.laneRows, spec.laneColumns) = twoOf(value, 'x');
  else if (option == "--vgprs")
    std::tie(spec.firstVgpr, spec.lastVgpr) = twoOf(value, ':');
  else if (option == "--steps")
    spec.tile.steps = numberOf(value);
  else if (option == "--a-stride")
    spec.aStride = numberOf(value);
  else if (option == "--b-stride")
    spec.bStride = numberOf(value);
  else if (option == "without" && value == "--fragments")
    spec.tile.fragments = 0;
  else if (option == "without" && value == "--a-stride")
    spec.aStride.reset();
  else if (option == "without" && value == "--b-stride")
    spec.bStride.reset();
  else
    ADD_FAILURE() << "unknown: " << option.str() << " " << value.str();
}

void apply(KernelSpec &spec, llvm::StringRef option, llvm::StringRef value) {
  if (option == "--block-tile")
    std::tie(spec.blockRows, spec.blockColumns) = twoOf(value, 'x');
  else if (option == "--thread-tile")
    std::tie(spec.threadRows, spec.threadColumns) = twoOf(value, 'x');
  else if (option == "--bk")
    spec.bk = numberOf(value);
  else if (option == "--swizzle")
    spec.swizzle = numberOf(value);
  else if (option == "--split-k")
    spec.splitK = numberOf(value);
  else if (option == "--stages")
    spec.stages = numberOf(value);
  else if (option == "--layout") {
    spec.a = value[0] == 't' ? Transpose::Yes : Transpose::No;
    spec.b = value[1] == 't' ? Transpose::Yes : Transpose::No;
  } else if (option == "without" && value == "--fragments")
    spec.fragments = 0;
  else if (option == "without" && value == "--waves")
    spec.waves.reset();
  else
    ADD_FAILURE() << "unknown: " << option.str() << " " << value.str();
}

/// How many refusals of the samples had a hint.
template <typename Spec, typename Sample, typename Generate>
unsigned checkHints(unsigned samples, Sample sample, Generate generate) {
  unsigned hints = 0;
  for (unsigned n = 0; n < samples; ++n) {
    Spec spec = sample();
    auto made = generate(spec);
    if (made)
      continue;
    const std::string refusal = llvm::toString(made.takeError());
    const std::vector<std::string> words = hintIn(withHint(generate(spec).takeError(), spec));
    hints += words.empty() ? 0 : 1;
    // "without --waves it"
    for (size_t i = 0; i + 1 < words.size(); i += 2)
      apply(spec, words[i], words[i + 1]);
    auto again = generate(spec);
    if (words.empty()) {
      llvm::consumeError(again.takeError());
      continue;
    }
    EXPECT_TRUE(bool(again)) << refusal << " hint: " << fmt::format("{}", fmt::join(words, " "))
                             << "\n"
                             << llvm::toString(again.takeError());
  }
  return hints;
}

TEST(GenerateHints, Loops) {
  constexpr uint64_t seed = 5;
  SCOPED_TRACE(fmt::format("seed {}", seed));
  Random random(seed);
  const auto sample = [&] {
    LoopSpec spec;
    spec.tile.rows = random.below(70);
    spec.tile.columns = random.below(20);
    spec.tile.steps = 1 + random.below(12);
    spec.tile.a = static_cast<Source>(random.below(3));
    spec.tile.b = random.below(3) == 0 ? Source::Vgpr : Source::Lds;
    spec.tile.fragments = random.below(4);
    spec.laneRows = 1u << random.below(6);
    spec.laneColumns = random.below(5) == 0 ? 5 : 32 / spec.laneRows;
    spec.firstVgpr = random.below(100);
    spec.lastVgpr = random.below(300);
    if (random.below(3) == 0)
      spec.aStride = random.below(20000);
    if (random.below(3) == 0)
      spec.bStride = random.below(20000);
    return spec;
  };
  const unsigned hints =
      checkHints<LoopSpec>(300, sample, [](const LoopSpec &spec) { return generateLoop(spec); });
  std::printf("%u hints\n", hints);
  EXPECT_GT(hints, 20u);
}

TEST(GenerateHints, Kernels) {
  constexpr uint64_t seed = 6;
  SCOPED_TRACE(fmt::format("seed {}", seed));
  Random random(seed);
  const auto sample = [&] {
    KernelSpec spec;
    spec.blockRows = 16 * random.below(20);
    spec.blockColumns = random.below(300);
    spec.threadRows = random.below(18);
    spec.threadColumns = 2 * random.below(10);
    spec.bk = 1u << random.below(7);
    spec.stages = 1 + random.below(2);
    spec.fragments = random.below(3);
    spec.source = random.below(4) == 0 ? Source::Scalar : Source::Lds;
    spec.a = random.below(2) == 0 ? Transpose::No : Transpose::Yes;
    spec.order = random.below(2) == 0 ? Order::Row : Order::Column;
    if (random.below(3) == 0)
      spec.waves = 1 + random.below(8);
    return spec;
  };
  const unsigned hints = checkHints<KernelSpec>(
      25, sample, [](const KernelSpec &spec) { return generateKernel(spec); });
  std::printf("%u hints\n", hints);
  EXPECT_GT(hints, 5u);
}

} // namespace

} // namespace hintTest
