#include "Emu/Check/Shadow.h"

#include "Emu/GroupRunner.h"

#include <cstring>

namespace rdna::emu {

static bool allZero(const LaneShadow &lanes) {
  std::array<uint64_t, laneCount / 8> words;
  std::memcpy(words.data(), lanes.data(), sizeof words);
  return (words[0] | words[1] | words[2] | words[3]) == 0;
}

void WaveShadow::start(Wave &w) {
  clean_ = {};
  origin_.fill(neverWritten);
  for (unsigned n = 0; n < 256; ++n) {
    for (unsigned l = 0; l < laneCount; ++l)
      v_[n][l] = w.vgpr(n).lane[l] == vgprGarbage(n, l) ? 15 : 0;
    settle(n);
  }
  for (unsigned unit = 256; unit < kRegUnits; ++unit) {
    const unsigned number = unit - 256;
    // VCC and M0 hold garbage like any SGPR; EXEC and what has no number are hardware's.
    const bool mayBeGarbage = number < 108 || RegUnit{uint16_t(unit)} == kM0;
    bool undefined = mayBeGarbage && w.s[number] == sgprGarbage(number);
    undefined |= RegUnit{uint16_t(unit)} == kScc;
    s_[number] = undefined ? ~0u : 0;
    if (!undefined)
      clean_.add({RegUnit{uint16_t(unit)}, 1});
  }
}

LaneShadow &WaveShadow::vgpr(unsigned n) {
  if (clean_.has(n)) {
    v_[n].fill(0);
    clean_.remove(n);
  }
  return v_[n];
}

void WaveShadow::setScalar(unsigned unit, uint32_t undefined, uint32_t origin) {
  if (unit >= kRegUnits) // NULL, and constants where an encoding has a destination for no result.
    return;
  s_[unit - 256] = undefined;
  if (undefined) {
    clean_.remove(unit);
    origin_[unit] = origin;
  } else {
    clean_.add({RegUnit{uint16_t(unit)}, 1});
  }
}

void WaveShadow::define(const RegSet &written, uint32_t exec) {
  if (exec == fullExec) {
    clean_ |= written;
    return;
  }
  for (unsigned k = 4; k < written.word.size(); ++k)
    clean_.word[k] |= written.word[k];
  for (unsigned k = 0; k < 4; ++k)
    for (uint64_t left = written.word[k] & ~clean_.word[k]; left; left &= left - 1) {
      const unsigned n = 64 * k + unsigned(__builtin_ctzll(left));
      for (unsigned l = 0; l < laneCount; ++l)
        v_[n][l] = exec >> l & 1 ? 0 : v_[n][l];
      settle(n);
    }
}

void WaveShadow::setLane(unsigned n, unsigned lane, uint8_t bytes, uint8_t undefined,
                         uint32_t origin) {
  undefined &= bytes;
  if (clean_.has(n)) {
    if (!undefined)
      return;
    vgpr(n);
  }
  v_[n][lane] = uint8_t((v_[n][lane] & ~bytes) | undefined);
  if (undefined)
    origin_[n] = origin;
}

void WaveShadow::settle(unsigned n) {
  if (allZero(v_[n]))
    clean_.add({RegUnit::vgpr(n), 1});
}

} // namespace rdna::emu
