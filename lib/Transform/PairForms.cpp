#include "Transform/PairForms.h"

#include "Transform/RenamedBlock.h"

#include "llvm/ADT/STLExtras.h"

namespace rdna {

std::optional<Fit> fit(const PairForms &a, const PairForms &b, Conflicts conflicts) {
  if ((a.begin()->half.dst.number & 1) == (b.begin()->half.dst.number & 1))
    return std::nullopt;
  for (const bool reversed : {false, true})
    for (const PairForms::Form &first : a)
      for (const PairForms::Form &second : b) {
        const VopdHalf &x = reversed ? second.half : first.half;
        const VopdHalf &y = reversed ? first.half : second.half;
        if (!whyNotDual(x, y) && !hasParityHazard(x, y) &&
            (conflicts == Conflicts::Accept || sourceBankConflicts(x, y) == 0))
          return Fit{reversed, first.lane, second.lane};
      }
  return std::nullopt;
}

bool canBeTakenApart(const Instruction &vopd) {
  const auto lanes = laneOps(vopd);
  return lanes.size() == 2 && areApart(lanes[0], lanes[1]) &&
         llvm::none_of(lanes, [](const LaneOp &lane) { return lane.op == Op::v_cndmask_b32; });
}

} // namespace rdna
