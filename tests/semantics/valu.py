"""What a vector ALU instruction does to a State, from its encoded fields and AMD's text.

Operand fetch, modifiers, DPP and write-back are what the text leaves out; the rules are those of
data/rdna3_semantics.md ("What the pseudo-code leaves out") with the ISA guide's sections named below.
"""

import encoding
import floats
from floats import F16, F32, F64
from operands import MOVES, OWN_DENORMALS, float_format, flushed, width_of
from pcode import Context
from state import LANES
from values import Value
from valu_results import Writer

# These run once for the wave: their text loops over lanes itself.
WHOLE_WAVE = {"V_READFIRSTLANE_B32", "V_READLANE_B32", "V_WRITELANE_B32", "V_PERMLANE16_B32",
              "V_PERMLANEX16_B32", "V_PERMLANE64_B32"}


class Source:
    """One source operand of an encoded instruction."""

    def __init__(self, instruction, operand, code, index, fields, literal):
        self.operand = operand
        self.width = width_of(operand)
        self.format = float_format(operand)
        self.packed = "PK2" in operand.get("data_format", "")
        self.code = code
        self.literal = literal
        self.high_half = False
        self.neg = self.absolute = False
        short = instruction.format in ("VOP1", "VOP2", "VOPC")
        if instruction.format == "VOP3":
            self.high_half = self.width == 16 and bool(fields.get("opsel", 0) >> index & 1)
            self.absolute = bool(fields.get("abs", 0) >> index & 1)
        if instruction.format in ("VOP3", "VOP3SD"):
            self.neg = bool(fields.get("neg", 0) >> index & 1)
        if short and self.width == 16 and code >= encoding.VGPR0 and code >> 7 & 1:
            self.high_half = True
            self.code = code & ~0x80
        self.replicates = instruction.name == "V_PK_FMAC_F16"

    @property
    def is_vgpr(self):
        return self.code >= encoding.VGPR0

    def raw(self, state, lane):
        if self.is_vgpr:
            return state.read_vgpr(self.code - 256, lane, self.width, self.high_half)
        if self.packed and self.format and self.code in range(128, 249):
            half = state.constant(self.code, 16, True)
            if self.code >= 240 or self.replicates:
                return half | half << 16 if self.replicates else half
        if self.width == 16 and self.high_half:
            return state.read_scalar(self.code, 32, False, self.literal) >> 16
        return state.read_scalar(self.code, self.width, self.format is F64, self.literal)

    def modify(self, bits):
        if not (self.neg or self.absolute):
            return bits
        top = 1 << ((self.format.width if self.format else self.width) - 1)
        if self.packed:  # V_DOT2_*: the modifiers of VOP3 have no half to choose; both
            top |= top << 16
        if self.absolute:
            bits &= ~top
        return bits ^ top if self.neg else bits


def dpp_source(word, lane, exec_mask):
    """(lane to read or None, lane is written) of DPP16; ISA 7.7."""
    control = word >> 8 & 0x1FF
    row, i = lane & 16, lane & 15
    bank_mask, row_mask = word >> 24 & 15, word >> 28 & 15
    if not row_mask >> (lane >> 4) & 1 or not bank_mask >> (i >> 2) & 1:
        return None, False
    n = control & 15
    if control < 0x100:
        j = (i & ~3) + (control >> (2 * (i & 3)) & 3)
    elif control < 0x110:
        j = i + n
    elif control < 0x120:
        j = i - n
    elif control < 0x130:
        j = (i - n) % 16
    elif control == 0x140:
        j = 15 - i
    elif control == 0x141:
        j = i & 8 | 7 - (i & 7)
    elif control < 0x160:
        j = n
    else:
        j = i ^ n
    fi, bound = word >> 18 & 1, word >> 19 & 1
    inside = 0 <= j < 16
    if inside and (fi or exec_mask >> (row + j) & 1):
        return row + j, True
    return None, bool(bound)


def dpp_lane(kind, word, lane, exec_mask):
    if kind == encoding.DPP16:
        return dpp_source(word, lane, exec_mask)
    j = lane & ~7 | word >> (8 + 3 * (lane & 7)) & 7
    readable = kind == encoding.DPP8_FI or exec_mask >> j & 1
    return (j if readable else None), True


class Wave:
    """The register files as the text's VGPR[lane][n] and SGPR[n]."""

    def __init__(self, state, result):
        self.state, self.result = state, result

    def vgpr(self, lane, register):
        return Value(self.state.v[register][lane], 32, "u")

    def set_vgpr(self, lane, register, value):
        self.result.v[register][lane] = value.bits(32)

    def sgpr(self, n):
        return Value(self.state.s[n] | self.state.s.get(n + 1, 0) << 32, 64, "u")

    def set_sgpr(self, n, value):
        self.result.write_scalar(n, value.v, value.width)


def execute(instruction, fields, extra, state):
    """The State after the instruction."""
    result = state.copy()
    run_on(instruction, fields, extra, state, result)
    return result


