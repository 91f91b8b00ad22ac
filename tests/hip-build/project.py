"""A CMake project of two kernels and a library, as CMake 3.25 builds it with rdna-clang++."""

import json

from build import HERE, TEMPLATES, Place, expect, same_code

place = Place()


def build(folder, *flags):
    place.run("cmake", "-S", f"{HERE}/project", "-B", place.path(folder), "-G", "Ninja",
              f"-DCMAKE_HIP_COMPILER={place.tool('rdna-clang++')}", "-DCMAKE_BUILD_TYPE=Release",
              f"-DRDNA_TEMPLATES={TEMPLATES}", f"-DCMAKE_HIP_FLAGS={' '.join(flags)}")
    place.run("cmake", "--build", place.path(folder))
    output, said = place.run("rdna-run", place.path(f"{folder}/gemm"))
    expect(said == "", f"the program is silent: {said}")
    return output, place.code_objects(place.path(f"{folder}/gemm"), f"{folder}-code")


# The loop stays a loop if it is not unrolled, so that it can be counted.
report = place.path("report")
rewritten, code = build("rewritten", "--rdna-kernels=kernel5", "--rdna-passes=vgpr-remap",
                        f"--rdna-report={report}")
clangs, clangs_code = build("clangs", "--rdna-no-rewrite")

expect(rewritten == clangs, f"the same bits: {clangs} {rewritten}")
expect("bits " in clangs, "the program prints its bits")
expect(sorted(code) == ["gemm-1-gfx1100.hsaco", "gemm-2-gfx1100.hsaco"], f"two bundles: {code}")
same_code(code["gemm-1-gfx1100.hsaco"], clangs_code["gemm-1-gfx1100.hsaco"], "fill")
expect(code["gemm-2-gfx1100.hsaco"] != clangs_code["gemm-2-gfx1100.hsaco"],
       "kernel 5 is another one")
# CMake compiles from another folder, so the source's own path tells it from others of its name.
report += f"{HERE}/project"
with open(f"{report}/sgemm-gfx1100.json", encoding="utf-8") as file:
    steps = json.load(file)["steps"]
loops = [step["after"] for step in steps if step.get("after", {}).get("header")]
expect([(loop["dual_fmac"], loop["single_fmac"], loop["source_bank_conflicts"])
        for loop in loops] == [(64, 0, 0)], f"64 dual FMACs without a conflict: {loops}")
text, _ = place.run("isa-parse", f"{report}/sgemm-gfx1100.rewritten.s", "--json")
counted = [loop for kernel in json.loads(text)["kernels"] for loop in kernel["loops"]
           if loop["dual_fmac"] == 64 and loop["source_bank_conflicts"] == 0]
expect(len(counted) >= 1, "and so counts isa-parse")
