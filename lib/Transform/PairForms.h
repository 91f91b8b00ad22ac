//===- PairForms.h - in which forms two operations share a VOPD ------------===//
#pragma once

#include "Asm/Lane.h"

#include "llvm/ADT/SmallVector.h"

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
  explicit PairForms(const LaneOp &lane) {
    add(lane);
    if (const auto other = swapped(lane))
      add(*other);
  }
  struct Form {
    LaneOp lane;
    VopdHalf half;
  };
  auto begin() const { return forms_.begin(); }
  auto end() const { return forms_.end(); }

private:
  void add(const LaneOp &lane) {
    if (const auto half = asVopdHalf(lane))
      forms_.push_back({lane, *half});
  }
  llvm::SmallVector<Form, 2> forms_;
};

enum class Conflicts : uint8_t { Avoid, Accept };

/// Two operations as one legal VOPD without hazard.
std::optional<Fit> fit(const PairForms &a, const PairForms &b,
                       Conflicts conflicts = Conflicts::Avoid);

/// Can each half of the VOPD stand alone or beside another one? Not if they exchange registers, nor
/// with a CNDMASK.
bool canBeTakenApart(const Instruction &vopd);

} // namespace rdna
