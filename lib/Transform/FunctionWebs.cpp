#include "Transform/FunctionWebs.h"

#include "Analysis/Waits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SparseBitVector.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace rdna {

WebId FunctionWebs::webAt(uint32_t inst, unsigned operand, unsigned dword) const {
  const uint32_t at = inst - firstInst;
  if (at + 1 >= operandsOf.size())
    return kNoWeb;
  for (uint32_t e = operandsOf[at]; e < operandsOf[at + 1]; ++e)
    if (operands[e].operand == operand && operands[e].dword == dword)
      return operands[e].web;
  return kNoWeb;
}

namespace {

class WebFinder {
public:
  WebFinder(const Module &module, const Cfg &cfg, const Liveness &liveness)
      : module_(module), cfg_(cfg), liveness_(liveness), waits_(computeWaits(module, cfg)) {}

  FunctionWebs run() {
    webs_.atStart.resize(cfg_.blocks.size());
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      webs_.atStart[b].fill(kNoWeb);
      // Nobody may read what a load has not written yet, but it will.
      const VgprSet occupied = liveness_.liveIn[b] | waits_[b].pendingVgprs();
      for (unsigned reg = 0; reg < 256; ++reg)
        if (occupied.test(reg))
          webs_.atStart[b][reg] = makeWeb(reg);
    }
    for (unsigned reg = 0; reg < 256; ++reg)
      if (webs_.atStart[0][reg] != kNoWeb)
        pin(webs_.atStart[0][reg]); // whoever starts the function puts it there
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      if (cfg_.blocks[b].reachable)
        walk(b);
    compact();
    return std::move(webs_);
  }

private:
  WebId makeWeb(unsigned reg) {
    parent_.push_back(static_cast<WebId>(parent_.size()));
    home_.push_back(Vgpr{static_cast<uint8_t>(reg)});
    pinned_.push_back(0);
    return parent_.back();
  }
  WebId find(WebId w) {
    while (parent_[w] != w)
      w = parent_[w] = parent_[parent_[w]];
    return w;
  }
  void unite(WebId a, WebId b) {
    a = find(a);
    b = find(b);
    parent_[a] = b;
    pinned_[b] |= pinned_[a];
  }
  void pin(WebId w) { pinned_[find(w)] = 1; }

  WebId current(unsigned reg) {
    if (now_[reg] == kNoWeb)
      now_[reg] = makeWeb(reg); // it holds nothing that anybody wrote
    return now_[reg];
  }

  void walk(uint32_t block) {
    const Block &body = cfg_.blocks[block];
    // What each instruction replaces for good, found from the block's end.
    std::vector<VgprSet> replaced(body.last - body.first);
    LiveWalk live(liveness_, block);
    for (uint32_t i = body.last; i-- > body.first;) {
      replaced[i - body.first] = live.replacedBy(module_.instructions()[i]);
      live.stepOver(module_.instructions()[i]);
    }
    now_ = webs_.atStart[block];
    for (uint32_t i = body.first; i < body.last; ++i)
      step(module_.instructions()[i], replaced[i - body.first]);
    WaitState waits = waits_[block];
    for (uint32_t i = body.first; i < body.last; ++i)
      waits.step(module_.instructions()[i]);
    const VgprSet pending = waits.pendingVgprs();
    for (const uint32_t next : body.successors)
      for (unsigned reg = 0; reg < 256; ++reg)
        if (webs_.atStart[next][reg] != kNoWeb &&
            (liveness_.liveIn[next].test(reg) || pending.test(reg)))
          unite(current(reg), webs_.atStart[next][reg]);
    if (body.successors.empty())
      for (unsigned reg = 0; reg < 256; ++reg)
        if (liveness_.liveOut[block].test(reg))
          pin(current(reg));
  }

  void note(const Instruction &inst, size_t operand, bool isDef) {
    const Operand &o = inst.operands[operand];
    if (!o.isReg() || !o.reg.first.isVgpr() || (o.cls == Operand::Class::Def) != isDef)
      return;
    for (unsigned d = 0; d < o.reg.dwords; ++d)
      webs_.operands.push_back({inst.index, static_cast<uint8_t>(operand), static_cast<uint8_t>(d),
                                current(o.reg.first.index + d)});
  }

