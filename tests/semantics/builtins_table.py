"""The functions and constants that the pseudo-code uses without defining them."""

import re

import approximate
import floats
from floats import BF16, F16, F32, F64
from values import Value, as_type, boolean, constant, float_value

CONSTANTS = {
    "INF": constant("INF"),
    "NAN": constant("NAN"),
    "MAX_FLOAT_F32": Value(F32.infinity - 1, 32, "f"),
    "OVERFLOW_F32": Value(F32.infinity, 32, "f"),
    "OVERFLOW_F64": Value(F64.infinity, 64, "f"),
    "WAVE32": boolean(True),
    "WAVE64": boolean(False),
}
FUNCTIONS = {}


def builtin(function):
    FUNCTIONS[function.__name__.rstrip("_")] = function
    return function


@builtin
def fma(c, x, y, z):
    return float_value(floats.fma(x.v, y.v, z.v, x.format, c.mode), x.width, x.kind)


def _integral(name, how):
    def function(c, x):
        if floats.is_nan(x.v, x.format):
            return float_value(None, x.width, x.kind)
        return Value(floats.to_integral(x.v, x.format, how), x.width, x.kind, x.tolerances)

    FUNCTIONS[name] = function


_integral("floor", "floor")
_integral("trunc", "trunc")
_integral("round_even", "even")  # what V_RNDNE's text means


@builtin
def abs_(c, x):
    if x.is_float:
        return Value(x.v & ~x.format.sign_bit, x.width, x.kind, x.tolerances)
    return Value(abs(x.v), x.width, x.kind)


@builtin
def sign(c, x):
    return boolean(floats.sign(x.v, x.format))


@builtin
def exponent(c, x):
    return Value(floats.exponent_field(x.v, x.format), 32, "i")


@builtin
def isNAN(c, x):
    return boolean(floats.is_nan(x.v, x.format))


@builtin
def isQuietNAN(c, x):
    return boolean(floats.is_quiet(x.v, x.format))


@builtin
def isSignalNAN(c, x):
    return boolean(floats.is_signalling(x.v, x.format))


@builtin
def cvtToQuietNAN(c, x):
    return Value(x.v | x.format.quiet_bit, x.width, x.kind)


@builtin
def ldexp(c, x, n):
    """One rounding, whatever 2**n is by itself."""
    fmt = x.format
    if floats.is_nan(x.v, fmt):
        return float_value(None, x.width)
    if floats.is_infinite(x.v, fmt):
        return x
    m, e = floats.unpack(x.v, fmt)
    power = min(max(n.v, -5000), 5000)
    bits = floats.pack(m, e + power, fmt, c.mode.rounding(fmt), floats.sign(x.v, fmt), mode=c.mode)
    return float_value(bits, x.width)


@builtin
def frexp_exponent(c, x):
    """Exponent for a significand in [0.5, 1); 0 for zero."""
    m, e = floats.unpack(x.v, x.format)
    return Value(abs(m).bit_length() + e if m else 0, 32, "i")


@builtin
def mantissa(c, x):
    m, _ = floats.unpack(x.v, x.format)
    if not m:
        return x
    return float_value(floats.pack(m, -abs(m).bit_length(), x.format), x.width)


@builtin
def fract(c, x):
    """x - floor(x), below 1: LLVM folds it as min(x - floor(x), the largest value below 1)."""
    fmt = x.format
    if floats.is_nan(x.v, fmt) or floats.is_infinite(x.v, fmt):
        # An infinity gives NaN by the formula; LLVM's constant folder says 0. Nobody measured.
        infinite = floats.is_infinite(x.v, fmt)
        return approximate.either([None, 0] if infinite else [None], "f", fmt, 0)
    m, e = floats.unpack(x.v, fmt)
    floor = floats.integer_part(m, e, "floor")
    m, e = floats.sum_exact((m, e), (-floor, 0))
    below_one = fmt.bias - 1 << fmt.fraction | (1 << fmt.fraction) - 1
    rounded = floats.pack(m, e, fmt, c.mode.rounding(fmt), 0, mode=c.mode)
    zero = c.mode.rounding(fmt) == floats.DOWN and not m
    return Value(fmt.sign_bit if zero else min(rounded, below_one), x.width, "f")


@builtin
def signext(c, x):
    return x


@builtin
def signext_from_bit(c, x, w):
    return as_type(x, "i", w.v) if w.v else Value(0, x.width, "i")


def _approximate(name):
    FUNCTIONS[name] = lambda c, x: approximate.evaluate(name, x.v, x.format)


for _name in approximate.FUNCTIONS:
    _approximate(_name)


@builtin
def trig_preop(c, x, segment):
    """53 bits of 2/pi, as the text means it (data: the mask is misplaced)."""
    e = floats.exponent_field(x.v, F64)
    shift = (segment.v & 31) * 53 + max(e - 1077, 0)
    low = 1148 - shift
    bits = approximate.two_over_pi_bits()
    part = (bits >> low if low >= 0 else bits << -low) & ((1 << 53) - 1)
    scale = -53 - shift + (128 if e >= 1968 else 0)
    return float_value(floats.pack(part, scale, F64, c.mode.rounding(F64), mode=c.mode), 64)


