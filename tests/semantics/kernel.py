"""The kernel around an instruction under test: loads a whole State, executes it, stores the State.

It uses few instructions, each with fields of its own encoding table entry: scalar and global loads
and stores, moves, S_SETREG/S_GETREG, V_WRITELANE and, where LDS or scratch take part, their plain
32-bit loads and stores. One of these being wrong breaks nearly every test, so none can hide.
"""

import struct

import floats
from encoding import EXEC, M0, NULL, VCC, encode
from instructions import BY_KEY
from state import ALL, LANES, SGPRS, VGPRS

ADDRESS = 0x200000000000  # of the test memory, see Driver.cpp
ROW = 128  # bytes of one VGPR
# The test memory: VGPR rows, the scalar block, LDS, scratch; then what the instruction sees.
SCALARS = len(VGPRS) * ROW
LDS_BYTES = 2048
SCRATCH_BYTES = 64
LDS = SCALARS + 4 * ROW
SCRATCH = LDS + LDS_BYTES
OWN = SCRATCH + SCRATCH_BYTES * LANES
OWN_BYTES = 4096
TOTAL = OWN + OWN_BYTES
OWN_ADDRESS = ADDRESS + OWN
# Registers of the frame itself; no test writes them.
BASE, LANE_OFFSET, TEMP = 96, 255, 252
SAVED = 84  # s84..s91: the special registers
SLOT = 91
SLOTS = 4


def op(key, extra=None, **fields):
    i = BY_KEY[key]
    return encode(i.format, i.opcode, fields, extra)


def s_mov(dst, value):
    return op("SOP1:S_MOV_B32", value, sdst=dst, ssrc0=255)


