#include "mutation/BarrierUse.h"

#include "Emu/Inst.h"
#include "Emu/Observe/Listener.h"
#include "EmuLoad/KernelImage.h"
#include "Run/Buffers.h"
#include "Run/Kernarg.h"

#include <map>
#include <stdexcept>

namespace rdna::mutation {

namespace {

/// Waves that read and that wrote each byte.
struct Touched {
  std::set<unsigned> readers, writers;
};
using Interval = std::map<uint32_t, Touched>;

bool conflict(const Interval &before, const Interval &after) {
  const auto others = [](const std::set<unsigned> &a, const std::set<unsigned> &b) {
    for (const unsigned x : a)
      for (const unsigned y : b)
        if (x != y)
          return true;
    return false;
  };
  for (const auto &[byte, one] : before)
    if (const auto other = after.find(byte); other != after.end())
      if (others(one.writers, other->second.readers) ||
          others(one.readers, other->second.writers) || others(one.writers, other->second.writers))
        return true;
  return false;
}

class Watcher : public emu::Listener {
public:
  explicit Watcher(std::set<uint64_t> &ordering) : ordering_(ordering) {}

  void groupBegins(const emu::GroupView &) override {
    before_.clear();
    now_.clear();
    barrier_ = 0;
  }
  void before(emu::Record &record) override {
    emu::Wave &w = record.wave();
    const emu::Inst &i = record.inst();
    const std::string_view name = i.op ? i.op->name : "";
    if (!name.starts_with("ds_load") && !name.starts_with("ds_store"))
      return;
    const bool pair = name.find("2addr") != std::string_view::npos;
    unsigned bytes = 4;
    for (const auto &[suffix, n] : {std::pair("_b64", 8u), {"_b96", 12u}, {"_b128", 16u}})
      if (name.ends_with(suffix))
        bytes = n;
    const uint32_t scale = bytes * (name.find("stride64") != std::string_view::npos ? 64 : 1);
    const auto imm = static_cast<uint32_t>(i.imm);
    for (unsigned lane = 0; lane < emu::laneCount; ++lane) {
      if (!(w.exec() >> lane & 1))
        continue;
      const uint32_t address = w.vgpr(i.addr).lane[lane];
      for (unsigned b = 0; b < bytes; ++b) {
        touch(w.number, address + (pair ? (imm & 255) * scale : imm) + b, name);
        if (pair)
          touch(w.number, address + (imm >> 8) * scale + b, name);
      }
    }
  }
  void barrierPassed(const emu::GroupView &group) override {
    judge();
    before_ = std::move(now_);
    now_.clear();
    barrier_ = group.waves.front()->culprit->offset;
  }
  void groupEnds(const emu::GroupView &) override { judge(); }

private:
  void touch(unsigned wave, uint32_t byte, std::string_view name) {
    Touched &t = now_[byte];
    (name.starts_with("ds_load") ? t.readers : t.writers).insert(wave);
  }
  /// The barrier between `before_` and `now_`.
  void judge() {
    if (barrier_ != 0 && conflict(before_, now_))
      ordering_.insert(barrier_);
  }

  std::set<uint64_t> &ordering_;
  Interval before_, now_;
  uint64_t barrier_ = 0;
};

struct Factory : emu::Observer {
  std::set<uint64_t> ordering;
  std::unique_ptr<emu::Listener> create(const emu::LaunchState &) override {
    return std::make_unique<Watcher>(ordering);
  }
  Threads threads(const emu::Launch &) const override { return Threads::One; }
};

template <typename T> T unwrap(llvm::Expected<T> value) {
  if (!value)
    throw std::runtime_error(llvm::toString(value.takeError()));
  return std::move(*value);
}

} // namespace

std::set<uint64_t> barriersThatOrder(const object::CodeObject &object, const object::Kernel &kernel,
                                     const run::ResolvedLaunch &resolved) {
  const auto buffers = unwrap(run::BufferSet::allocate(resolved));
  buffers->fill(1);
  emu::Launch launch;
  std::vector<uint64_t> addresses;
  for (const run::Buffer &buffer : buffers->buffers()) {
    addresses.push_back(reinterpret_cast<uint64_t>(buffer.bytes.data()));
    launch.regions.push_back({buffer.facts.name, buffer.bytes.data(), buffer.bytes.size()});
  }
  run::Kernarg kernarg = unwrap(run::packKernarg(kernel, resolved, addresses));
  kernarg.bytes.resize((kernarg.bytes.size() + 15) / 16 * 16);
  launch.kernarg = kernarg.bytes;
  launch.grid = resolved.grid;
  launch.block = resolved.block;
  launch.dynamicLdsBytes = resolved.dynamicLdsBytes;
  Factory factory;
  launch.observers.push_back(&factory);
  const auto program = unwrap(emu::Program::create(kernelImage(object, kernel)));
  unwrap(program->run(launch));
  return factory.ordering;
}

} // namespace rdna::mutation
