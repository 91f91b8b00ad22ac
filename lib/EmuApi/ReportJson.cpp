#include "EmuApi/ReportJson.h"

#include <nlohmann/json.hpp>

namespace rdna::api {
namespace {

using Json = nlohmann::ordered_json;

template <class T> Json orNull(const std::optional<T> &value) {
  return value ? Json(*value) : Json();
}

const char *nameOf(emu::OutOfBounds::Kind kind) {
  switch (kind) {
  case emu::OutOfBounds::Kind::Read:
    return "read";
  case emu::OutOfBounds::Kind::Write:
    return "write";
  case emu::OutOfBounds::Kind::Atomic:
    break;
  }
  return "atomic";
}

Json boundsJson(const emu::OutOfBounds &access) {
  return {{"kind", nameOf(access.kind)},
          {"address", access.codeOffset},
          {"instruction", access.instruction},
          {"lanes", access.lanes},
          {"first_address", access.firstAddress},
          {"last_address", access.lastAddress},
          {"nearest", access.nearest}};
}

Json findingJson(const emu::Finding &f) {
  Json other;
  if (f.other)
    other = {{"address", f.other->codeOffset},
             {"instruction", f.other->instruction},
             {"wave", orNull(f.other->wave)},
             {"lane", orNull(f.other->lane)}};
  return {{"check", emu::toString(f.check)},
          {"rule", f.rule},
          {"message", f.message},
          {"fix", f.fix},
          {"address", f.codeOffset},
          {"instruction", f.instruction},
          {"kernel", f.kernel},
          {"workgroup", f.workgroup},
          {"wave", f.wave},
          {"lane", orNull(f.lane)},
          {"memory_address", orNull(f.address)},
          {"place", f.place},
          {"other", std::move(other)},
          {"count", f.count}};
}

} // namespace

std::string reportJson(const emu::RunResult &result, const std::vector<emu::Finding> &findings) {
  Json json = {{"schema", "rdna3emu/1"},          {"instructions", result.instructions},
               {"workgroups", result.workgroups}, {"seconds", result.seconds},
               {"out_of_bounds", Json::array()},  {"findings", Json::array()}};
  for (const emu::OutOfBounds &access : result.outOfBounds)
    json["out_of_bounds"].push_back(boundsJson(access));
  for (const emu::Finding &finding : findings)
    json["findings"].push_back(findingJson(finding));
  // Names come from callers: bytes that are not UTF-8 are replaced, not an exception.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace rdna::api
