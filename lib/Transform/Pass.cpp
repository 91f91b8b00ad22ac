#include "Transform/Pass.h"

#include <cassert>

namespace rdna {

uint64_t PassValues::number(std::string_view name) const {
  const auto it = values_.find(name);
  assert(it != values_.end() && "not in the pass's row");
  return it == values_.end() ? 0 : it->second;
}

bool PassSite::wants(uint32_t loop) const {
  if (request.region.empty())
    return true;
  for (std::optional<uint32_t> l = loop; l; l = cfg.loops[*l].parent)
    if (cfg.loops[*l].label == request.region)
      return true;
  return false;
}

std::vector<uint32_t> PassSite::wantedBlocks() const {
  if (!request.region.empty())
    return wantedLoopBlocks();
  std::vector<uint32_t> blocks(cfg.blocks.size());
  for (uint32_t b = 0; b < blocks.size(); ++b)
    blocks[b] = b;
  return blocks;
}

std::vector<uint32_t> PassSite::wantedLoopBlocks() const {
  std::vector<uint32_t> blocks;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    if (const auto loop = cfg.loopOf(b); loop && wants(*loop))
      blocks.push_back(b);
  return blocks;
}

ReportValue::ReportValue(uint64_t number) : data_(number) {}
ReportValue::ReportValue(std::string word) : data_(std::move(word)) {}
ReportValue::ReportValue(const LoopMetrics &metrics) : data_(metrics) {}
ReportValue::ReportValue(Object object) : data_(std::move(object)) {}
ReportValue::ReportValue(List list) : data_(std::move(list)) {}
ReportValue::ReportValue(const ReportValue &) = default;
ReportValue::ReportValue(ReportValue &&) noexcept = default;
ReportValue &ReportValue::operator=(const ReportValue &) = default;
ReportValue &ReportValue::operator=(ReportValue &&) noexcept = default;
ReportValue::~ReportValue() = default;

const ReportValue *StepReport::find(std::string_view key) const {
  for (const ReportField &field : fields)
    if (field.key == key)
      return &field.value;
  return nullptr;
}

template <typename T> static T valueOf(const ReportValue *value) {
  const T *known = value ? std::get_if<T>(&value->data()) : nullptr;
  return known ? *known : T();
}

uint64_t StepReport::number(std::string_view key) const { return valueOf<uint64_t>(find(key)); }
std::string StepReport::text(std::string_view key) const { return valueOf<std::string>(find(key)); }
LoopMetrics StepReport::metrics(std::string_view key) const {
  return valueOf<LoopMetrics>(find(key));
}

} // namespace rdna
