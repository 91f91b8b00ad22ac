"""Matrix products: D = A * B + C for 16 x 16 matrices; AMD's text is that one line.

Layout in wave32 (data: tinygrad's emulation of RDNA3): row i of A and column i of B are in
lane i, repeated in lane i + 16; element k of 16-bit types is in register k / 2, half k % 2, of
8-bit types in register k / 4, of 4-bit types in register k / 8. Element (m, n) of C and D is in lane
n + 16 * (m % 2), register m / 2; 16-bit ones use one half, high with op_sel[2].

Intermediate precision is not stated: floats may be off by what 16 additions in f32 can lose.
"""

from fractions import Fraction

import encoding
import floats
from floats import BF16, F16, F32
from generate_valu import Test
from state import LANES, State
from vectors import float_corners, near_one

A, B, C, D = 0, 8, 16, 24


def parts(instruction):
    _, _, out, _, source = instruction.name.split("_")
    return out, source


FORMATS = {"F16": F16, "BF16": BF16, "F32": F32}


def element(state, register, lane, k, bits):
    per = 32 // bits
    return state.v[register + k // per][lane] >> (bits * (k % per)) & ((1 << bits) - 1)


def execute(instruction, fields, extra, state):
    result = state.copy()
    out, source = parts(instruction)
    for m in range(16):
        for n in range(16):
            if out == "I32":
                integer_element(fields, source, state, result, m, n)
            else:
                float_element(fields, FORMATS[out], FORMATS[source], state, result, m, n)
    return result


def integer_element(fields, source, state, result, m, n):
    bits = int(source[2:])
    neg = fields.get("neg", 0)

    def value(register, lane, k, is_signed):
        x = element(state, register, lane, k, bits)
        return x - (1 << bits) if is_signed and x >> (bits - 1) else x

    lane = n + 16 * (m % 2)
    c = state.v[C + m // 2][lane]
    total = c - (1 << 32) if c >> 31 else c
    for k in range(16):
        total += value(A, m, k, neg & 1) * value(B, n, k, neg & 2)
    if fields.get("clmp"):
        total = min(max(total, -(1 << 31)), (1 << 31) - 1)
    result.v[D + m // 2][lane] = total & 0xFFFFFFFF


def float_element(fields, out, source, state, result, m, n):
    lane = n + 16 * (m % 2)
    high = 16 * (fields.get("opsel", 0) >> 2 & 1) if out.width == 16 else 0
    c = state.v[C + m // 2][lane] >> high & ((1 << out.width) - 1)
    terms = [Fraction(0)]
    m_c, e_c = floats.unpack(c, out)
    terms.append(Fraction(m_c) * Fraction(2) ** e_c)
    for k in range(16):
        (ma, ea), (mb, eb) = (floats.unpack(element(state, r, i, k, 16), source) for r, i in ((A, m), (B, n)))
        terms.append(Fraction(ma * mb) * Fraction(2) ** (ea + eb))
    total, size = sum(terms), sum(abs(t) for t in terms)
    scaled = total * 2**200
    bits = floats.pack(scaled.numerator // scaled.denominator, -200, out)
    error = size * Fraction(17, 1 << 23)
    if out.width == 16:
        error += abs(total) / (1 << out.fraction) + Fraction(2) ** out.lowest_exponent
    old = result.v[D + m // 2][lane]
    result.v[D + m // 2][lane] = old & ~(((1 << out.width) - 1) << high) | bits << high
    result.tolerances["v", D + m // 2, lane] = ((high, out.width, ("absolute", bits, error, out)),)


def tests(random, instruction):
    out, source = parts(instruction)
    integer = out == "I32"
    base = {"vdst": D, "src0": 256 + A, "src1": 256 + B, "src2": 256 + C, "opsel_hi": 3, "opsel_hi2": 1}
    forms = [{}, {}]
    if integer:
        forms = [{"neg": n} for n in range(4)] + [{"clmp": 1, "neg": 3}, {"clmp": 1}]
    elif out != "F32":
        forms.append({"opsel": 4})
    for form in forms:
        s = State(random)
        for lane in range(16):
            for r in range(A, A + 16):
                s.v[r][lane] = s.v[r][lane + 16] = value(random, source)
        for lane in range(LANES):
            for r in range(C, C + 8):
                s.v[r][lane] = value(random, out) if not integer else random.choice(
                    (0, 1, 0x7FFFFFFF, 0x80000000, random.getrandbits(32)))
        s.s[encoding.EXEC] = 0xFFFFFFFF
        test = Test(instruction, f"matrices {form}", {**base, **form}, None, [s])
        test.execute = execute
        yield test


def value(random, kind):
    """Moderate numbers, zeros and denormals; how infinities and NaNs combine is not stated."""
    if kind.startswith("IU"):
        return random.choice((0, 0xFFFFFFFF, 0x80808080, 0x7F7F7F7F, random.getrandbits(32)))
    if kind == "BF16":
        half = lambda: random.getrandbits(1) << 15 | random.randint(123, 131) << 7 | random.getrandbits(7)  # noqa: E731
        return half() | half() << 16
    if kind == "F16" and random.random() < 0.2:
        small = [x for x in float_corners(F16) if floats.exponent_field(x, F16) < 16]
        return random.choice(small) | random.choice(small) << 16
    return near_one(random, {"data_format": f"NUM_{kind}"}, 32)
