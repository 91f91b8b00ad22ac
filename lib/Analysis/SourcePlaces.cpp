#include "Analysis/SourcePlaces.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>

namespace rdna {

/// The next "quoted" word, its escapes undone; nothing if there is none.
static std::optional<std::string> takeQuoted(llvm::StringRef &text) {
  text = text.ltrim();
  if (!text.consume_front("\""))
    return std::nullopt;
  std::string word;
  while (!text.empty() && text.front() != '"') {
    if (text.front() == '\\' && text.size() > 1)
      text = text.drop_front();
    word += text.front();
    text = text.drop_front();
  }
  text.consume_front("\"");
  return word;
}

/// `.file 1 "folder" "name" md5 ...`, or one name alone.
static void addFile(llvm::StringRef text, std::map<uint64_t, std::string> &names) {
  uint64_t number = 0;
  if (text.ltrim().consumeInteger(10, number))
    return; // `.file "name"` is about the symbol table.
  text = text.ltrim().drop_while([](char c) { return c >= '0' && c <= '9'; });
  const std::optional<std::string> first = takeQuoted(text);
  const std::optional<std::string> second = takeQuoted(text);
  if (first)
    names[number] = !second ? *first : second->starts_with('/') ? *second : *first + "/" + *second;
}

/// What `.loc file line` says; line 0 is none.
static std::pair<uint64_t, uint32_t> placeIn(llvm::StringRef text) {
  uint64_t file = 0;
  uint32_t line = 0;
  text = text.ltrim();
  if (text.consumeInteger(10, file))
    return {0, 0};
  text = text.ltrim();
  if (text.consumeInteger(10, line))
    return {0, 0};
  return {file, line};
}

SourcePlaces sourcePlaces(const Module &module, uint32_t first, uint32_t last) {
  std::map<uint64_t, std::string> names;
  std::map<uint64_t, uint32_t> numbers; // By the directives' number: index into files.
  SourcePlaces places;
  places.of.resize(last - first);
  places.first = first;
  if (!llvm::StringRef(module.text()).contains(".loc"))
    return places;
  uint32_t line = 1;
  std::pair<uint64_t, uint32_t> now{0, 0};
  for (uint32_t index = first; index < last; ++index) {
    for (; line <= module.instructions()[index].line; ++line) {
      llvm::StringRef text = llvm::StringRef(module.lineText(line)).ltrim();
      if (text.consume_front(".file"))
        addFile(text, names);
      else if (text.consume_front(".loc") && (text.starts_with(" ") || text.starts_with("\t")))
        now = placeIn(text);
    }
    const auto name = names.find(now.first);
    if (now.second == 0 || name == names.end())
      continue;
    const auto [number, isNew] =
        numbers.try_emplace(now.first, static_cast<uint32_t>(places.files.size()));
    if (isNew)
      places.files.push_back(name->second);
    places.of[index - first] = {number->second, now.second};
  }
  return places;
}

SourcePlace placeOfLoop(const SourcePlaces &places, const Cfg &cfg, const Loop &loop) {
  SourcePlace place;
  for (const uint32_t block : loop.blocks) {
    const Block &of = cfg.blocks[block];
    if (std::find(of.successors.begin(), of.successors.end(), loop.header) == of.successors.end())
      continue;
    for (uint32_t index = of.last; index > of.first && place.line == 0; --index)
      place = places.of[index - 1 - places.first];
  }
  return place;
}

std::string shortName(const SourcePlaces &places, SourcePlace place) {
  if (place.line == 0)
    return {};
  const llvm::StringRef file = places.files[place.file];
  return (file.substr(file.rfind('/') + 1) + ":" + llvm::Twine(place.line)).str();
}

} // namespace rdna
