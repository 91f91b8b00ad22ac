// hsaco-loader inspect --launch-template: a launch description to begin with.

#include "Commands.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace rdna::loader {

using Json = nlohmann::ordered_json;

/// How many dimensions a launch has: as many as the kernel asks for ids of (COMPUTE_PGM_RSRC2:
/// TGID_X_EN to TGID_Z_EN, TIDIG_COMP_CNT).
struct Dimensions {
  unsigned grid = 1, block = 1;
  explicit Dimensions(const object::Kernel &kernel) : block((kernel.rsrc2 >> 11 & 3) + 1) {
    for (unsigned d = 1; d < 3; ++d)
      if (kernel.rsrc2 >> (7 + d) & 1)
        grid = d + 1;
  }
};

/// The largest block of powers of two, the sides as alike as can be, that the kernel may have.
static std::array<uint32_t, 3> blockOf(const object::Kernel &kernel, unsigned dimensions) {
  if (kernel.requiredWorkgroupSize)
    return *kernel.requiredWorkgroupSize;
  const uint32_t most = kernel.maxFlatWorkgroupSize.value_or(64);
  if (dimensions == 1)
    return {most, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  for (uint32_t items = 1, d = 0; 2 * items <= most; items *= 2, d = (d + 1) % dimensions)
    block[d] *= 2;
  return block;
}

/// What is known of an argument: its size, and whether it is an address. Buffers have as many
/// dimensions as the grid; they are compared, and random, until the user says which are inputs
/// only.
static Json argumentJson(const object::KernelArgument &argument, const std::string &name,
                         unsigned dimensions) {
  constexpr std::array<const char *, 3> sizes{"4*N", "4*N*N", "4*N*N*N"};
  if (argument.valueKind == "global_buffer")
    return {{"name", name}, {"buffer", sizes[dimensions - 1]}, {"type", "f32"}, {"output", true}};
  if (argument.size == 4 || argument.size == 8)
    return {{"name", name}, {argument.size == 4 ? "i32" : "i64", "N"}};
  return {{"name", name}, {"bytes", std::vector<unsigned>(argument.size, 0)}};
}

static std::string launchTemplate(const object::Kernel &kernel) {
  constexpr std::array<unsigned, 3> sides{1024, 256, 32};
  const Dimensions dimensions(kernel);
  const std::array<uint32_t, 3> block = blockOf(kernel, dimensions.block);
  Json grid = Json::array();
  for (unsigned d = 0; d < 3; ++d) {
    // A block of one dimension often works on a square.
    const uint32_t size = d < dimensions.block ? block[d] : block[0];
    grid.push_back(d < dimensions.grid ? Json(fmt::format("(N+{})/{}", size - 1, size)) : Json(1));
  }
  Json json = {{"kernel", kernel.name},
               {"grid", grid},
               {"block", block},
               {"args", Json::array()},
               {"params", {{"N", sides[dimensions.grid - 1]}}}};
  for (const object::KernelArgument &argument : kernel.arguments)
    if (!argument.valueKind.starts_with("hidden_"))
      json["args"].push_back(argumentJson(
          argument,
          argument.name.empty() ? fmt::format("arg{}", json["args"].size()) : argument.name,
          dimensions.grid));
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
