// What the proof of LDS arrangements knows of registers is what the emulator has in them: every
// VALU and SALU instruction that the generators write, with some registers known, some known to be
// the same in all lanes, and some not known at all. RDNA_SEED chooses other values than the
// default.

#include "Programs.h"

#include "Verify/KnownValues.h"

#include <fmt/format.h>

#include <set>

namespace rdna::test::knownValuesTest {
namespace {

using verify::KnownValue;
using verify::KnownValues;

class KnownTwin {
public:
  KnownTwin(Pool &pool, Random &random) : pool_(pool), random_(random) {}

  /// The difference between what is known behind an instruction and what is there; empty: none.
  std::string difference(unsigned instruction) {
    const Concrete start = randomStart(random_);
    begin(start);
    KnownValues values = known();
    values.execute(pool_.instruction(instruction));
    if (!pool_.run(instruction))
      return {};
    for (unsigned n = 0; n < kVgprs; ++n)
      if (auto text = compare(values[RegUnit::vgpr(n)], pool_.wave().v[n].lane, 32); !text.empty())
        return fmt::format("{}: v{}: {}", pool_.line(instruction), n, text);
    for (const RegUnit unit : scalars()) {
      const uint32_t bits = scalar(unit);
      if (auto text = compare(values[unit], &bits, 1); !text.empty())
        return fmt::format("{}: {}: {}", pool_.line(instruction), toString(unit), text);
    }
    return {};
  }
  uint64_t compared = 0;

private:
  static const std::vector<RegUnit> &scalars() {
    static const std::vector<RegUnit> all = [] {
      std::vector<RegUnit> units;
      for (unsigned n = 0; n < 108; ++n)
        units.push_back(RegUnit::scalar(n));
      units.insert(units.end(), {kM0, kExecLo, kScc});
      return units;
    }();
    return all;
  }
  uint32_t scalar(RegUnit unit) {
    return unit == kScc ? pool_.wave().s[emu::regScc] : pool_.wave().s[unit.number()];
  }

  void begin(const Concrete &start) {
    emu::Wave &wave = pool_.wave();
    std::copy(start.v.begin(), start.v.end(), wave.v.begin());
    std::copy(start.s.begin(), start.s.end(), wave.s.begin());
    wave.s[emu::regScc] = start.scc;
    wave.setMode(start.mode);
  }

  KnownValues known() {
    KnownValues values(Function{}, {32, 1, 1});
    for (unsigned n = 0; n < kVgprs; ++n) {
      const uint32_t *lanes = pool_.wave().v[n].lane;
      KnownValue value{{lanes, lanes + 32}, std::vector<uint8_t>(32, 1)};
      value.isUniform = std::all_of(lanes, lanes + 32, [&](uint32_t x) { return x == lanes[0]; });
      for (uint8_t &one : value.known) // Half of the registers in some lanes only.
        one = n % 2 == 0 || random_.below(4) != 0;
      if (random_.below(6) == 0)
        std::fill(value.known.begin(), value.known.end(), uint8_t(0));
      values.set(RegUnit::vgpr(n), std::make_shared<const KnownValue>(std::move(value)));
    }
    for (const RegUnit unit : scalars())
      if (random_.below(8) != 0)
        values.set(unit, std::make_shared<const KnownValue>(
                             KnownValue{.bits = {scalar(unit)}, .known = {1}, .isUniform = true}));
    return values;
  }

  std::string compare(const KnownValue &value, const uint32_t *found, unsigned places) {
    for (unsigned i = 0; i < places; ++i) {
      if (value.isUniform && found[i] != found[0])
        return "not the same in all lanes";
      if (value.bits.empty() || value.known[i] == KnownValue::kNothing)
        continue;
      ++compared;
      const uint32_t known = value.known[i] == KnownValue::kLowHalf    ? 0xffff
                             : value.known[i] == KnownValue::kHighHalf ? 0xffff0000
                                                                       : ~0u;
      if (((value.bits[i] ^ found[i]) & known) != 0)
        return fmt::format("lane {}: {:#x}, but there is {:#x}", i, value.bits[i], found[i]);
    }
    return {};
  }

  Pool &pool_;
  Random &random_;
};

TEST(KnownValues, AreWhatTheEmulatorHas) {
  const uint64_t seed = setting("RDNA_SEED", 1);
  const Code code(seed, 4, 600);
  Random random(seed);
  KnownTwin twin(code.pool(), random);
  std::set<Op> ops;
  for (unsigned n = 0; n < code.pool().size(); ++n) {
    const Instruction &inst = code.pool().instruction(n);
    if (!inst.isValu() && inst.unit != Unit::Salu)
      continue;
    if (KnownValues(Function{}, {32, 1, 1}).execute(inst))
      ops.insert(inst.op);
    for (unsigned times = 0; times < 4; ++times)
      EXPECT_EQ(twin.difference(n), "") << "seed " << seed;
  }
  std::printf("%zu operations followed, %llu values compared, seed %llu\n", ops.size(),
              static_cast<unsigned long long>(twin.compared),
              static_cast<unsigned long long>(seed));
  EXPECT_GT(ops.size(), 50U);
}

} // namespace
} // namespace rdna::test::knownValuesTest
