//===- Emitter.h - assembly that waits where it has to ----------------------===//
//
// Random code is only worth running if it is right. The emitter follows what each memory
// instruction still owes and writes a wait, of a random kind, where a register is touched that has
// not come back; the same for transcendentals' results. Every register that an instruction's text
// names counts as touched, so nothing has to be said of operands.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Support/Random.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rdna::fuzz {

/// VGPR n is n, SGPR n is 256 + n.
using RegisterSet = std::set<unsigned>;
RegisterSet registersOf(std::string_view text);

/// By what a memory instruction is counted.
enum class Queue : uint8_t { Vector, Lds, Scalar, Flat, Store };

/// What is in flight at one point of a program.
struct Pending {
  struct Operation {
    RegisterSet registers;
    enum class Order : uint8_t { InOrder, OutOfOrder } order = Order::InOrder;
  };
  /// One counter: operations that may be in flight from before the last join, and those behind it.
  struct Counter {
    RegisterSet old;
    Operation::Order oldOrder = Operation::Order::InOrder;
    std::vector<Operation> fresh;
    bool empty() const { return old.empty() && fresh.empty(); }
  };
  struct Transcendental {
    unsigned vgpr = 0, valuSince = 0, transSince = 0;
  };
  Counter vector, lds; ///< vmcnt, lgkmcnt.
  unsigned stores = 0;
  std::vector<Transcendental> transcendentals;

  /// From here on only "all" is known to be enough, as where paths meet.
  void join(const Pending &other);
};

class Emitter {
public:
  explicit Emitter(uint64_t seed) : random_(seed) {}

  uint32_t below(uint32_t bound) { return random_.below(bound); }
  bool chance(unsigned percent) { return random_.below(100) < percent; }
  template <typename T> const T &pick(const std::vector<T> &from) {
    return from[below(static_cast<uint32_t>(from.size()))];
  }
  std::string word(std::initializer_list<const char *> words) {
    return words.begin()[below(static_cast<uint32_t>(words.size()))];
  }

  /// One instruction that is no memory access.
  void inst(const std::string &text);
  /// A memory access; `results`: the registers that it writes later.
  void memory(Queue queue, const std::string &text, const std::string &results = {});
  /// Accesses of one kind side by side, perhaps as a clause.
  struct Access {
    std::string text, results;
  };
  void memories(Queue queue, const std::vector<Access> &accesses);
  /// A line as it is.
  void raw(const std::string &line) { text_ += line + "\n"; }
  void label(const std::string &name) { raw(name + ":"); }
  std::string freshLabel() { return fmt::format(".L{}_{}", prefix_, labels_++); }
  void setPrefix(std::string prefix) { prefix_ = std::move(prefix); }

  /// Waits for whatever `registers` owe, and for everything.
  void settle(const RegisterSet &registers);
  void drain();
  void drainStores();
  /// Everything that is in flight but on these registers.
  void settleAllBut(const RegisterSet &registers);
  /// No transcendental's result is too young behind this.
  void settleTranscendentals();

  Pending &pending() { return pending_; }
  const std::string &text() const { return text_; }
  std::string takeText() { return std::move(text_); }

  /// Percentages of what is thrown in.
  unsigned hints = 8, superfluousWaits = 3, clauses = 40;

private:
  void waitFor(const RegisterSet &registers);
  void writeWaits(int vector, int lds);
  void decorate();
  void beforeValu(const RegisterSet &touched);
  void afterValu(const std::string &text);

  Random random_;
  Pending pending_;
  std::string text_, prefix_ = "BB0";
  unsigned labels_ = 0;
  /// What EXEC was last changed by, until the next vector instruction.
  enum class Gate : uint8_t { Other, Cmpx } gate_ = Gate::Other;
};

std::string v(unsigned n, unsigned dwords = 1);
std::string s(unsigned n, unsigned dwords = 1);

} // namespace rdna::fuzz
