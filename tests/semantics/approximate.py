"""Transcendental functions: exact to far below the last bit, then what may differ.

AMD gives formulas, no bits. Accepted is one unit in the last place around the exact result; for a
denormal on either side also the flushed one, because LLVM's lowering (AMDGPUCodeGenPrepare,
AMDGPULegalizerInfo) says that these units do not support f32 denormals whatever MODE says.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

import floats
from values import float_value

PRECISION = 160  # decimal digits; an f32 denormal has 149 binary places


def either(candidates, value_kind, fmt, ulps):
    """A value for which every candidate (bits, None for NaN) is right within `ulps`."""
    unique = tuple(dict.fromkeys(fmt.nan if b is None else b for b in candidates))
    return float_value(unique[0], fmt.width, value_kind, ("either", unique, ulps, fmt))


def _decimal(bits, fmt):
    m, e = floats.unpack(bits, fmt)
    return Decimal(m) * Decimal(2) ** e


def _pack_decimal(d, fmt):
    if d == 0:
        return 0
    q = Fraction(d)
    shift = fmt.width * 2 + 8 - (q.numerator.bit_length() - q.denominator.bit_length())
    scaled = q * Fraction(2) ** shift
    m = abs(scaled.numerator) // scaled.denominator
    return floats.pack(-m if d < 0 else m, -shift, fmt, sticky=True)


def _rcp(x, fmt):
    s = x & fmt.sign_bit
    if floats.is_zero(x, fmt):
        return s | fmt.infinity
    if floats.is_infinite(x, fmt):
        return s
    return _pack_decimal(1 / _decimal(x, fmt), fmt)


def _rsq(x, fmt):
    if floats.is_zero(x, fmt):
        return x | fmt.infinity
    if x & fmt.sign_bit:
        return None
    if floats.is_infinite(x, fmt):
        return 0
    return _pack_decimal(1 / _decimal(x, fmt).sqrt(), fmt)


def _sqrt(x, fmt):
    if floats.is_zero(x, fmt) or x == fmt.infinity:
        return x
    if x & fmt.sign_bit:
        return None
    return _pack_decimal(_decimal(x, fmt).sqrt(), fmt)


def _exp2(x, fmt):
    if floats.is_infinite(x, fmt):
        return 0 if x & fmt.sign_bit else fmt.infinity
    d = _decimal(x, fmt)
    if abs(d) > 5000:
        return fmt.infinity if d > 0 else 0
    return _pack_decimal(Decimal(2) ** d, fmt)


def _log2(x, fmt):
    if floats.is_zero(x, fmt):
        return fmt.infinity | fmt.sign_bit
    if x & fmt.sign_bit:
        return None
    if x == fmt.infinity:
        return x
    return _pack_decimal(_decimal(x, fmt).ln() / Decimal(2).ln(), fmt)


def _pi():
    """Machin: pi = 16 atan(1/5) - 4 atan(1/239)."""

    def atan_inverse(n):
        total = term = Decimal(1) / n
        k = 1
        while abs(term) > Decimal(10) ** -(PRECISION + 5):
            term = -term / (n * n)
            k += 2
            total += term / k
        return total

    return 16 * atan_inverse(5) - 4 * atan_inverse(239)


def _sine_of_turns(x, fmt, quarter_turns):
    if floats.is_infinite(x, fmt):
        return None
    if quarter_turns == 0 and floats.is_zero(x, fmt):
        return x
    turns = _decimal(x, fmt) + Decimal(quarter_turns) / 4
    turns -= int(turns)
    angle = turns * 2 * _pi()
    total = term = angle
    k = 1
    while abs(term) > Decimal(10) ** -120:
        term = -term * angle * angle / ((k + 1) * (k + 2))
        k += 2
        total += term
    if abs(total) < Decimal(10) ** -90:
        total = Decimal(0)
    return _pack_decimal(total, fmt)


FUNCTIONS = {
    "rcp": _rcp,
    "rsq": _rsq,
    "sqrt": _sqrt,
    "exp2": _exp2,
    "log2": _log2,
    "sin_turns": lambda x, fmt: _sine_of_turns(x, fmt, 0),
    "cos_turns": lambda x, fmt: _sine_of_turns(x, fmt, 1),
}


@lru_cache(maxsize=None)
def evaluate(name, x, fmt):
    with localcontext() as context:
        context.prec = PRECISION
        context.Emin, context.Emax = -999999, 999999
        if floats.is_nan(x, fmt):
            return float_value(None, fmt.width)
        function = FUNCTIONS[name]
        results = []
        for y in (x, floats.flush(x, fmt)):
            r = function(y, fmt)
            results += [r, None if r is None else floats.flush(r, fmt)]
        if name in ("sin_turns", "cos_turns"):
            # Near a zero of the function the last place means nothing: an absolute error of
            # 2**-(fraction + 1) is what a unit that works on the reduced angle can promise.
            error = Fraction(1, 2 << fmt.fraction)
            return float_value(results[0], fmt.width, "f", ("absolute", results[0], error, fmt))
        return either(results, "f", fmt, 1)


@lru_cache(maxsize=None)
def two_over_pi_bits():
    """The first 1201 bits of the fraction of 2/pi."""
    global PRECISION
    with localcontext() as context:
        saved, PRECISION = PRECISION, 420
        context.prec = 440
        value = int(2 / _pi() * (Decimal(2) ** 1201))
        PRECISION = saved
        return value
