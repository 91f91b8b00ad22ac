#include "Bundles.h"

#include "Object/CodeObject.h"
#include "Object/FatBinary.h"
#include "Support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>

namespace rdna::loader {

namespace {

using object::BundleEntry;
using object::FatFile;
using Bytes = std::span<const std::byte>;

/// An entry with device code, by its place.
struct Place {
  size_t bundle = 0, entry = 0;
  bool operator==(const Place &) const = default;
};

struct Opened {
  std::string text; ///< The file.
  FatFile fat;
  Bytes bytes() const { return {reinterpret_cast<const std::byte *>(text.data()), text.size()}; }
  const BundleEntry &at(Place place) const {
    return fat.bundles[place.bundle].entries[place.entry];
  }
};

llvm::Expected<Opened> open(const std::string &path) {
  auto text = readInput(path);
  if (!text)
    return text.takeError();
  Opened opened{.text = std::move(*text), .fat = {}};
  auto fat = object::readFatFile(opened.bytes());
  if (!fat) {
    std::string reason;
    llvm::handleAllErrors(
        fat.takeError(),
        [&](const InputError &error) { reason = error.diagnostics().front().message; },
        [&](const llvm::ErrorInfoBase &error) { reason = error.message(); });
    return makeError(Failure::BadInput, displayName(path), reason);
  }
  if (fat->kind == FatFile::Kind::CodeObject)
    return makeError(Failure::BadInput, displayName(path),
                     "this is device code already, and no file that holds some");
  opened.fat = std::move(*fat);
  return opened;
}

/// Names of kernels and how large their arguments are; nothing if the code cannot be read, as that
/// of other families.
std::map<std::string, uint32_t> kernelsOf(Bytes code) {
  std::map<std::string, uint32_t> kernels;
  auto object = object::readCodeObject({code.begin(), code.end()}, "");
  if (!object) {
    llvm::consumeError(object.takeError());
    return kernels;
  }
  for (const object::Kernel &kernel : object->kernels)
    kernels.emplace(kernel.name, kernel.argumentBytes());
  return kernels;
}

std::vector<Place> placesOf(const Opened &opened, const std::string &target) {
  std::vector<Place> places;
  for (size_t b = 0; b < opened.fat.bundles.size(); ++b)
    for (size_t e = 0; e < opened.fat.bundles[b].entries.size(); ++e) {
      const BundleEntry &entry = opened.at({b, e});
      const bool wanted = target.empty()
                              ? !llvm::StringRef(entry.id).starts_with("host-")
                              : object::processorOf(entry.id) == target || entry.id == target;
      if (wanted && !entry.code.empty())
        places.push_back({b, e});
    }
  return places;
}

llvm::Error noSuchTarget(const Options &options, const Opened &opened) {
  std::vector<std::string> ids;
  for (const Place place : placesOf(opened, ""))
    ids.push_back(opened.at(place).id);
  return makeError(
      Failure::BadInput, displayName(options.input),
      fmt::format("no device code for {}; there is {}", options.target,
                  ids.empty() ? "none at all" : fmt::format("{}", fmt::join(ids, ", "))));
}

/// "gfx90a-xnack+": what makes a file's name of an id. That of the compiler's code beside rewritten
/// code says so.
std::string shortName(const std::string &id) {
  std::string name = id.substr(id.rfind("--") == std::string::npos ? 0 : id.rfind("--") + 2);
  for (char &c : name)
    if (c == ':' || c == '/')
      c = '-';
  if (id == object::originalId(name))
    name.insert(0, "original-");
  return name;
}

/// Which of the places has the kernels of `code`: to know where it came from, nobody has to say.
llvm::Expected<Place> placeFor(const Options &options, const Opened &opened,
                               const std::vector<Place> &places,
                               const std::map<std::string, uint32_t> &kernels) {
  std::vector<Place> fitting;
  std::string why;
  for (const Place place : places) {
    if (options.bundleNumber != 0 && place.bundle + 1 != options.bundleNumber)
      continue;
    const auto old = kernelsOf(opened.at(place).code);
    std::vector<std::string> missing;
    for (const auto &[name, bytes] : old)
      if (const auto found = kernels.find(name); found == kernels.end())
        missing.push_back(fmt::format("no kernel {}", name));
      else if (found->second != bytes)
        missing.push_back(
            fmt::format("{} takes {} bytes of arguments and not {}", name, found->second, bytes));
    if (missing.empty() && (!old.empty() || options.bundleNumber != 0))
      fitting.push_back(place);
    else
      why += fmt::format("{}bundle {}: {}", why.empty() ? "" : "; ", place.bundle + 1,
                         missing.empty() ? "has no kernel"
                                         : fmt::format("{}", fmt::join(missing, ", ")));
  }
  if (fitting.size() == 1)
    return fitting.front();
  return makeError(Failure::Refused, displayName(options.input),
                   fitting.empty()
                       ? "the code object is not the new one of any that the file has: " + why
                       : "several bundles have these kernels; say which by --number");
}

} // namespace

llvm::Expected<int> unbundleCommand(const Options &options) {
  auto opened = open(options.input);
  if (!opened)
    return opened.takeError();
  const std::vector<Place> places = placesOf(*opened, options.target);
  if (places.empty())
    return noSuchTarget(options, *opened);
  const bool writes = !options.folder.empty();
  std::error_code code;
  if (writes)
    std::filesystem::create_directories(options.folder, code);
  if (code)
    return makeError(Failure::BadInput, options.folder, code.message());
  std::string text;
  for (const Place place : places) {
    const BundleEntry &entry = opened->at(place);
    const object::FatBundle &bundle = opened->fat.bundles[place.bundle];
    std::vector<std::string> names;
    for (const auto &[name, bytes] : kernelsOf(entry.code))
      names.push_back(name);
    text +=
        fmt::format("bundle {}{}: {}, {} bytes{}{}\n", place.bundle + 1,
                    bundle.form == object::FatBundle::Form::Compressed ? " (compressed)" : "",
                    entry.id, entry.code.size(), names.empty() ? "" : ": ", fmt::join(names, ", "));
    if (!writes)
      continue;
    const std::string number =
        opened->fat.bundles.size() > 1 ? fmt::format("-{}", place.bundle + 1) : "";
    const std::string path =
        fmt::format("{}/{}{}-{}.hsaco", options.folder, llvm::sys::path::stem(options.input).str(),
                    number, shortName(entry.id));
    if (llvm::Error error = writeOutput(
            path, {reinterpret_cast<const char *>(entry.code.data()), entry.code.size()}))
      return error;
    text += fmt::format("  written to {}\n", path);
  }
  if (llvm::Error error = writeOutput("-", text))
    return error;
  return 0;
}

llvm::Expected<int> bundleCommand(const tool::Tool &tool, const Options &options) {
  auto fresh = object::loadCodeObject(options.codeObject);
  if (!fresh)
    return fresh.takeError();
  for (const Diagnostic &warning : fresh->warnings)
    tool.report(warning);
  auto opened = open(options.input);
  if (!opened)
    return opened.takeError();
  Options wanted = options;
  if (wanted.target.empty())
    wanted.target = fresh->target;
  const std::vector<Place> places = placesOf(*opened, wanted.target);
  if (places.empty())
    return noSuchTarget(wanted, *opened);
  auto place = placeFor(wanted, *opened, places, kernelsOf(fresh->elf));
  if (!place)
    return place.takeError();
  auto out = object::replaceDeviceCode(opened->bytes(), opened->fat, place->bundle, place->entry,
                                       fresh->elf);
  if (!out)
    return out.takeError();
  if (llvm::Error error = tool.print({reinterpret_cast<const char *>(out->data()), out->size()}))
    return error;
  std::error_code ignored; // A program stays one.
  if (tool.outputPath() != "-")
    std::filesystem::permissions(tool.outputPath(),
                                 std::filesystem::status(options.input).permissions(), ignored);
  return 0;
}

} // namespace rdna::loader
