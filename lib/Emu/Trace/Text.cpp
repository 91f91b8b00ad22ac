#include "Emu/Trace/Text.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace rdna::emu {
namespace {

std::string valueText(uint32_t value, Reading reading) {
  if (reading == Reading::Float)
    return fmt::format("{} ({:#010x})", std::bit_cast<float>(value), value);
  return fmt::format("{:#010x}", value);
}

/// The slot of Wave::s that holds a scalar unit; nothing for state that is no register.
std::optional<unsigned> slotOf(RegUnit unit) {
  if (unit == kScc)
    return regScc;
  if (unit.isVgpr() || unit.isNull() || unit.number() > regExec + 1u)
    return std::nullopt;
  return unit.number();
}

std::string scalarsText(const Wave &w, unsigned slot, unsigned dwords) {
  if (dwords == 2) // Mostly an address.
    return fmt::format("{:#018x}", w.s[slot] | uint64_t(w.s[slot + 1]) << 32);
  std::string text;
  for (unsigned k = 0; k < dwords; ++k)
    text += fmt::format("{}{:#010x}", k ? " " : "", w.s[slot + k]);
  return text;
}

bool isUniform(const Lanes &row) {
  return std::all_of(row.lane, row.lane + laneCount, [&](uint32_t x) { return x == row.lane[0]; });
}

std::string allLanesText(const Lanes &row) {
  if (isUniform(row))
    return fmt::format(" {:#010x} in all lanes\n", row.lane[0]);
  std::string text;
  for (unsigned l = 0; l < laneCount; ++l)
    text += fmt::format("{}{:08x}{}", l && l % 8 == 0 ? fmt::format("    {:>2}:  ", l) : " ",
                        row.lane[l], l % 8 == 7 ? "\n" : "");
  return text;
}

} // namespace

std::string lanesText(const Lanes &row, uint32_t exec, Reading reading) {
  if (!exec)
    return "(no active lane)";
  const unsigned first = unsigned(std::countr_zero(exec));
  const uint32_t base = row.lane[first];
  const uint32_t rest = exec & (exec - 1);
  if (!rest)
    return fmt::format("{} in lane {}", valueText(base, reading), first);
  const unsigned second = unsigned(std::countr_zero(rest));
  const uint32_t step = (row.lane[second] - base) / (second - first);
  bool even = true;
  for (unsigned l = first; l < laneCount; ++l)
    if (exec >> l & 1)
      even &= row.lane[l] == base + step * (l - first);
  if (even && step == 0)
    return valueText(base, reading);
  if (even && reading == Reading::Bits)
    return fmt::format("{:#010x} + {:#x} per lane{}", base, step,
                       first ? fmt::format(" from lane {}", first) : "");
  std::string text;
  unsigned shown = 0;
  for (unsigned l = first; l < laneCount && shown < 4; ++l)
    if (exec >> l & 1) {
      const std::string value = reading == Reading::Float
                                    ? fmt::format("{}", std::bit_cast<float>(row.lane[l]))
                                    : fmt::format("{:#010x}", row.lane[l]);
      text += fmt::format("{}{}: {}", shown++ ? ", " : "", l, value);
    }
  return "{" + text + (unsigned(std::popcount(exec)) > shown ? ", ...}" : "}");
}

std::string registerText(Wave &w, const RegRange &range, Reading reading) {
  if (range.first.isVgpr()) {
    std::string text;
    for (unsigned k = 0; k < range.dwords; ++k)
      text += fmt::format("{}v{} = {}", k ? ", " : "", range.first.index + k,
                          lanesText(w.vgpr(range.first.index + k), w.exec(), reading));
    return text;
  }
  const std::optional<unsigned> slot = slotOf(range.first);
  if (!slot)
    return {};
  const bool isFloat = reading == Reading::Float && range.dwords == 1 && range.first.isSgpr();
  return fmt::format("{} = {}", toString(range),
                     isFloat ? valueText(w.s[*slot], reading)
                             : scalarsText(w, *slot, range.dwords));
}

std::string registersText(Wave &w, const LaunchState &launch) {
  std::string text = fmt::format(
      "  exec {:#010x}  vcc {:#010x}  scc {}  m0 {:#010x}  mode {:#010x}  executed {}\n", w.exec(),
      w.s[regVcc], w.s[regScc], w.s[regM0], w.mode.bits, w.executed);
  constexpr unsigned sgprs = 106, perRow = 8;
  for (unsigned r = 0; r < sgprs; r += perRow) {
    const unsigned end = std::min(r + perRow, sgprs);
    if (std::equal(&w.s[r], &w.s[end], &launch.prototype->s[r]) &&
        r >= launch.systemSgpr + 3) // Nothing written; user SGPRs and ids are always shown.
      continue;
    text += fmt::format("  s{:<3}", r);
    for (unsigned k = r; k < end; ++k)
      text += fmt::format(" {:08x}", w.s[k]);
    text += "\n";
  }
  for (unsigned r = 0; r < 256; ++r)
    if (std::memcmp(&w.vgpr(r), &launch.prototype->vgpr(r), sizeof(Lanes)) != 0)
      text += fmt::format("  v{:<3} ", r) + allLanesText(w.vgpr(r));
  return text;
}

std::string ldsText(const Wave &w) {
  constexpr unsigned perRow = 32;
  std::string text, previous;
  bool folded = false;
  for (unsigned at = 0; at < w.ldsBytes; at += perRow) {
    std::string row;
    for (unsigned k = at; k + 4 <= std::min(at + perRow, w.ldsBytes); k += 4)
      row += fmt::format(" {:08x}", loadFrom<uint32_t>(w.lds + k));
    if (row == previous && at + perRow < w.ldsBytes) {
      text += folded ? "" : "  *\n";
      folded = true;
      continue;
    }
    folded = false;
    text += fmt::format("  {:#06x} {}\n", at, row);
    previous = row;
  }
  return text.empty() ? "  (the workgroup has no LDS)\n" : text;
}

} // namespace rdna::emu
