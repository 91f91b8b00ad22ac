"""Instruction words: the field layout of every format (data/rdna3_semantics.md) and one encoder for all."""

import re

_LAYOUTS = """
SOP1   4 [31:23]=101111101 | ssrc0[7:0] op[15:8] sdst[22:16]
SOP2   4 [31:30]=10 | ssrc0[7:0] ssrc1[15:8] sdst[22:16] op[29:23]
SOPC   4 [31:23]=101111110 | ssrc0[7:0] ssrc1[15:8] op[22:16]
SOPK   4 [31:28]=1011 | simm16[15:0] sdst[22:16] op[27:23]
SOPP   4 [31:23]=101111111 | simm16[15:0] op[22:16]
SMEM   8 [31:26]=111101 | sbase[5:0] sdata[12:6] dlc[13] glc[14] op[25:18] offset[52:32] soffset[63:57]
VOP1   4 [31:25]=0111111 | src0[8:0] op[16:9] vdst[24:17]
VOP2   4 [31:31]=0 | src0[8:0] vsrc1[16:9] vdst[24:17] op[30:25]
VOPC   4 [31:25]=0111110 | src0[8:0] vsrc1[16:9] op[24:17]
VOP3   8 [31:26]=110101 | vdst[7:0] abs[10:8] opsel[14:11] clmp[15] op[25:16] src0[40:32] src1[49:41] src2[58:50] omod[60:59] neg[63:61]
VOP3SD 8 [31:26]=110101 | vdst[7:0] sdst[14:8] clmp[15] op[25:16] src0[40:32] src1[49:41] src2[58:50] omod[60:59] neg[63:61]
VOP3P  8 [31:24]=11001100 | vdst[7:0] neg_hi[10:8] opsel[13:11] opsel_hi2[14] clmp[15] op[22:16] src0[40:32] src1[49:41] src2[58:50] opsel_hi[60:59] neg[63:61]
VOPD   8 [31:26]=110010 | srcx0[8:0] vsrcx1[16:9] opy[21:17] opx[25:22] srcy0[40:32] vsrcy1[48:41] vdsty[55:49] vdstx[63:56]
DS     8 [31:26]=110110 | offset0[7:0] offset1[15:8] gds[17] op[25:18] addr[39:32] data0[47:40] data1[55:48] vdst[63:56]
FLAT   8 [31:26]=110111 [17:16]=00 | offset[12:0] dlc[13] glc[14] slc[15] op[24:18] addr[39:32] data[47:40] saddr[54:48] sve[55] vdst[63:56]
GLOBAL 8 [31:26]=110111 [17:16]=10 | offset[12:0] dlc[13] glc[14] slc[15] op[24:18] addr[39:32] data[47:40] saddr[54:48] sve[55] vdst[63:56]
SCRATCH 8 [31:26]=110111 [17:16]=01 | offset[12:0] dlc[13] glc[14] slc[15] op[24:18] addr[39:32] data[47:40] saddr[54:48] sve[55] vdst[63:56]
MUBUF  8 [31:26]=111000 | offset[11:0] slc[12] dlc[13] glc[14] op[25:18] vaddr[39:32] vdata[47:40] srsrc[52:48] tfe[53] offen[54] idxen[55] soffset[63:56]
MTBUF  8 [31:26]=111010 | offset[11:0] slc[12] dlc[13] glc[14] op[18:15] format[25:19] vaddr[39:32] vdata[47:40] srsrc[52:48] tfe[53] offen[54] idxen[55] soffset[63:56]
LDSDIR 4 [31:24]=11001110 | vdst[7:0] attr_chan[9:8] attr[15:10] wait_vdst[19:16] op[21:20]
"""


class Layout:
    def __init__(self, line):
        head, fields = line.split("|")
        _, size, *fixed = head.split()
        self.bytes = int(size)
        self.fixed = 0
        for part in fixed:
            high, low, value = re.match(r"\[(\d+):(\d+)\]=([01]+)", part).groups()
            self.fixed |= int(value, 2) << int(low)
        self.fields = {}
        for name, high, low in re.findall(r"(\w+)\[(\d+)(?::(\d+))?\]", fields):
            self.fields[name] = (int(low or high), int(high) - int(low or high) + 1)


LAYOUTS = {line.split()[0]: Layout(line) for line in _LAYOUTS.strip().splitlines()}

DPP16, DPP8, DPP8_FI, LITERAL, VGPR0 = 250, 233, 234, 255, 256
VCC, NULL, M0, EXEC, SCC = 106, 124, 125, 126, 253


def encode(format_name, opcode, fields, extra=None):
    """Words of an instruction; `extra` is the literal or DPP dword."""
    layout = LAYOUTS[format_name]
    word = layout.fixed
    values = dict(fields)
    if format_name != "VOPD":
        values["op"] = opcode
    for name, value in values.items():
        low, width = layout.fields[name]
        if value < 0:
            value &= (1 << width) - 1
        if value >> width:
            raise ValueError(f"{format_name}: {name}={value} does not fit")
        word |= value << low
    words = [word & 0xFFFFFFFF]
    if layout.bytes == 8:
        words.append(word >> 32)
    if extra is not None:
        words.append(extra & 0xFFFFFFFF)
    return words


def decode(format_name, words):
    """The fields of an instruction, for checks of the encoder."""
    word = words[0] | (words[1] << 32 if LAYOUTS[format_name].bytes == 8 else 0)
    return {n: word >> low & ((1 << w) - 1) for n, (low, w) in LAYOUTS[format_name].fields.items()}


def dpp16(vgpr, control, row_mask=15, bank_mask=15, bound_ctrl=0, fi=0, neg0=0, abs0=0, neg1=0, abs1=0):
    return (vgpr | control << 8 | fi << 18 | bound_ctrl << 19 | neg0 << 20 | abs0 << 21 | neg1 << 22
            | abs1 << 23 | bank_mask << 24 | row_mask << 28)


def dpp8(vgpr, selects):
    word = vgpr
    for i, s in enumerate(selects):
        word |= s << (8 + 3 * i)
    return word
