//===- Body.h - statements of one random function ---------------------------===//
#pragma once

#include "Emitter.h"

#include <functional>
#include <optional>

namespace rdna::fuzz {

/// How often each kind of statement comes, by seed; 0: never.
struct Flavour {
  unsigned fmas = 30, integers = 10, halves = 4, transcendentals = 3, compares = 5, scalars = 8,
           lanes = 6, lds = 10, loads = 10, stores = 4, atomics = 2, scalarLoads = 4, ifs = 4,
           barriers = 2, wmma = 0, moves = 2, calls = 0;
};

/// Which registers a function may use, and what is in those that hold addresses.
struct Registers {
  std::vector<unsigned> floats, ints, halves; ///< VGPRs, each with a value from the start.
  std::vector<unsigned> tuples; ///< First of four neighbours; they are floats as well.
  std::vector<unsigned> floatScalars, intScalars, masks;
  std::vector<unsigned> counters; ///< SGPRs for loops, taken as loops nest.
  unsigned own = 0;               ///< VGPR: byte offset of the lane's part of the outputs.
  unsigned in = 0;                ///< VGPR: byte offset of the lane's part of the inputs.
  unsigned lds = 0, planar = 0;   ///< VGPRs: the lane's bytes of LDS; column of its planes.
  unsigned pointer = 0;           ///< VGPR pair: input 0 + in.
  unsigned temporary = 0;         ///< First of eight VGPRs without a value.
  unsigned wmma = 0;              ///< First of 8 aligned VGPRs for it, or 0.
  unsigned inputs[2] = {}, inputInts = 0, outFloats = 0, outInts = 0, atomics = 0; ///< SGPR pairs.
  unsigned descriptor = 0;           ///< Four SGPRs: buffer resource of input 1; 0: none.
  unsigned iterations = 0, zero = 0; ///< SGPRs: 2 to 8; 0.
  unsigned scratchScalar = 0;        ///< First of six SGPRs without a value, even.
};

/// Of the launch.
struct Geometry {
  unsigned block = 64, groups = 1;
  bool isFull() const { return block % 32 == 0; } ///< All waves have all lanes.
  bool isPowerOfTwo() const { return (block & (block - 1)) == 0; }
};

class Body {
public:
  Body(Emitter &emitter, Registers registers, Flavour flavour, Geometry geometry)
      : e(emitter), r(std::move(registers)), flavour_(flavour), geometry_(geometry) {}

  /// So many statements, with loops and branches up to this depth.
  void statements(unsigned count, unsigned depth);
  void loop(unsigned depth);
  /// Stores every value.
  void storeAll(unsigned offset);

  std::function<void()> call; ///< Writes a call; empty: there is nothing to call.

private:
  enum class Flow : uint8_t { Uniform, Divergent };
  void statement(unsigned depth);
  // Arithmetic.cpp
  void fmas();
  std::string fma();
  std::optional<std::string> dual();
  std::string floatSource(); ///< Anything that a float operation may read first.
  void integers();
  void wideIntegers();
  void halves();
  void transcendental();
  void compare();
  void moves();
  void wmma();
  // Scalars.cpp
  void scalars();
  void scalarLoad();
  // Lanes.cpp
  void lanes();
  void dpp();
  // Memory.cpp
  void ldsAccess();
  void ldsOwn(unsigned base);
  void ldsPlanar();
  void ldsAtomic();
  void globalLoad();
  void globalStore();
  void globalAtomic();
  void advance();
  // Control.cpp
  void divergentIf(unsigned depth);
  void uniformIf(unsigned depth);
  void exchange(); ///< Barrier, reads of other lanes' LDS, barrier.
  struct Counter;
  Counter beginLoop();
  void endLoop(const Counter &counter);

  unsigned f() { return e.pick(r.floats); }
  unsigned i() { return e.pick(r.ints); }
  unsigned h() { return e.pick(r.halves); }
  unsigned tuple() { return e.pick(r.tuples); }
  std::string vf() { return v(f()); }
  std::string vi() { return v(i()); }
  std::string vh() { return v(h()); }
  std::string sf() { return s(e.pick(r.floatScalars)); }
  std::string si() { return s(e.pick(r.intScalars)); }
  std::string floatConstant();

  Emitter &e;
  Registers r;
  Flavour flavour_;
  Geometry geometry_;
  Flow flow_ = Flow::Uniform;
  unsigned loops_ = 0;          ///< That are open.
  std::vector<unsigned> steps_; ///< Loop counters as byte offsets, 0 to 448, that are valid here.
};

} // namespace rdna::fuzz
