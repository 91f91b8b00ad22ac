"""Tests of the scalar ALU and of branches."""

import encoding
import kernel
import salu
from floats import Mode
from generate_valu import Test
from state import ALL, State
from vectors import pick

SRC = {"ssrc0": 20, "ssrc1": 30}
DST = 10
SCALARS = [encoding.VCC, encoding.M0, encoding.EXEC, encoding.NULL, encoding.SCC]
# By their format's text alone they only move PC; they have tests of their own in flow().
FLOW = {"S_GETPC_B64", "S_SETPC_B64", "S_SWAPPC_B64", "S_CALL_B64", "S_RFE_B64"}
NO_EFFECT = {"S_NOP", "S_SLEEP", "S_DELAY_ALU", "S_WAITCNT", "S_SETPRIO", "S_VERSION", "S_CLAUSE",
             "S_WAITCNT_VSCNT", "S_WAITCNT_VMCNT", "S_WAITCNT_EXPCNT", "S_WAITCNT_LGKMCNT", "S_WAKEUP",
             "S_SET_INST_PREFETCH_DISTANCE", "S_WAITCNT_DEPCTR", "S_ICACHE_INV", "S_WAIT_IDLE",
             "S_WAIT_EVENT", "S_SETHALT", "S_SETKILL", "S_INCPERFLEVEL", "S_DECPERFLEVEL",
             "S_TTRACEDATA", "S_TTRACEDATA_IMM", "S_BARRIER", "S_SENDMSG"}


def tests(random, instruction, thorough):
    name = instruction.name
    if name in NO_EFFECT:
        yield from without_effect(random, instruction)
    elif name in FLOW:
        yield from flow(random, instruction)
    elif "GETREG" in name or "SETREG" in name:
        yield from hardware_registers(random, instruction)
    elif name in ("S_ROUND_MODE", "S_DENORM_MODE"):
        for n in range(16):
            yield test(instruction, "immediate", {"simm16": n}, None, [State(random)], mode_field)
    elif instruction.text is None:
        return
    elif instruction.format == "SOPP":
        if name.startswith(("S_BRANCH", "S_CBRANCH")):
            yield from branches(random, instruction)
    else:
        yield from operations(random, instruction, 4 if thorough else 1)


def test(instruction, what, fields, extra, states, execute=salu.execute):
    t = Test(instruction, what, fields, extra, states)
    t.execute = execute
    return t


def operations(random, instruction, scale):
    def state(fields):
        s = State(random)
        for n in SRC:
            if n in instruction.operands and fields[n] < 106:
                width = instruction.operands[n]["size_bits"]
                s.write_scalar(fields[n], pick(random, instruction.operands[n], width), width)
        if instruction.format == "SOPK" and "sdst" in instruction.operands:
            values = [pick(random, instruction.operands["sdst"], 32), fields["simm16"]]
            values.append(values[1] - 0x10000 if values[1] >> 15 else values[1])
            s.s[fields["sdst"]] = random.choice(values) & ALL
        if "MOVREL" in instruction.name:
            s.s[encoding.M0] = 2 * random.randint(0, 4) | 2 * random.randint(0, 4) << 16
            if "_2_" not in instruction.name:
                s.s[encoding.M0] &= 15
        return s

    fields = {n: r for n, r in SRC.items() if n in instruction.operands}
    if instruction.operands.get("sdst"):
        fields["sdst"] = DST
    if instruction.format == "SOPK":
        for _ in range(16 * scale):
            f = {**fields, "simm16": pick(random, {"data_format": "NUM_I16"}, 16)}
            yield test(instruction, "immediate", f, None, [state(f) for _ in range(3)])
        return
    yield test(instruction, "registers", fields, None, [state(fields) for _ in range(32 * scale)])
    if "MOVREL" in instruction.name:
        return
    for n in fields:
        if n == "sdst":
            for code in (encoding.VCC, encoding.EXEC, encoding.M0, encoding.NULL, 20):
                if code != encoding.M0 or instruction.operands[n]["size_bits"] == 32:
                    f = {**fields, n: code}
                    yield test(instruction, f"to {code}", f, None, [state(f) for _ in range(2)])
            continue
        width = instruction.operands[n]["size_bits"]
        for code in (128, 129, 161, 192, 193, 208, random.randint(240, 248)):
            f = {**fields, n: code}
            yield test(instruction, f"{n} constant {code}", f, None, [state(f) for _ in range(2)])
        for code in SCALARS:
            # A pair that starts at M0 or SCC is not documented.
            if width == 32 or code in (encoding.VCC, encoding.EXEC, encoding.NULL):
                f = {**fields, n: code}
                yield test(instruction, f"{n} scalar {code}", f, None, [state(f) for _ in range(2)])
        for _ in range(3):
            value = pick(random, instruction.operands[n], width) & ALL
            if instruction.operands[n].get("data_format", "").endswith("I64"):
                value &= 0x7FFFFFFF  # whether I64 extends the sign is not documented
            f = {**fields, n: encoding.LITERAL}
            yield test(instruction, f"{n} literal", f, value, [state(f) for _ in range(2)])


