//===- Errors.cpp - names, texts and the thread's last error --------------===//
#include "HipRuntime/Api/Call.h"

using namespace rdna::hip;

extern "C" {

const char *hipGetErrorName(int32_t error) { return errorName(error); }
const char *hipGetErrorString(int32_t error) { return errorText(error); }

int32_t hipDrvGetErrorName(int32_t error, const char **name) {
  return call([&](Runtime &) {
    if (!name || !isError(error))
      return Error::InvalidValue;
    *name = errorName(error);
    return Error::Success;
  });
}

int32_t hipDrvGetErrorString(int32_t error, const char **text) {
  return call([&](Runtime &) {
    if (!text || !isError(error))
      return Error::InvalidValue;
    *text = errorText(error);
    return Error::Success;
  });
}

// The last error is that of the last call, as up to ROCm 6; a fault of a kernel stays.

int32_t hipGetLastError() {
  return ask([](Runtime &r) {
    const int32_t error = std::exchange(lastError(), 0);
    return error == 0 ? int32_t(r.fault) : error;
  });
}

int32_t hipExtGetLastError() { return hipGetLastError(); }

int32_t hipPeekAtLastError() {
  return ask([](Runtime &r) { return lastError() == 0 ? int32_t(r.fault) : lastError(); });
}

} // extern "C"
