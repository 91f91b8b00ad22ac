//===- Originals.h - the compiler's code beside the rewritten one ----------===//
//
// With --rdna-verify a bundle has both. Linking is the driver's own step, once more for the
// original; what the driver's bundler has made gets one more entry.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Jobs.h"

#include "llvm/Support/Error.h"

#include <map>

namespace rdna::hipclang {

class Originals {
public:
  /// `folder` is where files go that the driver knows nothing of.
  explicit Originals(std::string folder) : folder_(std::move(folder)) {}
  /// The compiler's object in place of which `object` stands now.
  void add(const Job &compile, const std::string &original);
  /// What is to be done when a step of the driver has been.
  llvm::Expected<int> after(const Job &job);

private:
  struct Original {
    std::string processor, file;
  };
  llvm::Error addToBundle(const Job &job) const;
  std::string folder_;
  std::map<std::string, Original> originals_; ///< By the file that the driver knows.
};

} // namespace rdna::hipclang
