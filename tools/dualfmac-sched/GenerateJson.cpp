#include "Generate.h"

#include <nlohmann/json.hpp>

namespace rdna::dualfmac {

using Json = nlohmann::ordered_json;

static Json registers(const std::vector<RegUnit> &units) {
  Json out = Json::array();
  for (const RegUnit unit : units)
    out.push_back(toString(unit));
  return out;
}

nlohmann::ordered_json toJson(const generate::LoopMap &map) {
  Json a = Json::array(), b = Json::array(), c = Json::array(), addresses = Json::array();
  for (const auto &place : map.a)
    a.push_back({{"step", place.step}, {"row", place.row}, {"in", registers(place.registers)}});
  for (const auto &place : map.b)
    b.push_back(
        {{"step", place.step}, {"column", place.column}, {"in", registers(place.registers)}});
  for (size_t i = 0; i < map.before.size(); ++i)
    c.push_back({{"row", map.before[i].row},
                 {"column", map.before[i].column},
                 {"before", toString(map.before[i].registers.front())},
                 {"behind", toString(map.behind[i].registers.front())}});
  for (const auto &address : map.addresses)
    addresses.push_back({{"in", toString(address.reg)}, {"what", address.what}});
  return {{"schema", "dualfmac-sched-loop/1"},
          {"counts",
           {{"instructions", map.instructions},
            {"fmacs", map.fmacs},
            {"dual_fmac", map.pairs},
            {"single_fmac", map.singles},
            {"moves", map.moves},
            {"loads", map.loads}}},
          {"addresses", std::move(addresses)},
          {"a", std::move(a)},
          {"b", std::move(b)},
          {"c", std::move(c)},
          {"clobbers", registers(map.clobbers)}};
}

} // namespace rdna::dualfmac
