#include "Passes.h"

#include "Support/Random.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <regex>

namespace rdna::fuzz {

static std::set<std::string, std::less<>> everyPass() {
  std::set<std::string, std::less<>> names;
  for (const PassInfo &pass : allPasses())
    names.emplace(pass.name);
  return names;
}

std::string Configuration::Command::text() const {
  if (passes.empty())
    return "vgpr-remap";
  std::string line = "dualfmac-sched rewrite";
  for (const PassInfo &pass : allPasses())
    if (passes.contains(pass.name) && passes.size() < allPasses().size() &&
        !(pass.name == "unroll" && unroll))
      line += fmt::format(" --{}", pass.name);
  if (unroll)
    line += fmt::format(" --unroll={}", *unroll);
  if (!assumptions.empty())
    line += " --assume=no-index-wrap";
  return line;
}

std::vector<Configuration> configurations(uint64_t seed) {
  std::vector<Configuration> list;
  list.push_back({"vgpr-remap", {{}}});
  list.push_back({"all", {{everyPass(), std::nullopt, {}}}});
  list.push_back({"all-assume", {{everyPass(), std::nullopt, {Assumption::NoIndexWrap}}}});
  std::vector<std::string> passes;
  for (const PassInfo &pass : allPasses()) {
    passes.emplace_back(pass.name);
    if (pass.name != "vgpr-remap") // The same as the tool of that name.
      list.push_back({passes.back(), {{{passes.back()}, std::nullopt, {}}}});
  }
  list.push_back({"sgpr-base-assume", {{{"sgpr-base"}, std::nullopt, {Assumption::NoIndexWrap}}}});
  for (const unsigned factor : {2U, 4U})
    list.push_back({fmt::format("unroll-{}", factor), {{{"unroll"}, factor, {}}}});
  Random random(seed ^ 0x5eed);
  Configuration::Command subset;
  for (const std::string &pass : passes)
    if (random.below(2))
      subset.passes.insert(pass);
  if (subset.passes.empty())
    subset.passes.insert("waits");
  if (subset.passes.contains("unroll") && random.below(2))
    subset.unroll = 2 + random.below(4);
  list.push_back({"random-subset", {subset}});
  Configuration order{"random-order", {}};
  for (unsigned n = 0; n < 4; ++n) {
    const uint32_t at = random.below(static_cast<uint32_t>(passes.size()));
    order.commands.push_back({{passes[at]}, std::nullopt, {}});
    passes.erase(passes.begin() + at);
  }
  list.push_back(order);
  return list;
}

static constexpr std::array<const char *, 6> statusNames = {"same",    "left",  "changed",
                                                            "refused", "error", "crashed"};

const char *toString(Status status) { return statusNames[static_cast<size_t>(status)]; }

std::optional<Status> statusByName(std::string_view name) {
  for (size_t n = 0; n < statusNames.size(); ++n)
    if (name == statusNames[n])
      return static_cast<Status>(n);
  return std::nullopt;
}

namespace {
struct Rewritten {
  std::string text;
  std::vector<Diagnostic> remarks;
};
} // namespace

static llvm::Expected<Rewritten> runOne(const Configuration::Command &command, std::string text,
                                        const std::function<void(const ProvenStep &)> &onStep) {
  auto module = Module::parse(std::move(text), "fuzz.s");
  if (!module)
    return module.takeError();
  Pipeline pipeline = remapPipeline();
  if (!command.passes.empty()) {
    PassChoice choice{command.passes, {}};
    if (command.unroll)
      choice.values["unroll"] = *command.unroll;
    pipeline = {.passes = choosePasses(choice)};
    pipeline.request.assumptions = command.assumptions;
  }
  pipeline.onStep = onStep;
  auto result = runPipeline(std::move(*module), pipeline);
  if (!result)
    return result.takeError();
  return Rewritten{std::move(result->text), std::move(result->remarks)};
}

Outcome run(const Configuration &configuration, const std::string &text,
            const std::function<void(const ProvenStep &)> &onStep) {
  Outcome outcome;
  outcome.text = text;
  std::string takenBack;
  for (const Configuration::Command &command : configuration.commands) {
    auto result = runOne(command, outcome.text, onStep);
    if (!result) {
      outcome.status = Status::Error;
      llvm::handleAllErrors(
          result.takeError(),
          [&](const InputError &error) {
            if (error.failure() == Failure::Refused)
              outcome.status = Status::Refused;
            outcome.reason = error.diagnostics().empty() ? "" : error.diagnostics()[0].message;
          },
          [&](const llvm::ErrorInfoBase &error) { outcome.reason = error.message(); });
      return outcome;
    }
    for (const Diagnostic &remark : result->remarks) {
      if (takenBack.empty() && isTakenBack(remark.message))
        takenBack = remark.message;
      if (outcome.reason.empty())
        outcome.reason = remark.message;
    }
    outcome.text = std::move(result->text);
  }
  outcome.status = outcome.text != text     ? Status::Changed
                   : !takenBack.empty()     ? Status::Refused
                   : outcome.reason.empty() ? Status::Same
                                            : Status::Left;
  if (!takenBack.empty())
    outcome.reason = takenBack;
  return outcome;
}

bool isTakenBack(const std::string &reason) {
  return reason.find("was taken back") != std::string::npos;
}

std::string fold(std::string message) {
  if (const size_t at = message.find("the original has"); at != std::string::npos)
    message.resize(at);
  if (const size_t at = message.find('\n'); at != std::string::npos)
    message.resize(at);
  static const std::regex quoted("'[^']*'"), label("\\.L[A-Za-z0-9_.]+"),
      pieces("\\b[vs](\\[[0-9]+:[0-9]+\\]|[0-9]+)\\b"), numbers("\\b(0x[0-9a-f]+|[0-9]+)\\b");
  message = std::regex_replace(message, quoted, "'..'");
  message = std::regex_replace(message, label, "L");
  message = std::regex_replace(message, pieces, "R");
  return std::regex_replace(message, numbers, "N");
}

} // namespace rdna::fuzz
