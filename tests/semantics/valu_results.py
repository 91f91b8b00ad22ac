"""How results of vector ALU instructions are written: VGPRs, lane masks, output modifiers, clamp."""

import encoding
import floats
from operands import MOVES, OWN_DENORMALS, float_format, flushed, width_of
from state import LANES
from values import Value


class Writer:
    """Destinations: a VGPR, a lane mask in an SGPR, or both."""

    def __init__(self, instruction, fields, state, result):
        self.instruction, self.fields = instruction, fields
        self.state, self.result = state, result
        self.skipped = []
        name, fmt = instruction.name, instruction.format
        self.is_compare = fmt == "VOPC" or name.startswith(("V_CMP_", "V_CMPX_"))
        self.writes_exec = name.startswith("V_CMPX_")
        operand = instruction.operands.get("vdst")
        self.width = width_of(operand) if operand else 0
        self.register, self.high_half = fields.get("vdst", 0), False
        if self.width == 16 and fmt == "VOP3":
            self.high_half = bool(fields.get("opsel", 0) >> 3 & 1)
        elif self.width == 16 and fmt in ("VOP1", "VOP2"):
            self.high_half, self.register = bool(self.register & 128), self.register & 127
        self.format = float_format(operand) if operand else None
        self.packed = bool(operand) and "PK2" in operand.get("data_format", "")
        self.halves = (0, 16) if self.packed else (0,)  # where floats lie in the result
        if "FMA_MIX" in name and self.width == 16:
            self.width, self.halves = 32, ((16,) if "MIXHI" in name else (0,))
        self.carries = "_CO_" in name
        self.mask_register = self._mask_register()
        self.mask, self.mask_tolerances = 0, ()
        self.swaps = name.startswith("V_SWAP_")
        self.relative = "MOVREL" in name or "SWAPREL" in name

    def _mask_register(self):
        fmt = self.instruction.format
        if self.writes_exec:
            return encoding.EXEC
        if fmt == "VOPC" or (fmt == "VOP2" and self.carries):
            return encoding.VCC
        if self.is_compare:
            return self.fields["vdst"]
        return self.fields["sdst"] if fmt == "VOP3SD" else None

    def before(self, lane, variables, sources):
        name = self.instruction.name
        mask = self.state.s[encoding.VCC]
        if self.instruction.format in ("VOP3", "VOP3SD") and (self.carries or "CNDMASK" in name):
            if len(sources) == 3:
                mask = variables["S2"].v
        variables["VCC"] = Value(mask, 64, "u")
        variables["EXEC"] = Value(self.state.exec, 64, "u")
        if self.is_compare:
            variables["D0"] = Value(0, 64, "u")
        elif not self.relative or "MOVRELS_" in name:
            old = self.state.read_vgpr(self.register, lane, self.width, self.high_half)
            fmt = self.format
            if fmt and "FMAC" in name and not self.state.mode.keeps_input_denormals(fmt):
                old = flushed(old, self.halves, fmt)
            variables["D0"] = Value(old, self.width, "u")
        if name.startswith("V_MAD_") and self.instruction.format == "VOP3SD":
            variables["D1"] = Value(0, 1, "u")

    def after(self, lane, variables):
        if self.mask_register is not None:
            source = "EXEC" if self.writes_exec else "D0" if self.is_compare else "VCC"
            value = variables[source]
            bit, shift = value.v >> lane & 1, lane
            if "D1" in variables and self.instruction.name.startswith("V_MAD_"):
                value = variables["D1"]
                bit, shift = value.v & 1, 0
            self.mask |= bit << lane
            self.mask_tolerances += tuple(
                (lane, 1, t) for at, w, t in value.tolerances if at == shift and w == 1)
        if self.is_compare or (self.relative and "MOVRELS_" not in self.instruction.name):
            return
        d = variables["D0"]
        bits, tolerances = self._finished(d.bits(self.width), d.tolerances)
        self.result.write_vgpr(self.register, lane, bits, self.width, self.high_half, tolerances)
        if self.swaps:
            self._swap(lane, variables)

    def _swap(self, lane, variables):
        code = self.fields["src0"] & 255
        if self.width == 16:
            self.result.write_vgpr(code & 127, lane, variables["S0"].v, 16, bool(code & 128))
        else:
            self.result.write_vgpr(code, lane, variables["S0"].v, 32)

    @property
    def scales(self):
        """The output modifier, where it acts: not with IEEE, not with output denormals (ISA)."""
        fmt, mode = self.format, self.state.mode
        omod = self.fields.get("omod", 0) if self.instruction.format in ("VOP3", "VOP3SD") else 0
        return omod if fmt and not mode.ieee and not mode.keeps_output_denormals(fmt) else 0

    def _finished(self, bits, tolerances):
        """Output modifier, clamp and flush of float results; a NaN is any NaN (payloads: unknown)."""
        fmt, mode = self.format, self.state.mode
        if not fmt or fmt.width > self.width or MOVES.match(self.instruction.name):
            return bits, tolerances
        clamps = self.fields.get("clmp", 0)
        mask = (1 << fmt.width) - 1
        for at in self.halves:
            part = bits >> at & mask
            own = [t[2] for t in tolerances if t[0] == at]
            rest = tuple(t for t in tolerances if t[0] != at)
            right = own[0] if own else ("nan", fmt) if floats.is_nan(part, fmt) else (
                "either", (part,), 0, fmt)
            if self.scales:
                right = scaled(right, self.scales, fmt, mode)
            if clamps:
                right = mapped(right, lambda x: _clamps(x, fmt, mode), fmt)
            if not (mode.keeps_output_denormals(fmt) or OWN_DENORMALS.match(self.instruction.name)):
                right = mapped(right, lambda x: [floats.flush(x, fmt)], fmt)
            part = fmt.nan if right[0] == "nan" else right[1] if right[0] == "absolute" else right[1][0]
            bits = bits & ~(mask << at) | part << at
            exact = right[0] == "either" and right[1:3] == ((part,), 0)
            tolerances = rest + (() if exact else ((at, fmt.width, right),))
        return bits, tolerances

    def finish(self):
        if self.mask_register is None:
            return
        # A lane that DPP switches off: written 0 like an inactive one, or kept; nobody says which.
        for lane in self.skipped:
            self.mask_tolerances += ((lane, 1, ("either", (0, 1), 0, None)),)
        if self.instruction.format == "VOP2":  # carries of inactive lanes: the text is silent
            for lane in range(LANES):
                if not self.state.exec >> lane & 1:
                    self.mask_tolerances += ((lane, 1, ("either", (0, 1), 0, None)),)
        self.result.write_scalar(self.mask_register, self.mask, 32, self.mask_tolerances)


