#include "Symbolic/Claim.h"

namespace rdna {

VgprMap::VgprMap() {
  for (unsigned i = 0; i < 256; ++i)
    newOf[i] = static_cast<uint8_t>(i);
}

const char *toString(Assumption assumption) {
  switch (assumption) {
  case Assumption::NoIndexWrap:
    return "no-index-wrap";
  case Assumption::NoSyncWithoutBarrier:
    return "no-sync-without-barrier";
  }
  return "";
}

} // namespace rdna
