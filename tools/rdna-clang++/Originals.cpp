#include "Originals.h"

#include "Object/Bundle.h"
#include "Process.h"
#include "Support/File.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

namespace rdna::hipclang {

namespace {

std::span<const std::byte> bytesOf(const std::string &text) {
  return {reinterpret_cast<const std::byte *>(text.data()), text.size()};
}

/// The value of `-option=value`.
std::string_view joinedValue(std::string_view word, std::string_view option) {
  return word.starts_with(option) ? word.substr(option.size()) : std::string_view();
}

} // namespace

void Originals::add(const Job &compile, const std::string &original) {
  originals_[compile.output()] = {std::string(compile.valueOf("-target-cpu")), original};
}

llvm::Expected<int> Originals::after(const Job &job) {
  if (llvm::sys::path::filename(job.words[0]).starts_with("clang-offload-bundler")) {
    if (llvm::Error error = addToBundle(job))
      return error;
    return 0;
  }
  Job again = job;
  std::string processor;
  for (std::string &word : again.words)
    if (const auto found = originals_.find(word);
        found != originals_.end() && word != job.output()) {
      processor = found->second.processor;
      word = found->second.file;
    }
  const std::string output = job.output();
  if (processor.empty() || output.empty())
    return 0;
  // The same step for the compiler's object.
  const std::string original = fmt::format("{}/linked-{}.out", folder_, originals_.size());
  for (size_t n = 0; n + 1 < again.words.size(); ++n)
    if (again.words[n] == "-o")
      again.words[n + 1] = original;
  originals_[output] = {processor, original};
  return runProgram(again.words);
}

llvm::Error Originals::addToBundle(const Job &job) const {
  std::vector<std::pair<std::string, std::string>> found; // Id, code.
  std::string output;
  for (const std::string &word : job.words) {
    if (const auto value = joinedValue(word, "-output="); !value.empty())
      output = value;
    const auto known = originals_.find(std::string(joinedValue(word, "-input=")));
    if (known == originals_.end())
      continue;
    auto code = readInput(known->second.file);
    if (!code)
      return code.takeError();
    found.emplace_back(object::originalId(known->second.processor), std::move(*code));
  }
  if (found.empty() || output.empty())
    return llvm::Error::success();
  auto text = readInput(output);
  if (!text)
    return text.takeError();
  std::span<const std::byte> plain = bytesOf(*text);
  std::vector<std::byte> decompressed;
  const bool compressed = object::isCompressed(plain);
  if (compressed) {
    auto bundle = object::decompressBundle(plain);
    if (!bundle)
      return bundle.takeError();
    decompressed = std::move(*bundle);
    plain = decompressed;
  }
  auto entries = object::readBundle(plain);
  if (!entries)
    return entries.takeError();
  for (const auto &[id, code] : found)
    entries->push_back({id, bytesOf(code)});
  std::vector<std::byte> fresh = object::writeBundle(*entries);
  if (compressed) {
    auto smaller = object::compressBundle(fresh, bytesOf(*text));
    if (!smaller)
      return smaller.takeError();
    fresh = std::move(*smaller);
  }
  return writeOutput(output, {reinterpret_cast<const char *>(fresh.data()), fresh.size()});
}

} // namespace rdna::hipclang
