"""Tests of the vector ALU: operand kinds, modifiers, DPP, MODE, register numbers."""

import re

import encoding
from encoding import dpp8, dpp16
from floats import Mode
from state import ALL, LANES, State
from operands import float_format, width_of
from valu import WHOLE_WAVE
from vectors import pick, tuples

SRC_REGISTERS = [0, 8, 16]
DST = 24
MASK_OUT, MASK_IN = 20, 30
INLINE_INTS = [128, 129, 191, 192, 193, 208]
LITERAL = 255


class Test:
    """One encoded instruction and the states it runs on."""

    lds = scratch = False  # whether the kernel fills and stores them
    before = after = ()  # words around the instruction
    also = None  # the other instruction that a pair tests
    adjust = None  # (expected, found): for what only the run can tell, such as addresses of code

    def __init__(self, instruction, what, fields, extra, states):
        self.instruction, self.what = instruction, what
        self.fields, self.extra, self.states = fields, extra, states

    @property
    def words(self):
        own = encoding.encode(self.instruction.format, self.instruction.opcode, self.fields, self.extra)
        return [*self.before, *own, *self.after]


def source_names(instruction):
    return [n for n in ("src0", "vsrc1", "src1", "src2") if n in instruction.operands]


def is_mask(operand):
    return operand.get("data_format") == "NUM_M64"


def base_fields(instruction):
    fields = {}
    for i, name in enumerate(source_names(instruction)):
        register = SRC_REGISTERS[i]
        if is_mask(instruction.operands[name]):
            fields[name] = MASK_IN
        elif "vgpr" not in (instruction.operands[name].get("accepts") or ["vgpr"]):
            fields[name] = 2 + i
        else:
            fields[name] = register if name == "vsrc1" else 256 + register
    if "vdst" in instruction.operands:
        fields["vdst"] = DST
        if instruction.operands["vdst"]["kind"] == "SREG":
            fields["vdst"] = MASK_OUT
        elif instruction.operands["vdst"]["kind"] == "EXEC":
            fields["vdst"] = encoding.EXEC
    if instruction.format == "VOP3SD":
        fields["sdst"] = MASK_OUT
    return fields


def literal_for(instruction):
    return 0 if instruction.name.startswith(("V_FMAMK", "V_FMAAK")) else None


def states(random, instruction, fields, count, exec_mask=None, mode=None, constants=()):
    """`count` states with operand values in the registers that `fields` name."""
    names = source_names(instruction)
    operands = [(instruction.operands[n], width_of(instruction.operands[n])) for n in names]
    accumulates = instruction.operands.get("vdst", {}).get("direction") == "inout"
    if accumulates:
        operands.append((instruction.operands["vdst"], width_of(instruction.operands["vdst"])))
    values = tuples(random, operands, count * LANES) if operands else [()] * count * LANES
    result = []
    for n in range(count):
        s = State(random)
        s.mode = mode or Mode()
        for lane in range(LANES):
            for i, value in enumerate(values[n * LANES + lane]):
                if i < len(names):
                    _place(s, fields, instruction, names[i], lane, value)
                elif instruction.operands["vdst"]["kind"] == "VGPR":
                    width = operands[i][1]
                    short = instruction.format in ("VOP1", "VOP2") and width == 16
                    _place_vgpr(s, fields["vdst"], lane, value, width, short)
        if exec_mask is not None:
            s.s[encoding.EXEC] = exec_mask
        elif n % 4 == 3:
            s.s[encoding.EXEC] = random.getrandbits(32)
        if "REL" in instruction.name:
            s.s[encoding.M0] = random.randint(0, 5) | random.randint(0, 5) << 16
            if "_2_" not in instruction.name and "SWAPREL" not in instruction.name:
                s.s[encoding.M0] &= 7
        result.append(s)
    return result


