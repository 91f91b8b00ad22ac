"""Where nothing is rewritten, code, descriptors and metadata are what the compiler alone makes."""

import shutil

from build import PROGRAMS, Place, expect, same_code

place = Place()
count = 0
for version in ("19", "22"):
    if not shutil.which(f"clang++-{version}"):
        continue
    for program, flags in (("vector_add", ["-O2"]), ("printf_kernel", ["-O1", "-g"]),
                           ("symbols", ["-O3"])):
        if version == "22" or program == "vector_add":
            objects = []
            for ours in ("--rdna-kernels=^none$", "--rdna-no-rewrite"):
                place.run("rdna-clang++", f"--rdna-clang={version}", ours, *flags, "-std=c++17",
                          "-Wno-unused-result", "--offload-device-only", "--no-gpu-bundle-output",
                          f"{PROGRAMS}/{program}.hip", "-o", place.path("code"))
                with open(place.path("code"), "rb") as code:
                    objects.append(code.read())
            same_code(*objects, f"{program} of clang {version} {flags}")
            count += 1
expect(count >= 3, "enough was compared")
