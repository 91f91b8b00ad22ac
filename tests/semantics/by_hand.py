"""Functions worked out by hand where the text is wrong or leaves the arithmetic open.

Where sources disagree or none says how hardware rounds, every reading is accepted ("either"); the
comments name them. "tinygrad" is the list of hardware-tested corrections in data.
"""

from fractions import Fraction

import floats
from approximate import either
from builtins_table import FUNCTIONS, builtin
from floats import BF16, F16, F32, F64
from values import Value, float_value, put


@builtin
def nearest_up(c, x):
    """floor(x + 0.5), saturating; NaN gives 0."""
    fmt = x.format
    if floats.is_nan(x.v, fmt) or floats.is_infinite(x.v, fmt):
        return Value(floats.to_int(x.v, fmt, -(1 << 31), (1 << 31) - 1), 32, "i")
    m, e = floats.sum_exact(floats.unpack(x.v, fmt), (1, -1))
    n = floats.integer_part(m, e, "floor")
    return Value(min(max(n, -(1 << 31)), (1 << 31) - 1), 32, "i")


@builtin
def passed(c, x):
    """A float that an arithmetic instruction hands on: a NaN is any NaN."""
    return float_value(None, x.width) if floats.is_nan(x.v, x.format) else x


@builtin
def byte_of_f32(c, x):
    """V_CVT_PK_U8_F32: saturates; truncated (tinygrad) or rounded by MODE (not stated)."""
    ways = {"even": 0, "trunc": 0}
    for how in ways:
        ways[how] = floats.to_int(x.v, x.format, 0, 255, how)
    return Value(ways["trunc"], 32, "u", ((0, 8, ("either", tuple(set(ways.values())), 0, None)),))


@builtin
def fixup_result(c, sign_out, x):
    """DIV_FIXUP's last branch: |S0| with the quotient's sign; a NaN S0 may become infinity."""
    top = sign_out.v << (x.width - 1)
    if floats.is_nan(x.v, x.format):
        return either([None, top | x.format.infinity], "f", x.format, 0)
    return Value(top | x.v & ~x.format.sign_bit, x.width, "f")


@builtin
def underflow(c, sign_out, x):
    """DIV_FIXUP's UNDERFLOW: what rounds below the smallest denormal. Zero, or that denormal when
    MODE rounds away from zero; what the unit does is not stated."""
    top = sign_out.v << (x.width - 1)
    return either([top, top | 1], "f", x.format, 0)


@builtin
def div_fmas(c, x, y, z, power):
    """2**power * fma(x, y, z): rounded once, or before and after the scaling."""
    fmt = x.format
    inner = floats.fma(x.v, y.v, z.v, fmt, c.mode)
    if inner is None or floats.is_infinite(inner, fmt) and floats.is_infinite(z.v, fmt):
        return float_value(inner, x.width)
    twice = FUNCTIONS["ldexp"](c, Value(inner, x.width, "f"), power).v
    specials = (x.v, y.v, z.v)
    if any(floats.is_infinite(s, fmt) for s in specials):
        return float_value(twice, x.width)
    (ma, ea), (mb, eb), (mc, ec) = (floats.unpack(s, fmt) for s in specials)
    m, e = floats.sum_exact((ma * mb, ea + eb), (mc, ec))
    once = floats.pack(m, e + power.v, fmt, c.mode.rounding(fmt), inner >> (fmt.width - 1), mode=c.mode)
    return either([once, twice], "f", fmt, 0)


def _div_scale_text(x, den, num, fmt, scaled, limits):
    """AMD's branches: (result, bit of VCC). A quotient or reciprocal is denormal as exact numbers
    are. The text tests f32's reciprocal in f64, where it never is; in f32, where V_RCP_F32 would
    flush it, is the other reading."""
    far, tiny, up = limits
    (md, ed), (mn, en) = floats.unpack(den.v, fmt), floats.unpack(num.v, fmt)
    gap = floats.exponent_field(num.v, fmt) - floats.exponent_field(den.v, fmt)
    least = 1 - fmt.bias  # the smallest normal is 2**least
    quotient = Fraction(abs(mn), abs(md)) * Fraction(2) ** (en - ed) < Fraction(2) ** least
    reciprocal = Fraction(1, abs(md)) * Fraction(2) ** -ed < Fraction(2) ** least
    if gap >= far:
        return [(scaled(up) if x.v == den.v else x.v, 1)]
    if floats.is_denormal(den.v, fmt):
        return [(scaled(up), 0)]
    ways = []
    if reciprocal and quotient:
        # Scaling this denominator up would overflow it: the text may mean down, as it does next.
        ways = [(scaled(up), 1), (scaled(-up), 1)] if x.v == den.v else [(x.v, 1)]
    elif reciprocal:
        ways = [(scaled(-up), 0)]
    if reciprocal and fmt is F64:
        return ways
    if quotient:
        return [*ways, (scaled(up) if x.v == num.v else x.v, 1)]
    return [*ways, (scaled(up) if floats.exponent_field(num.v, fmt) <= tiny else x.v, 0)]