@builtin
def writeableBitMask(c, *_):
    return Value((1 << 32) - 1, 32, "u")  # of MODE: user code may write what the tests write


@builtin
def nop(c, *_):
    return Value(0, 1, "u")


@builtin
def s_nop(c, *_):
    return Value(0, 1, "u")


@builtin
def s_ff1_i32_b32(c, x):
    bits = x.bits(32)
    return Value((bits & -bits).bit_length() - 1, 32, "i")


s_ff1_i32_b64 = FUNCTIONS["s_ff1_i32_b64"] = s_ff1_i32_b32

@builtin
def ConvertFromFormat(c, x):
    return x  # buffer_reference.py converts: the text does not name the format


@builtin
def ConvertToFormat(c, x):
    return x


# Conversions x_to_y.


def _to_integer(source, kind, width):
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if kind == "i" else (0, (1 << width) - 1)
    return lambda c, x: Value(floats.to_int(x.v, source, low, high), width, kind)


def _to_float(target):
    return lambda c, x: float_value(floats.from_int(x.v, target, c.mode), target.width)


def _between(source, target, kind="f"):
    def convert(c, x):
        if floats.is_nan(x.v, source):
            return float_value(None, target.width, kind)
        bits = x.v if c.mode.keeps_input_denormals(source) else floats.flush(x.v, source)
        truncates = c.variables.get("ROUND_MODE") == "ROUND_TOWARD_ZERO"
        # LLVM lowers llvm.fptrunc.round from f64 with the field of f16 and f64.
        rounding = floats.ZERO if truncates else c.mode.rounding(F64 if source is F64 else target)
        return float_value(floats.convert(bits, source, target, c.mode, rounding), target.width, kind)

    return convert


def _normalised(source, signed):
    """Scale 32767 (symmetric) or 65535. How the product is rounded is not stated: exactly or after
    a rounding to f32; then to even, ties upwards or by MODE."""
    top = 32767 if signed else 65535
    low = -top if signed else 0

    def convert(c, x):
        if floats.is_nan(x.v, source):
            return Value(0, 16, "u")
        if floats.is_infinite(x.v, source):
            return Value(low if floats.sign(x.v, source) else top, 16, "i")
        m, e = floats.unpack(x.v, source)
        single = floats.unpack(floats.pack(m * top, e, F32), F32)
        by_mode = ("even", "ceil", "floor", "trunc")[c.mode.rounding(F32)]
        ways = []
        for product in ((m * top, e), single):
            up = floats.integer_part(*floats.sum_exact(product, (1, -1)), "floor")
            ways += [floats.integer_part(*product, "even"), up, floats.integer_part(*product, by_mode)]
        ways = tuple(dict.fromkeys(min(max(n, low), top) & 0xFFFF for n in ways))
        return Value(ways[0], 16, "u", ((0, 16, ("either", ways, 0, None)),) if len(ways) > 1 else ())

    return convert


def _saturate(kind, width):
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if kind == "i" else (0, (1 << width) - 1)
    return lambda c, x: Value(min(max(x.v, low), high), width, kind)


_FLOATS = {"f16": F16, "f32": F32, "f64": F64, "bf16": BF16}


def conversion(name):
    """The function behind a name such as f32_to_i32, or None."""
    m = re.fullmatch(r"(?:v_cvt_)?(\w+?)_to_(\w+)", name) or re.fullmatch(r"v_cvt_(\w+)_(f32)", name)
    if not m:
        return None
    source, target = m.groups()
    if name.startswith("v_cvt_"):
        source, target = target, source
    if target in ("snorm", "unorm"):
        return _normalised(_FLOATS[source], target == "snorm")
    if source in _FLOATS and target in _FLOATS:
        return _between(_FLOATS[source], _FLOATS[target], "bf" if target == "bf16" else "f")
    if source in _FLOATS:
        return _to_integer(_FLOATS[source], target[0], int(target[1:]))
    if target in _FLOATS:
        return _to_float(_FLOATS[target])
    return _saturate(target[0], int(target[1:]))


for _name in """f16_to_f32 f32_to_f16 f32_to_f64 f64_to_f32 bf16_to_f32 f64_to_i32 f64_to_u32 f32_to_i32
        f32_to_u32 f16_to_i16 f16_to_u16 f32_to_u8 i32_to_f32 u32_to_f32 i32_to_f64 u32_to_f64
        u16_to_f16 i16_to_f16 f16_to_snorm f16_to_unorm f32_to_snorm f32_to_unorm u32_to_u16
        i32_to_i16 u8_to_u32 u4_to_u32 v_cvt_i16_f32 v_cvt_u16_f32""".split():
    FUNCTIONS[_name] = conversion(_name)
