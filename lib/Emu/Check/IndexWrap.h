//===- IndexWrap.h - whether a 32-bit index wraps on its way to an address ---===//
//
// The assumption, exactly: every 32-bit value that takes part in the address of a global or FLAT
// access (as the extended index of a 64-bit VGPR address, as the 32-bit offset beside an SGPR base,
// or in the making of that base) has the value that its computation has over the integers.
// Additions, subtractions, shifts to the left, multiplications, moves and selections are followed;
// constants are signed where something is computed with them; what comes from anywhere else
// (loads, ids, bit operations, LDS, other lanes, ...) is an unsigned number of its own. An index
// may be negative on the way, but not where it is extended, and below 2^31 where its sign is.
//
// IndexCell.h says how it is followed. Registers without a cell hold what they should: nearly all
// of them, so most instructions cost a look at two sets.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Check/Context.h"
#include "Emu/Check/IndexRules.h"
#include "Emu/Observe/Address.h"

#include <memory>

namespace rdna::emu {

class IndexWrapCheck final : public Listener {
public:
  explicit IndexWrapCheck(CheckContext &context) : context_(context) {}
  Hears hears() const override { return Hears::Before; }
  void groupBegins(const GroupView &group) override;
  void before(Record &record) override;

private:
  using Row = std::array<IndexCell, laneCount>;
  struct Shadow {
    std::array<std::unique_ptr<Row>, 256> vgpr; ///< Null until a lane has a cell.
    std::array<IndexCell, 128> scalar;
    RegSet dirty; ///< Registers of which a lane has a cell.
  };
  struct Step {
    const Inst *op;
    IndexRule rule;
  };
  /// A result that waits until all operations of an instruction have read their sources.
  struct Staged {
    unsigned unit, lane;
    IndexCell cell;
  };

  void findRules();
  void follow(Wave &w, Shadow &shadow, const Step &step);
  /// For sources without cells: whether the result has none either.
  static bool staysClean(Wave &w, const Step &step);
  IndexOperands operands(Wave &w, const Shadow &shadow, const Step &step, unsigned lane) const;
  void stage(unsigned unit, unsigned lane, const IndexCell &cell) {
    if (!cell.clean() && unit < kRegUnits)
      staged_.push_back({unit, lane, cell});
  }
  static IndexTerm vgpr(Wave &w, const Shadow &shadow, unsigned n, unsigned lane);
  static IndexTerm scalar(const Wave &w, const Shadow &shadow, unsigned n);
  static IndexTerm source(Wave &w, const Shadow &shadow, const Source &s, unsigned lane,
                          unsigned dword);
  static void clear(Shadow &shadow, const RegSet &written, uint32_t exec);
  static void put(Shadow &shadow, const Staged &staged);

  void checkAddress(Wave &w, const Shadow &shadow, const InstPlan &plan, const LaneAccess &access);
  void report(const Wave &w, const InstPlan &plan, const LaneAccess &access, unsigned lane,
              std::string message);

  CheckContext &context_;
  std::vector<std::vector<Step>> rules_; ///< By plan; only what is followed.
  std::vector<Shadow> waves_;
  std::vector<Staged> staged_;
};

} // namespace rdna::emu