def _place(s, fields, instruction, name, lane, value):
    code = fields[name] + (256 if name == "vsrc1" else 0)
    width = width_of(instruction.operands[name])
    if code in (encoding.DPP16, encoding.DPP8, encoding.DPP8_FI):
        code = 256 + SRC_REGISTERS[0]
    if code >= 256:
        short = instruction.format in ("VOP1", "VOP2", "VOPC") and width == 16
        _place_vgpr(s, code - 256, lane, value, width, short)
    elif lane == 0 and code < 106:
        s.s[code] = value & ALL
        if width == 64:
            s.s[code + 1] = value >> 32
    elif lane == 0 and code == encoding.VCC:
        s.s[code] = value & ALL


def _place_vgpr(s, register, lane, value, width, short):
    if width == 16:
        half = bool(register & 128) if short else None
        register = register & 127 if short else register
        old = s.v[register][lane]
        # The other half gets a different corner: reading the wrong one must show.
        s.v[register][lane] = old & 0xFFFF | value << 16 if half else old & 0xFFFF0000 | value
        return
    for i in range((width + 31) // 32):
        s.v[register + i][lane] = value >> (32 * i) & ALL


def tests(random, instruction, thorough):
    """All tests of one instruction."""
    scale = 4 if thorough else 1
    fields = base_fields(instruction)
    extra = literal_for(instruction)
    many = {0: 1, 1: 4}.get(len(source_names(instruction)), 6)

    def make(what, changes, count=1, extra=extra, **options):
        f = {**fields, **changes}
        return Test(instruction, what, f, extra, states(random, instruction, f, count * scale, **options))

    if not fields:  # V_NOP, V_PIPEFLUSH
        yield make("no effect", {}, 2)
        return
    if extra is not None:
        for value in (random.getrandbits(32), 0x3FC00000, 0x40003E00, 0x7F800001, 0x80000001):
            yield make("literal operand", {}, 2, value)
    else:
        yield make("registers", {}, many)
    if instruction.name in WHOLE_WAVE:
        yield from whole_wave(random, instruction, make)
        return
    yield make("no lane active", {}, exec_mask=0)
    yield from operand_kinds(random, instruction, fields, make)
    yield from register_numbers(instruction, fields, make)
    yield from modifiers(random, instruction, make)
    yield from lanes_of_others(random, instruction, fields, make)
    yield from modes(random, instruction, make)


def whole_wave(random, instruction, make):
    yield make("no lane active", {}, exec_mask=0)
    for _ in range(3):
        yield make("some lanes active", {}, 1, exec_mask=random.getrandbits(32))
    if "src1" in instruction.operands:
        for code in (128, 129, 159, 160, 193, encoding.M0):
            yield make("constant lane", {"src1": code})
    if "PERMLANE16" in instruction.name or "PERMLANEX16" in instruction.name:
        for opsel in (1, 2, 3):
            yield make(f"op_sel {opsel}", {"opsel": opsel}, exec_mask=ALL)


def operand_kinds(random, instruction, fields, make):
    for name in source_names(instruction):
        operand = instruction.operands[name]
        if is_mask(operand):
            yield make("mask in VCC", {name: encoding.VCC})
            continue
        accepts = operand.get("accepts") or []
        if "sgpr" in accepts:
            yield make(f"{name} SGPR", {name: 40})
            if width_of(operand) <= 32:
                for code in random.sample((encoding.VCC, encoding.M0, encoding.NULL, encoding.EXEC, 253), 2):
                    yield make(f"{name} scalar {code}", {name: code})
        if "inline_int" in accepts:
            yield make(f"{name} integer constant", {name: random.choice(INLINE_INTS)})
        # Which pattern bf16 operands and class masks get is not documented.
        if "inline_float" in accepts and "BF16" not in operand.get("data_format", "") and not (
                "_CLASS_" in instruction.name and name != "src0"):
            yield make(f"{name} float constant", {name: random.randint(240, 248)})
        if "literal" in accepts and literal_for(instruction) is None:
            value = pick(random, operand, min(width_of(operand), 32))
            if operand.get("data_format", "").endswith("I64"):
                value &= 0x7FFFFFFF  # whether I64 extends the sign is not documented
            yield make(f"{name} literal", {name: LITERAL}, extra=value)
    if len(source_names(instruction)) > 1 and "sgpr" in (instruction.operands["src0"].get("accepts") or []):
        second = source_names(instruction)[1]
        if "sgpr" in (instruction.operands[second].get("accepts") or []):
            yield make("one SGPR twice", {"src0": 44, second: 44})


def register_numbers(instruction, fields, make):
    short16 = instruction.format in ("VOP1", "VOP2", "VOPC")
    names = source_names(instruction)
    changes = {}
    for i, name in enumerate(names):
        operand = instruction.operands[name]
        if is_mask(operand) or "vgpr" not in (operand.get("accepts") or ["vgpr"]):
            continue
        register = (126, 128, 248)[i] if not (short16 and width_of(operand) == 16) else 126
        if width_of(operand) > 64:
            continue
        changes[name] = register + (0 if name == "vsrc1" else 256)
    vdst = instruction.operands.get("vdst")
    relative = "REL" in instruction.name
    if not relative:
        yield make("high registers", changes)
    if vdst and vdst["kind"] == "VGPR" and not relative:
        narrow = short16 and width_of(vdst) == 16
        if width_of(vdst) <= 64:
            yield make("high destination", {"vdst": 127 if narrow else 250})
        # gfx1100 must not overlap here (rdna3 hazard of the 64-bit multiply-add).
        if "MAD_U64" not in instruction.name and "MAD_I64" not in instruction.name:
            for name in names:
                operand = instruction.operands[name]
                if "vgpr" in (operand.get("accepts") or ["vgpr"]) and not is_mask(operand):
                    yield make(f"destination is {name}", {"vdst": fields[name] & 255})
    if "hi_half" in instruction.modifiers:
        half = {n: (fields[n] | 128) for n in names if width_of(instruction.operands[n]) == 16}
        for name in half:
            yield make(f"{name} high half", {name: half[name]})
        if vdst and width_of(vdst) == 16:
            yield make("destination high half", {"vdst": fields["vdst"] | 128})
            yield make("all high halves", {**half, "vdst": fields["vdst"] | 128})
    if vdst and vdst["kind"] == "SREG":
        for code in (encoding.VCC, encoding.NULL, 6):
            yield make(f"mask to {code}", {"vdst": code})
    if instruction.format == "VOP3SD":
        for code in (encoding.VCC, encoding.NULL, 6):
            yield make(f"mask to {code}", {"sdst": code})


FLUSHING = 0x100  # MODE without IEEE, all denormals flushed: output modifiers act


SATURATES = re.compile(r"V_(PK_)?(ADD|SUB|MAD)_(?!CO_|[UI]64)|V_DOT[48]_")


def takes_sign_modifiers(instruction, name):
    """Floats do; V_CNDMASK's bits count as floats; V_DOT2's halves have no documented rule."""
    if "DOT2" in instruction.name:
        return False
    operand = instruction.operands[name]
    return bool(float_format(operand)) or ("CNDMASK" in instruction.name and not is_mask(operand))


def modifiers(random, instruction, make):
    m = instruction.modifiers
    names = source_names(instruction)
    full = (1 << len(names)) - 1
    signed = [1 << i for i, n in enumerate(names) if takes_sign_modifiers(instruction, n)]
    if "neg" in m and signed:
        for neg in {signed[0], sum(signed), random.choice(signed)}:
            yield make(f"neg {neg}", {"neg": neg})
    if "abs" in m and signed:
        for bit in signed:
            yield make("abs", {"abs": bit})
        yield make("abs and neg", {"abs": sum(signed), "neg": random.choice(signed)})
    is_float = float_format(instruction.operands.get("vdst", {}))
    # Integers: sums and differences saturate; what the others do with CLAMP is not documented.
    if "clamp" in m and (is_float or SATURATES.match(instruction.name)):
        yield make("clamp", {"clmp": 1}, 2)
        if is_float:
            yield make("clamp without DX10_CLAMP", {"clmp": 1}, mode=Mode(0x2F0))
    packed = "PK" in instruction.operands.get("vdst", {}).get("data_format", "")
    if "omod" in m and is_float and not packed:  # of two halves: not documented
        for omod in (1, 2, 3):
            yield make(f"omod {omod}, IEEE", {"omod": omod})
            yield make(f"omod {omod}, flushing", {"omod": omod}, mode=Mode(FLUSHING))
        yield make("omod and clamp", {"omod": 2, "clmp": 1}, mode=Mode(FLUSHING))
    if "op_sel" in m and instruction.format == "VOP3":
        # Only bits of 16-bit operands mean anything.
        bits = [1 << i for i, n in enumerate(names) if width_of(instruction.operands[n]) == 16]
        if width_of(instruction.operands["vdst"]) == 16 and instruction.operands["vdst"]["kind"] == "VGPR":
            bits.append(8)
        for b in bits:
            yield make(f"op_sel {b}", {"opsel": b})
        if bits:
            yield make("op_sel all", {"opsel": sum(bits)})
    if instruction.format == "VOP3P":
        yield from packed_modifiers(random, instruction, make, full)


def packed_modifiers(random, instruction, make, full):
    m = instruction.modifiers
    mix = "FMA_MIX" in instruction.name
    if "op_sel" in m:
        for _ in range(8 if mix else 4):
            hi = random.randint(0, full)
            yield make("op_sel, op_sel_hi", {"opsel": random.randint(0, full), "opsel_hi": hi & 3,
                                             "opsel_hi2": hi >> 2 & 1})
    # V_DOT2's f32 addend has no halves to negate; integers are not negated (dot products: signed).
    is_float = any(float_format(o) for o in instruction.operands.values()) or mix
    signedness = "_IU" in instruction.name
    if "neg_lo" in m and (is_float or signedness):
        limit = 3 if "DOT" in instruction.name else full
        for neg in {1, 2, limit}:
            hi = 0 if signedness else random.randint(0, limit)
            yield make("neg_lo, neg_hi", {"neg": neg, "neg_hi": hi, "opsel_hi": 3, "opsel_hi2": 1})


CONTROLS = [*range(0x100), *range(0x101, 0x110), *range(0x111, 0x120), *range(0x121, 0x130), 0x140, 0x141,
            *range(0x150, 0x170)]


def lanes_of_others(random, instruction, fields, make):
    m = instruction.modifiers
    register = SRC_REGISTERS[0]
    floats_in = float_format(instruction.operands.get("src0", {}))
    if "REL" in instruction.name:
        return  # whose lane's register a relative DPP source would be is not documented
    if "dpp16" in m:
        # Every instruction a few controls; together all of them, many times.
        shapes = [{}, {"bound_ctrl": 1}, {"fi": 1}, {"bound_ctrl": 1, "fi": 1},
                  {"row_mask": random.randint(0, 15), "bank_mask": random.randint(0, 15)}]
        for shape in shapes:
            group = random.choice((range(0x100), range(0x101, 0x130), range(0x140, 0x170)))
            control = random.choice([c for c in CONTROLS if c in group])
            short = instruction.format in ("VOP1", "VOP2", "VOPC")
            signed = floats_in and takes_sign_modifiers(instruction, "src0")
            if short and signed and random.random() < 0.5:
                shape = {**shape, "neg0": 1, "abs0": random.getrandbits(1)}
            yield make(f"DPP16 {control:#x} {shape}", {"src0": encoding.DPP16},
                       extra=dpp16(register, control, **shape), exec_mask=random.getrandbits(32))
    if "dpp8" in m:
        for code in (encoding.DPP8, encoding.DPP8_FI):
            selects = [random.randint(0, 7) for _ in range(8)]
            yield make("DPP8", {"src0": code}, extra=dpp8(register, selects),
                       exec_mask=random.getrandbits(32))


def modes(random, instruction, make):
    """Rounding and denormals, for whatever has a float in it."""
    if not any(float_format(o) for o in instruction.operands.values()):
        return
    rounding = random.sample(range(16), 3)
    for n, r in enumerate(rounding):
        yield make(f"rounding {r:#x}", {}, 1, mode=Mode(0x3F0 | r))
    for d in random.sample(range(15), 3):
        yield make(f"denormals {d:#x}", {}, 1, mode=Mode(0x300 | d << 4))
    yield make("without IEEE", {}, 1, mode=Mode(0x1F0))
