"""The library from a language without a compiler: python3 run_asm.py librdna3emu.so"""

import ctypes
import struct
import sys

emulator = ctypes.CDLL(sys.argv[1])
emulator.rdna3emu_last_error.restype = ctypes.c_char_p
emulator.run_asm.argtypes = (
    [ctypes.c_char_p, ctypes.c_uint32] + [ctypes.c_uint32] * 6
    + [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32])

code = struct.pack(
    "<9I",
    0xf4040100, 0xf8000000,  # s_load_b64       s[4:5], s[0:1], 0x0
    0xbf89fc07,              # s_waitcnt        lgkmcnt(0)
    0x30020082,              # v_lshlrev_b32    v1, 2, v0
    0x4a0000ff, 0x000003e8,  # v_add_nc_u32     v0, 0x3e8, v0
    0xdc6a0000, 0x00040001,  # global_store_b32 v1, v0, s[4:5]
    0xbfb00000)              # s_endpgm
out = (ctypes.c_uint32 * 32)()
kernarg = (ctypes.c_void_p * 1)(ctypes.addressof(out))
status = emulator.run_asm(code, len(code), 1, 1, 1, 32, 1, 1, kernarg, 2 << 1, 0)
assert status == 0, emulator.rdna3emu_last_error()
assert list(out) == [1000 + lane for lane in range(32)], list(out)

status = emulator.run_asm(b"\xff" * 4, 4, 1, 1, 1, 32, 1, 1, None, 0, 0)
assert status == -3 and b"no gfx1100 instruction" in emulator.rdna3emu_last_error()
