"""Buffer instructions: resources, typed formats (MUBUF, MTBUF).

Addresses and bounds: ISA guide 9.1.5, with the fields of the resource descriptor as LLVM fills them
for GFX11. Formats: LLVM's names of the values of MTBUF's FORMAT; components are named from the
highest bits down. Conversions: the rules of the graphics APIs, the ISA guide only names formats.
"""

import floats
from floats import F16, F32
from memory_reference import Memory, data_variables, per_lane
from pcode import Context
from state import ALL, LANES
from values import Value

_SHAPES = """8:UNORM,SNORM,USCALED,SSCALED,UINT,SINT 16:UNORM,SNORM,USCALED,SSCALED,UINT,SINT,FLOAT
8_8:UNORM,SNORM,USCALED,SSCALED,UINT,SINT 32:UINT,SINT,FLOAT
16_16:UNORM,SNORM,USCALED,SSCALED,UINT,SINT,FLOAT 10_11_11:FLOAT 11_11_10:FLOAT
10_10_10_2:UNORM,SNORM,UINT,SINT 2_10_10_10:UNORM,SNORM,USCALED,SSCALED,UINT,SINT
8_8_8_8:UNORM,SNORM,USCALED,SSCALED,UINT,SINT 32_32:UINT,SINT,FLOAT
16_16_16_16:UNORM,SNORM,USCALED,SSCALED,UINT,SINT,FLOAT 32_32_32:UINT,SINT,FLOAT
32_32_32_32:UINT,SINT,FLOAT"""
FORMATS = {}  # number -> (bits of X, Y, ..., kind)
for _shape in _SHAPES.split():
    _bits, _kinds = _shape.split(":")
    for _kind in _kinds.split(","):
        FORMATS[len(FORMATS) + 1] = ([int(b) for b in reversed(_bits.split("_"))], _kind)


def small_float(bits):
    """The float format of a component: 11 and 10 bits have five of exponent and no sign."""
    return F32 if bits == 32 else F16 if bits == 16 else floats.Format(f"u{bits}", bits + 1, bits - 5)


def ratio(numerator, denominator, fmt):
    """Correctly rounded quotient."""
    shift = 80
    q, rest = divmod(abs(numerator) << shift, denominator)
    return floats.pack(-q if numerator < 0 else q, -shift, fmt, sticky=bool(rest))


def to_register(raw, bits, kind, wide):
    """A component as a register holds it: 32 bits, or 16 for D16."""
    fmt = F32 if wide else F16
    extended = raw - (1 << bits) if raw >> (bits - 1) else raw
    if kind == "UINT":
        return raw if wide else raw & 0xFFFF
    if kind == "SINT":
        return extended & (ALL if wide else 0xFFFF)
    if kind == "FLOAT":
        return floats.convert(raw, small_float(bits), fmt)
    if kind == "UNORM":
        return ratio(raw, (1 << bits) - 1, fmt)
    if kind == "SNORM":
        top = (1 << (bits - 1)) - 1
        return ratio(max(extended, -top), top, fmt)
    return floats.pack(raw if kind == "USCALED" else extended, 0, fmt)


def one(kind, wide):
    return 1 if kind in ("UINT", "SINT") else 0x3F800000 if wide else 0x3C00


def component_value(x, kind, wide):
    """A NaN is any NaN."""
    fmt = F32 if wide else F16
    nan = kind == "FLOAT" and floats.is_nan(x, fmt)
    return Value(x, 32, "u", ((0, fmt.width, ("nan", fmt)),) if nan else ())


class Resource:
    def __init__(self, state, fields):
        self.word = [state.s[4 * fields["srsrc"] + i] for i in range(4)]
        self.base = self.word[0] | (self.word[1] & 0xFFFF) << 32
        self.stride = self.word[1] >> 16 & 0x3FFF
        swizzle = self.word[1] >> 30
        self.element = 2 << swizzle if swizzle else 0
        self.records = self.word[2]
        self.group = 8 << (self.word[3] >> 21 & 3)
        self.bounds = self.word[3] >> 28 & 3
        self.format = self.word[3] >> 12 & 63

    def offset(self, index, offset):
        if not self.element:
            return index * self.stride + offset
        high, low = divmod(index, self.group)
        block, inner = divmod(offset, self.element)
        return (high * self.stride + block * self.element) * self.group + low * self.element + inner

    def outside(self, index, offset, size):
        if self.bounds == 2:
            return self.records == 0
        if self.stride == 0 or self.bounds == 3:
            return offset + size > self.records
        return index >= self.records or (self.bounds == 0 and offset + size > self.stride)


