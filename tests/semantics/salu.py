"""What a scalar ALU instruction does to a State, from its encoded fields and AMD's text."""


from floats import Mode
from pcode import Context
from state import ALL
from valu import Wave
from values import Value, as_type


def execute(instruction, fields, extra, state):
    result = state.copy()
    fmt = instruction.format
    variables = {
        "SCC": Value(state.scc, 1, "u"),
        "EXEC": Value(state.s[126] | state.s[127] << 32, 64, "u"),
        "VCCZ": Value(int(state.s[106] == 0), 1, "u"),
        "EXECZ": Value(int(state.s[126] == 0), 1, "u"),
        "M0": Value(state.s[125], 32, "u"),
        "PC": Value(0, 64, "i"),
        "SIMM16": Value(fields.get("simm16", 0), 16, "u"),
        "SIMM32": Value(extra or 0, 32, "u"),
        "SRC0": Value(fields.get("ssrc0", 0), 32, "u"),
        "DST": Value(fields.get("sdst", 0), 32, "u"),
        "WAVE_STATUS.COND_DBG_SYS": Value(0, 1, "u"),
        "WAVE_STATUS.COND_DBG_USER": Value(0, 1, "u"),
        "WAVE_STATUS.PRIV": Value(0, 1, "u"),
        "HW_REGISTERS": [Value(0, 32, "u"), Value(state.mode.bits, 32, "u")],
    }
    context = Context(variables, state.mode, Wave(state, result))
    for i, name in enumerate(n for n in ("ssrc0", "ssrc1") if n in instruction.operands):
        operand = instruction.operands[name]
        width = operand["size_bits"]
        is_float = operand.get("data_format", "").endswith("F64") or (
            width == 64 and 240 <= fields[name] <= 248)
        # Operands of 16 bits are the low half of 32-bit ones (LLVM: SSrc_b32), constants too.
        bits = state.read_scalar(fields[name], max(width, 32), is_float and fields[name] != 255, extra or 0)
        variables[f"S{i}"] = Value(bits, width, "u")
    sdst = fields.get("sdst")
    operand = instruction.operands.get("sdst")
    width = operand["size_bits"] if operand else 32
    if sdst is not None:
        old = state.read_scalar(sdst, width)
        variables["D0"] = Value(old, width, "u")
        if fmt == "SOPK":
            variables["S0"] = Value(old, width, "u")
    instruction.run(context)
    relative = "MOVREL" in instruction.name and "MOVRELS_" not in instruction.name
    if operand and operand["direction"] != "in" and not relative:
        result.write_scalar(sdst, variables["D0"].bits(width), width)
    result.scc = variables["SCC"].v & 1
    new_exec = variables["EXEC"].v
    if new_exec != (state.s[126] | state.s[127] << 32):
        result.s[126] = new_exec & ALL
        result.s[127] = new_exec >> 32 & ALL
    result.mode = Mode(variables["HW_REGISTERS"][1].bits(32))
    if fmt == "SOPP":  # a branch; the slots behind it are 8 bytes each
        result.slot = (as_type(variables["PC"], "i", 64).v - 4) // 8
    return result



