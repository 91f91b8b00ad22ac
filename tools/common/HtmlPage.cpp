#include "common/HtmlPage.h"

#include <nlohmann/json.hpp>

namespace rdna::tool {

using Json = nlohmann::ordered_json;

static constexpr std::string_view place = "@RDNA_DATA@";

/// JSON that no HTML parser can take for the end of its element or for anything else of its own.
static std::string embedded(const Json &document) {
  const std::string json = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    // These stand in strings only, where JSON knows such escapes.
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else
      out += c;
  }
  return out;
}

std::string pageWith(std::string page, const Json &document) {
  const size_t at = page.find(place);
  return page.replace(at, place.size(), embedded(document));
}

} // namespace rdna::tool
