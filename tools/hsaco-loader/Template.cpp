// hsaco-loader inspect --launch-template: a launch description to begin with.

#include "Commands.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rdna::loader {

using Json = nlohmann::ordered_json;

/// What is known of an argument: its size, and whether it is an address. Buffers are compared, and
/// random, until the user says which are inputs only.
static Json argumentJson(const object::KernelArgument &argument, const std::string &name) {
  if (argument.valueKind == "global_buffer")
    return {{"name", name}, {"buffer", "4*N"}, {"type", "f32"}, {"output", true}};
  if (argument.size == 4 || argument.size == 8)
    return {{"name", name}, {argument.size == 4 ? "i32" : "i64", "N"}};
  return {{"name", name}, {"bytes", std::vector<unsigned>(argument.size, 0)}};
}

static std::string launchTemplate(const object::Kernel &kernel) {
  std::array<uint32_t, 3> block{kernel.maxFlatWorkgroupSize.value_or(64), 1, 1};
  if (kernel.requiredWorkgroupSize)
    block = *kernel.requiredWorkgroupSize;
  Json json = {{"kernel", kernel.name},
               {"grid", {fmt::format("(N+{})/{}", block[0] - 1, block[0]), 1, 1}},
               {"block", block},
               {"args", Json::array()},
               {"params", {{"N", 1024}}}};
  for (const object::KernelArgument &argument : kernel.arguments)
    if (!argument.valueKind.starts_with("hidden_"))
      json["args"].push_back(argumentJson(argument, argument.name.empty()
                                                        ? fmt::format("arg{}", json["args"].size())
                                                        : argument.name));
  // A line for each argument, as one writes it by hand.
  std::string text = "{\n";
  for (const auto &item : json.items()) {
    text += fmt::format("  {}: ", Json(item.key()).dump());
    if (item.key() != "args") {
      text += item.value().dump();
    } else {
      text += "[\n";
      for (size_t n = 0; n < item.value().size(); ++n)
        text += fmt::format("    {}{}\n", item.value()[n].dump(),
                            n + 1 == item.value().size() ? "" : ",");
      text += "  ]";
    }
    text += item.key() == "params" ? "\n" : ",\n";
  }
  return text + "}\n";
}

llvm::Expected<int> templateCommand(const tool::Tool &tool, const Options &options,
                                    const object::CodeObject &object) {
  llvm::Expected<const object::Kernel *> kernel = object.kernel(options.kernel);
  if (!kernel)
    return kernel.takeError();
  if (!(*kernel)->hasMetadata)
    return makeError(Failure::BadInput, object.file,
                     fmt::format("kernel '{}' has no metadata, which would say what its arguments "
                                 "are (.amdgpu_metadata missing)",
                                 (*kernel)->name));
  if (llvm::Error error = tool.print(launchTemplate(**kernel)))
    return error;
  tool.report({.severity = Severity::Note,
               .file = object.file,
               .message = "sizes, types and numbers are guesses, and every buffer counts as an "
                          "output: correct them (docs/howto-run.md)",
               .sourceLine = {}});
  return 0;
}

} // namespace rdna::loader
