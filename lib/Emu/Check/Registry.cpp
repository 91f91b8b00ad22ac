//===- Registry.cpp - the table of checks, and sets of them ---------------===//
#include "Emu/Check/Context.h"
#include "Support/Diagnostic.h"
#include "Support/Nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rdna::emu {
namespace {

constexpr CheckRow rows[] = {
#define RDNA_CHECK(id, name, all, by, finds)                                                       \
  {Check::id, name, CheckRow::all, CheckRow::by, finds, create##id##Check},
#include "Emu/Check/Checks.def"
};
static_assert(std::size(rows) <= 31, "a CheckSet has 31 bits for checks");

/// For an error.
std::vector<std::string> checkNames() {
  std::vector<std::string> names;
  for (const CheckRow &row : rows)
    names.emplace_back(row.name);
  return names;
}

} // namespace

std::span<const CheckRow> checkRows() { return rows; }

std::string_view toString(Check check) { return rows[unsigned(check)].name; }

CheckSet CheckSet::all() {
  CheckSet set;
  for (const CheckRow &row : rows)
    if (row.inAll == CheckRow::Always)
      set.add(row.check);
  set.bits_ |= asDeclared;
  return set;
}

CheckSet CheckSet::ofSource() {
  CheckSet set;
  for (const CheckRow &row : rows)
    if (row.by == CheckRow::Source)
      set.add(row.check);
  return set;
}

CheckSet CheckSet::forKernel(const KernelImage &kernel) const {
  CheckSet set = *this;
  if ((bits_ & asDeclared) && kernel.indexWrap == KernelImage::IndexWrap::Excluded)
    set.add(Check::IndexWrap);
  return set;
}

llvm::Expected<CheckSet> parseChecks(std::string_view list) {
  CheckSet set;
  while (true) {
    const std::string_view name = list.substr(0, list.find(','));
    const auto *row = std::find_if(std::begin(rows), std::end(rows),
                                   [&](const CheckRow &r) { return r.name == name; });
    if (name == "all")
      set |= CheckSet::all();
    else if (name == "source")
      set |= CheckSet::ofSource();
    else if (row != std::end(rows))
      set.add(row->check);
    else
      return makeError(Failure::BadInput, "",
                       fmt::format("unknown check '{}'{}; there are {}, source and all", name,
                                   didYouMean(name, checkNames()), fmt::join(checkNames(), ", ")));
    if (name.size() == list.size())
      return set;
    list.remove_prefix(name.size() + 1);
  }
}

} // namespace rdna::emu
