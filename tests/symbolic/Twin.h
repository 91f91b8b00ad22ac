//===- Twin.h - one program on the emulator and in the proof's eyes -------===//
#pragma once

#include "Meaning.h"
#include "Pool.h"

#include "Support/Random.h"
#include "Symbolic/Machine.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rdna::test {

inline constexpr unsigned kVgprs = 32; ///< As many are looked at.

/// Concrete registers and LDS.
struct Concrete {
  std::array<emu::Lanes, kVgprs> v{};
  std::array<uint32_t, 128> s{};
  uint32_t scc = 0, mode = 0;
  std::vector<uint32_t> lds;
};

/// Corner values and random ones; EXEC whole, partial or empty.
Concrete randomStart(Random &random);
/// Scalars at the borders of the orders and near each other.
Concrete nearbyStart(Random &random);

class Twin {
public:
  explicit Twin(Pool &pool) : pool_(pool), meaning_(values_) {}

  /// Forgets all values: the registers at the start are other unknowns.
  void forget();
  /// Begins a program. Between two calls of forget() all programs begin with the same registers, so
  /// that values which come out equal in two of them must be the same.
  void begin(const Concrete &start);
  enum class Outcome {
    Same,
    Left,     ///< Not executed: what follows is an exception that the proof documents.
    Different ///< difference() says where.
  };
  Outcome step(unsigned instruction);
  const std::string &difference() const { return difference_; }

  verify::ExprPool &values() { return values_; }
  verify::State &state() { return state_; }
  Meaning &meaning() { return meaning_; }
  uint32_t scalar(RegUnit unit);
  /// How often V_MIN or V_MAX chose the other one of two NaNs.
  uint64_t payloadChoices() const { return payloadChoices_; }

private:
  bool compare(RegUnit unit, verify::Value before, unsigned instruction);
  bool isChoiceOfNan(unsigned instruction) const;

  Pool &pool_;
  verify::ExprPool values_;
  Meaning meaning_;
  verify::State state_;
  verify::Trace trace_;
  Concrete before_;
  std::optional<Meaning::Contradiction> fault_;
  std::string difference_;
  uint64_t payloadChoices_ = 0;
};

} // namespace rdna::test
