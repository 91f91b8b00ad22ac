//===- LoopWriter.h - random loops that the JIT compiles several iterations of --===//
#pragma once

#include "unit/EmuSnippet.h"

#include <cstdint>
#include <fmt/format.h>
#include <random>
#include <string>

namespace rdna::test {

/// Loads from LDS at addresses that move, accumulations over what they load, scalars.
class LoopWriter {
public:
  explicit LoopWriter(uint64_t seed) : random_(seed) {}
  Snippet write();

private:
  static constexpr unsigned ldsInputs = 8, laneInput = 9, floatInputs = 7; // v1 and following.
  static constexpr unsigned firstAddress = 20, addresses = 6;              // v20 to v25.
  static constexpr unsigned firstLoaded = 30, loaded = 32;                 // v30 to v61.
  static constexpr unsigned firstConstant = 62, constants = 8; // v62 to v69: nothing writes them.
  static constexpr unsigned firstSum = 80, sums = 28;          // v80 to v107.
  static constexpr unsigned firstScalar = 21, scalars = 10;    // s21 to s30; s20 counts.
  uint32_t next(uint32_t bound) { return uint32_t(random_() % bound); }
  template <class... T> std::string oneOf(T... texts) {
    const std::string all[] = {texts...};
    return all[next(sizeof...(texts))];
  }
  template <class... T> void line(fmt::format_string<T...> format, T &&...arguments) {
    text_ += "\t" + fmt::format(format, std::forward<T>(arguments)...) + "\n";
  }

  unsigned address() { return firstAddress + next(usedAddresses_); }
  unsigned loadedRegister(unsigned count = 1) { return firstLoaded + next(loaded - count + 1); }
  unsigned sum() { return firstSum + next(usedSums_); }
  /// Where most results go to is where most come from.
  unsigned result() { return next(12) ? sum() : wild_ && !next(6) ? address() : loadedRegister(); }
  unsigned anyRegister() {
    switch (next(8)) {
    case 0:
      return address();
    case 1:
      return firstConstant + next(constants);
    case 2:
      return sum();
    default:
      return loadedRegister();
    }
  }
  unsigned pair() { return firstLoaded + 2 * next(loaded / 2); }
  unsigned sumPair() { return firstSum + 2 * next(usedSums_ / 2); }
  std::string scalar() { return fmt::format("s{}", firstScalar + next(scalars)); }
  std::string operand() {
    switch (next(10)) {
    case 0:
      return scalar();
    case 1:
      return oneOf("1.0", "-2.0", "0", "-1", "64", "0x7f800001", "0x3f9d70a4", "vcc_lo", "src_scc");
    default:
      return fmt::format("v{}", anyRegister());
    }
  }
  std::string half(unsigned v) {
    return fmt::format("v{}.{}", v, highHalves_ && next(2) ? "h" : "l");
  }

  void setUp();
  void placeAddress(unsigned v);
  void load();
  void moveAddress();
  void compute();
  void accumulate();
  void moveScalar();
  void stayAlone();
  void loop();

  std::mt19937_64 random_;
  std::string text_;
  uint32_t ldsBytes_ = 0, iterations_ = 0;
  unsigned usedAddresses_ = 1, usedSums_ = sums;
  bool wild_ = false;  ///< Whether addresses may come from anywhere, so that loads wait for loads.
  bool alone_ = false; ///< Whether it has what makes it run one iteration at a time.
  bool highHalves_ = false; ///< Which the interpreter's handlers take.
};

} // namespace rdna::test
