"""The state of one wave around an instruction, and what of it may differ after it."""

import struct

import encoding
from floats import Mode
from values import float_literal

LANES = 32
ALL = (1 << 32) - 1
# Registers that a test fills and compares: low ones, the ends of both halves' ranges, the last.
VGPRS = list(range(40)) + [126, 127, 128, 129, 248, 249, 250, 251]
SGPRS = list(range(80))
_INLINE_FLOATS = ["0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"]
# 1 / (2 * pi), rounded by AMD as listed in the ISA guide's operand table (LLVM agrees).
_INVERSE_TWO_PI = {16: 0x3118, 32: 0x3E22F983, 64: 0x3FC45F306DC9C882}


def inline_float(code, width):
    if code == 248:
        return _INVERSE_TWO_PI[width]
    text = _INLINE_FLOATS[code - 240]
    bits = float_literal(text.lstrip("-"), width).v
    return bits | (1 << (width - 1)) if text.startswith("-") else bits


class State:
    def __init__(self, random):
        words = struct.unpack(f"<{len(VGPRS) * LANES}I", random.randbytes(4 * len(VGPRS) * LANES))
        self.v = {r: list(words[k * LANES : (k + 1) * LANES]) for k, r in enumerate(VGPRS)}
        self.s = {r: random.getrandbits(32) for r in SGPRS}
        for r in (106, 107, 125):
            self.s[r] = random.getrandbits(32)
        self.s[126], self.s[127] = ALL, 0
        self.scc = random.getrandbits(1)
        self.mode = Mode()
        self.lds = bytearray()
        self.scratch = [bytearray() for _ in range(LANES)]
        self.memory = bytearray()
        self.slot = 0  # of the code behind the instruction, where execution goes on
        self.tolerances = {}  # ("v", register, lane) or ("s", register) -> tolerances

    @property
    def exec(self):
        return self.s[126]

    def copy(self):
        c = State.__new__(State)
        c.__dict__.update(self.__dict__)
        c.v = {r: list(lanes) for r, lanes in self.v.items()}
        c.s = dict(self.s)
        c.lds = bytearray(self.lds)
        c.scratch = [bytearray(x) for x in self.scratch]
        c.memory = bytearray(self.memory)
        c.tolerances = {}
        return c

    def scalar(self, code):
        """A 32-bit scalar register by its operand code."""
        if code == encoding.NULL:
            return 0
        if code == encoding.SCC:
            return self.scc
        return self.s[code]

    def constant(self, code, width, is_float, literal=0):
        """An inline constant or literal as an operand of `width` bits."""
        if code == encoding.LITERAL:
            if width == 64:
                return literal << 32 if is_float else literal
            return literal & ((1 << width) - 1)
        if 128 <= code <= 208:
            n = code - 128 if code <= 192 else 192 - code
            return n & ((1 << width) - 1)
        return inline_float(code, width)

    def read_scalar(self, code, width, is_float=False, literal=0):
        """A scalar source: registers, inline constants and literals."""
        if code >= 128 and code != encoding.SCC:
            return self.constant(code, width, is_float, literal)
        if width == 64 and code not in (encoding.NULL, encoding.SCC):
            return self.scalar(code) | self.scalar(code + 1) << 32
        return self.scalar(code) & ((1 << width) - 1)

    def write_scalar(self, code, value, width, tolerances=()):
        for i in range((width + 31) // 32):
            if code == encoding.NULL:
                return
            self.s[code + i] = value >> (32 * i) & ALL
            own = tuple((at - 32 * i, w, t) for at, w, t in tolerances if 32 * i <= at < 32 * i + 32)
            if own:
                self.tolerances["s", code + i] = own

    def read_vgpr(self, register, lane, width, high_half=False):
        if width <= 16:
            return self.v[register][lane] >> (16 * high_half) & 0xFFFF
        value = 0
        for i in range((width + 31) // 32):
            value |= self.v[register + i][lane] << (32 * i)
        return value & ((1 << width) - 1)

    def write_vgpr(self, register, lane, value, width, high_half=False, tolerances=()):
        if width <= 16:
            old = self.v[register][lane]
            shift = 16 * high_half
            self.v[register][lane] = old & ~(0xFFFF << shift) | (value & 0xFFFF) << shift
            if tolerances:
                moved = tuple((at + shift, w, t) for at, w, t in tolerances)
                self.tolerances["v", register, lane] = moved
            return
        for i in range((width + 31) // 32):
            self.v[register + i][lane] = value >> (32 * i) & ALL
            own = tuple((at - 32 * i, w, t) for at, w, t in tolerances if 32 * i <= at < 32 * i + 32)
            if width == 64 and tolerances and tolerances[0][1] == 64:
                own = ((-32 * i, 64, tolerances[0][2]),)
            if own:
                self.tolerances["v", register + i, lane] = own
