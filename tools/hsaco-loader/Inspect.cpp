#include "Launch.h"
#include "Report.h"

#include "Isa/Occupancy.h"
#include "common/Sizes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rdna::loader {

using Json = nlohmann::ordered_json;

/// Work-items per workgroup: required, else the most it was compiled for, else --block, else 0.
static unsigned workgroupSize(const object::Kernel &kernel, unsigned stated) {
  if (kernel.requiredWorkgroupSize) {
    const auto &size = *kernel.requiredWorkgroupSize;
    return size[0] * size[1] * size[2];
  }
  return kernel.maxFlatWorkgroupSize ? *kernel.maxFlatWorkgroupSize : stated;
}

static Json kernelJson(const object::Kernel &kernel, unsigned used, unsigned block,
                       const Occupancy &occupancy) {
  const auto orNull = [](const auto &value) { return value ? Json(*value) : Json(); };
  Json json;
  json["name"] = kernel.name;
  json["vgprs"] = kernel.vgprs;
  json["vgprs_used"] = used;
  json["sgprs"] = orNull(kernel.metadataSgprs);
  json["lds_bytes"] = kernel.ldsBytes;
  json["scratch_bytes"] = kernel.scratchBytes;
  json["kernarg_bytes"] = kernel.kernargBytes;
  json["code_bytes"] = kernel.codeBytes;
  json["entry"] = kernel.entryAddress;
  json["wavefront_size"] = kernel.wave32 ? 32 : 64;
  json["cu_mode"] = kernel.cuMode;
  json["rsrc1"] = kernel.rsrc1;
  json["rsrc2"] = kernel.rsrc2;
  json["rsrc3"] = kernel.rsrc3;
  json["workgroup_size"] = block == 0 ? Json() : Json(block);
  json["waves_per_simd"] = kernel.wave32 ? Json(occupancy.wavesPerSimd) : Json();
  json["occupancy_limit"] = kernel.wave32 ? Json(toString(occupancy.limit)) : Json();
  json["vgpr_spills"] = orNull(kernel.vgprSpills);
  json["sgpr_spills"] = orNull(kernel.sgprSpills);
  json["arguments"] = Json::array();
  for (const object::KernelArgument &argument : kernel.arguments)
    json["arguments"].push_back({{"name", argument.name},
                                 {"kind", argument.valueKind},
                                 {"offset", argument.offset},
                                 {"size", argument.size}});
  return json;
}

static std::string kernelText(const object::Kernel &kernel, unsigned used, unsigned block,
                              const Occupancy &occupancy) {
  std::string text = fmt::format("kernel {}\n", kernel.name);
  const auto line = [&](std::string_view name, const std::string &value) {
    text += fmt::format("  {:<12}{}\n", name, value);
  };
  line("registers",
       fmt::format("{} VGPRs allocated, {} used{}", kernel.vgprs, used,
                   kernel.metadataSgprs ? fmt::format(", {} SGPRs", *kernel.metadataSgprs) : ""));
  line("memory",
       fmt::format("{} bytes LDS, {} scratch per lane, {} kernarg, {} code", kernel.ldsBytes,
                   kernel.scratchBytes, kernel.kernargBytes, kernel.codeBytes));
  line("mode",
       fmt::format("wave{}, {} mode", kernel.wave32 ? 32 : 64, kernel.cuMode ? "CU" : "WGP"));
  line("descriptor",
       fmt::format("rsrc1 {:#010x}, rsrc2 {:#010x}, rsrc3 {:#010x}, properties {:#06x}",
                   kernel.rsrc1, kernel.rsrc2, kernel.rsrc3, kernel.codeProperties));
  if (kernel.vgprSpills.value_or(0) + kernel.sgprSpills.value_or(0) != 0)
    line("spills", fmt::format("{} VGPRs, {} SGPRs", kernel.vgprSpills.value_or(0),
                               kernel.sgprSpills.value_or(0)));
  line("workgroup", block != 0 ? fmt::format("{}{} work-items",
                                             kernel.requiredWorkgroupSize ? "" : "at most ", block)
                               : "size not stated (--block)");
  if (kernel.wave32)
    line("occupancy",
         fmt::format("{} waves per SIMD, limited by {}{}", occupancy.wavesPerSimd,
                     toString(occupancy.limit),
                     occupancy.lift.empty() ? "" : fmt::format(" ({})", occupancy.lift)));
  for (const object::KernelArgument &argument : kernel.arguments)
    line("argument", fmt::format("{:>3} +{:<3} {} {}", argument.offset, argument.size,
                                 argument.valueKind, argument.name));
  return text;
}

llvm::Expected<std::string> inspectText(const object::CodeObject &object,
                                        const std::vector<std::string> &findings,
                                        const Options &options) {
  unsigned stated = 0;
  if (!options.block.empty()) {
    auto sizes = tool::parseSizes(options.block, "--block");
    if (!sizes)
      return sizes.takeError();
    stated = (*sizes)[0] * (*sizes)[1] * (*sizes)[2];
  }
  if (!options.kernel.empty())
    if (auto found = object.kernel(options.kernel); !found)
      return found.takeError();
  Json json{{"schema", "hsaco-loader/1"}, {"command", "inspect"},
            {"target", object.target},    {"code_object_version", object.abiVersion},
            {"kernels", Json::array()},   {"findings", findings}};
  std::string text = fmt::format("code object version {} for {}, {} bytes loaded\n",
                                 object.abiVersion, object.target, object.image.size());
  for (const object::Kernel &kernel : object.kernels) {
    if (!options.kernel.empty() && kernel.name != options.kernel)
      continue;
    const unsigned used = vgprsUsed(object, kernel);
    const unsigned block = workgroupSize(kernel, stated);
    const Occupancy waves =
        occupancy({kernel.vgprs, kernel.ldsBytes, block,
                   kernel.cuMode ? WorkgroupMode::Cu : WorkgroupMode::Wgp,
                   processorByName(object.target).value_or(Processor::Gfx1100)});
    text += "\n" + kernelText(kernel, used, block, waves);
    json["kernels"].push_back(kernelJson(kernel, used, block, waves));
  }
  return options.format == Format::Json ? tool::jsonText(json) : text;
}

} // namespace rdna::loader
