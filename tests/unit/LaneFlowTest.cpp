// What the proof says of masks and of needed lanes at each point of a function, against random
// programs that are executed on eight lanes.

#include "AsmSnippet.h"

#include "Isa/Branch.h"
#include "Verify/Demand.h"
#include "Verify/LaneFlow.h"

#include <random>

namespace rdna::test {
namespace {

using verify::Demand;
using verify::LaneFlow;
using verify::Needs;

constexpr unsigned kScalars = 8, kVgprs = 6; ///< That programs use.

/// Ifs with and without else and loops that lanes leave one by one, as compilers write them, and
/// between them operations on masks that nobody would.
class Generator {
public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string program() {
    for (unsigned n = 0; n < 3; ++n)
      part(3);
    line("global_store_b32 v0, v{}, s[20:21]", vgpr());
    return text_;
  }

private:
  template <class... T> void line(fmt::format_string<T...> format, T &&...args) {
    text_ += '\t' + fmt::format(format, std::forward<T>(args)...) + '\n';
  }
  unsigned below(unsigned n) { return random_() % n; }
  unsigned vgpr() { return 1 + below(kVgprs - 1); }
  std::string mask() {
    const unsigned n = below(kScalars + 2);
    return n < kScalars ? fmt::format("s{}", n) : n == kScalars ? "vcc_lo" : "exec_lo";
  }
  void body(unsigned depth) {
    for (unsigned n = below(3); n-- > 0;)
      part(depth);
  }

  void part(unsigned depth) {
    static constexpr const char *kOps[] = {"and", "or",   "xor",      "nand",
                                           "nor", "xnor", "and_not1", "or_not1"};
    switch (depth == 0 ? below(3) : below(9)) {
    case 0:
    case 1:
      return line("v_mov_b32_e32 v{}, v{}", vgpr(), vgpr());
    case 2:
      return strange(kOps[below(8)]);
    case 3:
    case 4:
      return branch(depth - 1);
    case 5:
    case 6:
      return branches(depth - 1);
    case 7:
      return loop(depth - 1);
    default:
      return line("global_store_b32 v0, v{}, s[20:21]", vgpr());
    }
  }

  void strange(const char *op) {
    static constexpr const char *kSaves[] = {"and",      "or",      "xor",    "and_not0",
                                             "and_not1", "or_not0", "or_not1"};
    switch (below(8)) {
    case 0:
      return line("s_{}_saveexec_b32 s{}, {}", kSaves[below(7)], below(kScalars), mask());
    case 1:
      return line("s_{}_wrexec_b32 s{}, {}", below(2) ? "and_not0" : "and_not1", below(kScalars),
                  mask());
    case 2:
      return line("s_mov_b32 exec_lo, {}", mask());
    case 3:
      return line("s_cselect_b32 s{}, {}, {}", below(kScalars), mask(), below(2) ? "0" : "-1");
    case 4:
      return line("s_not_b32 s{}, {}", below(kScalars), mask());
    default:
      return line("s_{}_b32 s{}, {}, {}", op, below(kScalars), mask(), mask());
    }
  }

  void branch(unsigned depth) {
    const unsigned saved = below(kScalars), label = labels_++;
    line("v_cmp_gt_u32_e32 vcc_lo, v1, v0");
    line("s_and_saveexec_b32 s{}, vcc_lo", saved);
    if (below(3))
      line("s_cbranch_execz .L{}", label);
    body(depth);
    text_ += fmt::format(".L{}:\n", label);
    line("s_or_b32 exec_lo, exec_lo, s{}", saved);
  }

  void branches(unsigned depth) {
    const unsigned saved = below(kScalars), label = labels_++, end = labels_++;
    line("v_cmp_gt_u32_e64 vcc_lo, v1, v0");
    line("s_and_saveexec_b32 s{}, vcc_lo", saved);
    line("s_xor_b32 s{0}, exec_lo, s{0}", saved);
    line("s_cbranch_execz .L{}", label);
    body(depth);
    text_ += fmt::format(".L{}:\n", label);
    if (below(2)) {
      line("s_and_not1_saveexec_b32 s{0}, s{0}", saved);
    } else {
      line("s_or_saveexec_b32 s{0}, s{0}", saved);
      line("s_xor_b32 exec_lo, exec_lo, s{}", saved);
    }
    line("s_cbranch_execz .L{}", end);
    body(depth);
    text_ += fmt::format(".L{}:\n", end);
    line("s_or_b32 exec_lo, exec_lo, s{}", saved);
  }

