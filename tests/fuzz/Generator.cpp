#include "Generator.h"

#include "Frame.h"

#include <algorithm>
#include <array>

namespace rdna::fuzz {
namespace {

/// Hands out VGPRs; with calls only those that a callee keeps.
class VgprPool {
public:
  VgprPool(Emitter &emitter, bool isKept) : e_(emitter), isKept_(isKept) {
    next_ = isKept ? 40 : 1 + e_.below(4);
  }
  unsigned take(unsigned dwords = 1) {
    if (!isKept_ && e_.chance(15))
      next_ += 1 + e_.below(3);
    for (;; ++next_)
      if (!isKept_ || (isSaved(next_) && isSaved(next_ + dwords - 1)))
        break;
    const unsigned first = next_;
    next_ += dwords;
    return first;
  }

private:
  static bool isSaved(unsigned n) { return n >= 40 && (n - 40) % 16 < 8; }
  Emitter &e_;
  bool isKept_;
  unsigned next_;
};

Flavour randomFlavour(Emitter &e) {
  Flavour flavour;
  const auto scale = [&](unsigned &weight) {
    static constexpr std::array<unsigned, 6> factors = {0, 0, 1, 1, 2, 4};
    weight *= factors[e.below(6)];
  };
  for (unsigned *weight :
       {&flavour.integers, &flavour.halves, &flavour.transcendentals, &flavour.compares,
        &flavour.scalars, &flavour.lanes, &flavour.lds, &flavour.loads, &flavour.stores,
        &flavour.atomics, &flavour.scalarLoads, &flavour.barriers, &flavour.moves})
    scale(*weight);
  flavour.ifs *= 1 + e.below(2);
  if (e.chance(3))
    flavour.wmma = 4;
  e.hints = e.below(3) ? e.below(12) : 0;
  e.superfluousWaits = e.below(2) ? e.below(6) : 0;
  e.clauses = 100 * e.below(2) / (1 + e.below(2));
  return flavour;
}

class File {
public:
  File(uint64_t seed, Shape shape) : e_(seed), shape_(shape) {}
  Generated make();

private:
  Registers kernelRegisters();
  void writeCall(const Registers &r);
  void function(unsigned index);
  void functionBody(Emitter &f, unsigned index);
  void callFrom(Emitter &f, const std::string &name);
  void returnFrom(Emitter &f, unsigned index);
  bool hasCalls() const { return shape_ == Shape::DeviceFunctions; }

