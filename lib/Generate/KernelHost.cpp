// C++ headers that launch generated kernels over HIP modules. They need HIP's header and nothing of
// this project: what they have in common is lib/Generate/host, here is what differs.
#include "Generate/KernelText.h"

#include "Generate/KernelCode.h"
#include "HostText.h"

#include <fmt/format.h>

namespace rdna::generate {

static std::string opening(const std::string &space, std::string_view comment) {
  return fmt::format("{}#pragma once\n\n#include <hip/hip_runtime_api.h>\n\n#include <cmath>\n"
                     "#include <cstddef>\n#include <cstdint>\n\nnamespace {} {{\n\n{}\n",
                     comment, space, launchPart);
}

/// A row of the table, in the order of the members of `Kernel`.
static std::string rowOf(const KernelShape &shape) {
  const KernelSpec &s = shape.spec;
  return fmt::format("{{\"{}\", {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}}", shape.name,
                     shape.isSplit() ? fmt::format("\"{}\"", sumName(shape)) : "nullptr",
                     s.blockRows, s.blockColumns, s.bk, shape.threads(), s.swizzle, s.splitK,
                     s.order == Order::Row, s.a == Transpose::Yes, s.b == Transpose::Yes,
                     s.batches == Batches::Strided, s.edges == Edges::Exact);
}

std::string headerOf(const KernelShape &shape) {
  return opening(shape.name, fmt::format("// Launches {0}, an SGEMM for {1}, over HIP modules:\n"
                                         "//   {0}::Sgemm sgemm;\n"
                                         "//   sgemm.load(image);\n"
                                         "//   sgemm(arguments, stream);\n",
                                         shape.name, toString(shape.spec.processor))) +
         fmt::format("inline constexpr Kernel kernel = {};\n\n{}\n}} // namespace {}\n",
                     rowOf(shape), singlePart, shape.name);
}

std::string headerOf(const std::string &library, const std::vector<KernelShape> &kernels,
                     const std::vector<LibraryChoice> &choices) {
  std::string text = opening(
      library, fmt::format("// SGEMM by {0} kernel{1} for {2}, over HIP modules:\n"
                           "//   {3}::Handle handle;\n"
                           "//   handle.load(image); // {3}.hsaco, in memory\n"
                           "//   {3}::sgemm(handle, transa, transb, m, n, k, alpha, a, lda, b, "
                           "ldb, beta, c, ldc, stream);\n",
                           kernels.size(), kernels.size() == 1 ? "" : "s",
                           toString(kernels.front().spec.processor), library));
  text += fmt::format("inline constexpr size_t kernelCount = {};\n"
                      "inline constexpr Kernel kernels[kernelCount] = {{\n",
                      kernels.size());
  for (const KernelShape &shape : kernels)
    text += fmt::format("    {},\n", rowOf(shape));
  text += "};\n\n/// The size that a kernel was chosen for; its number.\n"
          "struct Choice {\n  uint32_t m, n, k, kernel;\n};\n"
          "inline constexpr Choice choices[] = {\n";
  for (const LibraryChoice &choice : choices)
    text += fmt::format("    {{{}, {}, {}, {}}},\n", choice.m, choice.n, choice.k, choice.kernel);
  return text + fmt::format("}};\n\n{}\n}} // namespace {}\n", libraryPart, library);
}

} // namespace rdna::generate
