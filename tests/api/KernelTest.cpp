//===- KernelTest.cpp - kernels, launches and reports of librdna3emu.so ---===//
#include "Snippet.h"

#include "rdna3emu.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

using namespace rdna::test;

namespace {

std::string lastError() { return rdna3emu_last_error(); }
bool mentions(const std::string &words) { return lastError().find(words) != std::string::npos; }

struct Free {
  void operator()(rdna3emu_kernel *k) const { rdna3emu_kernel_free(k); }
  void operator()(rdna3emu_report *r) const { rdna3emu_report_free(r); }
};
using Kernel = std::unique_ptr<rdna3emu_kernel, Free>;

/// Work-item i of workgroup g stores 2 * in[i + 32 g]; the ids follow two user SGPRs.
const char *const doubling = "\ts_load_b128 s[4:7], s[0:1], 0x0\n\tv_and_b32 v0, 0x3ff, v0\n"
                             "\ts_lshl_b32 s8, s2, 5\n\tv_add_nc_u32 v0, s8, v0\n"
                             "\tv_lshlrev_b32 v0, 2, v0\n\ts_waitcnt lgkmcnt(0)\n"
                             "\tglobal_load_b32 v1, v0, s[4:5]\n\ts_waitcnt vmcnt(0)\n"
                             "\tv_add_nc_u32 v1, v1, v1\n\tglobal_store_b32 v0, v1, s[6:7]\n"
                             "\ts_endpgm\n";

constexpr uint32_t twoUserSgprsAndX = 2 << 1 | 1 << 7;

Kernel fromCode(const std::string &text, uint32_t rsrc2 = twoUserSgprsAndX) {
  const auto words = machineCode(text);
  rdna3emu_code code = RDNA3EMU_CODE_INIT;
  code.code = words.data();
  code.code_bytes = words.size() * 4;
  code.rsrc2 = rsrc2;
  rdna3emu_kernel *kernel = nullptr;
  EXPECT_EQ(rdna3emu_kernel_from_code(&code, &kernel), 0) << lastError();
  return Kernel(kernel);
}

struct Doubling {
  std::vector<uint32_t> in, out;
  const void *kernarg[2];
  rdna3emu_region regions[2];
  rdna3emu_launch launch = RDNA3EMU_LAUNCH_INIT;

