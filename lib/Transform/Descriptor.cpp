#include "Transform/Descriptor.h"

#include <cctype>

namespace rdna {

static std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  return text;
}

namespace {

/// A count becomes what is needed, or stays if it is more, or less, than that already.
enum class Only : uint8_t { Raise, Lower };

bool agrees(unsigned long old, unsigned value, Only only) {
  return only == Only::Raise ? old >= value : old <= value;
}

} // namespace

/// Replaces the first number in `text` (a part of the module's text) by `value`.
static void setFirstNumber(const Module &module, std::string_view text, unsigned value, Only only,
                           std::vector<TextEdit> &edits) {
  size_t begin = 0;
  while (begin < text.size() && !std::isdigit(static_cast<unsigned char>(text[begin])))
    ++begin;
  size_t end = begin;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
    ++end;
  if (begin == end || end - begin > 6)
    return;
  const unsigned long old = std::stoul(std::string(text.substr(begin, end - begin)));
  if (agrees(old, value, only))
    return;
  const auto at = static_cast<uint32_t>(text.data() - module.text().data());
  edits.push_back(
      {at + static_cast<uint32_t>(begin), at + static_cast<uint32_t>(end), Code::number(value)});
}

static void setVgprCount(const Module &module, const Function &kernel, unsigned vgprs, Only only,
                         std::vector<TextEdit> &edits) {
  constexpr std::string_view kField = ".amdhsa_next_free_vgpr";
  // Compilers declare more than they use where LDS limits the waves; metadata have what is used.
  if (const auto count = kernel.metadata.find(".vgpr_count");
      count != kernel.metadata.end() &&
      !agrees(static_cast<unsigned long>(count->second.value), vgprs, only))
    edits.push_back({count->second.begin, count->second.end, Code::number(vgprs)});
  if (agrees(static_cast<unsigned long>(kernel.descriptorValue(kField, 0)), vgprs, only))
    return;
  const auto field = kernel.descriptor.find(kField);
  if (field == kernel.descriptor.end())
    return;
  const std::string_view value = field->second.valueText;
  const bool literal = value.find_first_not_of("0123456789") == std::string_view::npos;
  if (literal)
    setFirstNumber(module, value, vgprs, only, edits);
  // clang 22 sets <kernel>.num_vgpr behind the kernel, as a number or max(number, callees), and
  // repeats the counts in comments; these belong to the kernel before the next function.
  const std::string symbol = kernel.name + ".num_vgpr,";
  bool setFound = false;
  uint32_t nextFunction = module.lineCount() + 1;
  for (const Function &other : module.functions())
    if (other.line > kernel.line)
      nextFunction = std::min(nextFunction, other.line);
  for (uint32_t line = 1; line <= module.lineCount(); ++line) {
    const std::string_view text = trimmed(module.lineText(line));
    if (text.starts_with(".set")) {
      const std::string_view rest = trimmed(text.substr(4));
      if (rest.starts_with(symbol)) {
        setFirstNumber(module, rest.substr(symbol.size()), vgprs, only, edits);
        setFound = true;
      }
    }
    if (line <= kernel.line || line >= nextFunction || !text.starts_with(";"))
      continue;
    const std::string_view comment = trimmed(text.substr(1));
    if (comment.starts_with("NumVgprs: ") || comment.starts_with("NumVGPRsForWavesPerEU: "))
      setFirstNumber(module, comment.substr(comment.find(':')), vgprs, only, edits);
    else if (comment.starts_with("VGPRBlocks: "))
      setFirstNumber(module, comment.substr(comment.find(':')), (vgprs + 7) / 8 - 1, only, edits);
  }
  // A symbol that cannot be found, or another one, leaves the directive itself: a number is always
  // right.
  const bool isOwnSymbol = value.find(kernel.name + ".num_vgpr") != std::string_view::npos;
  if (!literal && !(setFound && isOwnSymbol))
    edits.push_back({field->second.begin, field->second.end, Code::number(vgprs)});
}

void raiseVgprCount(const Module &module, const Function &kernel, unsigned vgprs,
                    std::vector<TextEdit> &edits) {
  setVgprCount(module, kernel, vgprs, Only::Raise, edits);
}

void lowerVgprCount(const Module &module, const Function &kernel, unsigned vgprs,
                    std::vector<TextEdit> &edits) {
  setVgprCount(module, kernel, vgprs, Only::Lower, edits);
}

void raiseSgprCount(const Module &, const Function &kernel, unsigned sgprs,
                    std::vector<TextEdit> &edits) {
  constexpr std::string_view kField = ".amdhsa_next_free_sgpr";
  const auto field = kernel.descriptor.find(kField);
  if (field == kernel.descriptor.end() || kernel.descriptorValue(kField, 0) >= int64_t(sgprs))
    return;
  edits.push_back({field->second.begin, field->second.end, Code::number(sgprs)});
  constexpr unsigned vcc = 2; // Compilers count it in the metadata.
  if (const auto count = kernel.metadata.find(".sgpr_count");
      count != kernel.metadata.end() && count->second.value < int64_t(sgprs + vcc))
    edits.push_back({count->second.begin, count->second.end, Code::number(sgprs + vcc)});
}

} // namespace rdna
