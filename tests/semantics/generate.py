"""All tests, and the State each instruction should leave."""

from random import Random

import generate_buffer
import generate_dual
import generate_memory
import generate_salu
import generate_valu
import valu
import wmma

VALU_FORMATS = ("VOP1", "VOP2", "VOPC", "VOP3", "VOP3SD", "VOP3P")
SALU_FORMATS = ("SOP1", "SOP2", "SOPC", "SOPK", "SOPP")


def all_tests(seed, instructions, thorough):
    for i in instructions:
        if not i.encodable:
            continue
        # Of its own for each instruction: --only repeats what the whole run did.
        random = Random(f"{seed} {i.key}")
        if "WMMA" in i.name:
            yield from wmma.tests(random, i)
        elif i.format in VALU_FORMATS:
            for test in generate_valu.tests(random, i, thorough):
                test.execute = valu.execute if i.text else generate_salu.nothing
                yield test
        elif i.format == "DS" and "GWS" not in i.name and "ORDERED" not in i.name:
            yield from generate_memory.ds_tests(random, i, 4 if thorough else 1)
        elif i.format in ("FLAT", "GLOBAL", "SCRATCH"):
            yield from generate_memory.flat_tests(random, i, 4 if thorough else 1)
        elif i.format in ("MUBUF", "MTBUF"):
            yield from generate_buffer.tests(random, i, 4 if thorough else 1)
        elif i.format == "LDSDIR":
            yield from generate_memory.direct_load_tests(random, i)
        elif i.format == "SMEM" and "PROBE" not in i.name:
            yield from generate_memory.smem_tests(random, i, 4 if thorough else 1)
        elif i.format in SALU_FORMATS:
            yield from generate_salu.tests(random, i, thorough)
    yield from generate_dual.tests(Random(f"{seed} VOPD"), [i for i in instructions if i.format == "VOPD"])


def expectation(test, state):
    try:
        return test.execute(test.instruction, test.fields, test.extra, state)
    except Exception as e:
        raise RuntimeError(f"{test.instruction.key} [{test.what}]: no expectation") from e
