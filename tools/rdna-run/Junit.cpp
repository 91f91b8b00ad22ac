#include "Junit.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rdna::tool {

static std::string escape(const std::string &text) {
  std::string out;
  for (char c : text)
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default: // XML 1.0 has no other control characters.
      out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  return out;
}

std::string junitText(const nlohmann::ordered_json &report, const std::string &program) {
  const auto &findings = report.at("findings");
  const std::string suite = escape(program);
  std::string text = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                 "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n",
                                 suite, findings.empty() ? 1 : findings.size(), findings.size());
  if (findings.empty())
    text += fmt::format("  <testcase classname=\"rdna-run\" name=\"{}\"/>\n", suite);
  for (const auto &finding : findings) {
    const auto field = [&](const char *name) {
      return escape(finding.at(name).get<std::string>());
    };
    text += fmt::format("  <testcase classname=\"{}\" name=\"{}\">\n"
                        "    <failure message=\"{}\">{}\n{}</failure>\n  </testcase>\n",
                        field("kernel"), field("rule"), field("message"), field("source"),
                        field("instruction"));
  }
  return text + "</testsuite>\n";
}

} // namespace rdna::tool
