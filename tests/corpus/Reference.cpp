#include "corpus/Reference.h"

namespace rdna::corpus {

const std::map<std::string, Reference> &references() {
  static const std::map<std::string, Reference> all = [] {
    std::map<std::string, Reference> result;
    for (auto part : {linearAlgebraReferences(), signalReferences(), iterationReferences(),
                      controlFlowReferences()})
      result.merge(part);
    return result;
  }();
  return all;
}

} // namespace rdna::corpus
