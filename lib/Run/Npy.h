//===- Npy.h - numpy's files ------------------------------------------------===//
#pragma once

#include "Run/Elements.h"

#include "llvm/Support/Error.h"

#include <string>
#include <string_view>
#include <vector>

namespace rdna::run {

/// Whether these are the contents of an .npy file.
bool isNpy(std::string_view contents);

/// What an .npy file holds, in C order.
struct NpyArray {
  ElementType type = ElementType::F32;
  std::vector<uint64_t> shape;
  std::string data;
};

/// Versions 1 to 3. The error's message says what is wrong, without a file's name.
llvm::Expected<NpyArray> readNpy(std::string_view contents);

/// A flat array. numpy knows no bfloat16, whose bits become u16.
std::string npyText(ElementType type, std::string_view bytes);

} // namespace rdna::run
