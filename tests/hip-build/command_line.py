"""Command lines of clang's and hipcc's, and what is refused."""

import os

from build import HERE, PROGRAMS, TEMPLATES, Place, expect

place = Place()
project = f"{HERE}/project"
kernel = [f"{project}/sgemm.hip", f"-I{TEMPLATES}", "-mcumode"]


def clang(*words, code=0):
    return place.run("rdna-clang++", *words, code=code)


# Several inputs, compiled and linked at once, and a response file with our options in it.
with open(place.path("words"), "w", encoding="utf-8") as file:
    file.write(f'-O3 --rdna-score "{project}/main.hip"\n--rdna-passes=vgpr-remap')
_, said = clang("@words", *kernel, "-o", place.path("gemm"))
expect("dual FMAC 62 -> 64" in said, f"the steps are told: {said}")
output, _ = place.run("rdna-run", place.path("gemm"))
expect("bits" in output, "it runs")

# With -g remarks are at the lines of the source.
one = ["-O3", "--offload-device-only", "-c", "--rdna-passes=sgpr-base"]
_, said = clang(*one, "-g", *kernel, "-o", place.path("g.o"))
expect("kernel5.hip:" in said and ": remark: " in said, f"source lines: {said}")
expect("--rdna-assume=no-index-wrap" in said and "(--assume" not in said, "our options' names")
_, quiet = clang(*one, "--rdna-quiet", *kernel, "-o", place.path("g.o"))
expect(quiet == "", f"silence: {quiet}")
_, said = clang(*one, "--rdna-assume=no-index-wrap", "--rdna-score", *kernel, "-o",
                place.path("g.o"))
expect("assuming no-index-wrap" in said, said)
_, said = clang(*one, "--rdna-without=sgpr-base", "--rdna-score", *kernel, "-o", place.path("g.o"))
expect("assuming" not in said and "proven" not in said, said)

# Sources of one name in several folders have reports of their own.
for folder, value in (("first", 1), ("second", 2)):
    os.makedirs(place.path(folder))
    with open(place.path(f"{folder}/same.hip"), "w", encoding="utf-8") as file:
        file.write("#include <hip/hip_runtime.h>\n"
                   f"__global__ void k{value}(int *p) {{ *p = {value}; }}\n")
    clang("-O3", "-c", f"{folder}/same.hip", "--rdna-report=report", "-o", place.path("same.o"))
for folder, value in (("first", 1), ("second", 2)):
    with open(place.path(f"report/{folder}/same-gfx1100.s"), encoding="utf-8") as file:
        expect(f"_Z2k{value}Pi:" in file.read(), f"the report of {folder}/same.hip")

# What is none of our business is clang's.
text, _ = clang("--version")
expect("clang version 22" in text, text)
_, said = clang("-c", "nothing.hip", code=1)
expect(said.count("no such file") == 1, f"clang's own error, once: {said}")
text, _ = clang("-E", *kernel)
expect("sgemm_kernel5" in text, "-E")
clang("--offload-device-only", "-S", "-O3", *kernel, "-o", place.path("k.s"))
with open(place.path("k.s"), encoding="utf-8") as file:
    expect(".amdhsa_kernel sgemm_kernel5" in file.read(), "-S of the device")
with open(place.path("bad.hip"), "w", encoding="utf-8") as file:
    file.write("#include <hip/hip_runtime.h>\n__global__ void f() { nobody(); }\nint main() {}\n")
_, said = clang("bad.hip", "-o", place.path("bad"), code=1)
expect("bad.hip:2:23: error: use of undeclared identifier 'nobody'" in said, said)
expect(not os.path.exists(place.path("bad")), "no output")
# Warnings come as often as clang alone says them, also where a step is run twice.
with open(place.path("warns.hip"), "w", encoding="utf-8") as file:
    file.write("#include <hip/hip_runtime.h>\n"
               "__global__ void f(int *p) { int unused; *p = 1; }\n")
warns = ["--offload-device-only", "-Wall", "-c", "warns.hip", "-o", place.path("warns.o")]
for ours in ("--rdna-quiet", "--rdna-verify"):
    _, said = clang(ours, *warns)
    _, alone = clang("--rdna-no-rewrite", *warns)
    expect(said.count("unused variable") == alone.count("unused variable") > 0, said)
with open(place.path("host.cpp"), "w", encoding="utf-8") as file:
    file.write("int main() { return 7; }\n")
_, said = clang("host.cpp", "-Wall", "-Werror", "-o", place.path("host"))
expect(said == "", f"C++ alone: {said}")
place.run(place.path("host"), code=7)

# Refused, each with a reason.
for words, reason in (
        (["-fgpu-rdc", "-c", *kernel], "-fgpu-rdc: device code then is no code before"),
        (["--offload-new-driver", "-c", *kernel], "--offload-new-driver: its steps"),
        (["--rdna-passes=vgpr-remap,sorcery", "-c", *kernel], "no pass is called 'sorcery'; there"),
        (["--rdna-passes=unroll=x", "-c", *kernel], "unroll: 'x' is neither full nor a number from 2 to 1024"),
        (["--rdna-assume=luck", "-c", *kernel], "'luck' cannot be assumed"),
        (["--rdna-kernels=(", "-c", *kernel], "--rdna-kernels=(: "),
        (["--rdna-wonder", "-c", *kernel], "--rdna-wonder")):
    _, said = clang(*words, code=1)
    expect(reason in said, f"{words}: {said}")
_, said = clang("--rdna-clang=/no/clang++", "-c", *kernel, code=3)
expect("/no/clang++" in said, said)
text, _ = clang("--rdna-help")
expect("--rdna-passes" in text and "--color" not in text, text)
os.mkdir(place.path("temporary"))
for words in (["-c", "warns.hip"], ["bad.hip"]):
    place.run("rdna-clang++", "--rdna-verify", *words, "-o", place.path("warns.o"),
              code=1 if words == ["bad.hip"] else 0, environment={"TMPDIR": place.path("temporary")})
expect(os.listdir(place.path("temporary")) == [], "nothing is left behind")
