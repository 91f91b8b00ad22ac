#include "Passes.h"

#include "Support/Random.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <regex>

namespace rdna::fuzz {

static constexpr std::array<std::pair<Pass, const char *>, 9> passNames = {
    {{Pass::VgprRemap, "vgpr-remap"},
     {Pass::SgprBase, "sgpr-base"},
     {Pass::Unroll, "unroll"},
     {Pass::SpreadLoads, "spread-loads"},
     {Pass::MergeStores, "merge-stores"},
     {Pass::Waits, "waits"},
     {Pass::Clause, "clause"},
     {Pass::SetPrio, "setprio"},
     {Pass::DelayAlu, "delay-alu"}}};

std::string Configuration::Command::text() const {
  if (passes.empty())
    return "vgpr-remap";
  std::string line = "dualfmac-sched rewrite";
  for (const auto &[pass, name] : passNames)
    if (passes.contains(pass) && passes.size() < passNames.size() &&
        !(pass == Pass::Unroll && unroll))
      line += fmt::format(" --{}", name);
  if (unroll)
    line += fmt::format(" --unroll={}", *unroll);
  if (!assumptions.empty())
    line += " --assume=no-index-wrap";
  return line;
}

std::vector<Configuration> configurations(uint64_t seed) {
  const std::set<Pass> all(std::begin(allPasses), std::end(allPasses));
  std::vector<Configuration> list;
  list.push_back({"vgpr-remap", {{}}});
  list.push_back({"all", {{all, std::nullopt, {}}}});
  list.push_back({"all-assume", {{all, std::nullopt, {Assumption::NoIndexWrap}}}});
  for (const auto &[pass, name] : passNames)
    if (pass != Pass::VgprRemap) // The same as the tool of that name.
      list.push_back({name, {{{pass}, std::nullopt, {}}}});
  list.push_back(
      {"sgpr-base-assume", {{{Pass::SgprBase}, std::nullopt, {Assumption::NoIndexWrap}}}});
  for (const unsigned factor : {2U, 4U})
    list.push_back({fmt::format("unroll-{}", factor), {{{Pass::Unroll}, factor, {}}}});
  Random random(seed ^ 0x5eed);
  Configuration::Command subset;
  for (const Pass pass : allPasses)
    if (random.below(2))
      subset.passes.insert(pass);
  if (subset.passes.empty())
    subset.passes.insert(Pass::Waits);
  if (subset.passes.contains(Pass::Unroll) && random.below(2))
    subset.unroll = 2 + random.below(4);
  list.push_back({"random-subset", {subset}});
  Configuration order{"random-order", {}};
  std::vector<Pass> passes(std::begin(allPasses), std::end(allPasses));
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
  if (command.passes.empty()) {
    RewriteOptions options;
    options.onStep = onStep;
    auto result = rewriteModule(std::move(*module), options);
    if (!result)
      return result.takeError();
    return Rewritten{std::move(result->text), std::move(result->remarks)};
  }
  LadderOptions options;
  options.passes = command.passes;
  options.assumptions = command.assumptions;
  options.unroll.factor = command.unroll;
  options.rewrite.onStep = onStep;
  auto result = climb(std::move(*module), options);
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
