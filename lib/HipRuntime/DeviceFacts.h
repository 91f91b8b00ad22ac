//===- DeviceFacts.h - what the device says of itself ---------------------===//
#pragma once

#include "HipRuntime/HipTypes.h"

namespace rdna::hip {

/// A Radeon RX 7900 XTX, as far as AMD's runtime reports it; what comes from a driver is plausible.
DevicePropR0600 deviceProperties(uint64_t memoryBytes);
DevicePropR0000 oldLayout(const DevicePropR0600 &properties);

/// False for an attribute that the runtime does not answer.
bool deviceAttribute(const DevicePropR0600 &properties, int32_t attribute, int32_t &value);

} // namespace rdna::hip