  void loop(unsigned depth) {
    const unsigned saved = below(kScalars), label = labels_++;
    line("s_mov_b32 s{}, 0", saved);
    text_ += fmt::format(".L{}:\n", label);
    body(depth);
    line("v_cmp_gt_u32_e32 vcc_lo, v1, v0");
    line("s_or_b32 s{0}, vcc_lo, s{0}", saved);
    line("s_and_not1_b32 exec_lo, exec_lo, s{}", saved);
    line("s_cbranch_execnz .L{}", label);
    line("s_or_b32 exec_lo, exec_lo, s{}", saved);
  }

  std::mt19937 random_;
  std::string text_;
  unsigned labels_ = 0;
};

/// One execution: comparisons come out at random.
class Execution {
public:
  using Lanes = uint8_t;
  struct Step {
    uint32_t instruction;
    std::array<Lanes, LaneFlow::kMasks> masks; ///< In front of it.
  };

  Execution(const Module &module, unsigned seed) : module_(module), random_(seed) {
    for (Lanes &mask : masks_)
      mask = static_cast<Lanes>(random_());
    masks_[124] = 0;
    run();
  }
  const std::vector<Step> &steps() const { return steps_; }

private:
  Lanes read(const Operand &operand) const {
    return operand.isReg() ? masks_[operand.reg.first.number()] : static_cast<Lanes>(operand.imm);
  }
  Lanes &exec() { return masks_[126]; }

  void run() {
    uint32_t at = 0;
    while (steps_.size() < 400) {
      const Instruction &inst = module_.instructions()[at];
      steps_.push_back({at, masks_});
      if (inst.unit == Unit::End)
        return;
      ++at;
      if (isConditionalBranch(inst.op)) {
        if (isTakenOn(branchCondition(inst.op), exec() != 0))
          at = *module_.labelTarget(module_.branchTarget(inst));
      } else if (inst.unit == Unit::Salu) {
        scalar(inst);
      } else if (inst.writesUnit(kVccLo)) {
        masks_[106] = static_cast<Lanes>(random_() & exec());
      }
    }
  }

  void scalar(const Instruction &inst) {
    const Lanes a = read(inst.operands[1]), e = exec();
    const Lanes b = inst.operands.size() > 2 ? read(inst.operands[2]) : Lanes(0);
    const auto save = [&](unsigned result) {
      masks_[inst.operands[0].reg.first.number()] = e;
      exec() = static_cast<Lanes>(result);
    };
    const auto put = [&](unsigned result) {
      masks_[inst.operands[0].reg.first.number()] = static_cast<Lanes>(result);
    };
    const auto both = [&](unsigned result) {
      put(result);
      exec() = static_cast<Lanes>(result);
    };
    // clang-format off
    switch (inst.op) {
    case Op::s_mov_b32: return put(a);
    case Op::s_not_b32: return put(~a);
    case Op::s_and_b32: return put(a & b);
    case Op::s_or_b32: return put(a | b);
    case Op::s_xor_b32: return put(a ^ b);
    case Op::s_nand_b32: return put(~(a & b));
    case Op::s_nor_b32: return put(~(a | b));
    case Op::s_xnor_b32: return put(~(a ^ b));
    case Op::s_and_not1_b32: return put(a & ~b);
    case Op::s_or_not1_b32: return put(a | ~b);
    case Op::s_cselect_b32: return put(random_() & 1 ? a : b);
    case Op::s_and_saveexec_b32: return save(a & e);
    case Op::s_or_saveexec_b32: return save(a | e);
    case Op::s_xor_saveexec_b32: return save(a ^ e);
    case Op::s_and_not0_saveexec_b32: return save(e & ~a);
    case Op::s_and_not1_saveexec_b32: return save(a & ~e);
    case Op::s_or_not0_saveexec_b32: return save(e | ~a);
    case Op::s_or_not1_saveexec_b32: return save(a | ~e);
    case Op::s_and_not0_wrexec_b32: return both(e & ~a);
    case Op::s_and_not1_wrexec_b32: return both(a & ~e);
    default: ADD_FAILURE() << module_.instructionText(inst);
    }
    // clang-format on
  }

