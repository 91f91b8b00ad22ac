#include "Generate/KernelText.h"

#include "Generate/KernelCode.h"
#include "Generate/KernelWriter.h"

#include <fmt/format.h>

namespace rdna::generate {

static const char *letterOf(Transpose transpose) { return transpose == Transpose::No ? "n" : "t"; }

unsigned argumentBytes(const KernelSpec &spec) {
  return spec.batches == Batches::Strided ? 80 : spec.splitK > 1 ? 64 : 56;
}

static void describe(Listing &out, const KernelShape &shape) {
  const KernelSpec &s = shape.spec;
  out.raw(fmt::format(
      "; {}: C = alpha * op(A) * op(B) + beta * C, f32, {}-major, op: {}{}\n"
      "; A block of {}x{} by {} work-items in steps of {}, {}x{} for each; {} set{} of elements,\n"
      "; {} stage{} of LDS. Arguments: A, B, C, M, N, K, lda, ldb, ldc (i32), alpha, beta "
      "(f32){}.\n"
      "; {}\n"
      "; What lies within one block's lines of a matrix must be below 2 GiB; else it traps.\n",
      shape.name, s.order == Order::Row ? "row" : "column", letterOf(s.a), letterOf(s.b),
      s.blockRows, s.blockColumns, shape.threads(), s.bk, s.threadRows, s.threadColumns,
      shape.tile().fragments, shape.tile().fragments == 1 ? "" : "s", s.stages,
      s.stages == 1 ? "" : "s",
      s.batches == Batches::Strided ? ", strides of A, B, C (i64, in elements)"
      : s.splitK > 1                ? ", a workspace"
                                    : "",
      s.edges == Edges::Guarded ? "Any M, N and K."
                                : fmt::format("M, N and K must be multiples of {}, {} and {}.",
                                              s.blockRows, s.blockColumns, s.bk)));
  if (shape.isSplit())
    out.raw(fmt::format(
        "; K in {0} parts, in the grid's z; their sums go to the workspace of {0} * M "
        "* N elements. Behind it\n; {1} (same arguments, {2} work-items for {2} "
        "{3} of C along x, {4} along y) adds them, in their\n; order.\n",
        s.splitK, sumName(shape), kSumThreads, s.order == Order::Row ? "columns" : "rows",
        s.order == Order::Row ? "rows" : "columns"));
}

/// What the descriptor and the metadata of a kernel say.
struct KernelFacts {
  KernelSpec spec;
  std::string name;
  unsigned vgprs, ldsBytes, threads;
};

static void writeCode(Listing &out, const std::string &name, const Listing &code) {
  out.raw(fmt::format("\n\t.text\n\t.protected {0}\n\t.globl {0}\n\t.p2align 8\n"
                      "\t.type {0},@function\n{0}:\n",
                      name));
  out.raw(code.text());
  out.raw(fmt::format(".L{0}_end:\n\t.size {0}, .L{0}_end-{0}\n", name));
}

static void writeDescriptor(Listing &out, const KernelFacts &kernel) {
  out.raw(fmt::format("\n\t.section .rodata,\"a\",@progbits\n\t.p2align 6\n\t.amdhsa_kernel {}\n",
                      kernel.name));
  const auto field = [&](const char *what, unsigned value) {
    out.raw(fmt::format("\t\t.amdhsa_{} {}\n", what, value));
  };
  field("group_segment_fixed_size", kernel.ldsBytes);
  field("private_segment_fixed_size", 0);
  field("kernarg_size", argumentBytes(kernel.spec));
  // Ids are in s13 to s15: gfx1100 wants 16 SGPRs to be set at a launch.
  field("user_sgpr_count", 13);
  field("user_sgpr_kernarg_segment_ptr", 1);
  field("system_sgpr_workgroup_id_x", 1);
  field("system_sgpr_workgroup_id_y", 1);
  field("system_sgpr_workgroup_id_z", 1);
  field("system_vgpr_workitem_id", 0);
  field("next_free_vgpr", kernel.vgprs);
  field("next_free_sgpr", Scalars::kEnd);
  field("float_denorm_mode_32", 3);
  field("wavefront_size32", 1);
  field("workgroup_processor_mode", 0);
  out.raw("\t.end_amdhsa_kernel\n");
}

static void writeMetadata(Listing &out, const KernelFacts &kernel) {
  const KernelSpec &spec = kernel.spec;
  // Tagged: a name like nan would be a number.
  out.raw(fmt::format(
      "  - .name: !str {0}\n    .symbol: !str {0}.kd\n    .kernarg_segment_size: {1}\n"
      "    .kernarg_segment_align: 8\n    .group_segment_fixed_size: {2}\n"
      "    .private_segment_fixed_size: 0\n    .wavefront_size: 32\n    .sgpr_count: {3}\n"
      "    .vgpr_count: {4}\n    .max_flat_workgroup_size: {5}\n"
      "    .reqd_workgroup_size: [{5}, 1, 1]\n    .args:\n",
      kernel.name, argumentBytes(spec), kernel.ldsBytes, Scalars::kEnd, kernel.vgprs,
      kernel.threads));
  unsigned offset = 0;
  enum class Kind { Pointer, Value };
  const auto argument = [&](const char *what, unsigned size, Kind kind) {
    out.raw(fmt::format(
        "      - {{.name: {}, .size: {}, .offset: {}, .value_kind: {}}}\n", what, size, offset,
        kind == Kind::Pointer ? "global_buffer, .address_space: global" : "by_value"));
    offset += size;
  };
  for (const char *pointer : {"A", "B", "C"})
    argument(pointer, 8, Kind::Pointer);
  for (const char *number : {"M", "N", "K", "lda", "ldb", "ldc", "alpha", "beta"})
    argument(number, 4, Kind::Value);
  if (spec.batches == Batches::Strided)
    for (const char *stride : {"strideA", "strideB", "strideC"})
      argument(stride, 8, Kind::Value);
  if (spec.splitK > 1)
    argument("workspace", 8, Kind::Pointer);
}

namespace {
/// A kernel's code, and that of the one that adds the parts of a split K.
struct WrittenKernel {
  KernelShape shape;
  KernelCode code;
  std::optional<KernelCode> sum;
};
} // namespace

static llvm::Expected<WrittenKernel> writeChecked(const KernelSpec &spec) {
  auto shape = shapeOf(spec);
  if (!shape)
    return shape.takeError();
  auto code = writeKernel(*shape);
  if (!code)
    return code.takeError();
  // Most instructions have 8 bytes; a branch reaches 128 KiB.
  constexpr unsigned reach = 128 * 1024;
  if (code->code.instructions() * 8 > reach)
    return makeError(Failure::BadInput, "",
                     fmt::format("--bk {}: the code has {} instructions, branches reach over {}",
                                 spec.bk, code->code.instructions(), reach / 8));
  if (occupancy(shape->occupancyWith(code->vgprs)).wavesPerSimd == 0)
    return makeError(Failure::BadInput, "",
                     fmt::format("--block-tile {}x{}: its {} waves with {} VGPRs are more than two "
                                 "SIMDs of {} hold",
                                 spec.blockRows, spec.blockColumns, shape->waves(), code->vgprs,
                                 toString(spec.processor)));
  WrittenKernel written{std::move(*shape), std::move(*code), std::nullopt};
  if (written.shape.isSplit()) {
    KernelShape sum = written.shape;
    sum.name = sumName(written.shape);
    written.sum = writeSum(sum);
  }
  return written;
}

bool canGenerate(const KernelSpec &spec) {
  auto written = writeChecked(spec);
  if (written)
    return true;
  llvm::consumeError(written.takeError());
  return false;
}

/// One file of all of them.
static std::string fileOf(const std::vector<WrittenKernel> &written) {
  Listing out;
  for (const WrittenKernel &kernel : written)
    describe(out, kernel.shape);
  out.raw(fmt::format("\t.amdgcn_target \"amdgcn-amd-amdhsa--{}\"\n"
                      "\t.amdhsa_code_object_version 5\n",
                      toString(written.front().shape.spec.processor)));
  std::vector<KernelFacts> facts;
  const auto add = [&](const KernelShape &shape, const std::string &name, const KernelCode &code,
                       unsigned ldsBytes, unsigned threads) {
    writeCode(out, name, code.code);
    facts.push_back({shape.spec, name, code.vgprs, ldsBytes, threads});
  };
  for (const auto &[shape, code, sum] : written) {
    add(shape, shape.name, code, shape.ldsBytes(), shape.threads());
    if (sum)
      add(shape, sumName(shape), *sum, 0, kSumThreads);
  }
  for (const KernelFacts &kernel : facts)
    writeDescriptor(out, kernel);
  out.raw("\n\t.amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n");
  for (const KernelFacts &kernel : facts)
    writeMetadata(out, kernel);
  out.raw("...\n\t.end_amdgpu_metadata\n");
  return out.text();
}

llvm::Expected<KernelText> generateKernel(const KernelSpec &spec) {
  auto written = writeChecked(spec);
  if (!written)
    return written.takeError();
  const KernelShape shape = written->shape;
  KernelText result;
  result.name = shape.name;
  result.vgprs = written->code.vgprs;
  result.ldsBytes = shape.ldsBytes();
  std::vector<WrittenKernel> all;
  all.push_back(std::move(*written));
  auto finished = finishKernel(fileOf(all), result.name, spec.hints);
  if (!finished)
    return finished.takeError();
  result.text = std::move(*finished);
  result.launch = launchOf(shape, Part::Product);
  if (shape.isSplit())
    result.sumLaunch = launchOf(shape, Part::Sum);
  result.header = headerOf(shape);
  return result;
}

llvm::Expected<LibraryText> generateLibrary(const std::string &name,
                                            const std::vector<KernelSpec> &specs,
                                            const std::vector<LibraryChoice> &choices) {
  std::vector<WrittenKernel> all;
  std::vector<KernelShape> shapes;
  LibraryText result;
  for (const KernelSpec &spec : specs) {
    auto written = writeChecked(spec);
    if (!written)
      return written.takeError();
    shapes.push_back(written->shape);
    result.names.push_back(written->shape.name);
    all.push_back(std::move(*written));
  }
  // Hints are set for the whole text, so they are where one kernel wants them.
  const bool isHinted =
      llvm::any_of(specs, [](const KernelSpec &spec) { return spec.hints == Hints::All; });
  auto finished = finishKernel(fileOf(all), name, isHinted ? Hints::All : Hints::None);
  if (!finished)
    return finished.takeError();
  result.text = std::move(*finished);
  result.header = headerOf(name, shapes, choices);
  return result;
}

} // namespace rdna::generate
