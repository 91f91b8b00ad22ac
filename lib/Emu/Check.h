//===- Check.h - what hardware would not tell: the suspicious emulator ----===//
//
// A Checker watches a launch and lists what went well on the emulator only by luck. Findings are
// the same for any number of host threads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Emulator.h"
#include "Emu/Monitor.h"

#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdna::emu {

enum class Check : uint8_t {
  Waits,     ///< Registers that a memory operation still owns.
  Races,     ///< Waves of a workgroup that touch the same bytes between two barriers.
  Barriers,  ///< Lanes or waves that pass different barriers.
  Bounds,    ///< Memory, LDS and scratch outside what was allocated.
  Uninit,    ///< Values that nothing has written, where they matter.
  Registers, ///< Registers beyond what the descriptor allocates.
  Hazards,   ///< What hardware does not interlock.
  Misuse,    ///< s_clause, dealloc_vgprs, memory instructions without lanes, ...
  IndexWrap, ///< 32-bit indices that wrap before they become part of an address.
};
inline constexpr unsigned checkCount = 9;

std::string_view toString(Check check);

class CheckSet {
public:
  void add(Check check) { bits_ |= 1u << unsigned(check); }
  CheckSet &operator|=(const CheckSet &other) {
    bits_ |= other.bits_;
    return *this;
  }
  bool has(Check check) const { return bits_ >> unsigned(check) & 1; }
  bool empty() const { return bits_ == 0; }
  /// All that concern every kernel. A kernel may let its indices wrap, so IndexWrap is one of them
  /// only for those whose rewrite assumed that they do not (see forKernel).
  static CheckSet all();
  /// With what `kernel` declares, if this was all().
  CheckSet forKernel(const KernelImage &kernel) const;

private:
  static constexpr uint32_t asDeclared = 1u << 31;
  uint32_t bits_ = 0;
};

/// "waits,races" or "all"; the error lists the names.
llvm::Expected<CheckSet> parseChecks(std::string_view list);

/// The other side of a finding: the pending load, or the other access of a race.
struct Party {
  uint64_t codeOffset = 0; ///< In the image.
  std::string instruction;
  std::optional<unsigned> wave, lane;
};

/// One phenomenon at one instruction, with one other party. What it names besides is the first
/// occurrence, in the order of workgroups.
struct Finding {
  Check check = Check::Waits;
  std::string rule; ///< "read-too-early", stable for scripts.
  std::string message;
  std::string fix; ///< What would cure it; may be empty.
  uint64_t codeOffset = 0;
  std::string instruction;
  std::string kernel;
  std::array<uint32_t, 3> workgroup{};
  unsigned wave = 0;
  std::optional<unsigned> lane;
  std::optional<uint64_t> address; ///< As the kernel sees it; an offset for LDS and scratch.
  std::string place;               ///< "LDS byte 64", "byte 256 of arg2".
  std::optional<Party> other;
  uint64_t count = 0; ///< Occurrences.
};

class Checker : public MonitorFactory {
public:
  /// After the run: what was found, by code offset. Empties the list.
  virtual std::vector<Finding> takeFindings() = 0;
};

/// To be put into Launch::monitors; serves any number of runs of one program.
std::unique_ptr<Checker> createChecker(CheckSet checks);

} // namespace rdna::emu
