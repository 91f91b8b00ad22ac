//===- PairForms.h - in which forms two operations share a VOPD ------------===//
#pragma once

#include "Asm/Lane.h"

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <optional>

namespace rdna {

/// How two operations are a pair: who is X, and whose sources are exchanged.
struct Fit {
  bool reversed = false;
  LaneOp first, second;
};

/// An operation as a half of a VOPD, and with its sources exchanged if that is one as well.
class PairForms {
public:
  explicit PairForms(const LaneOp &lane);
  struct Form {
    explicit Form(const LaneOp &lane, const VopdHalf &half);
    LaneOp lane;
    VopdHalf half;
    /// What decides about most pairs: the VGPR on each port, if there is one.
    static constexpr int16_t kNone = -1;
    std::array<int16_t, 3> port;
    bool isX, isY;   ///< The slots that its opcode has.
    bool conflicts;  ///< Its own sources lie in one bank.
    bool hasScalars; ///< Or a constant: not all is said by its registers.
  };
  auto begin() const { return forms_.begin(); }
  auto end() const { return forms_.end(); }
  bool isOdd() const { return (begin()->half.dst.number & 1) != 0; }

private:
  llvm::SmallVector<Form, 2> forms_;
};

/// Which may a pair have? `Own` are those that its halves have alone as well; `OfText` accepts
/// hazards, too: nothing but legality counts.
enum class Conflicts : uint8_t { Avoid, Own, Accept, OfText };

/// Two operations as one legal VOPD without hazard (but see OfText); the first way that there is.
std::optional<Fit> fit(const PairForms &a, const PairForms &b,
                       Conflicts conflicts = Conflicts::Avoid);

/// Can each half of the VOPD stand alone or beside another one? Not if they exchange registers, nor
/// with a CNDMASK.
bool canBeTakenApart(const Instruction &vopd);

} // namespace rdna
