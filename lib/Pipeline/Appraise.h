//===- Appraise.h - steps that are judged by time --------------------------===//
//
// Whoever can say how long a kernel takes (the tools: lib/Timing) is an Appraiser. With one, a step
// whose time rises is taken back, and one that makes a count worse is kept if it is faster for all
// that is in doubt. Without one, counts decide alone.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Module.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdna {

/// Times of one launch: as believed, and with each doubt of the model at one of its ends. Those of
/// one appraiser have the same doubts in the same order.
struct Appraisal {
  double believed = 0;
  std::vector<double> doubted = {}; ///< Empty: not asked for.
};

enum class Doubts : uint8_t { LeftOut, Asked };

class Appraiser {
public:
  virtual ~Appraiser() = default;
  /// The kernel that is launched; steps of other functions are judged by counts.
  virtual std::string_view kernel() const = 0;
  virtual llvm::Expected<Appraisal> appraise(const Module &module, Doubts doubts) = 0;
  /// Milliseconds by a longer look, for texts that are too near for `appraise` to tell apart.
  virtual llvm::Expected<double> settle(const Module &module) {
    auto appraisal = appraise(module, Doubts::LeftOut);
    if (!appraisal)
      return appraisal.takeError();
    return appraisal->believed;
  }
};

enum class Trend : uint8_t {
  Falls, ///< Whatever is in doubt, which was asked for.
  Open,  ///< As believed it does not rise.
  Rises,
};
/// Differences below half a percent are the model's own noise: which wave comes first.
Trend trendOf(const Appraisal &before, const Appraisal &after);

/// A text as later passes will leave it; null if they will not change it.
using Finish = std::function<llvm::Expected<std::unique_ptr<Module>>(const Module &)>;

/// What a step costs against the text before it, which is appraised only once.
class TimeJudge {
public:
  explicit TimeJudge(Appraiser &appraiser) : appraiser_(appraiser) {}
  std::string_view kernel() const { return appraiser_.kernel(); }
  /// Texts are appraised as they will end from now on. Passes drop the delays of blocks that they
  /// write anew, which can cost more than all that they gain.
  void appraiseFinished(Finish finish) {
    finish_ = std::move(finish);
    forget();
  }
  llvm::Expected<Appraisal> appraise(const Module &module, Doubts doubts) const;
  struct Times {
    Appraisal before, after;
    Trend trend = Trend::Open;
  };
  llvm::Expected<Times> compare(const Module &before, const Module &after, Doubts doubts);
  /// The step of the last comparison is kept.
  void keep() { current_ = last_; }
  /// The text has become another without it.
  void forget() { current_.reset(); }

private:
  Appraiser &appraiser_;
  Finish finish_; ///< None: as they are.
  std::optional<Appraisal> current_, last_;
};

} // namespace rdna