  Doubling(const Doubling &) = delete; // `launch` points into its own object
  Doubling &operator=(const Doubling &) = delete;
  explicit Doubling(uint32_t groups) : in(32 * groups), out(32 * groups) {
    for (uint32_t i = 0; i < in.size(); ++i)
      in[i] = i;
    kernarg[0] = in.data();
    kernarg[1] = out.data();
    regions[0] = {"in", in.data(), in.size() * 4, RDNA3EMU_READ_ONLY, 0};
    regions[1] = {"out", out.data(), out.size() * 4, RDNA3EMU_READ_WRITE, 0};
    launch.grid[0] = groups;
    launch.block[0] = 32;
    launch.kernarg = kernarg;
    launch.kernarg_bytes = sizeof kernarg;
    launch.regions = regions;
    launch.region_count = 2;
  }
};

TEST(ApiKernel, RunsRawCodeInItsRegions) {
  const Kernel kernel = fromCode(doubling);
  for (int32_t engine : {RDNA3EMU_ENGINE_AUTO, RDNA3EMU_ENGINE_INTERPRETER, RDNA3EMU_ENGINE_JIT}) {
    Doubling d(100);
    uint64_t last = 0;
    d.launch.engine = engine;
    d.launch.user = &last;
    d.launch.progress = [](void *user, uint64_t done, uint64_t) {
      *static_cast<uint64_t *>(user) = done;
    };
    rdna3emu_report *report = nullptr;
    ASSERT_EQ(rdna3emu_run(kernel.get(), &d.launch, &report), 0) << lastError();
    const std::unique_ptr<rdna3emu_report, Free> owner(report);
    for (uint32_t i = 0; i < d.out.size(); ++i)
      ASSERT_EQ(d.out[i], 2 * i);
    EXPECT_EQ(last, 100u);
    const auto json = nlohmann::json::parse(rdna3emu_report_json(report));
    EXPECT_EQ(json["schema"], "rdna3emu/1");
    EXPECT_EQ(json["workgroups"], 100);
    EXPECT_EQ(json["instructions"], 1100);
    EXPECT_TRUE(json["out_of_bounds"].empty());
  }
}

TEST(ApiKernel, ReportsAccessesOutsideTheRegions) {
  const Kernel kernel = fromCode(doubling);
  Doubling d(2);
  d.regions[0].bytes -= 4;
  d.regions[1].access = RDNA3EMU_READ_ONLY;
  rdna3emu_report *report = nullptr;
  ASSERT_EQ(rdna3emu_run(kernel.get(), &d.launch, &report), RDNA3EMU_FINDINGS) << lastError();
  const std::unique_ptr<rdna3emu_report, Free> owner(report);
  const auto json = nlohmann::json::parse(rdna3emu_report_json(report));
  ASSERT_EQ(json["out_of_bounds"].size(), 2u);
  EXPECT_EQ(json["out_of_bounds"][0]["kind"], "read");
  EXPECT_EQ(json["out_of_bounds"][0]["nearest"], "0 bytes past the end of in");
  EXPECT_EQ(json["out_of_bounds"][1]["kind"], "write");
  EXPECT_EQ(json["out_of_bounds"][1]["lanes"], 64);
  EXPECT_EQ(d.out, std::vector<uint32_t>(64)); // Nothing was written.
  // Unchecked, the same launch is all right.
  d.launch.memory = RDNA3EMU_MEMORY_HOST;
  EXPECT_EQ(rdna3emu_run(kernel.get(), &d.launch, nullptr), 0) << lastError();
  EXPECT_EQ(d.out[63], 126u);
}

TEST(ApiKernel, RunsChecks) {
  // The wait for the load is missing.
  std::string text = doubling;
  text.erase(text.find("\ts_waitcnt vmcnt(0)\n"), 20);
  const Kernel kernel = fromCode(text);
  Doubling d(1);
  EXPECT_EQ(rdna3emu_run(kernel.get(), &d.launch, nullptr), 0) << lastError();
  d.launch.checks = "waits";
  rdna3emu_report *report = nullptr;
  ASSERT_EQ(rdna3emu_run(kernel.get(), &d.launch, &report), RDNA3EMU_FINDINGS) << lastError();
  const std::unique_ptr<rdna3emu_report, Free> owner(report);
  const auto json = nlohmann::json::parse(rdna3emu_report_json(report));
  ASSERT_FALSE(json["findings"].empty());
  EXPECT_EQ(json["findings"][0]["check"], "waits");
  EXPECT_EQ(json["findings"][0]["instruction"], "v_add_nc_u32_e32 v1, v1, v1");
  EXPECT_EQ(rdna3emu_run(fromCode(doubling).get(), &d.launch, nullptr), 0) << lastError();
  d.launch.checks = "luck";
  EXPECT_EQ(rdna3emu_run(kernel.get(), &d.launch, nullptr), RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_TRUE(mentions("luck"));
}

TEST(ApiKernel, ReadsCodeObjects) {
  const auto object = codeObject(doubling);
  const auto load = [&](const char *name, rdna3emu_kernel **kernel) {
    return rdna3emu_kernel_from_code_object(object.elf.data(), object.elf.size(), name, kernel);
  };
  rdna3emu_kernel *kernel = nullptr;
  ASSERT_EQ(load(nullptr, &kernel), 0) << lastError();
  rdna3emu_kernel_free(kernel);
  ASSERT_EQ(load("k", &kernel), 0) << lastError();
  const Kernel owner(kernel);
  rdna3emu_kernel_info info = RDNA3EMU_KERNEL_INFO_INIT;
  ASSERT_EQ(rdna3emu_kernel_get_info(kernel, &info), 0);
  EXPECT_EQ(info.entry_offset, object.kernels[0].entryAddress);
  char text[64];
  EXPECT_EQ(rdna3emu_kernel_instruction(kernel, info.entry_offset, text, sizeof text), 0);
  EXPECT_EQ(std::string(text), "s_load_b128 s[4:7], s[0:1], null");
  EXPECT_EQ(rdna3emu_kernel_instruction(kernel, info.entry_offset, text, 7), 0);
  EXPECT_EQ(std::string(text), "s_load");
  EXPECT_EQ(rdna3emu_kernel_instruction(kernel, info.code_end, text, sizeof text),
            RDNA3EMU_INVALID_ARGUMENT);

  EXPECT_EQ(load("other", &kernel), RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_EQ(kernel, nullptr);
  EXPECT_TRUE(mentions("no kernel 'other'; there is: k"));
  EXPECT_EQ(rdna3emu_kernel_from_code_object("text", 4, nullptr, &kernel),
            RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_EQ(rdna3emu_kernel_from_code_object(nullptr, 4, nullptr, &kernel),
            RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_EQ(load("k", nullptr), RDNA3EMU_INVALID_ARGUMENT);
}

TEST(ApiKernel, SaysWhatIsWrongWithItsArguments) {
  const Kernel kernel = fromCode(doubling);
  const auto expectInvalid = [&](const std::optional<Doubling> &d, const std::string &words) {
    EXPECT_EQ(rdna3emu_run(kernel.get(), &d->launch, nullptr), RDNA3EMU_INVALID_ARGUMENT) << words;
    EXPECT_TRUE(mentions(words)) << lastError();
  };
  std::optional<Doubling> d(std::in_place, 1);
  EXPECT_EQ(rdna3emu_run(nullptr, &d->launch, nullptr), RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_EQ(rdna3emu_run(kernel.get(), nullptr, nullptr), RDNA3EMU_INVALID_ARGUMENT);
  d->launch.struct_size = 3;
  expectInvalid(d, "struct_size");
  d.emplace(1);
  d->launch.grid[1] = 0;
  expectInvalid(d, "empty");
  d.emplace(1);
  d->launch.block[2] = 0;
  expectInvalid(d, "work-items");
  d.emplace(1);
  d->launch.kernarg = nullptr;
  expectInvalid(d, "kernarg");
  d.emplace(1);
  d->launch.regions = nullptr;
  expectInvalid(d, "regions");
  d.emplace(1);
  d->regions[1].access = 7;
  expectInvalid(d, "rdna3emu_access");
  d->regions[1] = {"wraps", d->out.data(), ~uint64_t(0), RDNA3EMU_READ_WRITE, 0};
  expectInvalid(d, "region 1");
  d.emplace(1);
  d->launch.memory = 5;
  expectInvalid(d, "rdna3emu_memory");
  d.emplace(1);
  d->launch.engine = -1;
  expectInvalid(d, "rdna3emu_engine");
  d.emplace(1);
  d->launch.dynamic_lds_bytes = 70000;
  expectInvalid(d, "LDS");

  rdna3emu_kernel *other = nullptr;
  rdna3emu_code code = RDNA3EMU_CODE_INIT;
  EXPECT_EQ(rdna3emu_kernel_from_code(&code, &other), RDNA3EMU_INVALID_ARGUMENT);
  const uint32_t words[] = {0xbfb00000};
  code.code = words;
  code.code_bytes = 4;
  code.entry_offset = 4;
  EXPECT_EQ(rdna3emu_kernel_from_code(&code, &other), RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_TRUE(mentions("entry point"));
  code.entry_offset = 0;
  code.code_bytes = 3;
  EXPECT_EQ(rdna3emu_kernel_from_code(&code, &other), RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_EQ(other, nullptr);
  EXPECT_EQ(rdna3emu_kernel_from_code(nullptr, &other), RDNA3EMU_INVALID_ARGUMENT);
  rdna3emu_kernel_free(nullptr);
  rdna3emu_report_free(nullptr);
  EXPECT_STREQ(rdna3emu_report_json(nullptr), "");
}

TEST(ApiKernel, TakesStructuresOfOtherVersions) {
  const Kernel kernel = fromCode("\ts_endpgm\n");
  // A caller that knows more members, and does not use them, or does.
  struct Newer {
    rdna3emu_launch known;
    uint64_t more;
  } newer = {RDNA3EMU_LAUNCH_INIT, 0};
  newer.known.struct_size = sizeof newer;
  EXPECT_EQ(rdna3emu_run(kernel.get(), &newer.known, nullptr), 0) << lastError();
  newer.more = 1;
  EXPECT_EQ(rdna3emu_run(kernel.get(), &newer.known, nullptr), RDNA3EMU_INVALID_ARGUMENT);
  EXPECT_TRUE(mentions("does not know"));
  // One that knows less of what is filled in for it.
  rdna3emu_kernel_info info = RDNA3EMU_KERNEL_INFO_INIT;
  info.struct_size = offsetof(rdna3emu_kernel_info, entry_offset);
  info.entry_offset = 77;
  EXPECT_EQ(rdna3emu_kernel_get_info(kernel.get(), &info), 0);
  EXPECT_EQ(info.entry_offset, 77u);
}

TEST(ApiKernel, StopsEndlessLoops) {
  const Kernel kernel = fromCode(".Lforever:\n\ts_branch .Lforever\n");
  Doubling d(1);
  d.launch.instruction_budget = 1000;
  rdna3emu_report *report = nullptr;
  EXPECT_EQ(rdna3emu_run(kernel.get(), &d.launch, &report), RDNA3EMU_BUDGET);
  EXPECT_EQ(report, nullptr);
  EXPECT_TRUE(mentions("budget"));
}

} // namespace
