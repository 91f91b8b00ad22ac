//===- Unchanged.h - a word for functions that stay as they are ------------===//
#pragma once

#include "Transform/Pass.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rdna {

/// Why a function is not shown to a pass.
struct Obstacle {
  enum class Kind : uint8_t {
    Code, ///< Something in it that nobody could prove anything of.
    Role  ///< The pass is for others: kernels, functions without calls.
  } kind = Kind::Code;
  uint32_t line = 0;
  std::string reason; ///< "it calls functions"
};
/// Nothing if a pass with these needs may be asked about the function.
std::optional<Obstacle> obstacleFor(PassNeeds needs, const Module &module, const Cfg &cfg);

/// What one round has said of the functions, by index.
struct RoundWords {
  struct Left {
    Obstacle obstacle;
    std::vector<std::string_view> passes;
  };
  std::map<uint32_t, Left> left;
  std::set<uint32_t> remarked;                ///< Some pass said why it left something.
  std::set<std::string, std::less<>> changed; ///< By name, of all rounds.
  void leave(uint32_t function, std::string_view pass, const Obstacle &obstacle);
};

/// A line for every function that passes could not be asked about, and for every kernel, and every
/// other function with F32 FMAs, of which nothing has changed and nothing was said: why, and what
/// can be done.
/// `passes` are those that were asked.
std::vector<Diagnostic> wordsForUnchanged(const Module &module, const PassRequest &request,
                                          const RoundWords &words,
                                          llvm::ArrayRef<std::string_view> passes);

} // namespace rdna