def places(instruction, fields, state):
    """Function of a lane: (resource, index, offset, function from an extra offset to an address)."""
    resource = Resource(state, fields)
    soffset = state.read_scalar(fields["soffset"], 32)

    def place(lane):
        register = fields["vaddr"]
        index = 0
        if fields.get("idxen"):
            index, register = state.v[register][lane], register + 1
        offset = fields["offset"] + (state.v[register][lane] if fields.get("offen") else 0)
        return index, offset

    return resource, soffset, place


class BufferMemory(Memory):
    """Addresses are offsets from the lane's own: each dword is checked by itself."""

    def aim(self, resource, soffset, index, offset):
        self.resource, self.soffset, self.index, self.offset = resource, soffset, index, offset

    def _where(self, at, size):
        offset = self.offset + at
        if self.resource.outside(self.index, offset, size):
            return None
        return self.resource.base + self.soffset + self.resource.offset(self.index, offset)

    def load(self, at, size):
        address = self._where(at, size)
        return 0 if address is None else super().load(address, size)

    def store(self, at, size, bits):
        address = self._where(at, size)
        if address is not None:
            super().store(address, size, bits)


def untyped(instruction, fields, extra, state):
    result = state.copy()
    resource, soffset, place = places(instruction, fields, state)
    machine = BufferMemory(state, result)

    def address_of(lane):
        machine.aim(resource, soffset, *place(lane))
        return {"ADDR": Value(0, 64, "u")}

    returns = "LOAD" in instruction.name or bool(fields.get("glc"))
    per_lane(instruction, state, result, machine, address_of,
             data_variables(instruction, fields, "vdata", state), fields.get("vdata"), returns)
    return result


def typed(instruction, fields, extra, state):
    result = state.copy()
    resource, soffset, place = places(instruction, fields, state)
    machine = BufferMemory(state, result)
    number = fields.get("format", resource.format)
    bits, kind = FORMATS[number]
    size = sum(bits) // 8
    wide = "D16" not in instruction.name
    load = "LOAD" in instruction.name
    register = fields["vdata"]
    width = instruction.operands["vdata"]["size_bits"]
    width = (width + 31) // 32 * 32
    context = Context({}, state.mode, machine)
    for lane in range(LANES):
        if not state.exec >> lane & 1:
            continue
        machine.aim(resource, soffset, *place(lane))
        components = []
        if load:
            inside = not resource.outside(machine.index, machine.offset, size)
            raw = machine.load(0, size)
            for k in range(4):
                if k < len(bits):
                    part = raw >> sum(bits[:k]) & ((1 << bits[k]) - 1)
                    components.append(to_register(part, bits[k], kind, wide) if inside else 0)
                else:
                    components.append(one(kind, wide) if k == 3 and inside else 0)
            if not inside:
                components = [0] * 4
        memory = [component_value(x, kind, wide) for x in components] or [None] * 4
        v = {f"TADDR.{c}": Value(i, 32, "u") for i, c in enumerate("XYZW")}
        v.update(MEM=memory, VDATA=Value(state.read_vgpr(register, lane, width), width, "u"))
        context.variables = v
        instruction.run(context)
        if load:
            d = v["VDATA"]
            result.write_vgpr(register, lane, d.bits(width), width, tolerances=d.tolerances)
        else:
            store_components(machine, memory, bits, kind, wide, size)
    return result


def store_components(machine, memory, bits, kind, wide, size):
    """The tests store what loads give: the raw value that a register value came from."""
    raw = 0
    for k, b in enumerate(bits):
        raw |= to_memory(memory[k].v, b, kind, wide) << sum(bits[:k])
    machine.store(0, size, raw)


def to_memory(value, bits, kind, wide):
    fmt = F32 if wide else F16
    value &= (1 << fmt.width) - 1
    mask = (1 << bits) - 1
    if kind in ("UINT", "SINT"):
        return value & mask
    if kind == "FLOAT":
        return floats.convert(value, fmt, small_float(bits)) & mask
    scale = {"UNORM": mask, "SNORM": mask >> 1}.get(kind, 1)
    m, e = floats.unpack(value, fmt)
    return floats.integer_part(m * scale, e, "even") & mask


