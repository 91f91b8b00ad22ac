"""Tests of buffer instructions."""

import buffer_reference
import encoding
import generate_salu
import kernel
from generate_memory import access_bytes, fill, make, place_data
from state import ALL, LANES, State

VADDR, VDATA, RESOURCE, SOFFSET = 0, 4, 20, 30
IDENTITY = 4 | 5 << 3 | 6 << 6 | 7 << 9  # DST_SEL: X, Y, Z, W


def tests(random, instruction, scale):
    if "INV" in instruction.name:
        yield make(instruction, "no effect", {"soffset": encoding.NULL}, State(random), generate_salu.nothing)
        return
    is_typed = "FORMAT" in instruction.name
    numbers = [None]
    if is_typed:
        numbers = usable_formats(instruction)
        numbers = random.sample(numbers, min(len(numbers), 10 * scale))
    for number in numbers:
        for n in range((2 if is_typed else 6) * scale):
            for glc in (0, 1) if "ATOMIC" in instruction.name else (0,):
                if not ("CSUB" in instruction.name and not glc):
                    yield test(random, instruction, number, glc, n)


def usable_formats(instruction):
    """Stores need a value for every component of the format."""
    count = len(instruction.name.rsplit("_", 1)[1])
    store = "STORE" in instruction.name
    return [n for n, (bits, _) in buffer_reference.FORMATS.items() if not store or len(bits) <= count]


def test(random, instruction, number, glc, n):
    s = State(random)
    s.memory = fill(random, kernel.OWN_BYTES)
    fields = {"vaddr": VADDR, "vdata": VDATA, "srsrc": RESOURCE // 4, "soffset": SOFFSET}
    size = access_bytes(instruction)
    if number:
        size = sum(buffer_reference.FORMATS[number][0]) // 8
    step = max(size, 4)
    form = random.choice(("off", "offen", "idxen", "both")) if n else "both"
    swizzle = random.choice((0, 0, 1, 2, 3)) if form in ("idxen", "both") and size == 4 else 0
    stride = random.choice((0, 16, 32, 64)) if not swizzle else 32
    if form in ("idxen", "both") and not stride:
        stride = 32
    bounds = random.choice((0, 1, 2)) if stride else 3
    records = 64 if stride else 4000
    if stride and bounds == 1:
        records = 20  # some indices are outside
    immediate = step * random.randint(0, 100)
    if form != "off":
        immediate = random.choice((0, step, 8 if size <= 8 else 16))
    soffset = random.choice((0, 64, 4 * random.randint(0, 16)))
    fields["offset"] = immediate
    if soffset == 0 or soffset == 64:
        fields["soffset"] = 128 + soffset if random.random() < 0.7 or soffset else encoding.NULL
    else:
        s.s[SOFFSET] = soffset
    fields["idxen"], fields["offen"] = int(form in ("idxen", "both")), int(form in ("offen", "both"))
    order = random.sample(range(LANES), LANES)
    for lane in range(LANES):
        index, offset = order[lane], 0
        if form == "offen":
            offset = 64 * order[lane] if not stride else 0
            if not stride and random.random() < 0.1:
                offset = 100000  # far outside: loads give 0, stores and atomics nothing
        elif form == "both":
            offset = 0 if stride <= 16 else 8 * random.randint(0, 1) * (size <= 8)
        s.v[VADDR][lane] = index if fields["idxen"] else offset
        s.v[VADDR + fields["idxen"]][lane] = index if fields["idxen"] and not fields["offen"] else offset
        if fields["idxen"]:
            s.v[VADDR][lane] = index
    if number is None:
        place_data(random, instruction, s, fields, ("vdata",))
    elif "STORE" in instruction.name:
        place_components(random, instruction, s, number)
    base = kernel.OWN_ADDRESS + 16 * random.randint(0, 16)
    s.write_scalar(RESOURCE, base, 64)
    s.s[RESOURCE + 1] |= stride << 16 | swizzle << 30
    s.s[RESOURCE + 2] = records
    s.s[RESOURCE + 3] = IDENTITY | (number or 22) << 12 | 1 << 21 | bounds << 28
    if instruction.format == "MTBUF":
        fields["format"] = number
        s.s[RESOURCE + 3] &= ~(63 << 12)
    if glc:
        fields["glc"] = 1
    s.s[encoding.EXEC] = ALL if n == 0 else random.getrandbits(32)
    if "STORE" in instruction.name or "ATOMIC" in instruction.name:
        only_disjoint(s, instruction, fields, size)
    execute = buffer_reference.typed if number else buffer_reference.untyped
    what = f"{form}, stride {stride}, swizzle {swizzle}, bounds {bounds}, format {number}, glc {glc}"
    return make(instruction, what, fields, s, execute)


def only_disjoint(s, instruction, fields, size):
    """Switches off lanes whose stores would meet: the order of lanes is not stated."""
    resource, soffset, place = buffer_reference.places(instruction, fields, s)
    seen = set()
    for lane in range(LANES):
        index, offset = place(lane)
        touched = {resource.offset(index, offset + b) for b in range(size)}
        if touched & seen:
            s.s[encoding.EXEC] &= ~(1 << lane)
        seen |= touched


def place_components(random, instruction, s, number):
    """Register values that come from the raw values a store then has to give back."""
    bits, kind = buffer_reference.FORMATS[number]
    wide = "D16" not in instruction.name
    high = "D16_HI" in instruction.name
    for lane in range(LANES):
        for k in range(len(instruction.name.rsplit("_", 1)[1])):
            b = bits[k] if k < len(bits) else 8
            value = exact_component(random, b, kind, wide)
            if wide:
                s.v[VDATA + k][lane] = value
            else:
                at = 16 * ((k & 1) | high)
                old = s.v[VDATA + k // 2][lane]
                s.v[VDATA + k // 2][lane] = old & ~(0xFFFF << at) | (value & 0xFFFF) << at


def exact_component(random, bits, kind, wide):
    if kind == "FLOAT" and bits == 32 and not wide:
        return random.choice((0, 0x3C00, 0xC000, 0x7C00, 0x0001))
    while True:
        raw = random.choice((0, 1, (1 << bits) - 1, (1 << (bits - 1)) - 1, random.getrandbits(bits)))
        if kind == "FLOAT":
            fmt = buffer_reference.small_float(bits)
            if (raw & ~fmt.sign_bit) > fmt.infinity:
                continue  # NaNs: payloads are not stated
        value = buffer_reference.to_register(raw, bits, kind, wide)
        if buffer_reference.to_memory(value, bits, kind, wide) == raw:
            return value
