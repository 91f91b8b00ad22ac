//===- EmuSnippet.h - runs a few lines of assembly on the emulator --------===//
//
// A snippet is the body of a kernel. Before it, input row k (one value per lane) is loaded into
// v[1 + k]; after it, v[100 + j] is stored as output row j for all 32 lanes, whatever the body did
// to EXEC. s[4:5] points to the outputs, s[6:7] to the inputs, v255 holds lane * 4; the body may
// use s10 to s99 and v20 to v250.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Emulator.h"
#include "Object/CodeObject.h"
#include "Support/Diagnostic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace rdna::test {

using Row = std::array<uint32_t, 32>;

inline uint32_t f32(float x) { return std::bit_cast<uint32_t>(x); }
/// Keeps f32 denormals; the assembler's default is to flush them, compilers always say keep.
inline const std::string keepDenormals = "\t.amdhsa_float_denorm_mode_32 3\n";
inline constexpr uint32_t quietNan = 0x7fc00000u;
inline constexpr uint32_t infinity = 0x7f800000u;

inline Row broadcast(uint32_t x) {
  Row r;
  r.fill(x);
  return r;
}
inline Row byLane(const std::function<uint32_t(uint32_t)> &f) {
  Row r;
  for (uint32_t l = 0; l < 32; ++l)
    r[l] = f(l);
  return r;
}

/// A kernel made of `text`, as a loader hands it to the emulator.
inline emu::KernelImage kernelImage(const std::string &text, const std::string &directives = "") {
  std::string source = "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n"
                       "\t.amdhsa_code_object_version 5\n\t.text\n\t.protected k\n\t.globl k\n"
                       "\t.p2align 8\n\t.type k,@function\nk:\n" +
                       text +
                       "\n\t.section .rodata,\"a\",@progbits\n\t.p2align 6\n\t.amdhsa_kernel k\n"
                       "\t.amdhsa_next_free_vgpr 256\n\t.amdhsa_next_free_sgpr 104\n"
                       "\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_kernarg_size 16\n" +
                       directives + "\t.end_amdhsa_kernel\n";
  auto object = object::loadCodeObjectBytes(source, "snippet.s");
  emu::KernelImage image;
  if (!object) {
    ADD_FAILURE() << llvm::toString(object.takeError()) << source;
    return image;
  }
  const object::Kernel &k = object->kernels.front();
  image.name = k.name;
  image.image = object->image;
  image.entryOffset = k.entryAddress;
  for (const auto &s : object->segments)
    if (s.kind == object::CodeObject::Segment::Kind::Code) {
      image.codeBegin = s.address;
      image.codeEnd = s.address + s.bytes;
    }
  image.rsrc1 = k.rsrc1;
  image.rsrc2 = k.rsrc2;
  image.rsrc3 = k.rsrc3;
  image.codeProperties = k.codeProperties;
  image.ldsBytes = k.ldsBytes;
  image.scratchBytes = k.scratchBytes;
  image.kernargBytes = k.kernargBytes;
  image.relativeRelocations = object->addressWords;
  return image;
}

struct Snippet {
  std::string body;
  std::vector<Row> inputs;
  unsigned outputs = 1;
  std::string directives = keepDenormals;
  unsigned lanes = 32;
  std::string afterEnd; ///< Text behind s_endpgm: functions to call.
  emu::Engine engine = emu::Engine::Auto;
  unsigned ownRows = 0; ///< Rows behind the outputs that the body stores itself.
};

struct SnippetResult {
  std::vector<Row> rows;
  emu::RunResult run;
  const Row &operator[](size_t n) const { return rows[n]; }
};

