//===- RandomCode.h - random instructions from the op table ---------------===//
#pragma once

#include "Emu/Opcodes.h"

#include <cstdint>
#include <random>
#include <vector>

namespace rdna::test {

/// Registers that random instructions may name. Everything outside stays as the program set it up.
struct RegisterWindow {
  static constexpr unsigned vgprs = 24;                    ///< v0 to v23.
  static constexpr unsigned firstSgpr = 16, lastSgpr = 79; ///< s16 to s79.
  static constexpr unsigned ldsAddress = 24;               ///< v24: a byte offset below 1020.
  static constexpr unsigned memoryBase = 4;                ///< s[4:5].
};

enum class Kind : uint8_t {
  Any,  ///< Everything.
  Loop, ///< What a compiled loop may run several iterations of at once: vectors, LDS loads,
        ///< scalars.
};

class RandomCode {
public:
  explicit RandomCode(uint64_t seed) : random_(seed) {}
  /// Appends the words of one random instruction.
  void append(std::vector<uint32_t> &code, Kind kind);
  uint32_t next(uint32_t bound) { return uint32_t(random_() % bound); }

private:
  const emu::Opcode &choose(Kind kind);
  uint32_t vgpr(unsigned bits);
  uint32_t sgpr(unsigned bits);
  uint32_t scalarSource(unsigned bits, uint32_t &literal);
  uint32_t source(unsigned bits, uint32_t &literal);
  uint32_t floatWord();

  struct Words {
    uint32_t w0 = 0, w1 = 0, literal = 0;
    bool wide = false, dpp = false;
  };
  uint32_t result(const emu::Opcode &op);
  uint32_t half(const emu::Opcode &op, emu::Field f, Kind kind);
  uint32_t shortSource(const emu::Opcode &op, Kind kind, Words &words);
  void encodeScalar(const emu::Opcode &op, Words &words);
  void encodeShort(const emu::Opcode &op, Kind kind, Words &words);
  void encodeVop3(const emu::Opcode &op, Kind kind, Words &words);
  void encodeVopd(const emu::Opcode &op, Words &words);
  void encodeMemory(const emu::Opcode &op, Words &words);

  std::mt19937_64 random_;
};

} // namespace rdna::test
