#include "common/ModelInput.h"

#include "Support/Diagnostic.h"
#include "Support/File.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace rdna::tool {

llvm::Expected<timing::Machine> readDevice(const std::string &device) {
  if (!device.ends_with(".json"))
    return timing::machineByName(device);
  llvm::Expected<std::string> text = readInput(device);
  if (!text)
    return text.takeError();
  return timing::readMachine(*text, device);
}

static llvm::Expected<run::Parameters> parametersOf(const std::vector<std::string> &settings) {
  run::Parameters parameters;
  for (const std::string &setting : settings) {
    const auto [name, value] = llvm::StringRef(setting).split('=');
    int64_t number = 0;
    if (name.empty() || value.getAsInteger(0, number))
      return makeError(Failure::BadInput, "",
                       fmt::format("--param: '{}' is not of the form NAME=value", setting));
    parameters[name.str()] = number;
  }
  return parameters;
}

llvm::Expected<run::ResolvedLaunch> readLaunch(const std::string &file,
                                               const std::vector<std::string> &settings) {
  llvm::Expected<std::string> text = readInput(file);
  if (!text)
    return text.takeError();
  auto description = run::parseLaunchDescription(*text, displayName(file));
  if (!description)
    return description.takeError();
  llvm::Expected<run::Parameters> parameters = parametersOf(settings);
  if (!parameters)
    return parameters.takeError();
  return run::resolve(*description, *parameters);
}

} // namespace rdna::tool
