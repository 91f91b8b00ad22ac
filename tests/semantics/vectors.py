"""Corner cases of every operand type, and how operands of one instruction are combined."""

from floats import BF16, F16, F32, F64


def float_corners(fmt):
    one = fmt.bias << fmt.fraction
    ulp = 1
    top = fmt.infinity
    magnitudes = [
        0, 1, fmt.quiet_bit, (1 << fmt.fraction) - 1,  # zero, denormals
        1 << fmt.fraction, (1 << fmt.fraction) + 1,  # smallest normal
        one, one + ulp, one - ulp, one + (1 << fmt.fraction), one - (1 << fmt.fraction),
        one | fmt.quiet_bit, top - 1, top - 2, top, fmt.nan, top | 1, fmt.nan | 3,
    ]
    extra = {
        # Around the limits of the integer and float types that conversions reach, and ties.
        32: [0x4EFFFFFF, 0x4F000000, 0x4F7FFFFF, 0x4F800000, 0x3EFFFFFF, 0x40200000, 0x40600000,
             0x4B000001, 0x477FEFFF, 0x477FF000, 0x477FE000, 0x38800000, 0x387FC000, 0x33000000,
             0x33000001, 0x3F800001, 0x3F802000, 0x3F801000, 0x43800000, 0x42FE0000, 0x437F8000],
        64: [0x41DFFFFFFFC00000, 0x41E0000000000000, 0x41EFFFFFFFE00000, 0x41F0000000000000,
             0x47EFFFFFE0000000, 0x47EFFFFFF0000000, 0x3810000000000000, 0x36A0000000000000,
             0x4004000000000000, 0x3FDFFFFFFFFFFFFF, 0x4330000000000001, 0x3FF0000010000000],
        16: [0x77FF, 0x7800, 0x7BFF, 0x37FF, 0x4100, 0x4300, 0x6401, 0x5BF8, 0x63FF],
    }[fmt.width] if fmt is not BF16 else [0x4B00]
    return [m | s for m in magnitudes + extra for s in (0, fmt.sign_bit)]


def int_corners(width):
    top = 1 << (width - 1)
    full = (1 << width) - 1
    values = [0, 1, 2, 3, 7, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF,
              0x10000, 0x7FFFFF, 0x800000, 0xFFFFFF, top - 1, top, top + 1, full, full - 1,
              0x5555555555555555, 0xAAAAAAAAAAAAAAAA, full & ~31, 0x00FF00FF00FF00FF]
    return sorted({v & full for v in values})


def packed(halves):
    return [a | b << 16 for a, b in zip(halves, halves[5:] + halves[:5])]


def corners(operand, width):
    """Interesting bit patterns of an operand."""
    kind = operand.get("data_format", "")
    if kind.endswith("BF16"):
        return packed(float_corners(BF16)) if width == 32 else float_corners(BF16)
    if kind.endswith("F16") and width == 16:
        return float_corners(F16)
    if kind.endswith("F16"):
        return packed(float_corners(F16))
    if kind.endswith("F32") and width == 32:
        return float_corners(F32)
    if kind.endswith("F64"):
        return float_corners(F64)
    if "PK" in kind:
        return packed(int_corners(16)) + int_corners(32)
    if width == 32 and kind.endswith("B32"):
        return int_corners(32) + float_corners(F32)[::5] + packed(float_corners(F16)[::3])
    if width <= 64:
        return int_corners(width)
    return [v | v << 64 for v in int_corners(64)]


def pick(random, operand, width):
    choice = random.random()
    if choice < 0.75:
        return random.choice(corners_of(operand, width))
    if choice < 0.85 and operand.get("data_format", "").endswith(("F32", "F16", "F64")):
        return near_one(random, operand, width)
    return random.getrandbits(width)


def near_one(random, operand, width):
    """A float of moderate size, so that sums and products neither vanish nor overflow."""
    fmt = {"F32": F32, "F16": F16, "F64": F64}[operand["data_format"][-3:]]

    def half():
        e = fmt.bias + random.randint(-4, 4)
        return random.getrandbits(1) << (fmt.width - 1) | e << fmt.fraction | random.getrandbits(fmt.fraction)

    return half() | half() << 16 if width == 32 and fmt is F16 else half()


_cache = {}


def corners_of(operand, width):
    key = operand.get("data_format"), width
    if key not in _cache:
        _cache[key] = corners(operand, width)
    return _cache[key]


def tuples(random, operands, count):
    """`count` tuples of operand values: corners against corners first, some equal or opposite."""
    widths = [w for _, w in operands]
    result = []
    if len(operands) == 1:
        operand, width = operands[0]
        singles = list(corners_of(operand, width))
        random.shuffle(singles)
        result = [(v,) for v in singles[: count * 3 // 4]]
    while len(result) < count:
        values = [pick(random, o, w) for o, w in operands]
        if len(values) > 1 and random.random() < 0.2:
            i, j = random.sample(range(len(values)), 2)
            if widths[i] == widths[j]:
                flip = 1 << (widths[i] - 1) if random.random() < 0.5 else 0
                values[i] = values[j] ^ flip
        result.append(tuple(values))
    random.shuffle(result)
    return result
