//===- Registers.cpp - registers that the wave does not have --------------===//
#include "Emu/Check/Context.h"

#include <fmt/format.h>

namespace rdna::emu {
namespace {

/// Beyond the descriptor's count, or the trap handler's.
class RegistersCheck final : public Listener {
public:
  explicit RegistersCheck(CheckContext &context) : context_(context) {}
  Hears hears() const override { return Hears::Before; }
  void before(Record &record) override;

private:
  CheckContext &context_;
};

void RegistersCheck::before(Record &record) {
  const InstPlan &plan = *record.plan();
  if (!plan.is(traitBeyond)) [[likely]]
    return;
  RegSet touched = plan.reads;
  touched |= plan.writes;
  const unsigned vgprs = context_.program.vgprs();
  const int unit = touched.firstCommon(ProgramPlans::beyond(vgprs));
  Occurrence s{};
  s.check = Check::Registers;
  s.rule = unit < 256 ? "vgpr-not-allocated" : "trap-register";
  s.offset = plan.offset;
  s.wave = record.wave().number;
  context_.log.add(std::move(s), [&](Occurrence &occurrence) {
    const std::string name = toString(RegUnit{uint16_t(unit)});
    if (unit >= 256) {
      occurrence.message = fmt::format("{} belongs to the trap handler", name);
      return;
    }
    // The file is allocated in blocks of 24 (ISA 3.3.2.1), the descriptor counts blocks of 8.
    const bool lucky = unsigned(unit) < (vgprs + 23) / 24 * 24;
    occurrence.message =
        fmt::format("{} is beyond the {} VGPRs that the descriptor declares{}", name, vgprs,
                    lucky ? " (hardware's block of 24 still holds it)" : "");
    occurrence.fix = fmt::format(".amdhsa_next_free_vgpr {} or more", unit + 1);
  });
}

} // namespace

std::unique_ptr<Listener> createRegistersCheck(CheckContext &context) {
  return std::make_unique<RegistersCheck>(context);
}

} // namespace rdna::emu
