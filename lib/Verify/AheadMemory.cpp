// The accesses of one text to memory other than LDS.

#include "Asm/Effects.h"
#include "Asm/GlobalAddress.h"
#include "Verify/AheadText.h"
#include "Verify/BufferProof.h"

namespace rdna::verify {

/// What the launch passes stays while the kernel runs, as long as nobody has stored there.
bool AheadText::loadArguments(AheadSide &side, const Instruction &inst) {
  const auto address = scalarAddress(inst);
  if (!address || inst.unit != Unit::Smem || inst.memory != MemoryEffect::Load || side.hasStored)
    return false;
  const uint16_t low = inst.operands[address->base].reg.first.index;
  const int64_t offset = inst.operands[address->offset].imm;
  using Kernarg = KnownValue::Kernarg;
  if (side.values[RegUnit{low}].kernarg != Kernarg::Low ||
      side.values[{static_cast<uint16_t>(low + 1)}].kernarg != Kernarg::High || offset < 0)
    return false;
  const int64_t size = kernargBytes(function_);
  const RegRange to = inst.operands[0].reg;
  for (unsigned d = 0; d < to.dwords; ++d) {
    const RegUnit unit{static_cast<uint16_t>(to.first.index + d)};
    const int64_t at = offset + 4 * int64_t(d);
    side.values.forget(unit);
    const bool isArgument = at + 4 <= size; // Compilers load some more than there are.
    if (isArgument)
      side.values.setPassed(unit, at);
    setResult(side, inst, unit,
              isArgument ? terms_.make({Term::Kind::Argument, static_cast<uint32_t>(at), {}})
                         : terms_.unknown());
  }
  side.log.issue({inst.index, 0, 0}, inst);
  side.issued[inst.index] = {0, AheadSide::Issued::What::Again}; // Nobody stores there.
  return true;
}

TermId AheadText::accessOf(AheadSide &side, const Instruction &inst) {
  Term term{Term::Kind::Result, operationOf(inst), operandsOf(side, inst)};
  term.args.push_back(side.memory);
  return terms_.make(std::move(term));
}

TermId AheadText::exchangeOf(const AheadSide &side, const Instruction &inst) {
  return terms_.make({Term::Kind::Result, operationOf(inst), operandsOf(side, inst)});
}

void AheadText::issue(AheadSide &side, const Instruction &inst, AheadSide::Issued issued) const {
  const AccessLog::Key key{inst.index, 0, 0};
  if (const auto known = side.issued.find(inst.index);
      side.log.entries().contains(key) && known != side.issued.end() && !(known->second == issued))
    issued.what = AheadSide::Issued::What::Several;
  side.log.issue(key, inst);
  side.issued[inst.index] = issued;
  if (issued.what != AheadSide::Issued::What::Again)
    side.sinceBarrier.push_back(issued.term);
}

void AheadText::load(AheadSide &side, const Instruction &inst, TermId access) {
  std::vector<TermId> results;
  for (const RegAccess &written : inst.accesses)
    for (unsigned d = 0; written.writes() && d < written.reg.dwords; ++d)
      results.push_back(
          terms_.make({Term::Kind::Result,
                       terms_.operation({signature::kLoaded, static_cast<int64_t>(results.size())}),
                       {access}}));
  if (isOfActiveLanes(inst)) {
    size_t n = 0;
    for (const RegAccess &written : inst.accesses)
      for (unsigned d = 0; written.writes() && d < written.reg.dwords; ++d, ++n) {
        const RegUnit unit{static_cast<uint16_t>(written.reg.first.index + d)};
        if (!unit.isVgpr())
          continue;
        if (const Half half = writtenHalf(inst, written.reg); half != Half::Whole)
          results[n] = withHalf(seenTerm(side, unit), half, results[n]);
        results[n] = terms_.lanes(termOf(side, kExecLo), results[n], termOf(side, unit));
      }
  }
  take(side, inst, results);
}

void AheadText::take(AheadSide &side, const Instruction &inst, llvm::ArrayRef<TermId> results) {
  size_t n = 0;
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      side.values.forget(unit);
      setResult(side, inst, unit, results[n++]);
    }
}

} // namespace rdna::verify