def without_effect(random, instruction):
    values = [0] if instruction.name == "S_SETHALT" else [0, 1, 0x7F]
    if instruction.name == "S_SENDMSG":
        values = [0, 1]  # none, interrupt
    fields = {"sdst": encoding.NULL} if "sdst" in instruction.operands else {}
    for n in values:
        states = [State(random) for _ in range(2)]
        yield test(instruction, "no effect", {**fields, "simm16": n}, None, states, nothing)


def nothing(instruction, fields, extra, state):
    return state.copy()


def mode_field(instruction, fields, extra, state):
    """S_ROUND_MODE and S_DENORM_MODE write one field (data; ISA guide, SOPP)."""
    result = state.copy()
    shift = 0 if instruction.name == "S_ROUND_MODE" else 4
    result.mode = Mode(state.mode.bits & ~(15 << shift) | (fields["simm16"] & 15) << shift)
    return result


def hardware_registers(random, instruction):
    fields = {"sdst": DST}
    for _ in range(24):
        # MODE without exception enables and the bits that this hardware does not have.
        offset = random.randint(0, 9)
        size = random.randint(1, 10 - offset)
        if "GETREG" in instruction.name and random.random() < 0.5:
            size = random.randint(1, 32)
        f = {**fields, "simm16": 1 | offset << 6 | size - 1 << 11}
        extra = random.getrandbits(32) if "IMM32" in instruction.name else None
        if extra is not None:
            f["sdst"] = 0
        states = []
        for _ in range(2):
            s = State(random)
            s.mode = Mode(random.getrandbits(10))
            states.append(s)
        yield test(instruction, "MODE", f, extra, states)


def branches(random, instruction):
    for slot in range(kernel.SLOTS):
        states = []
        for n in range(4):
            s = State(random)
            s.scc = n & 1
            if n & 2:
                s.s[encoding.VCC] = s.s[encoding.EXEC] = 0
            if n == 3:
                s.s[encoding.VCC + 1] = s.s[encoding.EXEC + 1] = 0
            states.append(s)
        yield test(instruction, f"to slot {slot}", {"simm16": 2 * slot}, None, states)


PC, TARGET, LINK, LOADED = 40, 44, 48, 52


def flow(random, instruction):
    """S_GETPC and the jumps check each other: jumps take addresses that are made from S_GETPC's, and
    a load through it must find the instruction behind it."""
    name = instruction.name
    getpc = kernel.op("SOP1:S_GETPC_B64", sdst=PC)
    for slot in range(kernel.SLOTS if name != "S_GETPC_B64" else 1):
        fields = {"ssrc0": TARGET, "sdst": LINK}
        fields = {n: v for n, v in fields.items() if n in instruction.operands}
        load = kernel.op("SMEM:S_LOAD_B32", sbase=PC // 2, sdata=LOADED, offset=0, soffset=encoding.NULL)
        if name == "S_GETPC_B64":
            fields["sdst"] = PC
            before, after = [], load
        elif name == "S_CALL_B64":
            fields["simm16"] = 2 * slot
            before, after = getpc, []
        else:
            # The address behind the instruction is 16 bytes behind S_GETPC's: an add with a
            # literal, an add of the carry, the jump.
            add = kernel.op("SOP2:S_ADD_U32", 16 + 8 * slot, sdst=TARGET, ssrc0=PC, ssrc1=encoding.LITERAL)
            carry = kernel.op("SOP2:S_ADDC_U32", sdst=TARGET + 1, ssrc0=PC + 1, ssrc1=128)
            before, after = getpc + add + carry, []
        t = test(instruction, f"to slot {slot}", fields, None, [State(random)], nothing)
        t.before, t.after = before, after

        def adjust(expected, found, slot=slot, before=before, load=load):
            pc = found.s[PC] | found.s[PC + 1] << 32
            expected.write_scalar(PC, pc, 64)
            if name == "S_GETPC_B64":
                expected.s[LOADED] = load[0]
            elif name != "S_CALL_B64":
                expected.write_scalar(TARGET, pc + 16 + 8 * slot, 64)
                expected.scc = 0  # the address does not cross 2**64
            if name in ("S_CALL_B64", "S_SWAPPC_B64"):
                expected.write_scalar(LINK, pc + 4 * len(before), 64)
            expected.slot = slot

        t.adjust = adjust
        yield t