def _clamps(x, fmt, mode):
    """[0, 1]; NaN becomes 0 with DX10_CLAMP. -0 stays or becomes +0: nobody says which."""
    if floats.is_nan(x, fmt):
        return [0] if mode.dx10_clamp else [x]
    if x == fmt.sign_bit:
        return [x, 0]
    return [0 if x & fmt.sign_bit else min(x, fmt.bias << fmt.fraction)]


def mapped(right, function, fmt):
    """What is right after `function`, which gives a list of right answers for one."""
    kind, *rest = right
    if kind == "nan":
        results = function(fmt.nan)
        return right if floats.is_nan(results[0], fmt) else ("either", tuple(results), 0, fmt)
    if kind == "either":
        results = [r for x in rest[0] for r in function(x)]
        return kind, tuple(dict.fromkeys(results)), rest[1], fmt
    return kind, function(rest[0])[0], rest[1], fmt


def scaled(right, omod, fmt, mode):
    """*2, *4, /2. Denormals are flushed before, or behind with a rounding of their own; a zero may
    keep its sign (ISA: -0 becomes +0)."""
    power = {1: 1, 2: 2, 3: -1}[omod]
    near_zero = right[0] == "either" and any(
        not floats.is_nan(x, fmt) and floats.exponent_field(x, fmt) < 2 for x in right[1])

    def ways(x):
        if floats.is_nan(x, fmt) or floats.is_infinite(x, fmt):
            return [x]
        results = []
        for y in (x, floats.flush(x, fmt)):
            m, e = floats.unpack(y, fmt)
            r = floats.pack(m, e + power, fmt, mode.rounding(fmt), floats.sign(y, fmt), mode=mode)
            results += [r, 0] if floats.is_zero(r, fmt) else [r]
        return results

    right = mapped(right, ways, fmt)
    if right[0] == "absolute":
        return "absolute", right[1], 4 * right[2], fmt
    return (*right[:2], 8, fmt) if near_zero else right
