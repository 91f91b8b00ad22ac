"""Tests of VOPD: every X operation with every Y operation, as two independent instructions that
both read before either writes (ISA 7.6; also pairs that an assembler refuses)."""

import encoding
import valu
from generate_valu import Test
from state import ALL, LANES, State
from vectors import pick


class Half:
    """One half of a pair, in the terms of valu.py."""

    format = "VOPD"
    modifiers = ()

    def __init__(self, instruction, letter):
        self.name = instruction.name
        self.run = instruction.run
        old = {"src0": f"src{letter}0", "vsrc1": f"vsrc{letter}1", "vdst": f"vdst{letter}"}
        self.operands = {n: {**instruction.operands[o], "name": n}
                         for n, o in old.items() if o in instruction.operands}


def execute(pair, fields, extra, state):
    result = state.copy()
    x, y = pair
    vdsty = fields["vdsty"] << 1 | ~fields["vdstx"] & 1
    valu.run_on(x, {"src0": fields["srcx0"], "vsrc1": fields["vsrcx1"], "vdst": fields["vdstx"]}, extra,
                state, result)
    valu.run_on(y, {"src0": fields["srcy0"], "vsrc1": fields["vsrcy1"], "vdst": vdsty}, extra, state,
                result)
    return result


def tests(random, instructions):
    # Each X half once with every Y half; the test counts for both.
    xs = [i for i in instructions if "X" in i.entry["vopd_position"]]
    ys = [i for i in instructions if "Y" in i.entry["vopd_position"]]
    for x in xs:
        for y in ys:
            for what, changes in forms(random):
                # Which pattern float constants have for V_DUAL_DOT2ACC's halves is not documented.
                if what == "constants" and "DOT2ACC" in x.name + y.name:
                    continue
                yield pair_test(random, x, y, what, changes)


def forms(random):
    yield "registers", {}
    yield random.choice([
        ("X reads Y's result", {"srcx0": 256 + 27}),
        ("Y reads X's result", {"srcy0": 256 + 24, "vsrcy1": 24}),
        ("same sources", {"srcx0": 256 + 3, "vsrcx1": 14}),
        ("SGPRs", {"srcx0": 20, "srcy0": 21}),
        ("constants", {"srcx0": random.choice((128, 193, 242)), "srcy0": random.randint(240, 248)}),
        ("literal", {"srcx0": encoding.LITERAL, "srcy0": encoding.LITERAL}),
        ("high registers", {"srcx0": 256 + 250, "vsrcx1": 249, "srcy0": 256 + 129, "vsrcy1": 128}),
        ("high destinations", {"vdstx": 251, "vdsty": 248 >> 1}),
        ("scalars", {"srcx0": encoding.VCC, "srcy0": encoding.M0}),
    ])


def pair_test(random, x, y, what, changes):
    fields = {"opx": x.opcode, "opy": y.opcode, "srcx0": 256, "vsrcx1": 9, "vdstx": 24,
              "srcy0": 256 + 3, "vsrcy1": 14, "vdsty": 27 >> 1, **changes}
    needs_literal = any(n in i.name for i in (x, y) for n in ("FMAAK", "FMAMK"))
    needs_literal |= encoding.LITERAL in (fields["srcx0"], fields["srcy0"])
    extra = random.choice((0x3FC00000, 0xBF800001, random.getrandbits(32))) if needs_literal else None
    s = State(random)
    for code in ("srcx0", "vsrcx1", "vdstx", "srcy0", "vsrcy1"):
        register = fields[code] & 255 if code.startswith("v") or fields[code] >= 256 else None
        for lane in range(LANES):
            value = pick(random, {"data_format": "NUM_F32"}, 32) & ALL
            if register is not None:
                s.v[register][lane] = value
    s.s[encoding.EXEC] = random.choice((ALL, random.getrandbits(32)))
    test = Test(x, f"{y.name}, {what}", fields, extra, [s])
    test.pair = Half(x, "x"), Half(y, "y")
    test.also = y
    test.execute = lambda _, f, e, state: execute(test.pair, f, e, state)
    return test