  void step(const Instruction &inst, const VgprSet &replaced) {
    if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64 || inst.isSetPc())
      for (unsigned reg = 0; reg < 256; ++reg)
        pin(current(reg));
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.reg.first.isVgpr() && d < access.reg.dwords; ++d)
        if (access.operand < 0)
          pin(current(access.reg.first.index + d));
    for (size_t o = 0; o < inst.operands.size(); ++o)
      note(inst, o, false);
    const VgprSet reads = vgprReads(inst);
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && access.reg.first.isVgpr() && d < access.reg.dwords;
           ++d) {
        const unsigned reg = access.reg.first.index + d;
        const bool updates = access.access == Access::Partial || !replaced.test(reg) ||
                             isTied(inst, access, reads, reg);
        if (!updates)
          now_[reg] = makeWeb(reg);
        if (access.operand < 0)
          pin(current(reg));
      }
    for (size_t o = 0; o < inst.operands.size(); ++o)
      note(inst, o, true);
  }

  /// FMAC's destination is a source too, and the encoding has it only once.
  static bool isTied(const Instruction &inst, const RegAccess &write, const VgprSet &reads,
                     unsigned reg) {
    if (!reads.test(reg))
      return false;
    for (const Operand &operand : inst.operands)
      if (operand.tiedTo >= 0 && operand.isReg() && operand.reg.contains(RegUnit::vgpr(reg)))
        return true;
    return write.reads();
  }

  void compact() {
    std::vector<WebId> number(parent_.size(), kNoWeb);
    const auto numberOf = [&](WebId w) {
      WebId &n = number[find(w)];
      if (n == kNoWeb) {
        n = static_cast<WebId>(webs_.home.size());
        webs_.home.push_back(home_[find(w)]);
        webs_.pinned.push_back(pinned_[find(w)]);
      }
      return n;
    };
    for (OperandWeb &entry : webs_.operands)
      entry.web = numberOf(entry.web);
    for (auto &start : webs_.atStart)
      for (WebId &w : start)
        if (w != kNoWeb)
          w = numberOf(w);
    std::stable_sort(
        webs_.operands.begin(), webs_.operands.end(), [](const OperandWeb &a, const OperandWeb &b) {
          return std::tuple(a.inst, a.operand, a.dword) < std::tuple(b.inst, b.operand, b.dword);
        });
    webs_.firstInst = cfg_.blocks.front().first;
    for (uint32_t i = webs_.firstInst, e = 0; i <= cfg_.blocks.back().last; ++i) {
      while (e < webs_.operands.size() && webs_.operands[e].inst < i)
        ++e;
      webs_.operandsOf.push_back(e);
    }
  }

  const Module &module_;
  const Cfg &cfg_;
  const Liveness &liveness_;
  const std::vector<WaitState> waits_; ///< By block.
  FunctionWebs webs_;
  std::array<WebId, 256> now_{};
  std::vector<WebId> parent_;
  std::vector<Vgpr> home_;
  std::vector<uint8_t> pinned_;
};

class InterferenceFinder {
public:
  InterferenceFinder(const Module &module, const FunctionWebs &webs,
                     const std::vector<uint8_t> &asked)
      : webs_(webs), asked_(asked), isLoaded_(webs.home.size(), 0) {
    for (const OperandWeb &entry : webs.operands) {
      const Instruction &inst = module.instructions()[entry.inst];
      isLoaded_[entry.web] |= inst.memory == MemoryEffect::Load &&
                              inst.operands[entry.operand].cls == Operand::Class::Def;
    }
    result_.homes.resize(webs.home.size());
    result_.others.resize(webs.home.size());
    others_.resize(webs.home.size());
  }

