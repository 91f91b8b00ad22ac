#include "Symbolic/Given.h"

#include "Support/Diagnostic.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::verify {

using llvm::StringRef;
using Names = ArgumentNames;

std::optional<LaunchRegisters> launchRegisters(const Function &function) {
  if (!function.isKernel() || function.entry != Function::Entry::Launch || function.enteredAt)
    return std::nullopt;
  const auto field = [&](std::string_view name, int64_t fallback) {
    return static_cast<unsigned>(
        function.descriptorValue(fmt::format(".amdhsa_{}", name), fallback));
  };
  LaunchRegisters result;
  unsigned next = 2 * (field("user_sgpr_dispatch_ptr", 0) + field("user_sgpr_queue_ptr", 0));
  if (field("user_sgpr_kernarg_segment_ptr", 0)) {
    result.kernarg = next;
    next += 2;
  }
  next += 2 * field("user_sgpr_dispatch_id", 0) + field("user_sgpr_private_segment_size", 0);
  // What stands behind the last user SGPR goes by their declared number.
  next = field("user_sgpr_count", next);
  constexpr std::array<const char *, 3> ids = {
      "system_sgpr_workgroup_id_x", "system_sgpr_workgroup_id_y", "system_sgpr_workgroup_id_z"};
  for (unsigned d = 0; d < 3; ++d)
    if (field(ids[d], d == 0))
      result.workgroup[d] = next++;
  result.workitemDims = 1 + field("system_vgpr_workitem_id", 0);
  return result;
}

Interval workitemRange(const Function &function, const LaunchRanges &ranges, unsigned dimension) {
  constexpr int64_t mostItems = 1024;
  int64_t size = mostItems;
  if (const auto it = function.metadata.find(".max_flat_workgroup_size");
      it != function.metadata.end() && it->second.value > 0)
    size = std::min(size, it->second.value);
  if (function.requiredWorkgroupSize)
    size = std::min(size, int64_t((*function.requiredWorkgroupSize)[dimension]));
  const Interval allowed = Interval::upTo(size - 1);
  const auto &said = ranges.workitem[dimension];
  return said ? allowed.atLeast(said->least).atMost(said->most) : allowed;
}

Interval &rangeOf(LaunchRanges &ranges, const Quantity &quantity) {
  switch (quantity.kind) {
  case Quantity::Kind::Kernarg:
    return ranges.kernarg[quantity.index];
  case Quantity::Kind::Workgroup:
    return ranges.workgroup[quantity.index];
  case Quantity::Kind::Workitem:
    break;
  }
  auto &range = ranges.workitem[quantity.index];
  return range ? *range : range.emplace();
}

static constexpr std::array<std::pair<const char *, Quantity::Kind>, 2> kIds = {
    {{"workgroup_id_", Quantity::Kind::Workgroup}, {"workitem_id_", Quantity::Kind::Workitem}}};

namespace {

llvm::Error bad(StringRef text, std::string_view message) {
  return makeError(Failure::BadInput, "", fmt::format("--given: '{}': {}", text.str(), message));
}

/// What is compared in an option, and how.
struct Relation {
  StringRef name;
  uint64_t least = 0, most = ~0ull;
};

llvm::Expected<uint64_t> numberIn(StringRef text, StringRef whole) {
  uint64_t number = 0;
  if (text.trim().getAsInteger(0, number))
    return bad(whole, fmt::format("'{}' is no number", text.trim().str()));
  return number;
}

/// `name`, relation, number; or number, relation, name, relation, number.
llvm::Expected<Relation> readRelation(StringRef text) {
  llvm::SmallVector<StringRef, 3> parts, relations;
  for (StringRef rest = text;;) {
    const size_t at = rest.find_first_of("<>=");
    parts.push_back(rest.take_front(at).trim());
    if (at == StringRef::npos)
      break;
    rest = rest.drop_front(at);
    relations.push_back(rest.take_while([](char c) { return c == '<' || c == '>' || c == '='; }));
    rest = rest.drop_front(relations.back().size());
  }
  const bool isRange = relations.size() == 2;
  if ((relations.size() != 1 && !isRange) || llvm::is_contained(parts, StringRef()))
    return bad(text, "write it as N<=32768, N<32768, N==4096 or 1<=N<=32768");
  for (const StringRef relation : relations)
    if (relation != "<=" && relation != "<" && (relation != "==" || isRange))
      return bad(text,
                 fmt::format("'{}' is no relation here; there are <=, < and, of one number, ==",
                             relation.str()));
  Relation result;
  result.name = parts[isRange ? 1 : 0];
  auto upper = numberIn(parts.back(), text);
  if (!upper)
    return upper.takeError();
  result.most = *upper;
  if (relations.back() == "==")
    result.least = *upper;
  if (relations.back() == "<" && result.most-- == 0)
    return bad(text, "nothing is below 0; values are unsigned");
  if (isRange) {
    auto lower = numberIn(parts.front(), text);
    if (!lower)
      return lower.takeError();
    result.least = *lower;
    if (relations.front() == "<" && ++result.least == 0)
      return bad(text, "no number is in this range");
  }
  if (result.least > result.most)
    return bad(text, "no number is in this range");
  return result;
}

class Reader {
public:
  Reader(const Function &function, const Names &names, Given &given)
      : function_(function), names_(names), given_(given) {}
  llvm::Error read(StringRef text);

private:
  llvm::Error setArgument(const ArgumentField &argument, const Relation &relation);
  llvm::Error narrow(const Quantity &quantity, uint64_t least, uint64_t most);
  const ArgumentField *argumentNamed(StringRef name) const;
  std::string known() const;

