#include "HipRuntime/HipTypes.h"

namespace rdna::hip {

namespace {

struct ErrorRow {
  int32_t value;
  const char *name, *text;
};

constexpr ErrorRow errorRows[] = {
#define HIP_ERROR(value, name, text) {value, "hipError" #name, text},
#include "HipRuntime/Errors.def"
};

const ErrorRow *rowOf(int32_t error) {
  for (const ErrorRow &row : errorRows)
    if (row.value == error)
      return &row;
  return nullptr;
}

} // namespace

bool isError(int32_t error) { return rowOf(error) != nullptr; }

const char *errorName(int32_t error) {
  if (error == 0)
    return "hipSuccess";
  const ErrorRow *row = rowOf(error);
  return row ? row->name : "hipErrorUnknown";
}

const char *errorText(int32_t error) {
  const ErrorRow *row = rowOf(error);
  return row ? row->text : "unknown error";
}

#define HIP_PROPERTY(offset, type, name) static_assert(offsetof(DevicePropR0600, name) == offset);
#define HIP_PROPERTIES(offset, type, name, count) HIP_PROPERTY(offset, type, name)
#include "HipRuntime/DevicePropR0600.def"
static_assert(sizeof(DevicePropR0600) == 1472);

#define HIP_PROPERTY(offset, type, name) static_assert(offsetof(DevicePropR0000, name) == offset);
#define HIP_PROPERTIES(offset, type, name, count) HIP_PROPERTY(offset, type, name)
#include "HipRuntime/DevicePropR0000.def"
static_assert(sizeof(DevicePropR0000) == 792);

static_assert(sizeof(FuncAttributes) == 56 && offsetof(FuncAttributes, sharedSizeBytes) == 48);
static_assert(sizeof(PointerAttributes) == 32 && offsetof(PointerAttributes, isManaged) == 24);
static_assert(sizeof(LaunchParams) == 56 && offsetof(LaunchParams, args) == 32);
static_assert(sizeof(Memcpy3DParms) == 160 && offsetof(Memcpy3DParms, extent) == 128);
static_assert(sizeof(MemcpyParam2D) == 128 && offsetof(MemcpyParam2D, dstMemoryType) == 72 &&
              offsetof(MemcpyParam2D, height) == 120);
static_assert(sizeof(FatBinaryWrapper) == 24 && offsetof(FatBinaryWrapper, binary) == 8);
static_assert(sizeof(Dim3) == 12);

} // namespace rdna::hip
