#include "Transform/Moves.h"

#include "Code/Build.h"

#include <algorithm>

namespace rdna {

static VopdHalf halfOf(const Copy &copy) {
  VopdHalf half;
  half.op = Op::v_mov_b32;
  half.dst = copy.dst;
  half.src0 = copy.constant ? VopdSource{VopdSource::Kind::Literal, *copy.constant}
                            : VopdSource{VopdSource::Kind::Vgpr, copy.src.number};
  // Small constants need no literal; whyNotDual only has to know that there are not two.
  if (copy.constant && *copy.constant <= 64)
    half.src0.kind = VopdSource::Kind::Inline;
  return half;
}

static bool canPair(const Copy &a, const Copy &b) {
  const VopdHalf x = halfOf(a), y = halfOf(b);
  return !whyNotDual(x, y) && !hasParityHazard(x, y);
}

static Inst buildCopy(const Copy &copy) {
  return copy.constant ? buildMoveConstant(copy.dst, *copy.constant)
                       : buildMove(copy.dst, copy.src);
}

std::vector<Inst> sequentialise(std::vector<Copy> copies, std::optional<Vgpr> temporary) {
  std::vector<Inst> moves;
  std::erase_if(copies, [](const Copy &c) { return !c.constant && c.dst == c.src; });
  const auto reads = [](const Copy &c, Vgpr reg) { return !c.constant && c.src == reg; };
  // Nobody but `except` still needs the old value of a copy's destination.
  const auto isReady = [&](size_t i, size_t except) {
    for (size_t j = 0; j < copies.size(); ++j)
      if (j != i && j != except && reads(copies[j], copies[i].dst))
        return false;
    return true;
  };
  const auto erase = [&](size_t i) { copies.erase(copies.begin() + static_cast<long>(i)); };
  while (!copies.empty()) {
    // Two copies at once: each may overwrite what the other reads, for both read before they write.
    bool found = false;
    for (size_t i = 0; i < copies.size() && !found; ++i)
      for (size_t j = i + 1; j < copies.size() && !found; ++j)
        if (isReady(i, j) && isReady(j, i) && canPair(copies[i], copies[j])) {
          moves.push_back(buildVopd(halfOf(copies[i]), halfOf(copies[j])));
          erase(j);
          erase(i);
          found = true;
        }
    for (size_t i = 0; i < copies.size() && !found; ++i)
      if (isReady(i, i)) {
        moves.push_back(buildCopy(copies[i]));
        erase(i);
        found = true;
      }
    if (found)
      continue;
    // Only cycles are left.
    if (temporary) {
      moves.push_back(buildMove(*temporary, copies[0].src));
      const Vgpr saved = copies[0].src;
      for (Copy &copy : copies)
        if (reads(copy, saved))
          copy.src = *temporary;
      temporary.reset(); // until its reader is done; a second cycle would need another one
      continue;
    }
    const Copy swap = copies[0];
    moves.push_back(buildSwap(swap.dst, swap.src));
    erase(0);
    for (Copy &copy : copies)
      if (copy.src == swap.dst)
        copy.src = swap.src;
      else if (copy.src == swap.src)
        copy.src = swap.dst;
    std::erase_if(copies, [](const Copy &c) { return !c.constant && c.dst == c.src; });
  }
  return moves;
}

} // namespace rdna
