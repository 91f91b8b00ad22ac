"""CXX=rdna-clang++ in a Makefile."""

from build import HERE, TEMPLATES, Place, expect

place = Place()


def build(flags):
    place.run("make", "-B", "-f", f"{HERE}/project/Makefile", f"SOURCE={HERE}/project",
              f"TEMPLATES={TEMPLATES}", f"CXX={place.tool('rdna-clang++')}",
              f"CXXFLAGS=-O3 {flags}")
    output, _ = place.run("rdna-run", place.path("gemm"))
    return output


rewritten = build("--rdna-quiet")
expect(rewritten == build("--rdna-no-rewrite") and "bits" in rewritten, "the same bits")