  const Module &module_;
  std::mt19937 random_;
  std::array<Lanes, LaneFlow::kMasks> masks_{};
  std::vector<Step> steps_;
};

const std::vector<unsigned> kWatched{0, 1, 2, 3, 4, 5, 6, 7, 106, 126};

TEST(LaneFlow, WhatIsSaidOfMasksIsSo) {
  unsigned said = 0;
  for (unsigned seed = 0; seed < 400 && !testing::Test::HasFailure(); ++seed) {
    const std::string text = Generator(seed).program();
    const auto module = parseKernel(text);
    const Cfg cfg = buildCfg(*module, 0);
    LaneFlow flow(*module, cfg);
    for (unsigned run = 0; run < 6; ++run) {
      const Execution execution(*module, seed * 100 + run);
      for (const Execution::Step &step : execution.steps()) {
        const uint32_t block = cfg.blockOf(step.instruction);
        if (cfg.blocks[block].first != step.instruction)
          continue;
        const LaneFlow::Masks &masks = flow.atStart(block);
        for (const unsigned a : kWatched)
          for (const unsigned b : kWatched)
            if (a != b && flow.functions().isWithin(masks[a], masks[b])) {
              EXPECT_EQ(step.masks[a] & ~step.masks[b], 0)
                  << "seed " << seed << ", block " << block << ": " << a << " in " << b << "\n"
                  << text;
              ++said;
            }
      }
    }
  }
  EXPECT_GT(said, 1000U);
}

/// Which lanes of each VGPR an execution still reads, found backwards along it.
TEST(LaneFlow, WhatIsReadIsNeeded) {
  unsigned needed = 0, spared = 0;
  for (unsigned seed = 0; seed < 400 && !testing::Test::HasFailure(); ++seed) {
    const std::string text = Generator(seed).program();
    const auto module = parseKernel(text);
    const Cfg cfg = buildCfg(*module, 0);
    Demand demand(*module, cfg);
    std::vector<Needs> needs;
    for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
      needs.push_back(demand.atStart(b));
    for (unsigned run = 0; run < 6; ++run) {
      const Execution execution(*module, seed * 100 + run);
      std::array<Execution::Lanes, kVgprs> read{};
      for (size_t n = execution.steps().size(); n-- > 0;) {
        const Execution::Step &step = execution.steps()[n];
        const Instruction &inst = module->instructions()[step.instruction];
        const Execution::Lanes exec = step.masks[126];
        if (inst.op == Op::v_mov_b32) {
          const unsigned to = inst.operands[0].reg.first.number();
          const unsigned from = inst.operands[1].reg.first.number();
          const Execution::Lanes used = read[to] & exec;
          read[to] &= static_cast<Execution::Lanes>(~exec);
          read[from] |= used;
        } else if (inst.memory == MemoryEffect::Store) {
          for (const RegAccess &access : inst.accesses)
            if (access.reg.first.isVgpr())
              read[access.reg.first.number()] |= exec;
        }
        const uint32_t block = cfg.blockOf(step.instruction);
        if (cfg.blocks[block].first != step.instruction)
          continue;
        for (unsigned v = 1; v < kVgprs; ++v) {
          const Needs &said = needs[block];
          const unsigned in = said.inactiveIn[v][0];
          Execution::Lanes lanes = said.active.test(v) ? exec : Execution::Lanes(0);
          if (said.inactive.test(v))
            lanes |= static_cast<Execution::Lanes>(
                ~exec & (in ? step.masks[in - RegUnit::kScalarBase] : 0xff));
          EXPECT_EQ(read[v] & ~lanes, 0)
              << "seed " << seed << ", block " << block << ", v" << v << "\n"
              << text;
          ++(lanes ? needed : spared);
        }
      }
    }
  }
  EXPECT_GT(needed, 1000U);
  EXPECT_GT(spared, 1000U);
}

} // namespace
} // namespace rdna::test
