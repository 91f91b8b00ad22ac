//===- ScalarFlow.h - constants and liveness of scalar registers ----------===//
#pragma once

#include "Analysis/Cfg.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <bitset>
#include <optional>
#include <utility>
#include <vector>

namespace rdna {

struct OpTraits;
/// Of a comparison of 32-bit integers: is it true?
bool isRelated(const OpTraits &traits, uint32_t a, uint32_t b);

using KnownScalars = std::array<std::optional<uint32_t>, kRegUnits>;

/// What a SALU instruction writes, SCC (0 or 1) included, if that follows from constants alone.
/// `read` gives a register's value if it is known. Source: AMD's pseudo-code of each instruction.
using ScalarWrites = llvm::SmallVector<std::pair<RegUnit, uint32_t>, 2>;
std::optional<ScalarWrites> foldScalar(const Instruction &inst,
                                       llvm::function_ref<std::optional<uint32_t>(RegUnit)> read);

/// Applies an instruction to what is known: its results if they fold, else nothing is known of what
/// it writes.
void foldInto(const Instruction &inst, KnownScalars &known);

/// Scalars that are the same constant on every path, by block at its start. The edge from a block
/// to itself is left out where `ownEdges` says so: what is known when a loop of one block is
/// entered.
enum class OwnEdges : uint8_t { Follow, Ignore };
KnownScalars scalarsAtStart(const Module &module, const Cfg &cfg, uint32_t block,
                            OwnEdges ownEdges);

/// Takes a set of scalars that are still read backwards over an instruction.
void stepOverScalars(const Instruction &inst, std::bitset<kRegUnits> &live);

/// Scalars that are read before they are written, by block at its start.
std::vector<std::bitset<kRegUnits>> liveScalars(const Module &module, const Cfg &cfg);

} // namespace rdna
