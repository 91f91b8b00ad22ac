"""Of several targets those of other families go through untouched."""

from build import HERE, TEMPLATES, Place, expect, same_code, section

place = Place()
kernel = ["-O3", "-mcumode", f"-I{TEMPLATES}", "-c", f"{HERE}/project/sgemm.hip"]
objects = {}
for name, ours in (("ours", "--rdna-passes=vgpr-remap"), ("clangs", "--rdna-no-rewrite")):
    # The compiler's id of the unit is made of the command line if it is not given.
    _, said = place.run("rdna-clang++", ours, "-cuid=it", "--offload-arch=gfx1030,gfx1100",
                        *kernel, "-o", place.path("it.o"))
    expect("gfx1030" not in said, f"nobody tries gfx1030: {said}")
    objects[name] = place.code_objects(place.path("it.o"), name)
expect(sorted(objects["ours"]) == ["it-gfx1030.hsaco", "it-gfx1100.hsaco"], "both are there")
expect(objects["ours"]["it-gfx1030.hsaco"] == objects["clangs"]["it-gfx1030.hsaco"],
       "gfx1030 is the compiler's, byte for byte")
expect(section(objects["ours"]["it-gfx1100.hsaco"], ".text")
       != section(objects["clangs"]["it-gfx1100.hsaco"], ".text"), "gfx1100 is rewritten")

# A sibling is rewritten, and keeps its name; a compressed bundle is still one.
_, said = place.run("rdna-clang++", "--rdna-passes=vgpr-remap", "--rdna-score",
                    "--offload-arch=gfx1101", "--offload-compress", *kernel, "-o",
                    place.path("sibling.o"))
text, _ = place.run("hsaco-loader", "unbundle", place.path("sibling.o"))
expect("dual FMAC 62 -> 64" in said, said)
expect("(compressed): hipv4-amdgcn-amd-amdhsa--gfx1101" in text, text)
