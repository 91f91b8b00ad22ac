"""Binary floating point, exactly: bit patterns to integers and back, one rounding at the end.

A finite number is sign, mantissa and exponent: (-1)**sign * mantissa * 2**exponent with Python
integers, so that no intermediate step can round. Source of the formats: IEEE 754; of MODE: ISA 3.3.
"""

from dataclasses import dataclass

NEAREST, UP, DOWN, ZERO = range(4)  # MODE.FP_ROUND


class Format:
    """A binary format by its width and the bits of its stored fraction."""

    def __init__(self, name, width, fraction):
        self.name, self.width, self.fraction = name, width, fraction
        self.exponent_mask = (1 << (width - 1 - fraction)) - 1
        self.bias = self.exponent_mask >> 1
        self.infinity = self.exponent_mask << fraction
        self.quiet_bit = 1 << (fraction - 1)
        self.nan = self.infinity | self.quiet_bit
        self.sign_bit = 1 << (width - 1)
        self.lowest_exponent = 1 - self.bias - fraction  # of the last bit of a denormal


F16 = Format("f16", 16, 10)
BF16 = Format("bf16", 16, 7)
F32 = Format("f32", 32, 23)
F64 = Format("f64", 64, 52)
FORMATS = {("f", 16): F16, ("bf", 16): BF16, ("f", 32): F32, ("f", 64): F64}


@dataclass(frozen=True)
class Mode:
    """The fields of the MODE register that results depend on."""

    bits: int = 0x3F0  # keep denormals, dx10_clamp, IEEE: what compilers ask for

    def rounding(self, fmt):
        return self.bits & 3 if fmt is F32 else self.bits >> 2 & 3

    def keeps_input_denormals(self, fmt):
        return bool(self.bits >> (4 if fmt is F32 else 6) & 1)

    def keeps_output_denormals(self, fmt):
        return bool(self.bits >> (5 if fmt is F32 else 7) & 1)

    @property
    def dx10_clamp(self):
        return bool(self.bits >> 8 & 1)

    @property
    def ieee(self):
        return bool(self.bits >> 9 & 1)

    @property
    def fp16_overflow(self):
        return bool(self.bits >> 23 & 1)


def sign(bits, fmt):
    return bits >> (fmt.width - 1) & 1


def exponent_field(bits, fmt):
    return bits >> fmt.fraction & fmt.exponent_mask


def is_nan(bits, fmt):
    return bits & ~fmt.sign_bit > fmt.infinity


def is_quiet(bits, fmt):
    return is_nan(bits, fmt) and bool(bits & fmt.quiet_bit)


def is_signalling(bits, fmt):
    return is_nan(bits, fmt) and not bits & fmt.quiet_bit


def is_infinite(bits, fmt):
    return bits & ~fmt.sign_bit == fmt.infinity


def is_zero(bits, fmt):
    return bits & ~fmt.sign_bit == 0


def is_denormal(bits, fmt):
    return exponent_field(bits, fmt) == 0 and not is_zero(bits, fmt)


def flush(bits, fmt):
    """A denormal becomes a zero of its sign."""
    return bits & fmt.sign_bit if is_denormal(bits, fmt) else bits


def unpack(bits, fmt):
    """(mantissa with sign, exponent) of a finite number."""
    fraction = bits & ((1 << fmt.fraction) - 1)
    e = exponent_field(bits, fmt)
    mantissa = fraction | 1 << fmt.fraction if e else fraction
    return (-mantissa if sign(bits, fmt) else mantissa), max(e, 1) + fmt.lowest_exponent - 1


def pack(mantissa, exponent, fmt, rounding=NEAREST, zero_sign=0, sticky=False, mode=None):
    """Rounds mantissa * 2**exponent to `fmt`, once.

    sticky says that a little of the same sign lies below the mantissa's last bit (a remainder of a
    division or root); zero_sign is the sign of an exact zero. `mode` is for what MODE does to
    results besides rounding: it flushes denormals and can hold an f16 at its largest value.
    """
    s = (mantissa < 0) if mantissa else zero_sign
    m = abs(mantissa)
    if sticky:
        m, exponent = m << 2 | 1, exponent - 2
    top = s << (fmt.width - 1)
    if m == 0:
        return top
    last = max(m.bit_length() - 1 - fmt.fraction + exponent, fmt.lowest_exponent)
    drop = last - exponent
    if drop <= 0:
        kept, rest, half = m << -drop, 0, 1
    else:
        kept, rest, half = m >> drop, m & ((1 << drop) - 1), 1 << (drop - 1)
    if rest and (
        (rounding == NEAREST and (rest > half or (rest == half and kept & 1)))
        or (rounding == UP and not s)
        or (rounding == DOWN and s)
    ):
        kept += 1
        if kept.bit_length() > fmt.fraction + 1:
            kept, last = kept >> 1, last + 1
    e = last - fmt.lowest_exponent + 1 if kept >> fmt.fraction else 0
    if e >= fmt.exponent_mask:
        to_infinity = rounding == NEAREST or rounding == (DOWN if s else UP)
        if mode and mode.fp16_overflow and fmt is F16:
            to_infinity = False
        return top | (fmt.infinity if to_infinity else fmt.infinity - 1)
    result = top | e << fmt.fraction | (kept & ((1 << fmt.fraction) - 1))
    if mode and not mode.keeps_output_denormals(fmt):
        result = flush(result, fmt)
    return result