def _div_scale_tinygrad(x, den, num, fmt, scaled, limits):
    """The same with the corrections of data, some from hardware tests."""
    far, tiny, up = limits
    gap = floats.exponent_field(num.v, fmt) - floats.exponent_field(den.v, fmt)
    if gap >= far:
        return [(scaled(up) if x.v == den.v else x.v, 1)]
    if floats.is_denormal(den.v, fmt):
        return [(None, 1)]
    if gap < 1 - fmt.bias:
        return [(x.v, 1)]
    if floats.exponent_field(num.v, fmt) <= tiny:
        return [(scaled(up), int(fmt is F32))]
    return [(x.v, 0)]


@builtin
def div_scale(c, x, den, num):
    """V_DIV_SCALE: right is what the text says or what its hardware-tested correction says."""
    fmt = x.format
    limits = (96, 23, 64) if fmt is F32 else (768, 53, 128)

    def scaled(power):
        return FUNCTIONS["ldexp"](c, x, Value(power, 32, "i")).v

    if any(floats.is_nan(v.v, fmt) or floats.is_infinite(v.v, fmt) for v in (x, den, num)):
        # Nobody looks at the scaled value: V_DIV_FIXUP takes these cases from the operands.
        ways = [(r, bit) for r in (x.v, scaled(limits[2]), scaled(-limits[2]), None) for bit in (0, 1)]
    elif floats.is_zero(num.v, fmt) or floats.is_zero(den.v, fmt):
        ways = [(None, 0), (None, 1)]  # text 0, tinygrad's hardware test 1
    else:
        ways = _div_scale_text(x, den, num, fmt, scaled, limits)
        ways += _div_scale_tinygrad(x, den, num, fmt, scaled, limits)
    masks = tuple(dict.fromkeys(bit for _, bit in ways))
    result = either([r for r, _ in ways], "f", fmt, 0)
    c.variables["D0"] = put(c.variables["D0"], 0, x.width, result)
    lane = c.variables["laneId"].v
    tolerance = ((0, 1, ("either", masks, 0, None)),) if len(masks) > 1 else ()
    c.variables["VCC"] = put(c.variables["VCC"], lane, 1, Value(masks[0], 1, "u", tolerance))
    return x


def _dot2_ways(mode, acc, pairs, source, out):
    """Sums of two products in both orders, each step fused or rounded, in f32 or in the result's
    format; and everything rounded once."""
    results = []
    for order in (pairs, pairs[::-1]):
        for inner in dict.fromkeys((F32, out)):
            fused = rounded = floats.convert(acc, out, inner)
            for a, b in order:
                a, b = floats.convert(a, source, inner), floats.convert(b, source, inner)
                fused = None if fused is None else floats.fma(a, b, fused, inner, mode)
                product = floats.mul(a, b, inner, mode)
                if None not in (rounded, product):
                    rounded = floats.add(rounded, product, inner, mode)
                else:
                    rounded = None
            for r in (fused, rounded):
                results.append(None if r is None else floats.convert(r, inner, out, mode))
    special = [(v, source) for pair in pairs for v in pair] + [(acc, out)]
    if not any(floats.is_nan(v, f) or floats.is_infinite(v, f) for v, f in special):
        total = floats.unpack(acc, out)
        for a, b in pairs:
            (ma, ea), (mb, eb) = floats.unpack(a, source), floats.unpack(b, source)
            total = floats.sum_exact(total, (ma * mb, ea + eb))
        zero = (results[0] or 0) >> (out.width - 1)
        results.append(floats.pack(*total, out, mode.rounding(out), zero, mode=mode))
    return results


def _dot2(c, acc, x, y, source, out, kind):
    """acc + x0 * y0 + x1 * y1. AMD states no intermediate precision; LLVM that MODE's denormal
    fields do not matter: flushed or kept, rounded by MODE or to even."""
    pairs = tuple(((x.v >> s) & 0xFFFF, (y.v >> s) & 0xFFFF) for s in (0, 16))
    flushed = tuple((floats.flush(a, source), floats.flush(b, source)) for a, b in pairs)
    results = []
    for p in dict.fromkeys((pairs, flushed)):
        for a in dict.fromkeys((acc.v, floats.flush(acc.v, out))):
            for rounding in dict.fromkeys((c.mode.bits & 15, 0)):
                mode = floats.Mode(c.mode.bits & ~0xFF | 0xF0 | rounding)
                ways = _dot2_ways(mode, a, p, source, out)
                results += ways
                if any(r is not None and floats.exponent_field(r, out) < 2 for r in ways):
                    results += [r and floats.flush(r, out) for r in ways]
                    results += _dot2_ways(floats.Mode(mode.bits & ~0xF0), a, p, source, out)
    return either(results, kind, out, 0)


@builtin
def dot2(c, acc, x, y):
    return _dot2(c, acc, x, y, F16, F32, "f")


@builtin
def dot2_bf16(c, acc, x, y):
    return _dot2(c, acc, x, y, BF16, F32, "f")


@builtin
def dot2_f16(c, acc, x, y):
    return _dot2(c, acc, x, y, F16, F16, "f")


@builtin
def dot2_bf16_bf16(c, acc, x, y):
    return _dot2(c, acc, x, y, BF16, BF16, "bf")
