"""hsaco-loader unbundle and bundle: device code out of a program and another one in."""

import os

from build import HERE, PROGRAMS, TEMPLATES, Place, expect

place = Place()
project = f"{HERE}/project"


def clang(*words):
    place.run("rdna-clang++", "--rdna-no-rewrite", "-O3", *words)


def loader(*words, code=0):
    return place.run("hsaco-loader", *words, code=code)


clang("-c", f"{project}/main.hip", "-o", place.path("main.o"))
for name, more in (("sgemm", []), ("packed", ["--offload-compress"])):
    clang("-c", "-mcumode", f"-I{TEMPLATES}", *more, f"{project}/sgemm.hip", "-o",
          place.path(f"{name}.o"))
    clang(place.path("main.o"), place.path(f"{name}.o"), "-o", place.path(name), "-lamdhip64")
text, _ = loader("unbundle", place.path("sgemm"))
expect(text.splitlines()[0].endswith(": _Z4fillPfjj") and
       text.splitlines()[1].startswith("bundle 2: hipv4-amdgcn-amd-amdhsa--gfx1100, ") and
       text.splitlines()[1].endswith(": sgemm_kernel5"), text)
original, _ = place.run("rdna-run", place.path("sgemm"))

# Out and in again is the same file.
loader("unbundle", place.path("sgemm"), "-o", place.path("code"), "--target", "gfx1100")
loader("bundle", place.path("sgemm"), place.path("code/sgemm-2-gfx1100.hsaco"), "-o",
       place.path("again"))
with open(place.path("sgemm"), "rb") as one, open(place.path("again"), "rb") as other:
    expect(one.read() == other.read(), "the same bytes")
expect(os.access(place.path("again"), os.X_OK), "a program stays one")

# Kernel 5 as it comes off the ladder: longer, so it goes into the object, and not into the program.
clang("--offload-device-only", "-S", "-mcumode", f"-I{TEMPLATES}", f"{project}/sgemm.hip", "-o",
      place.path("k5.s"))
place.run("dualfmac-sched", "rewrite", "--quiet", place.path("k5.s"), "-o", place.path("fast.s"))
_, said = loader("bundle", place.path("sgemm"), place.path("fast.s"), "-o", place.path("no"),
                 code=2)
expect("nothing of a linked file can move" in said and "bytes and the file room for" in said, said)
expect(not os.path.exists(place.path("no")), "nothing is written")
for name in ("sgemm", "packed"):
    fast = place.path(f"{name}-fast")
    loader("bundle", place.path(f"{name}.o"), place.path("fast.s"), "-o", f"{fast}.o")
    clang(place.path("main.o"), f"{fast}.o", "-o", fast, "-lamdhip64")
    output, _ = place.run("rdna-run", fast)
    expect(output == original, f"{name}: the same bits")
    text, _ = loader("unbundle", fast)
    expect(("(compressed)" in text) == (name == "packed"), text)
    before, after = (int(loader("unbundle", path)[0].splitlines()[-1].split(", ")[1].split()[0])
                     for path in (place.path(name), fast))
    expect(after > before, "it is the longer code")

# What is as long fits into the program.
loader("bundle", place.path("packed"), place.path("k5.s"), "-o", place.path("in-place"))
output, _ = place.run("rdna-run", place.path("in-place"))
expect(output == original, "in place")

# Wrong files, and wrong requests.
for words, code, reason in (
        (["unbundle", "/bin/true"], 1, "no device code"),
        (["unbundle", place.path("code/sgemm-1-gfx1100.hsaco")], 1, "this is device code already"),
        (["unbundle", f"{project}/sgemm.hip"], 1, "neither an ELF file nor a bundle"),
        (["unbundle", place.path("sgemm"), "--target", "gfx90a"], 1, "no device code for gfx90a"),
        (["bundle", place.path("main.o"), place.path("k5.s"), "-o", place.path("no")], 2,
         "no kernel _Z4fillPfjj")):
    _, said = loader(*words, code=code)
    expect(reason in said, f"{words}: {said}")
