#include "Programs.h"

#include <fmt/format.h>

namespace rdna::test {

using verify::Value;

Code::Code(uint64_t seed, unsigned instances, unsigned others)
    : Code(modelledSequences(seed, instances),
           others ? randomLines(seed, others) : std::vector<std::string>()) {}

Code::Code(std::vector<std::vector<std::string>> sequences, std::vector<std::string> others) {
  std::vector<std::string> lines = others;
  for (const auto &sequence : sequences)
    lines.insert(lines.end(), sequence.begin(), sequence.end());
  for (size_t n = 0, all = lines.size(); n < all; ++n)
    for (std::string &line : swappedSources(lines[n]))
      lines.push_back(std::move(line));
  pool_ = std::make_unique<Pool>(std::move(lines));
  for (const auto &sequence : sequences) {
    std::vector<unsigned> numbers;
    for (const std::string &line : sequence)
      if (const auto n = pool_->find(line))
        numbers.push_back(*n);
    if (numbers.size() == sequence.size())
      sequences_.push_back(std::move(numbers));
  }
  // Some random operands are not legal together.
  EXPECT_GT(sequences_.size(), sequences.size() * 9 / 10);
  for (const std::string &line : others)
    if (const auto n = pool_->find(line))
      others_.push_back(*n);
  EXPECT_GE(others_.size(), others.size() / 2);
  swapped_.resize(pool_->size());
  for (unsigned n = 0; n < pool_->size(); ++n)
    for (const std::string &line : swappedSources(pool_->line(n)))
      if (const auto other = pool_->find(line))
        swapped_[n].push_back(*other);
}

ProgramRun::Sequence ProgramRun::randomProgram(Random &random) const {
  Sequence program;
  const unsigned length = 4 + random.below(16);
  while (program.size() < length) {
    if (!code_.others().empty() && random.below(3) == 0) {
      program.push_back(code_.others()[random.below(unsigned(code_.others().size()))]);
      continue;
    }
    const auto &sequence = code_.sequences()[random.below(unsigned(code_.sequences().size()))];
    program.insert(program.end(), sequence.begin(), sequence.end());
  }
  return program;
}

ProgramRun::Sequence ProgramRun::changed(const Sequence &program, Random &random) const {
  Sequence copy = program;
  for (unsigned changes = 1 + random.below(2); changes > 0 && copy.size() > 1; --changes) {
    const unsigned at = random.below(unsigned(copy.size()));
    const auto &swapped = code_.swapped(copy[at]);
    switch (random.below(5)) {
    case 0:
      copy.erase(copy.begin() + at);
      break;
    case 1:
      std::swap(copy[at], copy[(at + 1) % copy.size()]);
      break;
    case 2: { // Another instance of a sequence in its place.
      const auto &other = code_.sequences()[random.below(unsigned(code_.sequences().size()))];
      copy.erase(copy.begin() + at);
      copy.insert(copy.begin() + at, other.begin(), other.end());
      break;
    }
    default:
      if (!swapped.empty())
        copy[at] = swapped[random.below(unsigned(swapped.size()))];
    }
  }
  return copy;
}

bool ProgramRun::run(const Sequence &program, const Concrete &start) {
  twin_.begin(start);
  for (size_t n = 0; n < program.size(); ++n) {
    ++executed;
    const auto outcome = twin_.step(program[n]);
    if (outcome == Twin::Outcome::Left) {
      ++left;
      return true;
    }
    if (outcome == Twin::Outcome::Same)
      continue;
    std::string listing;
    for (size_t k = 0; k <= n; ++k)
      listing += "\t" + code_.pool().line(program[k]) + "\n";
    ADD_FAILURE() << twin_.difference() << "\n" << listing;
    return false;
  }
  checkUnwrapped();
  return !testing::Test::HasFailure();
}

/// Taking sums that are extended apart does not change what they are.
void ProgramRun::checkUnwrapped() {
  const auto check = [&](RegUnit unit) {
    auto &values = twin_.values();
    const Value wide = values.wideOf(twin_.state()[unit],
                                     twin_.state()[RegUnit{static_cast<uint16_t>(unit.index + 1)}]);
    const Value apart = values.unwrapped(wide, verify::Indices::MayWrap);
    if (apart == wide)
      return;
    const Bits is = twin_.meaning().of(wide), seems = twin_.meaning().of(apart);
    for (unsigned l = 0; l < kLanes; ++l) {
      const bool isKnown = is.known & seems.known & 1u << l;
      EXPECT_TRUE(!isKnown || is.lane[l] == seems.lane[l])
          << values.render(wide) << " is not " << values.render(apart);
    }
  };
  for (unsigned n = 0; n < 7; ++n)
    check(RegUnit::vgpr(n));
  for (unsigned n = 16; n < 24; n += 2)
    check(RegUnit::scalar(n));
}

void ProgramRun::programs(uint64_t count) {
  for (uint64_t n = 0; n < count; ++n) {
    Random random(seed_ * 1000003 + n);
    twin_.forget();
    const Sequence program = randomProgram(random);
    const Concrete start = randomStart(random);
    bool isSame = run(program, start);
    for (unsigned copy = 0; copy < 3 && isSame; ++copy)
      isSame = run(changed(program, random), start);
    if (!isSame) {
      ADD_FAILURE() << "program " << n << " of RDNA_SEED=" << seed_;
      return;
    }
  }
}

} // namespace rdna::test
