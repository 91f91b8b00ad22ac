#include "Timing/Machine.h"

#include "Support/Diagnostic.h"
#include "Support/Nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <vector>

namespace rdna::timing {

static constexpr ConstantRow rows[] = {
#define RDNA_CONSTANT(name, value, low, high, unit, certainty, source)                             \
  {Constant::name, #name, value, low, high, unit, Certainty::certainty, source},
#include "Timing/Constants.def"
#undef RDNA_CONSTANT
};

std::span<const ConstantRow> constantRows() { return rows; }
const ConstantRow &rowOf(Constant constant) { return rows[static_cast<size_t>(constant)]; }

std::string_view toString(Certainty certainty) {
  switch (certainty) {
  case Certainty::Measured:
    return "measured";
  case Certainty::Documented:
    return "documented";
  case Certainty::Assumed:
    return "assumed";
  case Certainty::Fitted:
    return "fitted";
  }
  return "";
}

std::span<const Device> devices() {
  static const std::vector<Device> list = {
#define RDNA_DEVICE(id, title, processor, ...) {id, title, Processor::processor, __VA_ARGS__},
#include "Timing/Devices.def"
#undef RDNA_DEVICE
  };
  return list;
}

Machine::Machine(Device device) : device_(std::move(device)) {
  static_assert(std::size(rows) <= std::tuple_size_v<decltype(values_)>);
  for (const ConstantRow &row : rows)
    values_[static_cast<size_t>(row.constant)] = row.value;
}

Machine Machine::with(Constant constant, double value) const {
  Machine other = *this;
  other.values_[static_cast<size_t>(constant)] = value;
  return other;
}

llvm::Expected<Machine> machineByName(std::string_view id) {
  std::vector<std::string> known;
  for (const Device &device : devices()) {
    if (device.id == id)
      return Machine(device);
    known.push_back(device.id);
  }
  return makeError(Failure::BadInput, "",
                   fmt::format("unknown device '{}'{}; known: {}, or a file of its own", id,
                               didYouMean(id, known), fmt::join(known, ", ")));
}

llvm::Expected<Machine> readMachine(std::string_view text, std::string_view file) {
  using Json = nlohmann::json;
  const Json json = Json::parse(text, nullptr, false);
  const auto bad = [&](std::string_view why) { return makeError(Failure::BadInput, file, why); };
  if (!json.is_object() || !json.contains("base") || !json["base"].is_string())
    return bad("a machine is a JSON object with a \"base\" device");
  llvm::Expected<Machine> machine = machineByName(json["base"].get<std::string>());
  if (!machine)
    return machine.takeError();
  Device &device = machine->device_;
  const std::pair<std::string_view, unsigned *> counts[] = {
      {"cus", &device.cus},
      {"cus_per_array", &device.cusPerArray},
      {"l2_kib", &device.l2KiB},
      {"infinity_cache_mib", &device.infinityCacheMiB},
      {"memory_gib", &device.memoryGiB}};
  const std::pair<std::string_view, double *> numbers[] = {
      {"boost_mhz", &device.boostMHz},
      {"dram_gbs", &device.dramGBs},
      {"infinity_cache_gbs", &device.infinityCacheGBs}};
  for (const auto &[key, value] : json.items()) {
    const auto number = [&value]() { return value.is_number() ? value.get<double>() : -1; };
    bool known = key == "base";
    if (key == "title" && value.is_string())
      device.title = value.get<std::string>(), known = true;
    for (const auto &[name, place] : counts)
      if (key == name && number() >= 1 && number() < 1e6)
        *place = static_cast<unsigned>(number()), known = true;
    for (const auto &[name, place] : numbers)
      if (key == name && number() > 0)
        *place = number(), known = true;
    if (key == "constants" && value.is_object()) {
      known = true;
      for (const auto &[name, setting] : value.items()) {
        bool found = false;
        for (const ConstantRow &row : rows)
          if (row.name == name && setting.is_number() && setting.get<double>() >= 0)
            *machine = machine->with(row.constant, setting.get<double>()), found = true;
        if (!found)
          return bad(fmt::format("'{}' is no constant of the model with a number", name));
      }
    }
    if (!known)
      return bad(fmt::format("'{}' is not understood", key));
  }
  return machine;
}

} // namespace rdna::timing
