//===- Wmma.cpp - factors of a matrix product whose halves differ ---------===//
#include "Emu/Check/Context.h"

#include <fmt/format.h>

namespace rdna::emu {
namespace {

constexpr unsigned half = laneCount / 2;

/// On gfx11, lanes 16 to 31 of the factors A and B of a WMMA must repeat lanes 0 to 15, whatever
/// EXEC is (docs/hardware.md). The emulator looks at the lower half alone, so a kernel that loads
/// other data into the upper one works there and not on a GPU.
class WmmaCheck final : public Listener {
public:
  explicit WmmaCheck(CheckContext &context) : context_(context) {}
  Hears hears() const override { return Hears::Before; }
  void before(Record &record) override {
    if (!record.plan()->is(traitWmma)) [[likely]]
      return;
    unsigned factors = 0;
    for (const rdna::Operand &operand : record.plan()->facts().operands)
      if (operand.cls == rdna::Operand::Class::Source && factors++ < 2 && operand.isReg() &&
          operand.reg.first.isVgpr())
        compareHalves(record, operand.reg);
  }

private:
  void compareHalves(const Record &record, const RegRange &factor);

  CheckContext &context_;
};

void WmmaCheck::compareHalves(const Record &record, const RegRange &factor) {
  for (unsigned d = 0; d < factor.dwords; ++d)
    for (unsigned l = 0; l < half; ++l) {
      const unsigned number = factor.first.index + d;
      const uint32_t lower = record.vgpr(number, l), upper = record.vgpr(number, l + half);
      if (lower == upper)
        continue;
      Occurrence s{};
      s.check = Check::Wmma;
      s.rule = "halves-differ";
      s.offset = record.plan()->offset;
      s.wave = record.wave().number;
      s.lane = l + half;
      return context_.log.add(std::move(s), [&](Occurrence &occurrence) {
        occurrence.message =
            fmt::format("v{} of the factor {} is {:#x} in lane {} and {:#x} in lane {}: the upper "
                        "half of the lanes must repeat the lower one",
                        number, toString(factor), lower, l, upper, l + half);
        occurrence.fix = "load the factor with lane & 15";
      });
    }
}

} // namespace

std::unique_ptr<Listener> createWmmaCheck(CheckContext &context) {
  return std::make_unique<WmmaCheck>(context);
}

} // namespace rdna::emu
