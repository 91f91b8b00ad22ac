"""--rdna-verify: the binary has both kernels, and rdna-run compares what they leave in memory."""

import json
import re

from build import HERE, TEMPLATES, Place, expect

place = Place()
project = f"{HERE}/project"
kernel = ["-O3", "-mcumode", f"-I{TEMPLATES}"]


def built(name, *flags):
    place.run("rdna-clang++", "--rdna-verify", "--rdna-quiet", "--rdna-passes=vgpr-remap", *flags,
              *kernel, f"{project}/main.hip", f"{project}/sgemm.hip", "-o", place.path(name))
    text, _ = place.run("hsaco-loader", "unbundle", place.path(name))
    ids = re.findall(r": ([a-z0-9-]+), ", text)
    expect(ids == ["hipv4-amdgcn-amd-amdhsa--gfx1100", "hipv4-amdgcn-amd-amdhsa--gfx1100",
                   "rdna-original-amdgcn-amd-amdhsa--gfx1100"], f"only kernel 5 is there twice: {text}")
    return place.path(name)


for program in (built("plain"), built("packed", "--offload-compress")):
    output, said = place.run("rdna-run", program)
    expect("1 compared with the original: 0 findings" in said, said)
    expect("bits" in output, output)

# A kernel that is wrong: one operation is another.
place.run("rdna-clang++", *kernel, "--offload-device-only", "-S", f"{project}/sgemm.hip", "-o",
          place.path("k5.s"))
with open(place.path("k5.s"), encoding="utf-8") as file:
    text = file.read()
with open(place.path("wrong.s"), "w", encoding="utf-8") as file:
    file.write(text.replace("v_dual_mul_f32", "v_dual_add_f32", 1))
place.run("hsaco-loader", "bundle", place.path("plain"), place.path("wrong.s"), "-o",
          place.path("wrong"))
_, said = place.run("rdna-run", "--error-exitcode=9", f"--json={place.path('report.json')}",
                    place.path("wrong"), code=9)
expect("rewrite-differs: the rewritten kernel leaves 0x" in said, said)
expect("of allocation 4 (hipMalloc, 262144 bytes), the original 0x" in said, said)
expect("in kernel sgemm_kernel5" in said and "launched by sgemm(" in said, said)
with open(place.path("report.json"), encoding="utf-8") as file:
    report = json.load(file)
expect(report["compared_launches"] == 1, "it is counted")
expect([finding["rule"] for finding in report["findings"]] == ["rewrite-differs"], "one finding")
expect(report["findings"][0]["count"] > 100, "and how many dwords differ")
