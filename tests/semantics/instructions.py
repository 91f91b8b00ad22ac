"""The table of instructions: one entry of the data, with its text corrected and compiled."""

import json
import re
from functools import cached_property
from pathlib import Path

import by_hand  # noqa: F401 (adds its functions to the table)
import pcode
from builtins_table import FUNCTIONS
from corrections import CORRECTIONS
from values import Value

DATA = Path(__file__).resolve().parents[2] / "data" / "rdna3_semantics.json"


class Instruction:
    def __init__(self, entry):
        self.entry = entry
        self.format = entry["format"]
        self.opcode = entry["opcode"]
        self.name = entry["name"]
        self.modifiers = entry.get("modifiers", [])
        self.operands = {o["name"]: dict(o) for o in entry["operands"]}
        # AMD's table calls these floats; they are an exponent and a mask of classes.
        if "LDEXP" in self.name or "_CLASS_" in self.name:
            second = self.operands.get("src1") or self.operands["vsrc1"]
            second["data_format"] = "NUM_I16" if second["size_bits"] == 16 else "NUM_I32"
        self.encodable = entry["example"] is not None

    @cached_property
    def text(self):
        """The corrected pseudo-code; None where there is none to evaluate."""
        text = self.entry["pseudocode"]
        for names, old, new, _ in CORRECTIONS:
            m = re.fullmatch(names, self.name)
            if not m:
                continue
            if old is None:
                text = new and m.expand(new)
            elif text and old in text:
                text = text.replace(old, new)
            elif text and re.search(old, text):
                text = re.sub(old, new, text)
            elif text:
                raise ValueError(f"{self.name}: a correction does not apply any more")
        return text

    @cached_property
    def run(self):
        return pcode.compile_text(self.text)

    @property
    def key(self):
        return f"{self.format}:{self.name}"


def load():
    entries = json.loads(DATA.read_text())
    return [Instruction(e) for e in entries]


INSTRUCTIONS = load()
BY_KEY = {i.key: i for i in INSTRUCTIONS}


def _call_instruction(name):
    """v_min_f32(a, b) in the text: the instruction of that name."""
    instruction = next(i for i in INSTRUCTIONS if i.name == name.upper() and i.format != "VOPD")

    def call(c, *arguments):
        scope = pcode.Context({"D0": Value(0, 32, "u")}, c.mode)
        for n, a in enumerate(arguments):
            scope.variables[f"S{n}"] = a
        instruction.run(scope)
        result = scope.variables["D0"]
        kind = re.search(r"_(f|i|u)(8|16|32)$", name)
        if kind.group(1) == "f":
            return Value(result.bits(arguments[0].width), arguments[0].width, "f", result.tolerances)
        width = 32 if "sad" in name else int(kind.group(2))
        v = result.bits(width)
        if kind.group(1) == "i" and v >> (width - 1):
            v -= 1 << width
        return Value(v, width, kind.group(1))

    return call


for _base in ("min", "max"):
    for _type in ("f32", "f16", "i32", "u32", "i16", "u16"):
        for _count in ("", "3"):
            FUNCTIONS[f"v_{_base}{_count}_{_type}"] = _call_instruction(f"v_{_base}{_count}_{_type}")
FUNCTIONS["v_sad_u8"] = _call_instruction("v_sad_u8")
FUNCTIONS["v_msad_u8"] = _call_instruction("v_msad_u8")
