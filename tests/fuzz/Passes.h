//===- Passes.h - what the fuzzer does to a file ----------------------------===//
#pragma once

#include "Pipeline/Registry.h"

#include <optional>
#include <string>
#include <vector>

namespace rdna::fuzz {

/// One way to run the tools: commands one after the other, each on the result of the last.
struct Configuration {
  std::string name;
  struct Command {
    std::set<std::string, std::less<>> passes; ///< Empty: the tool vgpr-remap.
    std::optional<unsigned> unroll;
    std::set<Assumption> assumptions;
    std::string text() const; ///< As one would type it.
  };
  std::vector<Command> commands;
};

/// vgpr-remap, all passes, each alone, loops unrolled by 2 and 4, all under no-index-wrap, a random
/// subset and a random order.
std::vector<Configuration> configurations(uint64_t seed);

enum class Status : uint8_t {
  Same,    ///< Nothing to say, nothing done.
  Left,    ///< Unchanged, with a remark that says why.
  Changed, ///< Rewritten.
  Refused, ///< A finished rewrite could not be proven, and nothing else was changed.
  Error,   ///< The input was not accepted: the generator's fault, or a pass wrote nonsense.
  Crashed,
};
const char *toString(Status status);
std::optional<Status> statusByName(std::string_view name);

struct Outcome {
  Status status = Status::Same;
  std::string text;   ///< If changed.
  std::string reason; ///< Of a refusal, an error, a step that was taken back, or the first remark.
};

/// Does a reason say that a step could not be proven and was taken back?
bool isTakenBack(const std::string &reason);

Outcome run(const Configuration &configuration, const std::string &text,
            const std::function<void(const ProvenStep &)> &onStep = {});

/// A message without the registers and numbers of its case, to count by.
std::string fold(std::string message);

} // namespace rdna::fuzz