inline llvm::Expected<SnippetResult> tryRun(const Snippet &s) {
  std::string text = "\ts_load_b128 s[4:7], s[0:1], 0x0\n\tv_and_b32 v255, 31, v0\n"
                     "\tv_lshlrev_b32 v255, 2, v255\n\ts_waitcnt lgkmcnt(0)\n";
  for (size_t k = 0; k < s.inputs.size(); ++k)
    text += "\tglobal_load_b32 v" + std::to_string(1 + k) +
            ", v255, s[6:7] offset:" + std::to_string(128 * k) + "\n";
  text += "\ts_waitcnt vmcnt(0)\n" + s.body + "\n\ts_mov_b32 exec_lo, -1\n";
  for (unsigned j = 0; j < s.outputs; ++j)
    text += "\tglobal_store_b32 v255, v" + std::to_string(100 + j) +
            ", s[4:5] offset:" + std::to_string(128 * j) + "\n";
  text += "\ts_endpgm\n" + s.afterEnd;
  SnippetResult result;
  result.rows.resize(s.outputs + s.ownRows);
  auto program = emu::Program::create(kernelImage(text, s.directives));
  if (!program)
    return program.takeError();
  // One allocation with a gap behind each buffer: what is beyond one must not be in the other,
  // which two of the heap's own choice leave to chance.
  constexpr size_t gap = 32;
  const size_t inputsAt = result.rows.size() + gap;
  std::vector<Row> memory(inputsAt + s.inputs.size() + gap);
  const std::span<Row> out(memory.data(), result.rows.size());
  const std::span<Row> in(memory.data() + inputsAt, s.inputs.size());
  std::copy(s.inputs.begin(), s.inputs.end(), in.begin());
  uint64_t arguments[2] = {reinterpret_cast<uint64_t>(out.data()),
                           reinterpret_cast<uint64_t>(in.data())};
  emu::Launch launch;
  launch.block = {s.lanes, 1, 1};
  launch.kernarg = std::as_bytes(std::span(arguments));
  launch.instructionBudget = 1000000;
  launch.engine = s.engine;
  launch.regions.push_back({"out", std::as_writable_bytes(out).data(), out.size_bytes()});
  launch.regions.push_back({"in", std::as_writable_bytes(in).data(), in.size_bytes()});
  auto run = (*program)->run(launch);
  if (!run)
    return run.takeError();
  result.run = std::move(*run);
  std::copy(out.begin(), out.end(), result.rows.begin());
  return result;
}

inline SnippetResult run(const Snippet &s) {
  auto result = tryRun(s);
  if (result)
    return std::move(*result);
  ADD_FAILURE() << llvm::toString(result.takeError()) << "\n" << s.body;
  SnippetResult empty;
  empty.rows.resize(s.outputs + s.ownRows);
  return empty;
}

/// One case per lane: operands of v1, v2, ... and the expected v100.
struct LaneCase {
  std::vector<uint32_t> operands;
  uint32_t expected;
};

/// Runs `instruction` (with operands v1.. and result v100) over the cases, 32 at a time.
inline void expectLanes(const std::string &instruction, const std::vector<LaneCase> &cases,
                        const std::string &directives = keepDenormals) {
  for (size_t first = 0; first < cases.size(); first += 32) {
    Snippet s;
    s.body = "\t" + instruction;
    s.directives = directives;
    s.inputs.resize(cases[first].operands.size(), broadcast(0));
    size_t count = std::min<size_t>(32, cases.size() - first);
    for (size_t l = 0; l < count; ++l)
      for (size_t k = 0; k < s.inputs.size(); ++k)
        s.inputs[k][l] = cases[first + l].operands[k];
    SnippetResult r = run(s);
    for (size_t l = 0; l < count; ++l) {
      std::string operands;
      for (uint32_t x : cases[first + l].operands)
        operands += " 0x" + [](uint32_t v) {
          char text[16];
          snprintf(text, sizeof text, "%08x", v);
          return std::string(text);
        }(x);
      EXPECT_EQ(r[0][l], cases[first + l].expected) << instruction << ":" << operands;
    }
  }
}

/// What the emulator says of a snippet that it refuses to run to its end.
inline std::string errorOf(const Snippet &s) {
  auto result = tryRun(s);
  if (result)
    return "no error";
  std::string text;
  EXPECT_EQ(renderError(result.takeError(), "test", text), int(Failure::Refused));
  return text;
}

} // namespace rdna::test