  Emitter e_;
  Shape shape_;
  Frame frame_;
  unsigned functions_ = 0;
  std::array<bool, 3> returnsInFlight_{};
  std::string functionText_;
};

Registers File::kernelRegisters() {
  Registers r;
  const unsigned b = hasCalls() ? 36 : 16 + 4 * e_.below(4);
  r.inputs[0] = b, r.inputs[1] = b + 2, r.inputInts = b + 4, r.outFloats = b + 6;
  r.outInts = b + 8, r.atomics = b + 10, r.descriptor = b + 12;
  r.iterations = b + 16, r.zero = b + 17, r.scratchScalar = b + 18;
  for (unsigned n = 0; n < 12; ++n)
    r.counters.push_back(b + 24 + n);
  r.floatScalars = {b + 36, b + 37, b + 38, b + 39};
  r.intScalars = {b + 40, b + 41, b + 42, b + 43, b + 44, b + 45};
  r.masks = {b + 46, b + 47, b + 48, b + 49};

  VgprPool pool(e_, hasCalls());
  const auto fixed = [&] {
    r.own = pool.take(), r.in = pool.take(), r.lds = pool.take(), r.planar = pool.take();
    r.pointer = pool.take(2);
  };
  const bool fixedFirst = e_.chance(50);
  if (fixedFirst)
    fixed();
  for (unsigned n = 2 + e_.below(3); n > 0; --n) {
    r.tuples.push_back(pool.take(4));
    for (unsigned k = 0; k < 4; ++k)
      r.floats.push_back(r.tuples.back() + k);
  }
  for (unsigned n = 2 + e_.below(9); n > 0; --n)
    r.floats.push_back(pool.take());
  for (unsigned n = 4 + e_.below(4); n > 0; --n)
    r.ints.push_back(pool.take());
  for (unsigned n = 0; n < 3; ++n)
    r.halves.push_back(pool.take());
  if (!fixedFirst)
    fixed();
  r.temporary = hasCalls() ? 16 : pool.take(8);
  if (!hasCalls())
    r.wmma = pool.take(16);
  for (size_t n = r.floats.size(); n > 1; --n) // Neighbours of a tile need not be neighbours.
    std::swap(r.floats[n - 1], r.floats[e_.below(static_cast<uint32_t>(n))]);
  return r;
}

/// Functions get v0 to v3 and v4, return the same, and keep what LLVM's convention says.
void File::callFrom(Emitter &f, const std::string &name) {
  f.settleTranscendentals();
  f.raw("\ts_getpc_b64 s[18:19]");
  f.raw(fmt::format("\ts_add_u32 s18, s18, {}@rel32@lo+4", name));
  f.raw(fmt::format("\ts_addc_u32 s19, s19, {}@rel32@hi+12", name));
  f.raw("\ts_swappc_b64 s[30:31], s[18:19]");
  f.pending() = {};
}

void File::writeCall(const Registers &r) {
  const unsigned index = e_.below(functions_);
  const unsigned pairs[] = {r.inputs[0], r.inputs[1], r.inputInts,
                            r.outFloats, r.outInts,   r.atomics};
  for (unsigned n = 0; n < 6; ++n)
    e_.inst(fmt::format("s_mov_b64 {}, {}", s(4 + 2 * n, 2), s(pairs[n], 2)));
  e_.inst(fmt::format("s_mov_b32 s16, {}", s(r.iterations)));
  e_.inst(fmt::format("s_mov_b32 s17, {}", s(r.zero)));
  const std::pair<unsigned, unsigned> moves[] = {{5, r.own}, {6, r.in}, {7, r.lds}, {24, r.planar}};
  for (const auto &[to, from] : moves)
    e_.inst(fmt::format("v_mov_b32_e32 {}, {}", v(to), v(from)));
  for (unsigned n = 0; n < 4; ++n)
    if (e_.chance(40))
      e_.memory(Queue::Vector,
                fmt::format("global_load_b32 {}, {}, {} offset:{}", v(n), v(r.in),
                            s(r.inputs[n % 2], 2), 4 * e_.below(128)),
                v(n));
    else
      e_.inst(fmt::format("v_mov_b32_e32 {}, {}", v(n), v(e_.pick(r.floats))));
  if (e_.chance(30))
    e_.memory(Queue::Lds, fmt::format("ds_load_b32 v4, {} offset:36", v(r.lds)), "v4");
  else
    e_.inst(fmt::format("v_mov_b32_e32 v4, {}", v(e_.pick(r.ints))));
  callFrom(e_, fmt::format("f{}", index));
  if (returnsInFlight_[index])
    e_.pending().vector.old = {0, 1, 2, 3};
  for (unsigned n = 0; n < 2 + e_.below(3); ++n)
    e_.inst(e_.chance(50)
                ? fmt::format("v_fmac_f32_e32 {}, {}, {}", v(e_.pick(r.floats)), v(e_.below(4)),
                              v(e_.pick(r.floats)))
                : fmt::format("v_mov_b32_e32 {}, {}", v(e_.pick(r.floats)), v(e_.below(4))));
  e_.inst(fmt::format("v_xor_b32_e32 {}, v4, {}", v(e_.pick(r.ints)), v(e_.pick(r.ints))));
}

void File::functionBody(Emitter &f, unsigned index) {
  Registers r;
  r.tuples = {0, 8};
  r.floats = {0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15};
  r.ints = {4, 16, 17, 18, 19};
  r.halves = {20, 21};
  r.own = 5, r.in = 6, r.lds = 7, r.planar = 24, r.pointer = 26, r.temporary = 28;
  r.inputs[0] = 4, r.inputs[1] = 6, r.inputInts = 8, r.outFloats = 10, r.outInts = 12;
  r.atomics = 14, r.iterations = 16, r.zero = 17, r.scratchScalar = 18;
  r.counters = {24, 25, 26, 27, 28, 29};
  r.floatScalars = {0}, r.intScalars = {1}, r.masks = {2, 3};
  if (f.chance(60))
    f.memory(Queue::Vector,
             fmt::format("global_load_b128 v[8:11], v6, s[4:5] offset:{}", 16 * f.below(32)),
             "v[8:11]");
  else
    for (unsigned n = 8; n < 12; ++n)
      f.inst(fmt::format("v_mov_b32_e32 {}, {}", v(n), f.word({"0", "1.0", "v0", "v1"})));
  for (unsigned n = 12; n < 16; ++n)
    f.inst(fmt::format("v_mov_b32_e32 {}, {}", v(n), f.word({"0", "0.5", "v2", "v3"})));
  for (unsigned n = 16; n < 20; ++n)
    f.inst(fmt::format("v_add_nc_u32_e32 {}, {}, v4", v(n), f.below(64)));
  f.inst("v_mov_b32_e32 v20, 0x38003c00");
  f.inst("v_mov_b32_e32 v21, 0x34003800");
  f.inst("v_add_co_u32 v26, vcc_lo, s4, v6");
  f.inst("v_add_co_ci_u32_e64 v27, null, s5, 0, vcc_lo");
  f.inst("s_mov_b32 s0, 0.5");
  f.inst("s_movk_i32 s1, 0x123");
  f.inst("v_cmp_gt_i32_e64 s2, v4, v6");
  f.inst("s_not_b32 s3, s2");
  Flavour flavour = randomFlavour(f);
  flavour.barriers = 0;
  Body body(f, r, flavour, frame_.geometry);
  body.statements(f.below(4), 0);
  if (f.chance(80))
    body.loop(1 + f.below(2));
  body.statements(f.below(5), 1);
  returnsInFlight_[index] = index + 1 == functions_ && f.chance(25);
}

void File::returnFrom(Emitter &f, unsigned index) {
  f.settleTranscendentals();
  f.drain();
  if (returnsInFlight_[index])
    f.memory(Queue::Vector, "global_load_b128 v[0:3], v6, s[4:5] offset:64", "v[0:3]");
  f.raw("\ts_setpc_b64 s[30:31]");
}

void File::function(unsigned index) {
  Emitter f(e_.below(1u << 31));
  f.setPrefix(fmt::format("BB{}", index + 1));
  const std::string name = fmt::format("f{}", index);
  f.raw(fmt::format("\t.p2align\t2\n\t.type\t{},@function\n{}:", name, name));
  f.raw(f.chance(80) ? "\ts_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)"
                     : "\ts_waitcnt vmcnt(0)\n\ts_waitcnt lgkmcnt(0)");
  const bool calls = index + 1 < functions_ && e_.chance(50);
  if (calls)
    for (const char *line :
         {"s_mov_b32 s0, s33", "s_mov_b32 s33, s32", "s_or_saveexec_b32 s1, -1",
          "scratch_store_b32 off, v40, s33", "s_mov_b32 exec_lo, s1", "v_writelane_b32 v40, s0, 2",
          "s_add_i32 s32, s32, 16", "v_writelane_b32 v40, s30, 0", "v_writelane_b32 v40, s31, 1"})
      f.raw(std::string("\t") + line);
  functionBody(f, index);
  if (calls) {
    f.drain();
    callFrom(f, fmt::format("f{}", index + 1));
    if (returnsInFlight_[index + 1])
      f.pending().vector.old = {0, 1, 2, 3};
    f.inst("v_fmac_f32_e32 v0, v1, v2");
    f.inst("v_mul_f32_e32 v3, v0, v3");
    for (const char *line :
         {"v_readlane_b32 s30, v40, 0", "v_readlane_b32 s31, v40, 1", "v_readlane_b32 s0, v40, 2",
          "s_or_saveexec_b32 s1, -1", "scratch_load_b32 v40, off, s33", "s_mov_b32 exec_lo, s1",
          "s_add_i32 s32, s32, -16", "s_mov_b32 s33, s0", "s_waitcnt vmcnt(0)"})
      f.raw(std::string("\t") + line);
    frame_.scratchBytes = 128;
  }
  returnFrom(f, index);
  functionText_ = f.takeText() +
                  fmt::format(".Lfunc_end{}:\n\t.size\t{}, .Lfunc_end{}-{}\n", index + 1, name,
                              index + 1, name) +
                  functionText_;
}

Generated File::make() {
  static constexpr std::array<unsigned, 8> blocks = {32, 32, 32, 64, 64, 128, 48, 96};
  frame_.geometry = {blocks[e_.below(8)], 1 + e_.below(2)};
  frame_.userSgprs = e_.chance(50) ? 2 : 15;
  frame_.spareVgprs = e_.below(3) * e_.below(30);
  frame_.iterations = 2 + e_.below(7);
  frame_.ldsBytes = 16384;
  frame_.flushesDenormals = e_.chance(30);
  frame_.isWgpMode = e_.chance(30);
  if (hasCalls()) {
    functions_ = 1 + e_.below(3);
    for (unsigned n = functions_; n-- > 0;)
      function(n); // The last one first: the others may call it.
  }
  Flavour flavour = randomFlavour(e_);
  flavour.calls = hasCalls() ? 6 : 0;
  const Registers r = kernelRegisters();
  writePrologue(e_, frame_, r, hasCalls() ? Convention::Calls : Convention::None);
  Body body(e_, r, flavour, frame_.geometry);
  if (hasCalls())
    body.call = [&] { writeCall(r); };
  body.statements(e_.below(6), 1);
  for (unsigned n = 1 + e_.below(3); n > 0; --n) {
    body.loop(e_.below(3));
    body.statements(e_.below(4), 1);
    if (hasCalls() && e_.chance(50))
      writeCall(r);
  }
  if (e_.chance(50))
    e_.settleTranscendentals();
  body.storeAll(laneBytes / 2);
  if (!frame_.scratchBytes && e_.chance(20)) {
    e_.inst("s_nop 0");
    e_.raw("\ts_sendmsg sendmsg(MSG_DEALLOC_VGPRS)");
  }
  return {wholeFile(frame_, e_.takeText(), functionText_), launchDescription(frame_)};
}

} // namespace

Generated generate(uint64_t seed, Shape shape) { return File(seed, shape).make(); }

} // namespace rdna::fuzz
