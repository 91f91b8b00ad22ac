//===- Store.h - what is known of which point, kept in SQLite -------------===//
//
// A result is written once and never changed, in the same transaction that ends the claim on it. So
// a tuner may be killed at any moment: what it had finished is there, and its claims die with the
// lock on a byte of FILE-workers that the system takes from it. Several tuners may share a file.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Tune/Measure.h"
#include "Tune/Sqlite.h"

#include <map>
#include <mutex>
#include <optional>
#include <span>

namespace rdna::tune {

/// What results depend on besides the point. Another machine, seed or version is another study.
struct StudyKey {
  std::string device;  ///< "7900xtx"
  std::string machine; ///< Every number that the model believes, hashed.
  std::string version; ///< Of the toolchain.
  uint64_t seed = 1;
  Problem problem;
  std::string base; ///< What is no axis: "nn row guarded lds".
  std::string text() const;
};
StudyKey studyOf(const Subject &subject, std::string_view version);

/// A point with what is known of it.
struct Row {
  StudyKey study;
  std::string spec, options;
  std::optional<Outcome> estimate, model, emulator, card;
  const std::optional<Outcome> &of(Stage stage) const {
    return stage == Stage::Estimate ? estimate
           : stage == Stage::Model  ? model
           : stage == Stage::Card   ? card
                                    : emulator;
  }
};

class Store {
public:
  static constexpr int kSchema = 1;
  static constexpr std::string_view kInMemory = ":memory:"; ///< A path: nothing is kept.
  enum class Missing : uint8_t { IsMade, IsError };
  static llvm::Expected<std::unique_ptr<Store>> open(const std::string &path, Missing missing);
  ~Store();
  Store(const Store &) = delete;
  Store &operator=(const Store &) = delete;

  /// Their numbers, in order; those that are there already keep theirs.
  llvm::Expected<std::vector<int64_t>> addPoints(const StudyKey &study,
                                                 std::span<const Point> points);

  enum class Claim : uint8_t { Mine, Done, Another };
  llvm::Expected<Claim> claim(int64_t point, Stage stage);
  /// Writes the result of what was claimed. `seconds` is what it cost here.
  llvm::Error finish(int64_t point, Stage stage, const Outcome &outcome, double seconds);
  /// Claims of workers that are gone are given back.
  llvm::Error releaseDead();

  /// By point, in order; nothing for those without a result.
  llvm::Expected<std::vector<std::optional<Outcome>>> results(std::span<const int64_t> points,
                                                              Stage stage);
  /// Everything, by study and specification: the same for whoever found it and in whatever order.
  llvm::Expected<std::vector<Row>> rows();
  struct Cost {
    size_t points = 0;
    double seconds = 0;
  };
  llvm::Expected<std::map<Stage, Cost>> costs();

  struct Merged {
    size_t points = 0, results = 0; ///< That were new.
    size_t known = 0;               ///< Results that were there and say the same.
    /// And that say something else, which must not be: ours are kept. Times of a card are never
    /// the same twice, so they are not among these.
    size_t different = 0;
  };
  llvm::Expected<Merged> merge(const std::string &path);

  const std::string &path() const { return database_.path(); }

private:
  explicit Store(Database database) : database_(std::move(database)) {}
  llvm::Error prepareSchema(Missing missing);
  llvm::Error becomeWorker();
  llvm::Expected<std::optional<int64_t>> number(const std::string &sql, std::string_view text);

  std::mutex mutex_; ///< For the connection.
  Database database_;
  int64_t worker_ = 0; ///< 0: none yet.
  int lockFile_ = -1;
};

} // namespace rdna::tune
