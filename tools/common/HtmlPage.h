//===- HtmlPage.h - a page with its data in it ----------------------------===//
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace rdna::tool {

/// `page` with the document in the place of @RDNA_DATA@.
std::string pageWith(std::string page, const nlohmann::ordered_json &document);

} // namespace rdna::tool
