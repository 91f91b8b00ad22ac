//===- TileCode.h - the parts of a step with a tile that is made ahead ------===//
//
// What TileStages puts together: the test for another tile, its loads, its stores, the use of one,
// each in the registers and the buffer of its turn.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/CodeLines.h"
#include "Transform/CopyCode.h"
#include "Transform/TileNames.h"
#include "Transform/TileStages.h"

#include <functional>
#include <optional>
#include <string>

namespace rdna {

class TileCode {
public:
  /// Counts what it copies in `rewrite`.
  TileCode(const Module &module, const Cfg &cfg, const TileLoop &tile, TileRings rings,
           const TileNames &names, TileStages &rewrite)
      : module_(module), cfg_(cfg), loop_(cfg.loops[tile.loop]), tile_(tile), rings_(rings),
        names_(names), rewrite_(rewrite), out_(module), outOfLine_(module) {}

  /// Why it cannot be written, as soon as that is so.
  const std::optional<StagesLeft> &left() const { return left_; }
  void leave(uint32_t line, std::string reason) {
    if (!left_)
      left_ = StagesLeft{line, std::move(reason)};
  }
  Code take() { return out_.take(); }
  /// What does not stand where it is executed.
  void appendOutOfLine() { out_.append(outOfLine_.take()); }

  void line(const Code &code) { to_->line(code); }
  void label(const std::string &name) { to_->label(name); }
  std::string labelFor(std::string_view what) const;

  /// The test; out if there is no other tile.
  void advance(const std::string &out);
  void load(unsigned tile);
  void move(RegUnit to, RegUnit from);
  bool isOfPath(uint32_t i) const;
  bool buildsHalves(uint32_t i) const;
  Code halfOf(uint32_t i, unsigned half) const;
  enum class Wait : uint8_t { Here, Later };
  /// From a tile's registers into its buffer, with so many younger tiles on their way.
  void store(unsigned tile, unsigned younger, Wait wait);
  /// What the use goes on with, in front of it.
  void prepare();
  enum class Use : uint8_t { Last, Other };
  /// All blocks from behind the barrier to the latch, with labels of their own.
  void use(unsigned b, Use which);
  void barrier();

private:
  const Instruction &inst(uint32_t i) const { return module_.instructions()[i]; }
  /// A stretch of the loop in buffer `b`; of a tile: a load, or stores with no load in between.
  void copy(uint32_t first, uint32_t last, unsigned b, std::optional<unsigned> tile = {});
  std::optional<unsigned> nameIn(uint32_t first, uint32_t last, unsigned tile, uint16_t unit) const;
  RegUnit keptIn(unsigned tile, size_t place) const;
  void made(const Code &code);
  /// A pair with a parity hazard stays single.
  Code copyOf(uint32_t i);
  /// What a wait for the tile's loads waits for with so many younger ones in flight.
  WaitCounts counted(uint32_t i) const;
  bool isLeftOut(uint32_t i) const;
  /// In front of a tile's loads: if its step does not go on the path, none are made.
  void decideWay(const std::string &otherWay);
  /// All ways to the barrier, as the original has them, for a step that does not go on the path.
  std::string goOtherWays(unsigned tile);
  /// What conversions need of a tile: from the registers that it has to others, or back.
  enum class Kept : uint8_t { In, Back };
  void keep(size_t place, unsigned tile, Kept way);
  /// Of waves that have no lanes left, from here or to here.
  void jumps(size_t place, llvm::function_ref<bool(size_t)> isWanted);
  bool namesOwn(uint32_t i) const;
  RegUnit ownOf(RegUnit unit) const { return names_.ownOf(unit); }
  /// One that counts for tiles that are made ahead, or reads what does; of the loads of a tile.
  void ahead(uint32_t i, std::optional<unsigned> tile);
  LaneOp withOwn(const LaneOp &lane) const;
  /// Of the loads, some of its halves. With other names the two may be no legal pair.
  void halvesOf(uint32_t i, uint8_t halves, std::optional<unsigned> tile);
  void apart(uint32_t i, Halves lanes, uint8_t halves);
  /// With the stores; of a tile's registers.
  void convert(uint32_t i, uint8_t halves, unsigned tile);
  /// A wave that jumps over a guard's stores would not wait for its loads. In the original they
  /// stand behind the same jump.
  void waitForAll(unsigned younger);
  /// Switches lanes off by what was kept.
  void keptMask(const Instruction &opens, RegUnit kept);
  /// Of what masks and addresses of stores are made of, these halves.
  void storeMask(uint32_t i, uint8_t halves);
  /// That every wave makes.
  unsigned loads() const;
  void again(llvm::ArrayRef<uint32_t> instructions);
  /// From behind the barrier to the latch, or from the header to the barrier.
  enum class Part : uint8_t { Use, AllWays };
  uint32_t endOf(Part part) const;
  std::string labelIn(uint32_t block) const;
  /// Blocks that stand behind each other in the copy, with labels of their own.
  void copyBlocks(llvm::ArrayRef<uint32_t> blocks, Part part, unsigned b);
  /// Where a block goes on without a branch.
  std::optional<uint32_t> fallsTo(uint32_t block, Part part) const;
  /// In the copy, where blocks stand in another order?
  bool isJumpedTo(uint32_t block, Part part) const;
  bool isTarget(uint32_t block) const;

  const Module &module_;
  const Cfg &cfg_;
  const Loop &loop_;
  const TileLoop &tile_;
  const TileRings rings_;
  const TileNames &names_;
  TileStages &rewrite_;
  std::optional<unsigned> waits_; ///< Loads in flight that a wait is not for.
  std::function<bool(const Operand &)> isRenamed_;
  unsigned copies_ = 0, jumpsWritten_ = 0;
  CodeLines out_;
  CodeLines outOfLine_; ///< What stands behind a use's latch, and other ways to a tile.
  CodeLines *to_ = &out_;
  std::optional<StagesLeft> left_;
};

} // namespace rdna
