//===- TightRegisters.h - registers below a limit for a whole function -----===//
#pragma once

#include "Transform/BankChoice.h"

#include <optional>

namespace rdna {

/// The most VGPRs that hold something at once, and where: no registers can be fewer.
struct MostLive {
  unsigned count = 0;
  uint32_t instruction = 0;
};
MostLive mostLive(const Module &module, const Cfg &cfg, const Liveness &liveness);

/// Registers for the webs of a function. What some operand names together stays together.
class TightRegisters {
public:
  TightRegisters(const Module &module, const Cfg &cfg, const Liveness &liveness,
                 const FunctionWebs &webs);
  /// All below `limit`; nothing if none were found. Whoever can stay at home does.
  std::optional<Registers> below(unsigned limit) const;

private:
  /// Webs that move together: homes are as far apart as the new registers.
  struct Group {
    std::vector<WebId> webs;
    unsigned home = 255;  ///< Of the lowest.
    unsigned modulus = 1; ///< The number keeps its rest.
    unsigned width = 1;   ///< Registers.
    size_t neighbours = 0;
    bool pinned = false;
  };
  void makeGroups(const Module &module);
  std::vector<uint8_t> moduli(const Module &module) const;
  std::vector<uint8_t> stuck(const Module &module) const;
  enum class Preference : uint8_t { Home, Lowest };
  bool place(const Group &group, unsigned limit, Preference preference,
             std::vector<uint8_t> &placed, Registers &result) const;
  std::optional<Registers> place(unsigned limit, Preference preference) const;

  const FunctionWebs &webs_;
  std::vector<Group> groups_;
  Interference apart_;
};

} // namespace rdna
