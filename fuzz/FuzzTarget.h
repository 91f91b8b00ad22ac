//===- FuzzTarget.h - what libFuzzer and the replay call ------------------===//
#pragma once

#include <cstddef>
#include <cstdint>

/// Must return for every input; whatever it finds is a crash or a sanitizer's report.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
