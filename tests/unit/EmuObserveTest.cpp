//===- EmuObserveTest.cpp - what a listener of one's own hears -------------===//
#include "EmuSnippet.h"

#include "Emu/Check.h"
#include "Emu/Observe/Listener.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <mutex>
#include <sstream>

namespace emuObserveTest {

using namespace rdna;
using namespace rdna::test;
using namespace rdna::emu;

namespace {

const char *nameOf(LaneAccess::Space space) {
  switch (space) {
  case LaneAccess::Space::Global:
    return "memory";
  case LaneAccess::Space::Lds:
    return "lds";
  case LaneAccess::Space::Scratch:
    break;
  }
  return "scratch";
}

/// Writes down what it hears: all that a model of time needs.
class Diary final : public Observer {
public:
  using Hears = Listener::Hears;
  explicit Diary(Selection selection, Hears hears = Hears::Both)
      : selection_(std::move(selection)), hears_(hears) {}

  Selection selection() const override { return selection_; }
  std::unique_ptr<Listener> create(const LaunchState &) override {
    return std::make_unique<Writer>(*this);
  }

  uint64_t base = 0;       ///< Addresses are given from here.
  uint64_t stopAt = ~0ul;  ///< Offset of an instruction.
  uint64_t leaveAt = ~0ul; ///< Where wave 1 is left.
  std::vector<std::string> executed;
  std::vector<uint32_t> values; ///< Of v3 in lane 1, before and after each instruction.
  unsigned records = 0, befores = 0, groups = 0, ends = 0, barriers = 0;

private:
  class Writer final : public Listener {
  public:
    explicit Writer(Diary &diary) : diary_(diary) {}
    Hears hears() const override { return diary_.hears_; }
    void groupBegins(const GroupView &) override {
      locked([&] { ++diary_.groups; });
    }
    void groupEnds(const GroupView &) override {
      locked([&] { ++diary_.ends; });
    }
    void barrierPassed(const GroupView &) override {
      locked([&] { ++diary_.barriers; });
    }
    void before(Record &record) override {
      locked([&] {
        ++diary_.befores;
        diary_.values.push_back(record.vgpr(3, 1));
        if (record.offset() == diary_.stopAt)
          record.stop();
        if (record.offset() == diary_.leaveAt && record.wave().number == 1)
          record.leave();
      });
    }
    void after(Record &record) override {
      locked([&] {
        ++diary_.records;
        diary_.values.push_back(record.vgpr(3, 1));
        diary_.executed.push_back(diary_.text(record));
      });
    }

  private:
    template <class F> void locked(F f) {
      const std::lock_guard lock(diary_.mutex_);
      f();
    }
    Diary &diary_;
  };

  std::string text(Record &record) const {
    const GroupView &group = record.group();
    std::string line =
        fmt::format("{}.{} {} exec {:#x}{}", group.id[0], record.wave().number,
                    record.plan()->name(), record.exec(), record.jumped() ? " jumps" : "");
    for (const LaneAccess &access : record.accesses().all()) {
      line += fmt::format(" {} {}x{:#x}:", nameOf(access.space), access.bytes, access.lanes);
      const uint64_t from = access.space == LaneAccess::Space::Global ? base : 0;
      for (unsigned l = 0; l < 2; ++l)
        if (access.lanes >> l & 1)
          line += fmt::format(" {}", int64_t(access.at[l] - from));
    }
    return line;
  }

  const Selection selection_;
  const Hears hears_;
  std::mutex mutex_;
};

/// Workgroups of two waves with a KiB of LDS, and a buffer of 4 KiB that s[4:5] points to.
struct Subject {
  explicit Subject(const std::string &body)
      : program(Program::create(kernelImage("\ts_load_b64 s[4:5], s[0:1], 0x0\n"
                                            "\ts_waitcnt lgkmcnt(0)\n" +
                                                body + "\n\ts_endpgm\n",
                                            "\t.amdhsa_group_segment_fixed_size 1024\n"
                                            "\t.amdhsa_system_sgpr_workgroup_id_x 1\n" +
                                                keepDenormals))),
        memory(1024) {
    launch.block = {64, 1, 1};
    launch.kernarg = std::as_bytes(std::span(&argument, 1));
    launch.regions.push_back({"memory", reinterpret_cast<std::byte *>(memory.data()), 4096});
  }
  RunResult run(Observer *observer) {
    launch.observers.clear();
    if (observer)
      launch.observers.push_back(observer);
    auto result = program ? (*program)->run(launch) : program.takeError();
    if (result)
      return std::move(*result);
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }

