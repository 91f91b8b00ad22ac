"""Tests of LDS, FLAT, GLOBAL, SCRATCH and scalar memory."""

import encoding
import generate_salu
import kernel
import memory_reference
from generate_valu import Test
from state import ALL, LANES, State
from vectors import pick

ADDR, DATA0, DATA1, DST = 0, 4, 8, 24
BASE = 20  # of scalar addresses: s[20:21], or s[20:23] for a resource


def fill(random, size):
    """Bytes with many corner values, so that comparing atomics meet equal and extreme ones."""
    data = bytearray()
    while len(data) < size:
        word = pick(random, {"data_format": "NUM_B32"}, 32)
        data += word.to_bytes(4, "little")
    return data


def data_operand(instruction):
    """The type of the data, from the end of the name."""
    suffix = instruction.name.rsplit("_", 1)[1]
    return {"data_format": f"NUM_{suffix}"}


def access_bytes(instruction):
    """How many bytes at its address an instruction may touch."""
    sizes = [o["size_bits"] for n, o in instruction.operands.items() if n in ("vdst", "data", "data0", "vdata")]
    if "ATOMIC" in instruction.name:
        return memory_reference.result_width(instruction) // 8
    return max([32, *sizes]) // 8


def place_data(random, instruction, state, fields, names):
    """Operands of the data's type, some equal to what memory holds (for compares)."""
    operand = data_operand(instruction)
    for name in names:
        if name not in instruction.operands:
            continue
        width = max(instruction.operands[name]["size_bits"], 32)
        for lane in range(LANES):
            for i in range(width // 32):
                state.v[fields[name] + i][lane] = pick(random, operand, 32) & ALL
            if width == 64 and operand["data_format"].endswith("64"):
                value = pick(random, operand, 64)
                state.v[fields[name]][lane] = value & ALL
                state.v[fields[name] + 1][lane] = value >> 32


def ds_tests(random, instruction, scale):
    if instruction.name == "DS_NOP":
        yield make(instruction, "no effect", {}, State(random), generate_salu.nothing)
        return
    fields = {"gds": 0}
    for name, register in (("addr", ADDR), ("data0", DATA0), ("data1", DATA1), ("vdst", DST)):
        if name in instruction.operands:
            fields[name] = register
    two = "2ADDR" in instruction.name
    unit = 8 if "64" in instruction.name.rsplit("_", 1)[1] else 4
    stride = unit * (64 if "STRIDE64" in instruction.name else 1)
    size = access_bytes(instruction)
    cross = instruction.name in ("DS_PERMUTE_B32", "DS_BPERMUTE_B32", "DS_SWIZZLE_B32")
    for n in range(8 * scale):
        f = dict(fields)
        if cross:
            offset = random.choice((0, 4, random.randint(0, 0xFFFF)))
            if instruction.name == "DS_SWIZZLE_B32":
                offset = random.choice((random.randint(0, 0x7FFF), 0x8000 | random.randint(0, 255),
                                        0xC000 | random.randint(0, 0x7FF), 0xE000 | random.randint(0, 31)))
        elif two:
            # Which of two stores to one place wins is not stated: the offsets differ.
            first, second = random.sample(range(16 if stride < 256 else 2), 2)
            offset = first | second << 8
        else:
            offset = random.choice((0, size, 256, random.randint(0, 31) * 8))
        f["offset0"], f["offset1"] = offset & 255, offset >> 8
        s = State(random)
        s.lds = fill(random, kernel.LDS_BYTES)
        place_data(random, instruction, s, f, ("data0", "data1"))
        if not cross:
            places = random.sample(range(0, kernel.LDS_BYTES - 528, 16), LANES)
            for lane in range(LANES):
                s.v[ADDR][lane] = places[lane]
        s.s[encoding.M0] = 4 * random.randint(0, 64)
        s.s[encoding.EXEC] = ALL if n == 0 else 0 if n == 1 else random.getrandbits(32)
        if two:
            one_lane(random, s, stride, f)
        yield make(instruction, f"offset {offset:#x}", f, s, memory_reference.ds, lds=True)


def one_lane(random, s, stride, fields):
    """Two addresses a lane: few lanes, far enough apart for every offset of the test."""
    span = stride * (max(fields["offset0"], fields["offset1"]) + 1)
    count = max((kernel.LDS_BYTES - 16) // max(span, 16), 1)
    lanes = random.sample(range(LANES), min(count, LANES))
    s.s[encoding.EXEC] = sum(1 << lane for lane in lanes)
    for k, lane in enumerate(lanes):
        s.v[ADDR][lane] = (k * span) & ~7


def make(instruction, what, fields, state, execute, **options):
    test = Test(instruction, what, fields, None, [state])
    test.execute = execute
    for name, value in options.items():
        setattr(test, name, value)
    return test


def flat_tests(random, instruction, scale):
    fmt = instruction.format
    atomic = "ATOMIC" in instruction.name
    scratch = fmt == "SCRATCH"
    size = access_bytes(instruction)
    fields = {}
    for name, register in (("addr", ADDR), ("data", DATA0), ("vdst", DST)):
        if name in instruction.operands:
            fields[name] = register
    forms = {"FLAT": ["v64"], "GLOBAL": ["v64", "sbase"], "SCRATCH": ["off", "vaddr", "saddr", "both"]}[fmt]
    if "ADDTID" in instruction.name:
        forms = ["sbase"]
    for n in range(4 * scale):
        for form in forms:
            for glc in (0, 1) if atomic else (0,):
                if "CSUB" in instruction.name and not glc:
                    continue  # LLVM: only with return
                yield flat_test(random, instruction, dict(fields), form, glc, size, scratch, n)
    if fmt == "FLAT":
        for aperture in (SHARED_BASE, PRIVATE_BASE):
            for glc in (0, 1) if atomic else (0,):
                yield aperture_test(random, instruction, fields, aperture, glc)


SHARED_BASE, PRIVATE_BASE, APERTURE = 235, 237, 60


def aperture_test(random, instruction, fields, aperture, glc):
    """FLAT into LDS or scratch: the aperture's address comes from the source operand that names it."""
    private = aperture == PRIVATE_BASE
    s = State(random)
    place_data(random, instruction, s, fields, ("data",))
    size = access_bytes(instruction)
    if private:
        s.scratch = [fill(random, kernel.SCRATCH_BYTES) for _ in range(LANES)]
        places = [size * random.randint(0, 16 // size) for _ in range(LANES)]
    else:
        s.lds = fill(random, kernel.LDS_BYTES)
        places = [16 * p for p in random.sample(range(100), LANES)]
    for lane in range(LANES):
        s.v[ADDR][lane] = places[lane]
    s.s[encoding.EXEC] = random.getrandbits(32)
    offset = random.choice((0, 16))
    fields = {**fields, "offset": offset, "saddr": encoding.NULL, "glc": glc}
    execute = memory_reference.flat_private if private else memory_reference.flat_lds
    what = f"{'scratch' if private else 'LDS'} aperture, offset {offset}, glc {glc}"
    test = make(instruction, what, fields, s, execute, lds=not private, scratch=private)
    test.before = [*kernel.op("SOP1:S_MOV_B64", sdst=APERTURE, ssrc0=aperture),
                   *kernel.op("VOP1:V_MOV_B32", src0=APERTURE + 1, vdst=ADDR + 1)]

    def adjust(expected, found):
        for r in (APERTURE, APERTURE + 1):
            expected.s[r] = found.s[r]
        for lane in range(LANES):
            if s.exec >> lane & 1:
                expected.v[ADDR + 1][lane] = found.s[APERTURE + 1]

    test.adjust = adjust
    return test


def direct_load_tests(random, instruction):
    for kind in (0, 1, 2, 4, 5):
        s = State(random)
        s.lds = fill(random, kernel.LDS_BYTES)
        s.s[encoding.M0] = kind << 16 | 4 * random.randint(0, 500)
        s.s[encoding.EXEC] = random.choice((ALL, random.getrandbits(32)))
        yield make(instruction, f"type {kind}", {"vdst": DST}, s, memory_reference.direct_load, lds=True)


def flat_test(random, instruction, f, form, glc, size, scratch, n):
    low, high = (0, 4095) if instruction.format == "FLAT" else (-4096, 4095)
    offset = random.choice((0, low, high, random.randint(low, high)))
    s = State(random)
    place_data(random, instruction, s, f, ("data",))
    s.memory = fill(random, kernel.OWN_BYTES)
    if scratch:
        offset = random.choice((0, 4, 16, -8)) if form != "off" else random.choice((0, 4, 16))
        s.scratch = [fill(random, kernel.SCRATCH_BYTES) for _ in range(LANES)]
    unaligned = n == 3 and "ATOMIC" not in instruction.name
    places = [32 * lane + (random.randint(0, 15) if unaligned else size * random.randint(0, 16 // size))
              for lane in random.sample(range(kernel.OWN_BYTES // 32), LANES)]
    f.update(offset=offset & 0x1FFF)
    if glc:
        f["glc"] = 1
    f["saddr"] = encoding.NULL
    if scratch:
        private = [4 * random.randint(2, 6) for _ in range(LANES)]
        s.s[BASE] = 8
        f["sve"] = int(form in ("vaddr", "both"))
        if form in ("saddr", "both"):
            f["saddr"] = BASE
        for lane in range(LANES):
            s.v[ADDR][lane] = private[lane] - (0 if form == "vaddr" else 8) + 8
    elif "ADDTID" in instruction.name:
        f["saddr"] = BASE
        s.write_scalar(BASE, kernel.OWN_ADDRESS + 4 * random.randint(0, 500) - offset, 64)
    elif form == "sbase":
        shift = random.choice((0, 0x1000, 0x80000000))
        f["saddr"] = BASE
        base = kernel.OWN_ADDRESS - offset - shift
        s.write_scalar(BASE, base, 64)
        for lane in range(LANES):
            s.v[ADDR][lane] = places[lane] + shift
    else:
        for lane in range(LANES):
            s.write_vgpr(ADDR, lane, kernel.OWN_ADDRESS + places[lane] - offset, 64)
    s.s[encoding.EXEC] = ALL if n == 0 else 0 if n == 1 else random.getrandbits(32)
    return make(instruction, f"{form}, offset {offset}, glc {glc}", f, s, memory_reference.flat, scratch=scratch)


def smem_tests(random, instruction, scale):
    if "LOAD" not in instruction.name:
        s = State(random)
        yield make(instruction, "no effect", {"soffset": encoding.NULL}, s, generate_salu.nothing)
        return
    width = instruction.operands["sdata"]["size_bits"]
    buffer = "BUFFER" in instruction.name
    for n in range(12 * scale):
        s = State(random)
        s.memory = fill(random, kernel.OWN_BYTES)
        offset = random.choice((0, 4, 0x40, random.randint(0, 0x3FF)))
        soffset = random.choice((encoding.NULL, 30, encoding.M0))
        start = 1024 + 4 * random.randint(0, 100)
        register = 0 if soffset == encoding.NULL else 4 * random.randint(0, 60)
        if soffset != encoding.NULL:
            s.s[soffset] = register
        if not buffer and n % 3 == 2:
            offset = -offset
        s.write_scalar(BASE, kernel.OWN_ADDRESS + start, 64)
        if buffer:
            stride = random.choice((0, 4, 16))
            records = random.choice((4096, offset + register + width // 16, 0))
            s.s[BASE + 1] |= stride << 16
            s.s[BASE + 2] = -(-records // (stride or 1)) if records < 4096 else (4096 - start) // (stride or 1)
            s.s[BASE + 3] = 0
        f = {"sbase": BASE // 2, "sdata": random.choice((40, 44, BASE)) if width <= 64 else 40,
             "offset": offset & 0x1FFFFF, "soffset": soffset}
        yield make(instruction, f"offset {offset:#x} soffset {soffset}", f, s, memory_reference.smem)