def global_op(name, offset, **fields):
    """A row of the test memory, beyond the 4 KiB of an immediate offset by a second base."""
    return op(f"GLOBAL:{name}", addr=LANE_OFFSET, saddr=BASE + 2 * (offset // 4096),
              offset=offset % 4096, **fields)


def move_scratch_or_lds(load_first, lds, scratch):
    """LDS and scratch to or from the test memory, a row at a time through v252."""
    words = []
    for k in range(LDS_BYTES // ROW if lds else 0):
        if load_first:
            words += global_op("GLOBAL_LOAD_B32", LDS + ROW * k, vdst=TEMP)
            words += op("DS:DS_STORE_B32", addr=LANE_OFFSET, data0=TEMP, offset0=ROW * k & 255,
                        offset1=ROW * k >> 8)
        else:
            words += op("DS:DS_LOAD_B32", addr=LANE_OFFSET, vdst=TEMP, offset0=ROW * k & 255,
                        offset1=ROW * k >> 8)
            words += global_op("GLOBAL_STORE_B32", LDS + ROW * k, data=TEMP)
    for k in range(SCRATCH_BYTES // 4 if scratch else 0):
        if load_first:
            words += global_op("GLOBAL_LOAD_B32", SCRATCH + ROW * k, vdst=TEMP)
            words += op("SCRATCH:SCRATCH_STORE_B32", data=TEMP, saddr=NULL, offset=4 * k)
        else:
            words += op("SCRATCH:SCRATCH_LOAD_B32", vdst=TEMP, saddr=NULL, offset=4 * k)
            words += global_op("GLOBAL_STORE_B32", SCRATCH + ROW * k, data=TEMP)
    return words


def prologue(lds, scratch):
    words = op("VOP2:V_LSHLREV_B32", src0=130, vsrc1=0, vdst=LANE_OFFSET)
    for page in range((TOTAL + 4095) // 4096):
        words += s_mov(BASE + 2 * page, (ADDRESS + 4096 * page) & ALL)
        words += s_mov(BASE + 2 * page + 1, ADDRESS >> 32)
    words += move_scratch_or_lds(True, lds, scratch)
    for k, r in enumerate(VGPRS):
        words += global_op("GLOBAL_LOAD_B32", ROW * k, vdst=r)
    for first in range(0, len(SGPRS), 16):
        words += op("SMEM:S_LOAD_B512", sbase=BASE // 2, sdata=first, offset=SCALARS + 4 * first,
                    soffset=NULL)
    words += op("SMEM:S_LOAD_B256", sbase=BASE // 2, sdata=SAVED, offset=SCALARS + 4 * len(SGPRS),
                soffset=NULL)
    words += op("SOPP:S_WAITCNT", simm16=0)
    words += op("SOPK:S_SETREG_B32", sdst=SAVED + 6, simm16=31 << 11 | 1)
    for k, r in enumerate((VCC, VCC + 1, None, EXEC + 1, M0)):
        if r is not None:
            words += op("SOP1:S_MOV_B32", sdst=r, ssrc0=SAVED + k)
    words += op("SOPC:S_CMP_LG_U32", ssrc0=SAVED + 5, ssrc1=128)
    return words + op("SOP1:S_MOV_B32", sdst=EXEC, ssrc0=SAVED + 2)


def slots(own):
    """The code behind the instruction: SLOTS places to arrive at, each telling which it was."""
    words = []
    for k in range(SLOTS):
        words += op("SOPK:S_MOVK_I32", sdst=SLOT, simm16=k)
        words += op("SOPP:S_BRANCH", simm16=2 * (SLOTS - 1 - k))
    return own + words


def epilogue(lds, scratch):
    words = []
    for k, r in enumerate((VCC, VCC + 1, EXEC, EXEC + 1, M0)):
        words += op("SOP1:S_MOV_B32", sdst=SAVED + k, ssrc0=r)
    words += op("SOP2:S_CSELECT_B32", sdst=SAVED + 5, ssrc0=129, ssrc1=128)
    words += op("SOPK:S_GETREG_B32", sdst=SAVED + 6, simm16=31 << 11 | 1)
    words += op("SOP1:S_MOV_B32", sdst=EXEC, ssrc0=193)
    words += op("SOPP:S_WAITCNT", simm16=0)
    words += op("SOPK:S_WAITCNT_VSCNT", sdst=NULL, simm16=0)
    for k, r in enumerate(VGPRS):
        words += global_op("GLOBAL_STORE_B32", ROW * k, data=r)
    for k, r in enumerate([*SGPRS, *range(SAVED, SAVED + 8)]):
        words += op("VOP3:V_WRITELANE_B32", vdst=TEMP + k // 32, src0=r, src1=128 + k % 32)
    for k in range(3):
        words += global_op("GLOBAL_STORE_B32", SCALARS + ROW * k, data=TEMP + k)
    words += move_scratch_or_lds(False, lds, scratch)
    return words + op("SOPP:S_ENDPGM", simm16=0)


_cache = {}


def kernel(words, lds=False, scratch=False):
    """The code of a test, as bytes."""
    frame = _cache.get((lds, scratch))
    if not frame:
        frame = prologue(lds, scratch), epilogue(lds, scratch)
        _cache[lds, scratch] = frame
    code = frame[0] + slots(words) + frame[1]
    return struct.pack(f"<{len(code)}I", *code)


def pack(state):
    """A State as test memory."""
    words = []
    for r in VGPRS:
        words += state.v[r]
    words += [state.s[r] for r in SGPRS]
    words += [state.s[VCC], state.s[VCC + 1], state.s[EXEC], state.s[EXEC + 1], state.s[M0]]
    words += [state.scc, state.mode.bits, 0]
    block = bytearray(TOTAL)
    struct.pack_into(f"<{len(words)}I", block, 0, *words)
    block[LDS : LDS + len(state.lds)] = state.lds
    for lane in range(LANES):
        for k in range(0, len(state.scratch[lane]), 4):
            at = SCRATCH + ROW * (k // 4) + 4 * lane
            block[at : at + 4] = state.scratch[lane][k : k + 4]
    block[OWN : OWN + len(state.memory)] = state.memory
    return bytes(block)


_WORDS = [("v", r, lane) for r in VGPRS for lane in range(LANES)] + [("s", r) for r in SGPRS]
_WORDS += [("s", VCC), ("s", VCC + 1), ("s", EXEC), ("s", EXEC + 1), ("s", M0)]
_WORDS += [("scc",), ("mode",), ("slot",)]
_INDEX = {place: i for i, place in enumerate(_WORDS)}


class Found:
    """Registers as a run left them."""

    def __init__(self, words):
        self.s = {place[1]: w for place, w in zip(_WORDS, words) if place[0] == "s"}


def unpack(block):
    return Found(struct.unpack_from(f"<{len(_WORDS)}I", block))


def differences(block, state):
    """(place, expected, found) where the memory after a run is not what `state` says."""
    expected = bytearray(pack(state))
    struct.pack_into("<I", expected, 4 * (len(_WORDS) - 1), state.slot)
    used = 4 * len(_WORDS)
    if not state.tolerances and block[:used] == expected[:used] and block[LDS:] == expected[LDS:]:
        return []
    found = struct.unpack_from(f"<{len(_WORDS)}I", block)
    wanted = struct.unpack_from(f"<{len(_WORDS)}I", expected)
    result = []
    # A tolerance can be broken by a word that equals the expected one: half of a wrong 64-bit value.
    suspects = {i for i, (f, w) in enumerate(zip(found, wanted)) if f != w}
    suspects |= {_INDEX[place] for place in state.tolerances if place in _INDEX} if suspects else set()
    for i in sorted(suspects):
        place = _WORDS[i]
        tolerances = state.tolerances.get(place, ())
        if not tolerances or not _tolerable(tolerances, place, found, wanted):
            result.append((place, wanted[i], found[i]))
    if block[LDS:] == expected[LDS:]:
        return result
    for at in range(LDS, TOTAL, 4):
        if block[at : at + 4] != expected[at : at + 4]:
            where = "lds" if at < SCRATCH else "scratch" if at < OWN else "memory"
            start = {"lds": LDS, "scratch": SCRATCH, "memory": OWN}[where]
            key = (where, at - start)
            f, w = struct.unpack_from("<I", block, at)[0], struct.unpack_from("<I", expected, at)[0]
            if not (key in state.tolerances and _memory_tolerable(state.tolerances[key], f, w)):
                result.append((key, w, f))
    return result


def _tolerable(tolerances, place, found, wanted):
    at = _INDEX[place]
    f, w = found[at], wanted[at]
    for low, width, tolerance in tolerances:
        if width == 64:  # both dwords together; the second is checked with the first
            first = _INDEX[place[0], place[1] - 1, place[2]] if low else at
            second = _INDEX[place[0], _WORDS[first][1] + 1, place[2]]
            wide = found[first] | found[second] << 32
            if not matches(tolerance, wide):
                return False
            f = w
            continue
        mask = ((1 << width) - 1) << low
        if not matches(tolerance, (f & mask) >> low):
            return False
        f = f & ~mask | w & mask
    return f == w


def _memory_tolerable(tolerances, f, w):
    for low, width, tolerance in tolerances:
        mask = ((1 << width) - 1) << low
        if not matches(tolerance, (f & mask) >> low):
            return False
        f = f & ~mask | w & mask
    return f == w


def matches(tolerance, bits):
    """Whether `bits` is one of the right answers."""
    kind, *rest = tolerance
    if kind == "nan":
        return floats.is_nan(bits, rest[0])
    if kind == "either":
        candidates, ulps, fmt = rest
        return any(_near(bits, c, ulps, fmt) for c in candidates)
    reference, error, fmt = rest
    if floats.is_nan(bits, fmt) or floats.is_infinite(bits, fmt):
        return False
    (m, e), (n, g) = floats.unpack(bits, fmt), floats.unpack(reference, fmt)
    d, low = floats.sum_exact((m, e), (-n, g))
    return abs(d) * 2**max(low, 0) * error.denominator <= error.numerator * 2**max(-low, 0)


def _near(bits, candidate, ulps, fmt):
    if fmt and floats.is_nan(candidate, fmt):
        return floats.is_nan(bits, fmt)
    if not ulps or floats.is_nan(bits, fmt):
        return bits == candidate
    order = lambda x: (x if not x & fmt.sign_bit else fmt.sign_bit - x)  # noqa: E731
    return abs(order(bits) - order(candidate)) <= ulps
