#include "Isa/Register.h"

#include <fmt/format.h>

namespace rdna {

static std::string scalarName(unsigned encoding) {
  switch (encoding) {
  case 106:
    return "vcc_lo";
  case 107:
    return "vcc_hi";
  case 124:
    return "null";
  case 125:
    return "m0";
  case 126:
    return "exec_lo";
  case 127:
    return "exec_hi";
  case 128:
    return "scc";
  case 129:
    return "mode";
  case 130:
    return "flat_scratch";
  case 131:
    return "src_shared_base";
  case 132:
    return "src_shared_limit";
  case 133:
    return "src_private_base";
  case 134:
    return "src_private_limit";
  case 135:
    return "src_pops_exiting_wave_id";
  default:
    return encoding >= 108 ? fmt::format("ttmp{}", encoding - 108) : fmt::format("s{}", encoding);
  }
}

std::string toString(RegUnit unit) {
  return unit.isVgpr() ? fmt::format("v{}", unit.number()) : scalarName(unit.number());
}

std::string toString(const RegRange &range) {
  if (range.dwords == 1) {
    std::string name = toString(range.first);
    if (range.half != Half::Whole)
      name += range.half == Half::High ? ".h" : ".l";
    return name;
  }
  const unsigned first = range.first.number();
  if (!range.first.isVgpr() && first >= 106)
    return first == 106 ? "vcc" : first == 126 ? "exec" : scalarName(first) + "..";
  return fmt::format("{}[{}:{}]", range.first.isVgpr() ? 'v' : 's', first,
                     first + range.dwords - 1);
}

} // namespace rdna
