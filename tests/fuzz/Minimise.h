//===- Minimise.h - a failing file with fewer lines -------------------------===//
#pragma once

#include <functional>
#include <string>

namespace rdna::fuzz {

/// Drops instruction lines, many at first, as long as `fails` says yes; asks at most `mostTries`
/// times.
std::string minimise(const std::string &text, unsigned mostTries,
                     const std::function<bool(const std::string &)> &fails);

} // namespace rdna::fuzz