  const Function &function_;
  const Names &names_;
  Given &given_;
  StringRef text_;
};

/// The explicit arguments, by number.
const ArgumentField *explicitArgument(const Function &function, unsigned index) {
  for (const ArgumentField &argument : function.arguments)
    if (!argument.isHidden() && index-- == 0)
      return &argument;
  return nullptr;
}

const ArgumentField *Reader::argumentNamed(StringRef name) const {
  for (const ArgumentField &argument : function_.arguments)
    if (!argument.isHidden() && name == argument.name)
      return &argument;
  if (const auto it = names_.find(std::string_view(name.data(), name.size())); it != names_.end())
    return explicitArgument(function_, it->second);
  unsigned index = 0;
  if (name.consume_front("arg") && !name.getAsInteger(10, index))
    return explicitArgument(function_, index);
  return nullptr;
}

std::string Reader::known() const {
  std::string list;
  unsigned index = 0;
  for (const ArgumentField &argument : function_.arguments)
    if (!argument.isHidden()) {
      if (argument.valueKind == "by_value")
        list += argument.name.empty() ? fmt::format("arg{}, ", index)
                                      : fmt::format("{}, ", argument.name);
      ++index;
    }
  for (const auto &[name, argument] : names_)
    list += name + ", ";
  return list + "kernarg+<offset>, workgroup_id_x/y/z, workitem_id_x/y/z";
}

llvm::Error Reader::narrow(const Quantity &quantity, uint64_t least, uint64_t most) {
  constexpr uint64_t dword = 0xffffffff;
  Interval &range = rangeOf(given_.ranges, quantity);
  if (least > dword)
    return bad(text_, "a dword is not that large");
  range = range.atLeast(static_cast<int64_t>(least))
              .atMost(static_cast<int64_t>(std::min(most, dword)));
  if (range.isNone() || (quantity.kind == Quantity::Kind::Workitem &&
                         workitemRange(function_, given_.ranges, quantity.index).isNone()))
    return bad(text_, "contradicts what else is said of it: no value is left");
  return llvm::Error::success();
}

llvm::Error Reader::setArgument(const ArgumentField &argument, const Relation &relation) {
  if (argument.valueKind != "by_value")
    return bad(text_, fmt::format("the argument is a {}, no number", argument.valueKind));
  if ((argument.size != 4 && argument.size != 8) || argument.offset % 4 != 0)
    return bad(text_, fmt::format("the argument has {} bytes at offset {}; ranges are those of "
                                  "numbers of 4 or 8 bytes",
                                  argument.size, argument.offset));
  const Quantity low{Quantity::Kind::Kernarg, argument.offset};
  if (argument.size == 4)
    return narrow(low, relation.least, relation.most);
  const Quantity high{Quantity::Kind::Kernarg, argument.offset + 4};
  if (llvm::Error error = narrow(high, relation.least >> 32, relation.most >> 32))
    return error;
  // Of the lower half something is known only if the upper one has but one value.
  if (relation.least >> 32 != relation.most >> 32)
    return llvm::Error::success();
  return narrow(low, relation.least & 0xffffffff, relation.most & 0xffffffff);
}

llvm::Error Reader::read(StringRef text) {
  text_ = text;
  auto relation = readRelation(text);
  if (!relation)
    return relation.takeError();
  StringRef name = relation->name;
  for (const auto &[prefix, kind] : kIds)
    if (StringRef dimension = name; dimension.consume_front(prefix)) {
      const size_t index = StringRef("xyz").find(dimension);
      if (dimension.size() != 1 || index == StringRef::npos)
        break;
      return narrow({kind, static_cast<uint32_t>(index)}, relation->least, relation->most);
    }
  if (const ArgumentField *argument = argumentNamed(name))
    return setArgument(*argument, *relation);
  uint32_t offset = 0;
  if (name.consume_front("kernarg+") && !name.getAsInteger(0, offset)) {
    const int64_t bytes = function_.descriptorValue(".amdhsa_kernarg_size", 0);
    if (offset % 4 != 0)
      return bad(text, "dwords are at offsets that 4 divides");
    if (int64_t(offset) + 4 > bytes)
      return bad(text, fmt::format("the kernarg segment has {} bytes", bytes));
    return narrow({Quantity::Kind::Kernarg, offset}, relation->least, relation->most);
  }
  return bad(text, fmt::format("'{}' has no '{}'; there are {}", function_.name,
                               relation->name.str(), known()));
}

/// As it is printed: blanks around the relations, once.
std::string tidied(StringRef text) {
  std::string result;
  for (const char c : text) {
    if (c == ' ' || c == '\t')
      continue;
    const bool isSign = c == '<' || c == '>' || c == '=';
    const bool wasSign =
        !result.empty() && (result.back() == '<' || result.back() == '>' || result.back() == '=');
    if (!result.empty() && isSign != wasSign)
      result += ' ';
    result += c;
  }
  return result;
}

} // namespace

