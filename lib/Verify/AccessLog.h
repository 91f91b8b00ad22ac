//===- AccessLog.h - accesses that barriers have not ordered yet -----------===//
//
// Two texts make the same accesses, but have their barriers at different places. An access is
// ordered before what other waves do behind a barrier if its wave had waited for it when it arrived
// there; s_barrier itself waits for nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Counters.h"
#include "Asm/Module.h"

#include <array>
#include <map>
#include <vector>

namespace rdna::verify {

enum class TextSide : uint8_t { Old, New };

/// Bytes of LDS that one access touches, by work-item.
struct Footprint {
  unsigned bytes = 0;                                ///< From each start on.
  std::vector<std::pair<uint32_t, uint32_t>> starts; ///< Work-item and address.
  auto operator<=>(const Footprint &) const = default;
};

/// All footprints of a proof, each once.
class Footprints {
public:
  uint32_t intern(Footprint footprint);
  const Footprint &operator[](uint32_t id) const { return *all_[id]; }
  /// A byte that two work-items touch.
  std::optional<uint32_t> sharedByte(uint32_t id) const;
  /// A byte that two waves touch, one in each.
  std::optional<uint32_t> contestedByte(uint32_t a, uint32_t b);

private:
  std::map<Footprint, uint32_t> ids_;
  std::vector<const Footprint *> all_;
  std::map<std::pair<uint32_t, uint32_t>, std::optional<uint32_t>> contested_;
};

class AccessLog {
public:
  struct Key {
    uint32_t instruction = 0;            ///< Of the original.
    uint32_t oldPlace = 0, newPlace = 0; ///< Footprints of an LDS access.
    auto operator<=>(const Key &) const = default;
  };
  struct Entry {
    bool isLds = false, isWrite = false;
    /// May its wave still wait for it? If so, so many that count were issued since, at least.
    bool isOutstanding = true;
    std::array<uint8_t, kWaitClasses> weight{}, since{};
    /// Bit n: a barrier may have ordered it in neither text (3), in the new one only (1), in the
    /// old one only (2).
    uint8_t ordered = 1u << 3;
    bool mayBeOpen(TextSide side) const {
      return (ordered & (side == TextSide::Old ? 0b1010 : 0b1100)) != 0;
    }
    /// The old text has a barrier behind it that the new one has not.
    bool lacksBarrier() const { return (ordered & 0b0100) != 0; }
    bool operator==(const Entry &) const = default;
  };
  using Entries = std::map<Key, Entry>;

  const Entries &entries() const { return entries_; }
  enum class Counts : uint8_t { Yes, Already };
  void issue(const Key &key, const Instruction &inst, Counts counts = Counts::Yes);
  /// One that counts without an access to memory.
  void count(const Instruction &inst);
  void wait(const Wait &wait);
  void barrier(TextSide side);
  /// What holds on either way.
  void join(const AccessLog &other);
  bool operator==(const AccessLog &) const = default;

private:
  Entries entries_;
};

} // namespace rdna::verify
