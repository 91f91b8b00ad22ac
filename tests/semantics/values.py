"""Values of the pseudo-code: integers without bounds, floats as bit patterns.

Integers are Python's: the text means mathematical sums and truncates where it assigns or names a
type, so nothing may wrap before (V_LERP_U8 needs nine bits, S_BFE a shift by 64). Floats stay bit
patterns, because moves and min/max pass NaNs on bit by bit.

A tolerance says what else is right for some bits of a value: ("nan", format) any NaN,
("either", candidates, units in the last place, format), ("absolute", bits, error, format).
"""

from fractions import Fraction

import floats
from floats import FORMATS


class Value:
    __slots__ = ("v", "width", "kind", "tolerances")

    def __init__(self, v, width, kind, tolerances=()):
        self.v = v
        self.width = width
        self.kind = kind
        self.tolerances = tolerances  # of (low bit, width, tolerance)

    def __repr__(self):
        return f"{self.width}'{self.kind}(0x{self.bits():x})"

    @property
    def is_float(self):
        return self.kind in ("f", "bf")

    @property
    def format(self):
        return FORMATS[self.kind, self.width]

    def bits(self, width=None):
        return self.v & ((1 << (width or self.width)) - 1)

    def truth(self):
        return bool(self.v)


def as_type(value, kind, width):
    """x.kindwidth: the low bits of x as that type."""
    v = value.v & ((1 << width) - 1)
    if kind == "i" and v >> (width - 1):
        v -= 1 << width
    return Value(v, width, kind, value.tolerances)


def cut(value, high, low):
    """x[high : low]; reversed bits when high is below low."""
    if high < low:
        reversed_bits = 0
        for i in range(high, low + 1):
            reversed_bits = reversed_bits << 1 | (value.v >> i & 1)
        return Value(reversed_bits, low - high + 1, "u")
    width = high - low + 1
    tolerances = value.tolerances
    if tolerances:
        tolerances = tuple((at - low, w, t) for at, w, t in tolerances if low <= at <= high)
    return Value(value.v >> low & ((1 << width) - 1), width, "u", tolerances)


def put(value, low, width, part):
    """`value` with `width` bits from `low` replaced."""
    mask = ((1 << width) - 1) << low
    tolerances = tuple(t for t in value.tolerances if not low <= t[0] < low + width)
    tolerances += tuple((at + low, w, t) for at, w, t in part.tolerances)
    v = value.v & ~mask | part.v << low & mask
    return Value(v, max(value.width, low + width), "u" if value.kind == "i" else value.kind, tolerances)


def concat(parts):
    v, width, tolerances = 0, 0, ()
    for p in reversed(parts):
        v |= p.bits() << width
        tolerances += tuple((at + width, w, t) for at, w, t in p.tolerances)
        width += p.width
    return Value(v, width, "u", tolerances)


def boolean(x):
    return Value(int(bool(x)), 1, "u")


def float_value(bits, width, kind="f", tolerance=None):
    """None stands for a NaN whose payload nobody states: any NaN will do."""
    fmt = FORMATS[kind, width]
    if bits is None:
        return Value(fmt.nan, width, kind, ((0, width, ("nan", fmt)),))
    return Value(bits, width, kind, ((0, width, tolerance),) if tolerance else ())


def float_literal(text, width):
    q = Fraction(text)
    shift = q.denominator.bit_length() + 64  # all literals of the text are dyadic
    scaled = q * (1 << shift)
    assert scaled.denominator == 1, text
    return Value(floats.pack(scaled.numerator, -shift, FORMATS["f", width]), width, "f")


def constant(name, width=64):
    fmt = FORMATS["f", width]
    return Value({"INF": fmt.infinity, "NAN": fmt.nan}[name], width, "f")
