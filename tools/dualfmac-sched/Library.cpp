#include "Library.h"

#include "Generate/Identifier.h"

#include "Object/CodeObject.h"
#include "Support/File.h"
#include "common/ModelInput.h"
#include "common/Tool.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace rdna::dualfmac {

using generate::KernelSpec;
using generate::LibraryChoice;

llvm::Expected<std::vector<SizeLine>> readSizes(std::string_view text, const std::string &file) {
  std::vector<SizeLine> sizes;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (size_t number = 0; number < lines.size(); ++number) {
    llvm::SmallVector<llvm::StringRef> words;
    llvm::SplitString(lines[number].split('#').first, words, " \t\r");
    if (words.empty())
      continue;
    const auto refuse = [&](const std::string &what) {
      return makeError(Failure::BadInput, file, fmt::format("line {}: {}", number + 1, what));
    };
    const auto problem = problemOf(words[0]);
    if (!problem)
      return refuse(fmt::format("'{}' is no size like 4096x4096x4096, M, N and K from 1 to 999999",
                                words[0].str()));
    SizeLine line{*problem, {}};
    for (const llvm::StringRef word : llvm::drop_begin(words)) {
      if (!llvm::is_contained({"nn", "nt", "tn", "tt"}, word))
        return refuse(fmt::format("'{}' is no layout: nn, nt, tn or tt", word.str()));
      line.layouts.push_back(word.str());
    }
    if (line.layouts.empty())
      line.layouts = {"nn", "nt", "tn", "tt"};
    sizes.push_back(std::move(line));
  }
  if (sizes.empty())
    return makeError(Failure::BadInput, file, "no sizes: a line is like 4096x4096x4096 nn tn");
  return sizes;
}

namespace {

struct Chosen {
  std::vector<KernelSpec> specs;
  std::vector<std::string> names; ///< Of the kernels, by number.
  std::vector<LibraryChoice> choices;
  nlohmann::ordered_json table = nlohmann::ordered_json::array();
};

/// One size in one layout; two of them may have the same kernel.
llvm::Error choose(Chosen &chosen, const Problem &problem, const std::string &layout,
                   const timing::Machine &machine, Effort effort) {
  KernelSpec base;
  base.order = generate::Order::Column;
  base.a = layout[0] == 't' ? generate::Transpose::Yes : generate::Transpose::No;
  base.b = layout[1] == 't' ? generate::Transpose::Yes : generate::Transpose::No;
  auto candidates = chooseTile(base, Freedom(), problem, machine, effort);
  if (!candidates)
    return candidates.takeError();
  const KernelSpec &best = bestOf(*candidates);
  auto shape = generate::shapeOf(best);
  if (!shape)
    return shape.takeError();
  const tune::Outcome &time = *candidates->ranking.front().model;
  const auto known = llvm::find(chosen.names, shape->name);
  const auto number = static_cast<size_t>(known - chosen.names.begin());
  if (known == chosen.names.end()) {
    chosen.names.push_back(shape->name);
    chosen.specs.push_back(best);
  }
  chosen.choices.push_back({problem.m, problem.n, problem.k, number});
  chosen.table.push_back({{"m", problem.m},
                          {"n", problem.n},
                          {"k", problem.k},
                          {"layout", layout},
                          {"kernel", shape->name},
                          {"predicted_ms", time.milliseconds},
                          {"predicted_low_ms", time.low},
                          {"predicted_high_ms", time.high}});
  fmt::print(stderr, "{}x{}x{} {}: {}, predicted {:.4f} ms ({:.4f} to {:.4f})\n", problem.m,
             problem.n, problem.k, layout, shape->name, time.milliseconds, time.low, time.high);
  return llvm::Error::success();
}

llvm::Error writeFiles(const LibraryRequest &request, const timing::Machine &machine,
                       const Chosen &chosen) {
  auto library = generate::generateLibrary(request.name, chosen.specs, chosen.choices);
  if (!library)
    return library.takeError();
  auto object = object::loadCodeObjectBytes(library->text, request.name + ".s");
  if (!object)
    return object.takeError();
  const nlohmann::ordered_json table = {{"schema", "dualfmac-sched-library/1"},
                                        {"target", toString(machine.device().processor)},
                                        {"device", machine.device().id},
                                        {"order", "column"},
                                        {"kernels", chosen.names},
                                        {"choices", chosen.table}};
  std::error_code failure;
  std::filesystem::create_directories(request.folder, failure);
  if (failure)
    return makeError(Failure::BadInput, request.folder, failure.message());
  const std::string stem = (std::filesystem::path(request.folder) / request.name).string();
  const std::string_view elf(reinterpret_cast<const char *>(object->elf.data()),
                             object->elf.size());
  for (const auto &[suffix, text] :
       {std::pair<const char *, std::string_view>(".s", library->text), {".hsaco", elf}})
    if (llvm::Error error = writeOutput(stem + suffix, text))
      return error;
  if (llvm::Error error = writeOutput(stem + ".json", tool::jsonText(table)))
    return error;
  return writeOutput(stem + ".h", library->header);
}

} // namespace

llvm::Error writeLibrary(const LibraryRequest &request) {
  auto text = readInput(request.sizes);
  if (!text)
    return text.takeError();
  if (const std::string why = whyNotIdentifier(request.name); !why.empty())
    return makeError(Failure::BadInput, "", fmt::format("--name '{}': {}", request.name, why));
  auto sizes = readSizes(*text, displayName(request.sizes));
  if (!sizes)
    return sizes.takeError();
  auto machine = tool::readDevice(request.device);
  if (!machine)
    return machine.takeError();
  const Effort effort{2 * request.candidates, request.candidates, request.candidates};
  Chosen chosen;
  for (const SizeLine &line : *sizes)
    for (const std::string &layout : line.layouts)
      if (llvm::Error error = choose(chosen, line.problem, layout, *machine, effort))
        return error;
  return writeFiles(request, *machine, chosen);
}

} // namespace rdna::dualfmac
