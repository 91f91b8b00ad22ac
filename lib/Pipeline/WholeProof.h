//===- WholeProof.h - one proof of all steps at once ------------------------===//
//
// Every step of a pipeline is proven by itself. Where their claims can be said as one, the output
// is proven against the input once more, and nothing that lies between them has to be believed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Pipeline/ApplyProven.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace rdna {

class WholeProof {
public:
  /// Of rewrites of this text.
  static llvm::Expected<WholeProof> of(const Module &original);

  void add(const ProvenStep &step); ///< In order, all of them.

  /// A function that steps changed.
  struct Verdict {
    std::string function;
    unsigned steps = 0;
    std::string obstacle; ///< Why there is no proof from end to end; empty: there is one.
  };
  std::vector<Verdict> prove(const Module &result) const;

private:
  struct Composed {
    Correspondence claim;
    unsigned steps = 0;
    std::string obstacle;
  };
  std::unique_ptr<Module> original_;
  std::map<std::string, Composed> functions_;
};

} // namespace rdna
