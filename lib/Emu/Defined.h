//===- Defined.h - which instructions a file of handlers defines -----------===//
//
// A handler file opens its inner namespace with `using namespace undefined`. What Ops.def names and
// the file does not define is then found here, so that a table can ask for all of Ops.def: to
// define the function is all that it takes to have the row.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Inst.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace rdna::emu {

namespace undefined {
struct Nothing {};
#define RDNA_OP(name, ...) inline constexpr Nothing name;
#include "Isa/Ops.def"
#undef RDNA_OP
} // namespace undefined

template <auto function>
constexpr bool isDefined =
    !std::is_same_v<std::remove_cv_t<decltype(function)>, undefined::Nothing>;

/// The rows that have a handler, of a static table with one for each of Ops.def. The name tells:
/// GCC 12 takes no comparison of a handler with null for a constant under -fsanitize=undefined.
template <const auto &all> constexpr auto rowsWithHandler() {
  constexpr auto hasHandler = [](const OpInfo &row) { return !row.name.empty(); };
  std::array<OpInfo, std::count_if(std::begin(all), std::end(all), hasHandler)> rows;
  std::copy_if(std::begin(all), std::end(all), rows.begin(), hasHandler);
  return rows;
}

} // namespace rdna::emu
