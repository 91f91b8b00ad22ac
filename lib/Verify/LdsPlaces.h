//===- LdsPlaces.h - which bytes of LDS an access touches -------------------===//
#pragma once

#include "Verify/AccessLog.h"
#include "Verify/KnownValues.h"

#include <optional>
#include <string>

namespace rdna::verify {

/// The register that holds the address.
const Operand &ldsAddress(const Instruction &inst);
/// Must it be known which lanes make an access, or do all count that may?
enum class LanesOn : uint8_t { Known, Possible };
/// Of one of the places that the access has; nothing if it does not follow from the launch. Lanes
/// that are not among `within` (by wave, or one mask for all; none: any) make no access.
std::optional<Footprint> ldsFootprint(const KnownValues &values, const Instruction &inst,
                                      unsigned field, LanesOn lanes = LanesOn::Known,
                                      llvm::ArrayRef<uint32_t> within = {});
/// What is wrong with such a place where so many bytes are declared; `text` is whose it is.
std::optional<std::string> ldsRangeFault(const Footprint &footprint, const Instruction &inst,
                                         uint32_t declared, const char *text);

} // namespace rdna::verify
