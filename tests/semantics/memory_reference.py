"""What LDS and memory instructions do to a State.

The text says what happens at ADDR; where ADDR comes from and what an access outside the resource does
are the rules of the ISA guide's chapters on LDS, scalar and vector memory, by format below.
"""

import encoding
import kernel
from pcode import Context
from state import ALL, LANES
from valu import Wave
from values import Value

GROUP_WIDE = {"DS_PERMUTE_B32", "DS_BPERMUTE_B32"}


class Lds(Wave):
    def load(self, address, size):
        return int.from_bytes(self.result.lds[address : address + size], "little")

    def store(self, address, size, bits):
        self.result.lds[address : address + size] = bits.to_bytes(size, "little")


class Memory(Wave):
    """The own part of the test memory, by absolute address."""

    def load(self, address, size):
        at = self._at(address, size)
        return int.from_bytes(self.result.memory[at : at + size], "little")

    def store(self, address, size, bits):
        at = self._at(address, size)
        self.result.memory[at : at + size] = bits.to_bytes(size, "little")

    def _at(self, address, size):
        at = (address - kernel.OWN_ADDRESS) % 2**64
        if at + size > len(self.result.memory):
            raise ValueError(f"a test accesses {address:#x}")
        return at


class Private(Wave):
    lane = 0

    def load(self, address, size):
        return int.from_bytes(self.result.scratch[self.lane][address : address + size], "little")

    def store(self, address, size, bits):
        self.result.scratch[self.lane][address : address + size] = bits.to_bytes(size, "little")


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def result_width(instruction):
    """Of atomics: the data's; AMD's table gives compare-and-swap the width of its two operands."""
    name = instruction.name
    if "ATOMIC" in name:
        return 64 if name.endswith("64") else 32
    operand = instruction.operands.get("vdst") or instruction.operands.get("vdata")
    return operand["size_bits"] if operand else 32


def per_lane(instruction, state, result, machine, address_of, data_of, destination, returns):
    """Runs the text for every active lane, in order of lanes."""
    width = result_width(instruction)
    context = Context({}, state.mode, machine)
    for lane in range(LANES):
        if not state.exec >> lane & 1:
            continue
        machine.lane = lane
        old = state.read_vgpr(destination, lane, width) if destination is not None else 0
        context.variables = v = {
            "laneId": Value(lane, 32, "u"),
            "laneID": Value(lane, 32, "u"),
            "M0": Value(state.s[encoding.M0], 32, "u"),
            "RETURN_DATA": Value(old, width, "u"),
            **address_of(lane),
            **data_of(lane),
        }
        if "VDATA" not in v:
            v["VDATA"] = Value(old, width, "u")
        instruction.run(context)
        if returns:
            d = v["VDATA" if "VDATA" in instruction.text else "RETURN_DATA"]
            if isinstance(d, list):
                d = Value(d[0].bits(32) | d[1].bits(32) << 32, 64, "u")
            result.write_vgpr(destination, lane, d.bits(width), max(width, 32), tolerances=d.tolerances)


def ds(instruction, fields, extra, state):
    result = state.copy()
    offset = fields.get("offset0", 0) | fields.get("offset1", 0) << 8
    name, text = instruction.name, instruction.text
    if name in ("DS_APPEND", "DS_CONSUME"):
        return append(name, fields, offset, state, result)
    if name == "DS_SWIZZLE_B32":
        return swizzle(fields, offset, state, result)
    machine = Lds(state, result)
    offsets = {
        "OFFSET": Value(offset, 16, "u"),
        "OFFSET0": Value(fields.get("offset0", 0), 8, "u"),
        "OFFSET1": Value(fields.get("offset1", 0), 8, "u"),
    }
    if name in GROUP_WIDE:
        variables = {**offsets, "EXEC": Value(state.exec, 64, "u"),
                     "ADDR": Value(fields["addr"], 32, "u"), "DATA0": Value(fields["data0"], 32, "u"),
                     "VDST": Value(fields["vdst"], 32, "u")}
        instruction.run(Context(variables, state.mode, machine))
        return result
    implied = 0 if "OFFSET" in text else offset  # data: entries without it get it added

    def address_of(lane):
        a = state.v[fields["addr"]][lane] if "addr" in fields else 0
        value = Value(a + implied, 32, "u")
        return {**offsets, "ADDR": value, "ADDR_BASE": value, "S0": Value(a, 32, "u")}

    def data_of(lane):
        values = {}
        for field, names in (("data0", ("DATA", "DATA0", "S1")), ("data1", ("DATA2",))):
            if field in instruction.operands:
                width = instruction.operands[field]["size_bits"]
                bits = state.read_vgpr(fields[field], lane, max(width, 32))
                values.update({n: Value(bits, max(width, 32), "u") for n in names})
        return values

    per_lane(instruction, state, result, machine, address_of, data_of, fields.get("vdst"),
             "vdst" in instruction.operands)
    return result


def append(name, fields, offset, state, result):
    """M0 holds the LDS address (LLVM puts it there); one access for the wave."""
    at = (state.s[encoding.M0] & 0xFFFF) + offset
    old = int.from_bytes(state.lds[at : at + 4], "little")
    count = state.exec.bit_count()
    new = old + count if name == "DS_APPEND" else old - count
    result.lds[at : at + 4] = (new & ALL).to_bytes(4, "little")
    for lane in range(LANES):
        if state.exec >> lane & 1:
            result.v[fields["vdst"]][lane] = old
    return result


