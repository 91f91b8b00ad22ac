"""Runs bad command lines and inputs and holds the tools to docs/messages.md, the table of what they
say: messages.py BIN SOURCE WORK [--update]. With --update the table is written anew."""

import difflib
import json
import os
import pathlib
import subprocess
import sys

HIP = """#include <hip/hip_runtime.h>
__global__ void scale(float *out) { out[threadIdx.x] = 1; }
"""
LAUNCH = {"kernel": "scale", "grid": [1], "block": [32],
          "args": [{"buffer": "4*N", "type": "f32", "output": True}, {"i32": 4}],
          "params": {"N": 32}}


def launch(**changes):
    description = json.loads(json.dumps(LAUNCH))
    description.update(changes)
    return json.dumps(description)


# What is wrong, files that are made for it, the command.
CASES = [
    ("HIP source", {"k.hip": HIP}, "isa-parse k.hip"),
    ("C++ source", {"main.cpp": "#include <cmath>\nint main() {}\n"}, "vgpr-remap main.cpp"),
    ("HIP source where code is wanted", {"k.hip": HIP}, "hsaco-loader inspect k.hip"),
    ("a code object where text is wanted", {}, "isa-parse k.hsaco"),
    ("LLVM IR", {"k.ll": "; ModuleID = 'k'\ntarget triple = \"amdgcn-amd-amdhsa\"\n"},
     "dualfmac-sched k.ll"),
    ("a bundle of host and device code",
     {"k.s.b": "# __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx1100\n"},
     "isa-parse k.s.b"),
    ("the host's half", {"host.s": "\t.text\nmain:\n\tpushq\t%rbp\n\tretq\n"}, "isa-parse host.s"),
    ("a disassembly", {"dis.s": "k.hsaco:\tfile format elf64-amdgpu\n\n"
                       "Disassembly of section .text:\n\n0000000000001900 <k>:\n"},
     "isa-parse dis.s"),
    ("a launch description where code is wanted", {"l.json": launch()}, "isa-parse l.json"),
    ("random bytes", {"noise.s": "\0\1\2\3"}, "vgpr-remap noise.s"),
    ("an empty file", {"empty.s": ""}, "isa-parse empty.s"),
    ("a file that is not there", {}, "isa-parse gone.s"),
    ("a folder", {"folder/x": ""}, "isa-parse folder"),
    ("code for RDNA2", {"old.s": "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1030\"\n"},
     "isa-parse old.s"),
    ("code for RDNA4", {"new.s": "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1201\"\n"},
     "hsaco-loader assemble new.s -o new.hsaco"),
    ("another file that is included", {"inc.s": "\t.include \"macros.s\"\nk:\n\ts_endpgm\n"},
     "isa-parse inc.s"),
    ("lines that end with carriage returns", {"mac.s": "k:\r\ts_endpgm\r"}, "isa-parse mac.s"),
    ("an instruction that is none", {"bad.s": "k:\n\tv_fmac_f32 v1, v2\n"}, "isa-parse bad.s"),
    ("a misspelled kernel", {}, "isa-parse --kernel scal k.s"),
    ("the same, rewriting", {}, "vgpr-remap --kernel scal k.s"),
    ("the same, running", {"l.json": launch()}, "hsaco-loader run k.s --launch l.json --kernel scal"),
    ("a kernel that is not there", {"l.json": launch(kernel="gemm")},
     "hsaco-loader run k.s --launch l.json"),
    ("a misspelled loop", {}, "isa-parse --region LBB0_1 k.s"),
    ("a misspelled option", {}, "isa-parse --jsno k.s"),
    ("a misspelled command", {}, "hsaco-loader verfy k.s"),
    ("no command", {}, "dualfmac-sched"),
    ("two files", {}, "isa-parse k.s other.s"),
    ("no launch", {}, "hsaco-loader run k.s"),
    ("two launches", {"l.json": launch()}, "hsaco-loader run k.s --launch l.json --sgemm 128"),
    ("a size that is no number", {}, "hsaco-loader verify k.s --kernel scale --sgemm big"),
    ("a size that the tile does not divide", {}, "hsaco-loader verify k5.s --sgemm 100"),
    ("a misspelled key", {"l.json": launch(blok=[32])}, "hsaco-loader run k.s --launch l.json"),
    ("a misspelled key of a buffer",
     {"l.json": launch(args=[{"buffer": 128, "tpe": "f32"}, {"i32": 4}])},
     "hsaco-loader run k.s --launch l.json"),
    ("an unknown type", {"l.json": launch(args=[{"buffer": 128, "type": "fp32"}, {"i32": 4}])},
     "hsaco-loader run k.s --launch l.json"),
    ("an unknown kind of input",
     {"l.json": launch(args=[{"buffer": 128, "init": "randm"}, {"i32": 4}])},
     "hsaco-loader run k.s --launch l.json"),
    ("JSON with a comma too many", {"l.json": launch()[:-1] + ",}"},
     "hsaco-loader run k.s --launch l.json"),
    ("a grid of nothing", {"l.json": launch(grid=[0])}, "hsaco-loader run k.s --launch l.json"),
    ("too few arguments", {"l.json": launch(args=[])}, "hsaco-loader run k.s --launch l.json"),
    ("a parameter that is not there", {"l.json": launch()},
     "hsaco-loader run k.s --launch l.json --param M=4"),
    ("an unknown check", {"l.json": launch()}, "hsaco-loader run k.s --launch l.json --check=race"),
    ("an unknown card", {}, "isa-parse --launch l.json --device 7900xt2 k.s"),
    ("a card that is not there", {"l.json": launch()},
     "hsaco-loader run k.s --launch l.json --backend hip"),
    ("a folder that is not there", {}, "isa-parse k.s -o gone/out.txt"),
    ("two files with nothing in common", {}, "isa-parse --compare k.s k5.s"),
]

