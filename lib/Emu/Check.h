//===- Check.h - what hardware would not tell: the suspicious emulator ----===//
//
// A Checker watches a launch and lists what went well on the emulator only by luck. Findings are
// the same for any number of host threads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Emulator.h"
#include "Emu/Observe/Observer.h"

#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rdna::emu {

/// Check/Checks.def says what they find.
enum class Check : uint8_t {
#define RDNA_CHECK(id, name, all, by, finds) id,
#include "Emu/Check/Checks.def"
};

struct CheckContext;

/// A row of Check/Checks.def.
struct CheckRow {
  Check check;
  std::string_view name; ///< For --check.
  enum InAll : uint8_t { Always, WhereDeclared } inAll;
  enum By : uint8_t { Source, Instructions } by;
  std::string_view finds;
  /// Makes it for one host thread; the context outlives it.
  std::unique_ptr<Listener> (*create)(CheckContext &context);
};

/// All checks, in their order; row n is Check(n).
std::span<const CheckRow> checkRows();
std::string_view toString(Check check);

class CheckSet {
public:
  void add(Check check) { bits_ |= 1u << unsigned(check); }
  void remove(Check check) { bits_ &= ~(1u << unsigned(check)); }
  CheckSet &operator|=(const CheckSet &other) {
    bits_ |= other.bits_;
    return *this;
  }
  bool has(Check check) const { return bits_ >> unsigned(check) & 1; }
  bool empty() const { return bits_ == 0; }
  /// All that concern every kernel; the others only for those that declare it (see forKernel).
  static CheckSet all();
  /// What the author of a program gets wrong, and no compiler for him.
  static CheckSet ofSource();
  /// With what `kernel` declares, if this was all().
  CheckSet forKernel(const KernelImage &kernel) const;

private:
  static constexpr uint32_t asDeclared = 1u << 31;
  uint32_t bits_ = 0;
};

/// "waits,races", "source" or "all"; the error lists the names.
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

class Checker : public Observer {
public:
  /// After the run: what was found, by code offset. Empties the list.
  virtual std::vector<Finding> takeFindings() = 0;
};

/// To be put into Launch::observers; serves any number of runs of one program.
std::unique_ptr<Checker> createChecker(CheckSet checks);

} // namespace rdna::emu
