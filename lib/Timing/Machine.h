//===- Machine.h - what the model believes of a card, as data --------------===//
//
// A row for each constant, with its source and how certain it is (Constants.def), and one for each
// card (Devices.def). Nothing else in the model holds a number of the hardware.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Isa/Processor.h"

#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rdna::timing {

/// Shader clocks. Executions may begin between two of them where an instruction takes 1.5.
using Cycles = int64_t;

enum class Constant : uint8_t {
#define RDNA_CONSTANT(name, ...) name,
#include "Timing/Constants.def"
#undef RDNA_CONSTANT
};

enum class Certainty : uint8_t {
  Measured,   ///< Read off thread traces of real hardware.
  Documented, ///< Somebody published it.
  Assumed,    ///< A guess, with a range.
  Fitted,     ///< Chosen so that published times of kernels 2 to 5 come out.
};

struct ConstantRow {
  Constant constant;
  std::string_view name;
  double value, low, high;
  std::string_view unit;
  Certainty certainty;
  std::string_view source;
  bool isDoubtful() const { return low != high; }
};

std::span<const ConstantRow> constantRows();
const ConstantRow &rowOf(Constant constant);
std::string_view toString(Certainty certainty);

struct Device {
  std::string id, title;
  Processor processor = Processor::Gfx1100;
  unsigned cus = 0, cusPerArray = 0;
  double boostMHz = 0;
  unsigned l2KiB = 0, infinityCacheMiB = 0;
  double dramGBs = 0, infinityCacheGBs = 0;
  unsigned memoryGiB = 0;
};

std::span<const Device> devices();

class Machine {
public:
  explicit Machine(Device device);
  const Device &device() const { return device_; }
  double operator[](Constant constant) const { return values_[static_cast<size_t>(constant)]; }
  Cycles cycles(Constant constant) const { return static_cast<Cycles>((*this)[constant]); }
  /// The same card with another belief.
  Machine with(Constant constant, double value) const;
  double clockMHz() const { return device_.boostMHz * (*this)[Constant::ClockShare]; }
  /// FP32 with every SIMD issuing a pair of FMAs each clock, at the boost clock.
  double peakGflops() const { return device_.cus * 256.0 * device_.boostMHz * 1e-3; }

private:
  friend llvm::Expected<Machine> readMachine(std::string_view text, std::string_view file);
  Device device_;
  std::array<double, 64> values_{};
};

/// A row of Devices.def by its id. Failure::BadInput names those that there are.
llvm::Expected<Machine> machineByName(std::string_view id);

/// {"base": "7900xtx", "title": ..., "cus": 40, "constants": {"BankPenalty": 0.5}}; everything but
/// `base` may be left out, and what is not known is an error.
llvm::Expected<Machine> readMachine(std::string_view text, std::string_view file);

} // namespace rdna::timing
