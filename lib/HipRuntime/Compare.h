//===- Compare.h - a rewritten kernel against its original -----------------===//
//
// A launch of a rewritten kernel runs the original first, keeps what it leaves in memory, puts
// everything back, and compares after the rewritten one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "HipRuntime/CodeModule.h"
#include "HipRuntime/DeviceMemory.h"

#include <optional>
#include <string>
#include <vector>

namespace rdna::hip {

/// The original of a kernel, if its code is another.
ModuleKernel *originalOf(const ModuleKernel &kernel);

/// The contents of all memory that kernels may write, but for code and for what `printf` uses.
class MemoryCopy {
public:
  explicit MemoryCopy(const DeviceMemory &memory);
  void restore() const;
  /// Where memory, as it is now, is not this, in words; and how many dwords are not. F32 NaNs are
  /// all equal: which one comes of a sum or a product, a rewrite may change.
  struct Difference {
    std::string text;
    uint64_t dwords = 0;
  };
  std::optional<Difference> compare(const DeviceMemory &memory) const;

private:
  struct Piece {
    std::byte *data = nullptr;
    std::string name;
    std::vector<std::byte> bytes;
  };
  std::vector<Piece> pieces_;
};

/// The variables of a module; those that hold addresses of its own image are left out.
class VariablesCopy {
public:
  explicit VariablesCopy(const CodeModule &module);
  /// Into a module of the same variables.
  void copyTo(const CodeModule &module) const;
  std::optional<MemoryCopy::Difference> compare(const CodeModule &module) const;

private:
  std::map<std::string, std::vector<std::byte>> values_;
};

} // namespace rdna::hip