def _zero_sum_sign(a_sign, b_sign, rounding):
    return a_sign if a_sign == b_sign else int(rounding == DOWN)


def fma(a, b, c, fmt, mode, out=None, rounding=None):
    """a * b + c of `fmt`, rounded once to `out`; a NaN result is None (its payload is not known)."""
    out = out or fmt
    rounding = mode.rounding(out) if rounding is None else rounding
    sp = sign(a, fmt) ^ sign(b, fmt)
    if is_nan(a, fmt) or is_nan(b, fmt) or is_nan(c, fmt):
        return None
    if is_infinite(a, fmt) or is_infinite(b, fmt):
        if is_zero(a, fmt) or is_zero(b, fmt) or (is_infinite(c, fmt) and sign(c, fmt) != sp):
            return None
        return sp << (out.width - 1) | out.infinity
    if is_infinite(c, fmt):
        return sign(c, fmt) << (out.width - 1) | out.infinity
    ma, ea = unpack(a, fmt)
    mb, eb = unpack(b, fmt)
    mc, ec = unpack(c, fmt)
    m, e = sum_exact((ma * mb, ea + eb), (mc, ec))
    zero = _zero_sum_sign(sp, sign(c, fmt), rounding) if not mc else int(rounding == DOWN)
    return pack(m, e, out, rounding, zero, mode=mode)


def sum_exact(a, b):
    (ma, ea), (mb, eb) = a, b
    low = min(ea, eb)
    return (ma << (ea - low)) + (mb << (eb - low)), low


def add(a, b, fmt, mode):
    if is_nan(a, fmt) or is_nan(b, fmt):
        return None
    if is_infinite(a, fmt) or is_infinite(b, fmt):
        if is_infinite(a, fmt) and is_infinite(b, fmt) and a != b:
            return None
        return a if is_infinite(a, fmt) else b
    m, e = sum_exact(unpack(a, fmt), unpack(b, fmt))
    rounding = mode.rounding(fmt)
    both_zero = is_zero(a, fmt) and is_zero(b, fmt)
    zero = _zero_sum_sign(sign(a, fmt), sign(b, fmt), rounding) if both_zero else rounding == DOWN
    return pack(m, e, fmt, rounding, int(zero), mode=mode)


def mul(a, b, fmt, mode):
    s = sign(a, fmt) ^ sign(b, fmt)
    if is_nan(a, fmt) or is_nan(b, fmt):
        return None
    if is_infinite(a, fmt) or is_infinite(b, fmt):
        return None if is_zero(a, fmt) or is_zero(b, fmt) else s << (fmt.width - 1) | fmt.infinity
    ma, ea = unpack(a, fmt)
    mb, eb = unpack(b, fmt)
    return pack(ma * mb, ea + eb, fmt, mode.rounding(fmt), s, mode=mode)


def convert(bits, source, target, mode=None, rounding=None):
    """Another format; NaNs keep sign, quiet bit and the upper payload (a cast, no arithmetic)."""
    s = sign(bits, source) << (target.width - 1)
    if is_nan(bits, source):
        fraction = bits & ((1 << source.fraction) - 1)
        shift = target.fraction - source.fraction
        fraction = fraction << shift if shift >= 0 else fraction >> -shift
        return s | target.infinity | (fraction or 1)
    if is_infinite(bits, source):
        return s | target.infinity
    if rounding is None:
        rounding = mode.rounding(target) if mode else NEAREST
    m, e = unpack(bits, source)
    return pack(m, e, target, rounding, sign(bits, source), mode=mode)


def from_int(value, fmt, mode):
    return pack(value, 0, fmt, mode.rounding(fmt), mode=mode)


def compare(a, fa, b, fb):
    """-1, 0, 1, or None when one is a NaN; the formats may differ."""
    if is_nan(a, fa) or is_nan(b, fb):
        return None
    if fa is not fb:
        a, b, fa = convert(a, fa, F64), convert(b, fb, F64), F64
    x, y = _order(a, fa), _order(b, fa)
    return (x > y) - (x < y)


def _order(bits, fmt):
    magnitude = bits & ~fmt.sign_bit
    return -magnitude if bits & fmt.sign_bit else magnitude


def to_integral(bits, fmt, how):
    """Rounds to an integer in the format; how: 'floor', 'trunc', 'ceil' or 'even'. Keeps -0."""
    if is_nan(bits, fmt) or is_infinite(bits, fmt):
        return bits
    m, e = unpack(bits, fmt)
    if e >= 0:
        return bits
    return pack(integer_part(m, e, how), 0, fmt, NEAREST, sign(bits, fmt))


def integer_part(m, e, how):
    """The integer next to m * 2**e."""
    if e >= 0:
        return m << e
    floor = m >> -e
    rest = m - (floor << -e)
    if how == "floor" or not rest:
        return floor
    if how == "ceil":
        return floor + 1
    if how == "trunc":
        return floor if m > 0 else floor + 1
    half = 1 << (-e - 1)
    return floor + (rest > half or (rest == half and floor & 1))


def to_int(bits, fmt, low, high, how="trunc"):
    """Saturating conversion; NaN gives 0 (GCN ancestors' manuals; the RDNA3 text is silent)."""
    if is_nan(bits, fmt):
        return 0
    if is_infinite(bits, fmt):
        return low if sign(bits, fmt) else high
    return min(max(integer_part(*unpack(bits, fmt), how), low), high)