  void walk(const Module &module, const Cfg &cfg, const Liveness &liveness, uint32_t block,
            WaitState waits, const std::function<bool(const Instruction &)> &splits) {
    const Block &body = cfg.blocks[block];
    // The web of each register behind every instruction, from the front.
    std::array<WebId, 256> now = webs_.atStart[block];
    VgprSet known, asked; // Registers with a web, and with one in question.
    const auto note = [&](size_t reg) {
      known.set(reg, now[reg] != kNoWeb);
      asked.set(reg, now[reg] != kNoWeb && asked_[now[reg]]);
    };
    for (size_t reg = 0; reg < now.size(); ++reg)
      note(reg);
    auto entry = std::lower_bound(webs_.operands.begin(), webs_.operands.end(), body.first,
                                  [](const OperandWeb &e, uint32_t inst) { return e.inst < inst; });
    llvm::SmallVector<WebId, 16> defs, uses;
    VgprSet overwritten = waits.pendingVgprs(); // While something seemed to be in flight to them.
    for (size_t reg = 0; reg < now.size(); ++reg)
      if (now[reg] != kNoWeb && isLoaded_[now[reg]])
        overwritten.reset(reg);
    // Registers that are live, or that a load may still write.
    std::vector<VgprSet> occupied(body.last - body.first);
    LiveWalk live(liveness, block);
    for (uint32_t i = body.last; i-- > body.first;) {
      occupied[i - body.first] = live.live();
      live.stepOver(module.instructions()[i]);
    }
    for (uint32_t i = body.first; i < body.last; ++i) {
      const Instruction &inst = module.instructions()[i];
      const VgprSet before = waits.pendingVgprs();
      waits.step(inst);
      const VgprSet inFlight = waits.pendingVgprs();
      occupied[i - body.first] |= inFlight;
      overwritten &= inFlight;
      defs.clear();
      uses.clear();
      for (; entry != webs_.operands.end() && entry->inst == i; ++entry) {
        const Operand &operand = inst.operands[entry->operand];
        // What is read and replaced at once is the new value behind the instruction.
        const size_t reg = operand.reg.first.index + entry->dword;
        if (operand.cls == Operand::Class::Def || now[reg] == kNoWeb)
          now[reg] = entry->web;
        if (operand.cls == Operand::Class::Def)
          overwritten.set(reg, before.test(reg) && inFlight.test(reg) && !isLoaded_[entry->web]);
        note(reg);
        (operand.cls == Operand::Class::Def ? defs : uses).push_back(entry->web);
      }
      const VgprSet &after = occupied[i - body.first];
      for (const WebId d : defs) {
        const VgprSet beside = after & (asked_[d] ? known : asked);
        for (size_t reg = beside._Find_first(); reg < beside.size(); reg = beside._Find_next(reg))
          add(d, now[reg]);
        for (const WebId other : defs)
          add(d, other);
        if (asked_[d])
          avoid(d, overwritten);
        if (splits(inst))
          for (const WebId use : uses)
            add(d, use);
      }
    }
  }

  /// What a block starts with was made by several others, none of which need see all of it.
  void start(const std::array<WebId, 256> &atStart) {
    for (const WebId a : atStart)
      if (a != kNoWeb && asked_[a])
        for (const WebId b : atStart)
          if (b != kNoWeb)
            add(a, b);
  }

  Interference take() {
    for (WebId w = 0; w < others_.size(); ++w)
      for (const unsigned other : others_[w])
        result_.others[w].push_back(other);
    return std::move(result_);
  }

private:
  void add(WebId a, WebId b) {
    if (a == b)
      return;
    if (asked_[a] && asked_[b]) {
      others_[a].set(b);
      others_[b].set(a);
    } else if (asked_[a]) {
      result_.homes[a].set(webs_.home[b].number);
    } else if (asked_[b]) {
      result_.homes[b].set(webs_.home[a].number);
    }
  }

  /// Where the text itself overwrites what seems to be in flight, because a path is one that nobody
  /// takes, a web may stay but not come to: nobody can tell that the text does not.
  void avoid(WebId web, const VgprSet &overwritten) {
    const uint8_t home = webs_.home[web].number;
    const bool wasBlocked = result_.homes[web].test(home);
    result_.homes[web] |= overwritten;
    result_.homes[web].set(home, wasBlocked);
  }

  const FunctionWebs &webs_;
  const std::vector<uint8_t> &asked_;
  std::vector<uint8_t> isLoaded_; ///< By web.
  Interference result_;
  std::vector<llvm::SparseBitVector<>> others_;
};

} // namespace

FunctionWebs findWebs(const Module &module, const Cfg &cfg, const Liveness &liveness) {
  return WebFinder(module, cfg, liveness).run();
}

Registers registersAtHome(const FunctionWebs &webs) { return {webs.home}; }

void claimRegisters(const Cfg &cfg, const FunctionWebs &webs, const Registers &registers,
                    Correspondence &claim) {
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    std::vector<Equation> moved;
    for (unsigned reg = 0; reg < 256; ++reg)
      if (const WebId w = webs.atStart[b][reg]; w != kNoWeb)
        if (const Vgpr old{static_cast<uint8_t>(reg)}; registers.of[w] != old)
          moved.push_back(movedTo(old, registers.of[w], Equation::Lanes::All));
    if (!moved.empty())
      claim.points[cfg.blocks[b].first].equations = std::move(moved);
  }
}

Interference findInterference(const Module &module, const Cfg &cfg, const Liveness &liveness,
                              const FunctionWebs &webs, const std::vector<uint8_t> &asked,
                              const std::function<bool(const Instruction &)> &splits) {
  InterferenceFinder finder(module, webs, asked);
  const std::vector<WaitState> waits = computeWaits(module, cfg);
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    if (!cfg.blocks[b].reachable)
      continue;
    finder.start(webs.atStart[b]);
    finder.walk(module, cfg, liveness, b, waits[b], splits);
  }
  return finder.take();
}

} // namespace rdna
