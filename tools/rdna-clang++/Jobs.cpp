#include "Jobs.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>

namespace rdna::hipclang {

namespace {

/// `"a" "b\"c"` as words: quotes, and backslashes before quotes, backslashes and dollars.
std::vector<std::string> wordsOf(std::string_view line) {
  std::vector<std::string> words;
  size_t at = 0;
  while (at < line.size()) {
    if (line[at] == ' ') {
      ++at;
      continue;
    }
    const bool quoted = line[at] == '"';
    at += quoted;
    std::string &word = words.emplace_back();
    while (at < line.size() && line[at] != (quoted ? '"' : ' ')) {
      at += line[at] == '\\' && at + 1 < line.size();
      word += line[at++];
    }
    at += quoted;
  }
  return words;
}

/// What -### says without having been asked.
bool isBanner(std::string_view line) {
  constexpr std::array banners = {"Target: ",       "Thread model: ",       "InstalledDir: ",
                                  "Build config: ", "Configuration file: ", " (in-process)"};
  return line.find("clang version ") != std::string_view::npos ||
         llvm::any_of(banners, [&](std::string_view banner) { return line.starts_with(banner); });
}

} // namespace

bool Job::has(std::string_view word) const { return llvm::is_contained(words, word); }

std::string_view Job::valueOf(std::string_view word) const {
  const auto at = llvm::find(words, word);
  return at == words.end() || at + 1 == words.end() ? std::string_view() : *(at + 1);
}

bool Job::isForRdna3() const {
  constexpr std::array processors = {"gfx1100", "gfx1101", "gfx1102", "gfx1103"};
  return words.size() > 1 && valueOf("-triple").starts_with("amdgcn-amd-amdhsa") &&
         llvm::is_contained(processors, valueOf("-target-cpu"));
}

Job::Device Job::device() const {
  if (!isForRdna3())
    return Device::No;
  if (words[1] == "-cc1" && has("-emit-obj"))
    return Device::Compile;
  return words[1] == "-cc1as" && valueOf("-filetype") == "obj" ? Device::Assemble : Device::No;
}

Plan readPlan(std::string_view text) {
  Plan plan;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with(" \""))
      plan.jobs.push_back({wordsOf(line)});
    else if (!isBanner(line))
      plan.messages += std::string(line) + '\n';
  }
  return plan;
}

Job writingAssembly(const Job &compile, const std::string &output) {
  Job job = compile;
  std::replace(job.words.begin(), job.words.end(), std::string("-emit-obj"), std::string("-S"));
  *(llvm::find(job.words, "-o") + 1) = output;
  return job;
}

bool hasRdna3Code(const Plan &plan) {
  return llvm::any_of(plan.jobs, [](const Job &job) { return job.device() != Job::Device::No; });
}

bool linksRdna3Bitcode(const Plan &plan) {
  const auto compiles = [](const Job &job) { return job.isForRdna3() && job.has("-emit-llvm-bc"); };
  const auto links = [](const Job &job) { return job.valueOf("-m") == "elf64_amdgpu"; };
  return !hasRdna3Code(plan) && llvm::any_of(plan.jobs, compiles) && llvm::any_of(plan.jobs, links);
}

} // namespace rdna::hipclang
