//===- Uninit.h - values that nothing has written, where they matter ---===//
#pragma once

#include "Emu/Check/Context.h"
#include "Emu/Check/Shadow.h"
#include "Emu/Opcodes.h"

namespace rdna::emu {

/// Undefined contents of global buffers. Where there are any, all groups of a launch run in order
/// on one thread (Checker::threads).
class GlobalShadow {
public:
  explicit GlobalShadow(const Launch &launch);
  bool empty() const { return ranges_.empty(); }
  /// Whether a byte is undefined.
  bool undefined(uint64_t address) const;
  void define(uint64_t address, unsigned bytes);

private:
  struct Range {
    uint64_t begin, end;
    std::vector<bool> undefined;
  };
  std::vector<Range> ranges_;
};

/// Follows definedness through registers, LDS and scratch as Valgrind's memcheck does: moving an
/// undefined value about is no finding; using it for an address, for EXEC, for a branch or in a
/// store to global memory is. Arithmetic with an undefined operand is undefined in that lane;
/// moves, selections, bit operations and shifts by constants are followed exactly.
class UninitCheck final : public Listener {
public:
  explicit UninitCheck(CheckContext &context);
  Hears hears() const override { return Hears::Before; }
  void groupBegins(const GroupView &group) override;
  void before(Record &record) override;

private:
  /// What an instruction's sources have that is undefined.
  struct Sources {
    LaneShadow lanes{};
    uint32_t origin = WaveShadow::neverWritten;
    unsigned culprit = 0; ///< The register.
  };

  // Uninit.cpp
  void stepVector(Wave &w, const Inst &op);
  void writeLane(const Wave &w, const Inst &op);
  Sources sourcesOf(const Wave &w, const Inst &op, const RegisterUses &uses) const;
  uint32_t undefinedInOwnLane(const Wave &w, const RegisterUses &uses) const;
  bool stepWide(Wave &w, const Inst &op);
  void stepCrossLane(Wave &w, const Inst &op, const RegisterUses &uses);
  void stepGeneric(Wave &w, const InstPlan &plan);
  // UninitScalar.cpp
  void stepScalar(Wave &w, const InstPlan &plan);
  void stepBranch(Wave &w, const InstPlan &plan);
  void setExec(Wave &w, const Inst &op, uint32_t undefined, unsigned culprit);
  // UninitMemory.cpp
  void stepMemory(Wave &w, const InstPlan &plan, const AccessList &accesses);
  bool loadsDefined(const Wave &w, const AccessList &accesses);
  void checkAddress(Wave &w, const InstPlan &plan);
  void load(Wave &w, const InstPlan &plan, const LaneAccess &access, unsigned firstVgpr);
  void store(Wave &w, const InstPlan &plan, const LaneAccess &access, unsigned firstVgpr);
  void atomic(Wave &w, const InstPlan &plan, const LaneAccess &access);
  void loadScalar(Wave &w, const InstPlan &plan, const LaneAccess &access);
  uint8_t *bytesOf(const Wave &w, const LaneAccess &access, unsigned lane);

  void report(const Wave &w, uint32_t offset, const char *rule, unsigned unit,
              std::optional<unsigned> lane, const char *use);
  static unsigned unitOf(const RegisterUse &use, unsigned dword) {
    const unsigned number = use.first + dword;
    if (use.file == RegisterUse::File::Vector)
      return number;
    return number == regScc ? kScc.index : 256 + number;
  }

  CheckContext &context_;
  GlobalShadow global_;
  std::vector<WaveShadow> waves_;
  std::vector<uint8_t> lds_;                  ///< Per byte: 1 if undefined.
  std::vector<std::vector<uint8_t>> scratch_; ///< By wave; lane-major.
  Wave mirror_;                               ///< Executes data movements on shadows.
};

} // namespace rdna::emu
