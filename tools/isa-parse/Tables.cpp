#include "IsaParse.h"

#include "Code/Reprint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rdna::isaparse {

static std::string name(Vgpr reg) { return toString(RegUnit::vgpr(reg.number)); }

static std::string cell(const SlotRead &read) {
  const int bank = static_cast<int>(bankOf(read.reg));
  switch (read.from) {
  case SlotRead::From::File:
    return fmt::format("R{}", bank);
  case SlotRead::From::Cache:
    return fmt::format("Cache{}", bank);
  case SlotRead::From::Nothing:
    break;
  }
  return "-";
}

static std::string cell(const DestinationUse &use) {
  const int bank = static_cast<int>(bankOf(use.reg));
  switch (use.use) {
  case DestinationUse::Use::ReadWrite:
    return fmt::format("R/W{}", bank);
  case DestinationUse::Use::Write:
    return fmt::format("W{}", bank);
  case DestinationUse::Use::Nothing:
    break;
  }
  return "-";
}

static std::string notes(const BankRow &row) {
  std::vector<std::string> pairs;
  for (const auto &[a, b] : row.conflicts)
    pairs.push_back(fmt::format("{}/{} bank {}", name(a), name(b), static_cast<int>(bankOf(a))));
  std::string text;
  if (!pairs.empty())
    text = fmt::format("CONFLICT {}", fmt::join(pairs, ", "));
  if (row.hazard)
    text += fmt::format("{}HAZARD {}/{} same parity", text.empty() ? "" : "; ", name(row.hazard->x),
                        name(row.hazard->y));
  return text;
}

static std::string plural(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string bankReport(const Module &module, const std::vector<Region> &regions) {
  std::string text;
  for (const Region &region : regions) {
    const std::vector<BankRow> table = bankTable(module, region.instructions);
    std::vector<std::vector<std::string>> rows{
        {"line", "SRCX0", "SRCX1", "SRCY0", "SRCY1", "DSTX", "DSTY", "instruction", "notes"}};
    size_t conflicts = 0, hazards = 0;
    for (const BankRow &row : table) {
      const Instruction &inst = module.instructions()[row.instruction];
      conflicts += row.conflicts.size();
      hazards += row.hazard ? 1 : 0;
      rows.push_back({fmt::format("{}", inst.line), cell(row.sources[0]), cell(row.sources[1]),
                      cell(row.sources[2]), cell(row.sources[3]), cell(row.destinations[0]),
                      cell(row.destinations[1]), std::string(module.instructionText(inst)),
                      notes(row)});
    }
    if (!text.empty())
      text += "\n";
    text += fmt::format("{}:{}: {} of {}: {}, {}, {}\n", module.file(), region.line, region.name,
                        module.functions()[region.functionIndex].name,
                        plural(region.instructions.size(), "instruction"),
                        plural(conflicts, "bank conflict"), plural(hazards, "parity hazard"));
    text += layOut(rows,
                   {Align::Right, Align::Left, Align::Left, Align::Left, Align::Left, Align::Left,
                    Align::Left, Align::Left, Align::Left},
                   "  ");
  }
  return text;
}

/// The FMAs of one run of instructions, as rows.
static std::string singleRows(const Module &module, const std::vector<SingleFma> &found) {
  std::vector<std::vector<std::string>> rows{{"line", "rule", "instruction", "why and what helps"}};
  for (const SingleFma &fma : found) {
    const Instruction &inst = module.instructions()[fma.instruction];
    rows.push_back({placeOf(module, inst), toString(fma.rule),
                    inst.origin == Instruction::Origin::Text
                        ? std::string(module.instructionText(inst))
                        : printed(module, inst),
                    fmt::format("{}; {}", fma.reason, fma.remedy)});
  }
  return layOut(rows, {Align::Right, Align::Left, Align::Left, Align::Left}, "  ");
}

std::string whySingleReport(const Module &module, const std::vector<uint32_t> &functions,
                            const std::vector<Region> &regions) {
  std::string text;
  const auto add = [&](const std::string &title, const Cfg &cfg,
                       const std::vector<uint32_t> &instructions) {
    const std::vector<SingleFma> found = whySingle(module, cfg, instructions);
    text += fmt::format("{}{}: {} of F32 outside a pair of two FMAs\n", text.empty() ? "" : "\n",
                        title, plural(found.size(), "FMA"));
    if (!found.empty())
      text += singleRows(module, found);
  };
  if (!regions.empty()) {
    for (const Region &region : regions)
      add(fmt::format("{}:{}: {}", module.file(), region.line, region.name),
          buildCfg(module, region.functionIndex), region.instructions);
    return text;
  }
  for (const uint32_t index : functions) {
    const Function &function = module.functions()[index];
    std::vector<uint32_t> all;
    for (uint32_t i = function.first; i < function.last; ++i)
      all.push_back(i);
    add(fmt::format("{}:{}: {}", module.file(), function.line, function.name),
        buildCfg(module, index), all);
  }
  return text;
}

} // namespace rdna::isaparse
