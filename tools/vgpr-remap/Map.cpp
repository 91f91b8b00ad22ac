#include "VgprRemap.h"

#include "Support/File.h"
#include "common/RewriteReport.h"
#include "common/Tool.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rdna::vgprremap {

using Json = nlohmann::ordered_json;

std::string mapText(const PipelineResult &result) {
  Json mapping = Json::array();
  // What later rounds move is no longer where the input had it.
  for (const StepReport &step : result.steps)
    if (const ReportValue *list = step.find("mapping");
        list && step.round == 0 && step.number("round") == 0)
      for (Json &entry : tool::toJson(*list))
        mapping.push_back(std::move(entry));
  return tool::jsonText({{"schema", "vgpr-remap-map/1"}, {"mapping", std::move(mapping)}});
}

static llvm::Error badEntry(const std::string &path, size_t index, std::string_view what) {
  return makeError(Failure::BadInput, path,
                   fmt::format("entry {} of the mapping: {}", index, what));
}

llvm::Expected<std::vector<FixedMapping>> readMap(const std::string &path) {
  auto text = readInput(path);
  if (!text)
    return text.takeError();
  const Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    return makeError(Failure::BadInput, path, "not JSON");
  const Json &list = json.is_object() && json.contains("mapping") ? json["mapping"] : json;
  if (!list.is_array())
    return makeError(Failure::BadInput, path, "no array of mapping entries");
  std::vector<FixedMapping> result;
  for (size_t i = 0; i < list.size(); ++i) {
    const Json &entry = list[i];
    if (!entry.is_object())
      return badEntry(path, i, "not an object");
    const auto number = [&](const char *key, int64_t limit) -> int64_t {
      const auto it = entry.find(key);
      if (it == entry.end() || !it->is_number_integer())
        return -1;
      const int64_t value = it->get<int64_t>();
      return value >= 0 && value < limit ? value : -1;
    };
    FixedMapping mapping;
    const int64_t old = number("old", 256), fresh = number("new", 256);
    if (old < 0 || fresh < 0)
      return badEntry(path, i, "\"old\" and \"new\" must be VGPR numbers, 0 to 255");
    mapping.old = Vgpr{static_cast<uint8_t>(old)};
    mapping.fresh = Vgpr{static_cast<uint8_t>(fresh)};
    if (entry.contains("line")) {
      const int64_t line = number("line", int64_t{1} << 31);
      if (line < 0)
        return badEntry(path, i, "\"line\" must be a line number");
      mapping.line = static_cast<uint32_t>(line);
    }
    if (entry.contains("value") && entry["value"].is_string())
      mapping.value = entry["value"].get<std::string>();
    result.push_back(mapping);
  }
  return result;
}

} // namespace rdna::vgprremap
