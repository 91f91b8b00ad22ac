//===- LdsContents.h - what of one LDS another LDS holds -------------------===//
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace rdna::verify {

/// For each byte of the original's LDS a byte of the rewritten code's that certainly holds the
/// same, if there is one.
class LdsContents {
public:
  LdsContents(uint32_t oldSize, uint32_t newSize) : home_(oldSize, kNone), of_(newSize, kNone) {}
  /// Both store the same there.
  void store(uint32_t oldByte, uint32_t newByte) {
    drop(oldByte, newByte);
    home_[oldByte] = newByte;
    of_[newByte] = oldByte;
  }
  bool holds(uint32_t oldByte, uint32_t newByte) const { return home_[oldByte] == newByte; }
  std::optional<uint32_t> homeOf(uint32_t oldByte) const {
    return home_[oldByte] == kNone ? std::nullopt : std::optional(home_[oldByte]);
  }
  /// What holds on either way.
  void join(const LdsContents &other) {
    for (uint32_t i = 0; i < home_.size(); ++i)
      if (home_[i] != kNone && home_[i] != other.home_[i])
        drop(i, home_[i]);
  }
  bool operator==(const LdsContents &) const = default;

private:
  static constexpr uint32_t kNone = ~0u;
  void drop(uint32_t oldByte, uint32_t newByte) {
    if (home_[oldByte] != kNone)
      of_[home_[oldByte]] = kNone;
    if (of_[newByte] != kNone)
      home_[of_[newByte]] = kNone;
    home_[oldByte] = of_[newByte] = kNone;
  }
  std::vector<uint32_t> home_, of_;
};

} // namespace rdna::verify