def run_on(instruction, fields, extra, state, result):
    sources, dpp = _sources(instruction, fields, extra)
    variables = {
        "M0": Value(state.s[125], 32, "u"),
        "SIMM32": Value(extra or 0, 32, "u"),
        "EXEC": Value(state.exec, 64, "u"),
        "EXEC_LO": Value(state.exec, 32, "u"),
        "ROUND_MODE": None,
        "ROUND_TOWARD_ZERO": "ROUND_TOWARD_ZERO",
        "NEG": Value(fields.get("neg", 0), 3, "u"),
        "OPSEL": Value(fields.get("opsel", 0), 3, "u"),
        "OPSEL_HI": Value(fields.get("opsel_hi", 0) | fields.get("opsel_hi2", 0) << 2, 3, "u"),
        "VDST": Value(fields.get("vdst", 0), 32, "u"),
        "DST": Value(fields.get("vdst", 0), 32, "u"),
        "SRC0": Value(sources[0].code & 255 if sources else 0, 32, "u"),
    }
    context = Context(variables, state.mode, Wave(state, result))
    context.saturate = bool(fields.get("clmp", 0))
    if instruction.name in WHOLE_WAVE:
        return _whole_wave(instruction, fields, sources, context, state, result)
    writer = Writer(instruction, fields, state, result)
    if writer.scales:  # the modifier comes before the flush
        context.mode = floats.Mode(state.mode.bits | 0xA0)
    for lane in range(LANES):
        active = bool(state.exec >> lane & 1)
        taken = lane
        if active and dpp:
            taken, active = dpp_lane(*dpp, lane, state.exec)
            if not active:
                writer.skipped.append(lane)
        if not active:
            continue
        for i, source in enumerate(sources):
            if i == 0 and dpp:
                bits = 0 if taken is None else source.raw(state, taken)
            else:
                bits = source.raw(state, lane)
            bits = source.modify(bits)
            if instruction.format == "VOP3P":
                bits = _packed_modifiers(instruction, source, i, bits, fields, state.mode)
            variables[f"S{i}"] = Value(_flush(instruction, source, bits, state.mode), source.width, "u")
        variables["S"] = [variables.get(f"S{i}") for i in range(3)]
        variables["laneId"] = Value(lane, 32, "u")
        writer.before(lane, variables, sources)
        instruction.run(context)
        writer.after(lane, variables)
    writer.finish()
    return None


def _sources(instruction, fields, extra):
    names = [n for n in ("src0", "vsrc1", "src1", "src2") if n in instruction.operands]
    sources, dpp = [], None
    for i, name in enumerate(names):
        code = fields[name]
        if name == "vsrc1":
            code += encoding.VGPR0
        operand = instruction.operands[name]
        is_dpp = i == 0 and code in (encoding.DPP16, encoding.DPP8, encoding.DPP8_FI)
        if is_dpp:
            kind, code = code, encoding.VGPR0 + (extra & 255)
        source = Source(instruction, operand, code, i, fields, extra or 0)
        sources.append(source)
        if is_dpp:
            dpp = kind
    if dpp == encoding.DPP16 and instruction.format in ("VOP1", "VOP2", "VOPC"):
        for i, source in enumerate(sources[:2]):
            source.neg = bool(extra >> (20 + 2 * i) & 1)
            source.absolute = bool(extra >> (21 + 2 * i) & 1)
    return sources, dpp and (dpp, extra)


def _flush(instruction, source, bits, mode):
    fmt = source.format
    name = instruction.name
    if not fmt or mode.keeps_input_denormals(fmt) or MOVES.match(name) or OWN_DENORMALS.match(name):
        return bits
    return flushed(bits, (0, 16) if source.packed else (0,), fmt)


def _packed_modifiers(instruction, source, i, bits, fields, mode):
    neg, neg_hi = fields.get("neg", 0) >> i & 1, fields.get("neg_hi", 0) >> i & 1
    low = fields.get("opsel", 0) >> i & 1
    high = (fields.get("opsel_hi", 0) | fields.get("opsel_hi2", 0) << 2) >> i & 1
    if "FMA_MIX" in instruction.name:
        # neg_hi is |x|; both act on the selected half or on the f32.
        fmt, at = (F16, 16 * low) if high else (F32, 0)
        part = bits >> at & ((1 << fmt.width) - 1)
        part = part & ~fmt.sign_bit if neg_hi else part
        part = part ^ fmt.sign_bit if neg else part
        return (part if mode.keeps_input_denormals(fmt) else floats.flush(part, fmt)) << at
    if not source.packed:
        return bits
    halves = bits & 0xFFFF, bits >> 16
    bits = halves[low] | halves[high] << 16
    if source.format:
        bits ^= neg << 15 | neg_hi << 31
    return bits


def _permlane(instruction, fields, sources, state, result):
    """V_PERMLANE(X)16: the text reads inactive lanes; with FI (op_sel[0]) clear, they are not read:
    the destination is kept, or 0 with BOUND_CTRL (op_sel[1]), as llvm.amdgcn.permlane16 says."""
    select = sources[1].raw(state, 0) | sources[2].raw(state, 0) << 32
    fi, bound = fields.get("opsel", 0) & 1, fields.get("opsel", 0) >> 1 & 1
    for lane in range(LANES):
        if not state.exec >> lane & 1:
            continue
        row = (lane & 16) ^ (16 if "X16" in instruction.name else 0)
        j = row + (select >> (4 * (lane & 15)) & 15)
        if fi or state.exec >> j & 1:
            result.v[fields["vdst"]][lane] = sources[0].raw(state, j)
        elif bound:
            result.v[fields["vdst"]][lane] = 0


def _whole_wave(instruction, fields, sources, context, state, result):
    if instruction.name in ("V_PERMLANE16_B32", "V_PERMLANEX16_B32"):
        return _permlane(instruction, fields, sources, state, result)
    variables = context.variables
    name = instruction.name
    variables["EXEC"] = Value(state.exec, 64, "u")
    variables["D0"] = Value(0, 32, "u")
    for i, source in enumerate(sources):
        if not source.is_vgpr:
            variables[f"S{i}"] = Value(source.raw(state, 0), 32, "u")
    instruction.run(context)
    if "READ" in name:
        result.write_scalar(fields["vdst"], variables["D0"].v, 32)
