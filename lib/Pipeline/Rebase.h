//===- Rebase.h - scalar bases for a function's global accesses, proven ----===//
#pragma once

#include "Pipeline/Rewrite.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <set>

namespace rdna {

/// Where accesses stand.
enum class Place : uint8_t { InLoops, OutsideLoops };

/// What became of one function. Counts are over all instructions at that place, once.
struct RebasedAccesses {
  std::string function;
  Place place = Place::InLoops;
  unsigned accesses = 0; ///< That have a scalar base now.
  unsigned pairs = 0;    ///< Different SGPR pairs that they have.
  unsigned offsets = 0;  ///< VALU instructions that make a 32-bit offset.
  unsigned removed = 0;  ///< Instructions that only made the old addresses.
  LoopMetrics before, after;
  std::set<Assumption> assumptions; ///< Without which it is not equal.
  Proof proof;
};

/// Accesses in no loop: prologues and epilogues.
enum class OutsideLoops : uint8_t { Leave, Rewrite };

struct RebaseOptions {
  std::string kernel; ///< Only this function; empty: all.
  std::set<Assumption> assumptions;
  std::map<std::string, verify::Given> given; ///< By function.
  OccupancyLoss occupancy = OccupancyLoss::Refuse;
  std::function<void(const ProvenStep &)> onStep;
  OutsideLoops outside = OutsideLoops::Rewrite;
  bool isGiven(const std::string &function) const {
    const auto it = given.find(function);
    return it != given.end() && !it->second.said.empty();
  }
};

struct RebaseResult {
  std::unique_ptr<Module> module;
  std::vector<RebasedAccesses> functions;
  std::vector<Diagnostic> remarks;
};

/// `isWanted` says which loops may change, by their index in the graph.
llvm::Expected<RebaseResult>
rebaseAccesses(std::unique_ptr<Module> module, const RebaseOptions &options,
               llvm::function_ref<bool(const Module &, const Cfg &, uint32_t)> isWanted);

} // namespace rdna