llvm::Expected<Given> parseGiven(const Function &function, const std::vector<std::string> &texts,
                                 const Names &names) {
  Given given;
  given.names = names;
  if (!launchRegisters(function))
    return makeError(Failure::BadInput, "",
                     fmt::format("--given: '{}' is not only launched as a kernel", function.name));
  for (const std::string &text : texts) {
    if (llvm::Error error = Reader(function, names, given).read(text))
      return error;
    const std::string said = tidied(text);
    if (!llvm::is_contained(given.said, said))
      given.said.push_back(said);
  }
  return given;
}

std::vector<std::string> canonicalText(const LaunchRanges &ranges) {
  std::vector<std::string> lines;
  const auto add = [&](const std::string &name, const Interval &range) {
    if (range == Interval::dword())
      return;
    if (range.least == range.most)
      lines.push_back(fmt::format("{} == {}", name, range.least));
    else if (range.least == 0)
      lines.push_back(fmt::format("{} <= {}", name, range.most));
    else
      lines.push_back(fmt::format("{} <= {} <= {}", range.least, name, range.most));
  };
  for (const auto &[offset, range] : ranges.kernarg)
    add(fmt::format("kernarg+{}", offset), range);
  for (unsigned d = 0; d < 3; ++d) {
    add(fmt::format("{}{}", kIds[0].first, "xyz"[d]), ranges.workgroup[d]);
    if (ranges.workitem[d])
      add(fmt::format("{}{}", kIds[1].first, "xyz"[d]), *ranges.workitem[d]);
  }
  return lines;
}

std::string nameOf(const Function &function, const Quantity &quantity, const Names &names) {
  if (quantity.kind != Quantity::Kind::Kernarg)
    return fmt::format("{}{}", kIds[quantity.kind == Quantity::Kind::Workgroup ? 0 : 1].first,
                       "xyz"[quantity.index]);
  unsigned index = 0;
  for (const ArgumentField &argument : function.arguments) {
    if (argument.isHidden())
      continue;
    if (argument.offset == quantity.index && argument.valueKind == "by_value") {
      for (const auto &[name, number] : names)
        if (number == index)
          return name;
      return argument.name.empty() ? fmt::format("arg{}", index) : argument.name;
    }
    ++index;
  }
  return fmt::format("kernarg+{}", quantity.index);
}

} // namespace rdna::verify
