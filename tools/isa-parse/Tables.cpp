#include "IsaParse.h"

#include "Analysis/LeastSingles.h"
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

/// As it stands in the text, or as it is assembled where a macro makes it.
static std::string instructionText(const Module &module, const Instruction &inst) {
  return inst.origin == Instruction::Origin::Text ? std::string(module.instructionText(inst))
                                                  : printed(module, inst);
}

/// An instruction and its notes fill the screen; in one column they can be folded.
static constexpr size_t narrow = 110;

static void joinLastTwo(tool::Rows &rows, std::vector<Column> &columns) {
  for (auto &row : rows) {
    const std::string last = row.back();
    row.pop_back();
    row.back() += (last.empty() ? "" : " ") + last;
  }
  columns.pop_back();
  columns.back().dispensable = 0;
}

std::string bankReport(const Module &module, const std::vector<Region> &regions, size_t width) {
  std::string text;
  const SourcePlaces sources = allSources(module);
  for (const Region &region : regions) {
    const std::vector<BankRow> table = bankTable(module, region.instructions);
    std::vector<uint32_t> instructions;
    tool::Rows rows{
        {"line", "SRCX0", "SRCX1", "SRCY0", "SRCY1", "DSTX", "DSTY", "instruction", "notes"}};
    size_t conflicts = 0, hazards = 0;
    for (const BankRow &row : table) {
      const Instruction &inst = module.instructions()[row.instruction];
      instructions.push_back(row.instruction);
      conflicts += row.conflicts.size();
      hazards += row.hazard ? 1 : 0;
      rows.push_back({placeOf(module, inst), cell(row.sources[0]), cell(row.sources[1]),
                      cell(row.sources[2]), cell(row.sources[3]), cell(row.destinations[0]),
                      cell(row.destinations[1]), instructionText(module, inst), notes(row)});
    }
    if (!text.empty())
      text += "\n";
    text += fmt::format("{}:{}: {} of {}{}: {}, {}, {}\n", module.file(), region.line, region.name,
                        module.functions()[region.functionIndex].name,
                        inSource(module, sources, region),
                        plural(region.instructions.size(), "instruction"),
                        plural(conflicts, "bank conflict"), plural(hazards, "parity hazard"));
    std::vector<Column> columns{
        {Align::Right}, {}, {}, {}, {}, {Align::Left, 3}, {Align::Left, 2}, {Align::Left, 1}, {}};
    addSources(sources, instructions, rows, columns);
    if (width != 0 && width < narrow)
      joinLastTwo(rows, columns);
    text += layOut(rows, columns, "  ", width);
  }
  return text;
}

/// The FMAs of one run of instructions, as rows.
static std::string singleRows(const Module &module, const SourcePlaces &sources,
                              const std::vector<SingleFma> &found, size_t width) {
  std::vector<uint32_t> instructions;
  tool::Rows rows{{"line", "rule", "instruction", "why and what helps"}};
  for (const SingleFma &fma : found) {
    const Instruction &inst = module.instructions()[fma.instruction];
    instructions.push_back(fma.instruction);
    rows.push_back({placeOf(module, inst), toString(fma.rule), instructionText(module, inst),
                    fmt::format("{}; {}", fma.reason, fma.remedy)});
  }
  std::vector<Column> columns{{Align::Right}, {}, {Align::Left, 1}, {}};
  addSources(sources, instructions, rows, columns);
  return layOut(rows, columns, "  ", width);
}

std::string whySingleReport(const Module &module, const std::vector<uint32_t> &functions,
                            const std::vector<Region> &regions, size_t width) {
  std::string text;
  const SourcePlaces sources = allSources(module);
  const auto add = [&](const std::string &title, const Cfg &cfg,
                       const std::vector<uint32_t> &instructions) {
    const std::vector<SingleFma> found = whySingle(module, cfg, instructions);
    const LeastSingles least = leastSingles(module, cfg, instructions);
    text += fmt::format(
        "{}{}: {} of F32 outside a pair of two FMAs{}\n", text.empty() ? "" : "\n", title,
        plural(found.size(), "FMA"),
        found.empty() || toText(least).empty() ? "" : ", cannot be paired: " + toText(least));
    if (!found.empty())
      text += singleRows(module, sources, found, width);
  };
  if (!regions.empty()) {
    for (const Region &region : regions)
      add(fmt::format("{}:{}: {}{}", module.file(), region.line, region.name,
                      inSource(module, sources, region)),
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
