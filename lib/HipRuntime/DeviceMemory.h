//===- DeviceMemory.h - the device's memory and what the host shares ------===//
//
// Device memory is one reserved range of host addresses, so that a pointer is the same for kernels
// and for the host and can be told from any other. Addresses are used again as late as possible:
// whoever touches freed memory meets nobody else's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace rdna::hip {

struct Allocation {
  enum class Kind { Device, Host, Managed, Registered, Code } kind = Kind::Device;
  uint64_t address = 0, bytes = 0;
  unsigned number = 0; ///< Counts from 1, for reports.
  uint32_t flags = 0;
  std::string function;      ///< That made it: "hipMalloc".
  std::vector<void *> stack; ///< Return addresses of who asked for it; may be empty.
  /// Whether the host or a kernel may have written it.
  enum class Contents { Undefined, Defined } contents = Contents::Undefined;

  uint64_t end() const { return address + bytes; }
  /// "allocation 3 (hipMalloc, 1024 bytes)".
  std::string name() const;
};

class DeviceMemory {
public:
  /// Address space is reserved, nothing is used: less of it if the system does not give as much.
  explicit DeviceMemory(uint64_t capacity);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;

  /// Null if there is no room. `bytes` is not 0. Host, managed and code memory do not count against
  /// the capacity.
  Allocation *allocate(uint64_t bytes, Allocation::Kind kind, std::string function);
  /// The host's own memory, which kernels may access from now on.
  Allocation *addHostMemory(void *data, uint64_t bytes, std::string function);
  /// Forgets the allocation at exactly this address; false if there is none.
  bool release(uint64_t address);

  /// The allocation that holds `address`, or null.
  Allocation *find(uint64_t address);
  Allocation *findBase(uint64_t address);
  /// In words, where `address` is relative to what is or was there.
  std::string describe(uint64_t address) const;
  bool isDeviceAddress(uint64_t address) const {
    return address >= begin_ && address < begin_ + reserved_;
  }

  const std::map<uint64_t, Allocation> &allocations() const { return allocations_; }
  std::map<uint64_t, Allocation> &allocations() { return allocations_; }
  uint64_t capacity() const { return capacity_; }
  uint64_t used() const { return used_; }

private:
  uint64_t findRoom(uint64_t bytes);

  uint64_t begin_ = 0, reserved_ = 0, capacity_ = 0, used_ = 0;
  uint64_t cursor_ = 0; ///< Where the next allocation is looked for.
  unsigned made_ = 0;
  std::map<uint64_t, Allocation> allocations_; ///< By address.
  std::deque<Allocation> freed_;               ///< The last ones, for reports.
};

} // namespace rdna::hip
