//===- SourcePlaces.h - from instructions to lines of the source ----------===//
#pragma once

#include "Object/CodeObject.h"

#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class DWARFContext;
namespace object {
class ObjectFile;
}
} // namespace llvm

namespace rdna::hip {

/// What -g leaves in a code object; read when first asked. Not for several threads at a time.
class SourcePlaces {
public:
  /// `object` must outlive it.
  explicit SourcePlaces(const object::CodeObject &object);
  ~SourcePlaces();
  /// "sgemm.hip:42" or, inlined, "vector.h:7, inlined at sgemm.hip:42"; empty without debug
  /// information.
  std::string at(uint64_t imageOffset) const;

private:
  void read() const;
  const object::CodeObject &object_;
  mutable bool wasRead_ = false;
  mutable std::unique_ptr<llvm::object::ObjectFile> file_;
  mutable std::unique_ptr<llvm::DWARFContext> dwarf_;
};

} // namespace rdna::hip