HEAD = """# Messages

What the tools say to wrong inputs and command lines, and with which exit code: 1 for bad input or
usage, 2 for findings and refusals, 3 for a backend that is not available. This table is made and
held by `tests/screens/messages.py`. Of messages with a source line and of reports only the line
that says what is wrong is shown.

| what is wrong | command | message | exit |
| --- | --- | --- | --- |
"""


def said(output):
    """The line that matters: the first error, else the first note."""
    lines = output.splitlines()
    for word in ("error: ", "note: ", "warning: "):
        for line in lines:
            if word in line:
                return line
    return lines[0] if lines else ""


def rows(tools, source, work):
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    pathlib.Path("k.s").write_bytes((source / "tests/screens/two-kernels.s").read_bytes())
    pathlib.Path("other.s").write_bytes(pathlib.Path("k.s").read_bytes())
    kernel5 = tools.parent / "kernels/kernel5.clang-22.O3.s"
    pathlib.Path("k5.s").write_bytes(kernel5.read_bytes())
    subprocess.run([tools / "hsaco-loader", "assemble", "k.s", "-o", "k.hsaco"], check=True,
                   stderr=subprocess.DEVNULL)
    # Whether there is a card must not decide.
    environment = {**os.environ, "NO_COLOR": "1", "HIP_VISIBLE_DEVICES": "-1"}
    for what, files, command in CASES:
        for name, text in files.items():
            path = pathlib.Path(name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        tool, *arguments = command.split()
        done = subprocess.run([tools / tool, *arguments], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, env=environment, timeout=60)
        message = said(done.stderr) or said(done.stdout)
        if "backend hip is not available" in message:
            message = message.split(":")[0] + ": error: backend hip is not available: ..."
        yield f"| {what} | `{command}` | `{message}` | {done.returncode} |".replace("\\|", "|")


def main():
    tools, source, work = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    page = source / "docs/messages.md"
    made = HEAD + "".join(row + "\n" for row in rows(tools, source, work / "messages"))
    if "--update" in sys.argv:
        page.write_text(made)
        return 0
    different = list(difflib.unified_diff(page.read_text().splitlines(), made.splitlines(),
                                          "docs/messages.md", "what the tools say", n=0, lineterm=""))
    print("\n".join(different))
    return 1 if different else 0


sys.exit(main())
