#include "mutation/Judge.h"
namespace rdna::mutation {
std::optional<std::string> reasonOf(const Operator &, const Step &, const Mutant &, const Module &,
                                    uint64_t) {
  return std::nullopt;
}
} // namespace rdna::mutation
