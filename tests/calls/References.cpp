#include "calls/References.h"

namespace rdna::calls {

const std::map<std::string, Reference> &references() {
  static const std::map<std::string, Reference> all = [] {
    std::map<std::string, Reference> result;
    for (auto part : {argumentReferences(), nestingReferences(), memoryReferences(),
                      arithmeticReferences(), byHandReferences()})
      result.merge(part);
    return result;
  }();
  return all;
}

} // namespace rdna::calls