def swizzle(fields, offset, state, result):
    """The modes of data; an inactive source lane gives 0."""
    for i in range(LANES):
        if not state.exec >> i & 1:
            continue
        if offset >= 0xE000:
            mask = offset & 31
            j = int(f"{i:05b}"[::-1], 2) >> mask.bit_count() | i & mask
        elif offset >= 0xC000:
            mask, rotation = offset & 31, offset >> 5 & 31
            rotation = -rotation if offset >> 10 & 1 else rotation
            j = i & mask | (i + rotation) & ~mask & 31
        elif offset & 0x8000:
            j = i & ~3 | offset >> (2 * (i & 3)) & 3
        else:
            j = (i & offset & 31 | offset >> 5 & 31) ^ (offset >> 10 & 31)
        value = state.v[fields["addr"]][j] if state.exec >> j & 1 else 0
        result.v[fields["vdst"]][i] = value
    return result


def data_variables(instruction, fields, field, state):
    def data_of(lane):
        if field not in instruction.operands:
            return {}
        width = max(instruction.operands[field]["size_bits"], 32)
        if "ATOMIC" in instruction.name:
            width = result_width(instruction) * (2 if "CMPSWAP" in instruction.name else 1)
        bits = state.read_vgpr(fields[field], lane, width)
        values = {"DATA": Value(bits, width, "u")}
        if "STORE" in instruction.name:
            values["VDATA"] = values["DATA"]
        return values

    return data_of


def flat(instruction, fields, extra, state):
    """FLAT, GLOBAL, SCRATCH."""
    result = state.copy()
    fmt = instruction.format
    offset = signed(fields["offset"] & 0x1FFF, 13)
    saddr = fields.get("saddr", encoding.NULL)

    def address_of(lane):
        if "ADDTID" in instruction.name:
            base = state.read_scalar(saddr, 64) if saddr != encoding.NULL else 0
            return {"SGPR_ADDR": Value(base, 64, "u"), "INST_OFFSET": Value(fields["offset"], 13, "u")}
        if fmt == "SCRATCH":
            a = state.v[fields["addr"]][lane] if fields.get("sve") else 0
            a += 0 if saddr == encoding.NULL else state.scalar(saddr)
            return {"ADDR": Value((a + offset) & ALL, 32, "u")}
        if saddr == encoding.NULL or fmt == "FLAT":
            a = state.read_vgpr(fields["addr"], lane, 64)
        else:
            a = state.v[fields["addr"]][lane] + state.read_scalar(saddr, 64)
        return {"ADDR": Value((a + offset) % 2**64, 64, "u")}

    machine = Private(state, result) if fmt == "SCRATCH" else Memory(state, result)
    returns = "LOAD" in instruction.name or bool(fields.get("glc"))
    per_lane(instruction, state, result, machine, address_of,
             data_variables(instruction, fields, "data", state), fields.get("vdst"), returns)
    return result


def flat_lds(instruction, fields, extra, state):
    return through_aperture(instruction, fields, state, Lds)


def flat_private(instruction, fields, extra, state):
    return through_aperture(instruction, fields, state, Private)


def through_aperture(instruction, fields, state, machine):
    """FLAT with an address in an aperture: its low dword is the address inside."""
    result = state.copy()

    def address_of(lane):
        return {"ADDR": Value(state.v[fields["addr"]][lane] + fields["offset"], 32, "u")}

    returns = "LOAD" in instruction.name or bool(fields.get("glc"))
    per_lane(instruction, state, result, machine(state, result), address_of,
             data_variables(instruction, fields, "data", state), fields.get("vdst"), returns)
    return result


def direct_load(instruction, fields, extra, state):
    """LDS_DIRECT_LOAD: M0 holds the address in [15:0], the type in [18:16] (ISA guide, LDS direct:
    0 u8, 1 u16, 2 dword, 4 i8, 5 i16); the value goes to every active lane."""
    result = state.copy()
    m0 = state.s[encoding.M0]
    kind, at = m0 >> 16 & 7, m0 & 0xFFFF
    size = {0: 1, 1: 2, 2: 4, 4: 1, 5: 2}[kind]
    value = int.from_bytes(state.lds[at : at + size], "little")
    value = signed(value, 8 * size) & ALL if kind >= 4 else value
    for lane in range(LANES):
        if state.exec >> lane & 1:
            result.v[fields["vdst"]][lane] = value
    return result


def smem(instruction, fields, extra, state):
    """S_LOAD: 64-bit base + signed offset + soffset; S_BUFFER_LOAD: dwords past the end are 0."""
    result = state.copy()
    base_register = fields["sbase"] * 2
    offset = signed(fields["offset"] & 0x1FFFFF, 21)
    soffset = state.scalar(fields["soffset"])
    base = state.read_scalar(base_register, 64)
    buffer = "BUFFER" in instruction.name
    limit = None
    if buffer:
        stride = base >> 48 & 0x3FFF
        limit = state.s[base_register + 2] * (stride or 1)
        base &= (1 << 48) - 1
    address = (base + offset + soffset) & ~3
    machine = Memory(state, result)
    if limit is not None:
        inner, first = machine.load, base

        def bounded(at, size):
            return inner(at, size) if at - first + size <= limit else 0

        machine.load = bounded
    width = instruction.operands["sdata"]["size_bits"]
    variables = {"ADDR": Value(address, 64, "u"), "SDATA": Value(0, width, "u")}
    instruction.run(Context(variables, state.mode, machine))
    result.write_scalar(fields["sdata"], variables["SDATA"].bits(width), width)
    return result
