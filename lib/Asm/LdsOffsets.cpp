#include "Asm/LdsOffsets.h"

namespace rdna {

LdsOffsets ldsOffsets(const Instruction &inst) {
  const std::string_view name = opName(inst.op);
  const bool moves = name.starts_with("ds_load_") || name.starts_with("ds_store_");
  if (inst.unit != Unit::Lds || !moves || name.find("addtid") != std::string_view::npos)
    return {};
  if (name.find("2addr") == std::string_view::npos)
    return {1, 1, 0xffff};
  const unsigned bytes = name.ends_with("b64") ? 8 : 4;
  return {2, name.find("stride64") != std::string_view::npos ? 64 * bytes : bytes, 0xff};
}

} // namespace rdna