  llvm::Expected<std::unique_ptr<Program>> program;
  std::vector<uint32_t> memory;
  uint64_t argument = reinterpret_cast<uint64_t>(memory.data());
  Launch launch;
};

std::vector<std::string> withoutFirst(std::vector<std::string> list, size_t count) {
  list.erase(list.begin(), list.begin() + ptrdiff_t(std::min(count, list.size())));
  return list;
}

const Selection firstWave{{{0, 0, 0}}, {0}};

TEST(EmuObserve, ARecordPerInstruction) {
  Subject subject("\tv_lshlrev_b32 v1, 2, v0\n"
                  "\ts_mov_b32 exec_lo, 0xffff\n"
                  "\tds_store_b32 v1, v0 offset:64\n"
                  "\tglobal_load_b32 v1, v1, s[4:5] offset:8\n" // Its result replaces its address.
                  "\ts_load_b64 s[8:9], s[4:5], 0x10\n"
                  "\ts_waitcnt vmcnt(0) lgkmcnt(0)\n"
                  "\tv_dual_mov_b32 v3, v0 :: v_dual_add_f32 v4, v1, v1\n"
                  "\ts_cmp_eq_u32 s4, s4\n"
                  "\ts_cbranch_scc0 .Lend\n"
                  "\ts_cbranch_scc1 .Lend\n"
                  "\tv_mov_b32 v9, 0\n"
                  ".Lend:");
  Diary diary(firstWave);
  diary.base = subject.argument;
  subject.run(&diary);
  const std::vector<std::string> expected = {
      "0.0 v_lshlrev_b32 exec 0xffffffff",
      "0.0 s_mov_b32 exec 0xffffffff",
      "0.0 ds_store_b32 exec 0xffff lds 4x0xffff: 64 68",
      "0.0 global_load_b32 exec 0xffff memory 4x0xffff: 8 12",
      "0.0 s_load_b64 exec 0xffff memory 8x0x1: 16",
      "0.0 s_waitcnt exec 0xffff",
      "0.0 v_mov_b32 exec 0xffff", // The first half of the pair.
      "0.0 s_cmp_eq_u32 exec 0xffff",
      "0.0 s_cbranch_scc0 exec 0xffff",
      "0.0 s_cbranch_scc1 exec 0xffff jumps",
      "0.0 s_endpgm exec 0xffff",
  };
  EXPECT_EQ(withoutFirst(diary.executed, 2), expected);
  EXPECT_EQ(diary.befores, diary.records);
}

/// Whoever hears only after() gets the addresses of before all the same.
TEST(EmuObserve, AddressesOfBefore) {
  Subject subject("\tv_lshlrev_b32 v1, 2, v0\n\tglobal_load_b32 v1, v1, s[4:5]\n"
                  "\ts_waitcnt vmcnt(0)");
  Diary diary(firstWave, Diary::Hears::After);
  diary.base = subject.argument;
  subject.run(&diary);
  EXPECT_EQ(diary.befores, 0U);
  ASSERT_EQ(diary.executed.size(), 6U);
  EXPECT_EQ(diary.executed[3], "0.0 global_load_b32 exec 0xffffffff memory 4x0xffffffff: 0 4");
}

TEST(EmuObserve, RegistersBeforeAndAfter) {
  Subject subject("\tv_mov_b32 v3, 7");
  Diary diary(firstWave);
  subject.run(&diary);
  ASSERT_EQ(diary.values.size(), 8U); // s_load, s_waitcnt, v_mov, s_endpgm.
  EXPECT_NE(diary.values[4], 7U);
  EXPECT_EQ(diary.values[5], 7U);
}

/// Every lane adds up 1 to 100 and stores the sum; workgroup n to the n-th 256 bytes.
const std::string sums = "\tv_mov_b32 v3, 0\n\ts_mov_b32 s10, 100\n"
                         ".Lloop:\n\tv_add_nc_u32 v3, s10, v3\n\ts_sub_u32 s10, s10, 1\n"
                         "\ts_cmp_lg_u32 s10, 0\n\ts_cbranch_scc1 .Lloop\n"
                         "\ts_barrier\n"
                         "\ts_lshl_b32 s2, s2, 8\n\tv_lshl_add_u32 v1, v0, 2, s2\n"
                         "\tglobal_store_b32 v1, v3, s[4:5]\n";
constexpr uint64_t sumsLength = 2 + 2 + 4 * 100 + 1 + 4;

/// What nobody listens to runs compiled, with the same results; what somebody does, does not.
TEST(EmuObserve, OnlyTheSelectedWaves) {
  Subject subject(sums);
  subject.launch.grid = {16, 1, 1};
  subject.launch.engine = Engine::Jit;
  for (const unsigned threads : {1u, 3u}) {
    subject.launch.threads = threads;
    const RunResult plain = subject.run(nullptr);
    ASSERT_EQ(plain.instructions, 32 * sumsLength);
    const uint64_t perWave = plain.compiledInstructions / 32;
    ASSERT_GT(perWave, 400U);

    const auto expectHeard = [&](Selection selection, unsigned groups, unsigned waves) {
      std::fill(subject.memory.begin(), subject.memory.end(), 0);
      Diary diary(std::move(selection));
      const RunResult observed = subject.run(&diary);
      EXPECT_EQ(diary.records, waves * sumsLength);
      EXPECT_EQ(diary.groups, groups);
      EXPECT_EQ(diary.ends, groups);
      EXPECT_EQ(diary.barriers, groups);
      EXPECT_EQ(observed.instructions, plain.instructions);
      EXPECT_EQ(observed.compiledInstructions, (32 - waves) * perWave);
      EXPECT_EQ(subject.memory, std::vector<uint32_t>(1024, 5050));
    };
    expectHeard({{{5, 0, 0}}, {1}}, 1, 1);
    expectHeard({{{5, 0, 0}, {7, 0, 0}}, {}}, 2, 4);
    expectHeard({{}, {0}}, 16, 16);
    expectHeard({{{16, 0, 0}}, {}}, 0, 0); // There is none such.
    expectHeard({}, 16, 32);
  }
}

TEST(EmuObserve, SeveralListeners) {
  Subject subject(sums);
  Diary one({{}, {0}}, Diary::Hears::Before), other({{}, {1}}, Diary::Hears::After);
  subject.launch.observers = {&one, &other};
  auto result = (*subject.program)->run(subject.launch);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(one.befores, sumsLength);
  EXPECT_EQ(one.records, 0U);
  EXPECT_EQ(other.befores, 0U);
  EXPECT_EQ(other.records, sumsLength);
}

TEST(EmuObserve, StopsBeforeAnInstruction) {
  Subject subject("\tv_mov_b32 v3, 7\n\ts_nop 0");
  Diary diary(firstWave);
  subject.run(&diary);
  Diary stopping(firstWave);
  stopping.stopAt = (*subject.program)->image().entryOffset + 8 + 4; // Behind s_load, s_waitcnt.
  EXPECT_TRUE(subject.run(&stopping).stopped);
  EXPECT_EQ(stopping.befores, 3U);
  EXPECT_EQ(stopping.executed.size(), 2U);
}

/// Who leaves a wave hears the others, and whoever else listens hears all of it.
TEST(EmuObserve, AWaveThatIsLeft) {
  Subject subject("\tv_lshlrev_b32 v1, 2, v0\n\tglobal_store_b32 v1, v0, s[4:5]\n"
                  "\ts_waitcnt_vscnt null, 0x0\n\ts_barrier");
  Diary leaving({}), staying({});
  leaving.leaveAt = (*subject.program)->image().entryOffset + 8 + 4;
  subject.launch.observers = {&leaving, &staying};
  auto result = (*subject.program)->run(subject.launch);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_FALSE(result->stopped);
  EXPECT_EQ(subject.memory[63], 63U); // Wave 1 has gone on.
  EXPECT_EQ(staying.executed.size(), 2U * 7);
  EXPECT_EQ(leaving.executed.size(), 7U + 2);
  EXPECT_EQ(leaving.befores, 7U + 3);
  EXPECT_EQ(leaving.ends, 1U);
  Diary alone({});
  alone.leaveAt = leaving.leaveAt;
  EXPECT_EQ(subject.run(&alone).instructions, 2U * 7);
}

/// A row of Checks.def is all that a check needs, but somebody must tell people.
TEST(EmuObserve, EveryCheckIsDocumented) {
  std::ifstream file(RDNA_SOURCE_DIR "/docs/howto-check.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const CheckRow &row : checkRows()) {
    EXPECT_EQ(row.name, toString(row.check));
    EXPECT_NE(text.str().find(fmt::format("\n| {} | ", row.name)), std::string::npos) << row.name;
  }
}

} // namespace

} // namespace emuObserveTest
