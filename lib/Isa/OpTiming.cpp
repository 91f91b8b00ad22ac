#include "Isa/OpTiming.h"

#include "Isa/OpTraits.h"

namespace rdna {

VectorRate vectorRate(Op op) {
  switch (op) {
#define RDNA_RATE(name, rate)                                                                      \
  case Op::name:                                                                                   \
    return VectorRate::rate;
#include "Isa/OpTiming.def"
  default:
    break;
  }
  if (!isValu(opUnit(op)))
    return VectorRate::Full;
  const OpTraits &traits = opTraits(op);
  if (traits.is(OpFlag::Matrix))
    return VectorRate::Matrix;
  if (isVectorCompare(op))
    return traits.source.bits == 64 ? VectorRate::Half : VectorRate::Full;
  if ((traits.result.isFloat() && traits.result.bits == 64) ||
      (traits.source.isFloat() && traits.source.bits == 64))
    return VectorRate::Double;
  if (opUnit(op) == Unit::Trans)
    return VectorRate::Transcendental;
  return traits.result.bits == 64 ? VectorRate::Half : VectorRate::Full;
}

ScalarKind scalarKind(Op op) {
  switch (op) {
#define RDNA_SCALAR(name, kind)                                                                    \
  case Op::name:                                                                                   \
    return ScalarKind::kind;
#include "Isa/OpTiming.def"
  default:
    return ScalarKind::Plain;
  }
}

} // namespace rdna
