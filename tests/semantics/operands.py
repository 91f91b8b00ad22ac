"""What operands of vector instructions are: widths, float formats, denormals."""

import re

import floats
from floats import F16, F32, F64

# Operations that move bits: MODE's denormal fields do not touch them. (V_PACK_B32_F16 is none of
# them: LLVM uses it only for values that are canonical already.)
MOVES = re.compile(r"V_(DUAL_)?(MOV|CNDMASK|SWAP|READ|WRITE|PERM|CMPX?_CLASS)")


# Dot products have denormal rules of their own (by_hand.py).
OWN_DENORMALS = re.compile(r"V_(DUAL_)?DOT2")


def float_format(operand):
    """The float format of an operand, or None; packed ones give that of a half."""
    m = re.search(r"_(BF16|F16|F32|F64)$", operand.get("data_format", ""))
    return {"BF16": floats.BF16, "F16": F16, "F32": F32, "F64": F64}[m.group(1)] if m else None


def width_of(operand):
    width = operand.get("size_bits_wave32") or operand["size_bits"]
    return 32 if width == 24 else width  # the 24-bit multiplies read a whole register


def flushed(bits, places, fmt):
    mask = (1 << fmt.width) - 1
    for at in places:
        bits = bits & ~(mask << at) | floats.flush(bits >> at & mask, fmt) << at
    return bits
