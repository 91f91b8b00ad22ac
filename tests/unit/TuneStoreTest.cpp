#include "Tune/Report.h"
#include "Tune/Store.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace rdna::tune::tuneStoreTest {
namespace {

namespace fs = std::filesystem;

template <typename T> T unwrap(llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  ADD_FAILURE() << llvm::toString(value.takeError());
  std::abort();
}

class TuneStore : public testing::Test {
protected:
  TuneStore()
      : folder_(fs::temp_directory_path() /
                fmt::format("tune-store-{}-{}", ::getpid(),
                            testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(folder_);
  }
  ~TuneStore() override { fs::remove_all(folder_); }
  std::string path(const std::string &name) const { return (folder_ / name).string(); }
  std::unique_ptr<Store> open(const std::string &name) const {
    return unwrap(Store::open(path(name), Store::Missing::IsMade));
  }

  static Subject subject() {
    return {unwrap(timing::machineByName("7900xtx")), {64, 64, 64}, {}, 1};
  }
  /// Points that differ in their steps.
  static std::vector<Point> points(unsigned count) {
    std::vector<Point> all(count);
    for (unsigned n = 0; n < count; ++n)
      all[n].spec.bk = n + 1;
    return all;
  }
  static Outcome outcome(double milliseconds, unsigned vgprs = 64, unsigned lds = 4096) {
    Outcome o;
    o.milliseconds = o.low = o.high = milliseconds;
    o.vgprs = vgprs;
    o.ldsBytes = lds;
    o.limiter = "VALU issue";
    return o;
  }

  fs::path folder_;
};

using Claim = Store::Claim;

TEST_F(TuneStore, NothingIsDoneTwice) {
  const auto mine = open("a.db"), theirs = open("a.db");
  const auto ids = unwrap(mine->addPoints(studyOf(subject(), "1"), points(2)));
  EXPECT_EQ(unwrap(theirs->addPoints(studyOf(subject(), "1"), points(2))), ids);
  EXPECT_EQ(unwrap(mine->claim(ids[0], Stage::Estimate)), Claim::Mine);
  EXPECT_EQ(unwrap(theirs->claim(ids[0], Stage::Estimate)), Claim::Another);
  EXPECT_EQ(unwrap(theirs->claim(ids[0], Stage::Model)), Claim::Mine); // Another piece of work.
  EXPECT_FALSE(bool(theirs->releaseDead()));                           // Mine lives.
  EXPECT_EQ(unwrap(theirs->claim(ids[0], Stage::Estimate)), Claim::Another);
  EXPECT_FALSE(bool(mine->finish(ids[0], Stage::Estimate, outcome(2), 0.1)));
  EXPECT_EQ(unwrap(theirs->claim(ids[0], Stage::Estimate)), Claim::Done);
  const auto results = unwrap(theirs->results(ids, Stage::Estimate));
  ASSERT_TRUE(results[0].has_value());
  EXPECT_EQ(results[0]->milliseconds, 2);
  EXPECT_FALSE(results[1].has_value());
}

TEST_F(TuneStore, ClaimsOfTheDeadAreFree) {
  auto dead = open("a.db");
  const auto living = open("a.db");
  const auto ids = unwrap(dead->addPoints(studyOf(subject(), "1"), points(1)));
  EXPECT_EQ(unwrap(dead->claim(ids[0], Stage::Estimate)), Claim::Mine);
  dead = nullptr; // As the system closes the files of who was killed.
  EXPECT_EQ(unwrap(living->claim(ids[0], Stage::Estimate)), Claim::Another);
  EXPECT_FALSE(bool(living->releaseDead()));
  EXPECT_EQ(unwrap(living->claim(ids[0], Stage::Estimate)), Claim::Mine);
}

TEST_F(TuneStore, StudiesAreApart) {
  const auto store = open("a.db");
  Subject other = subject();
  const auto ids = unwrap(store->addPoints(studyOf(subject(), "1"), points(1)));
  EXPECT_NE(unwrap(store->addPoints(studyOf(subject(), "2"), points(1))), ids);
  other.seed = 2;
  EXPECT_NE(unwrap(store->addPoints(studyOf(other, "1"), points(1))), ids);
  other = subject();
  other.machine = other.machine.with(timing::Constant::L2Latency, 1);
  EXPECT_NE(unwrap(store->addPoints(studyOf(other, "1"), points(1))), ids);
  other = subject();
  other.base.a = generate::Transpose::Yes;
  EXPECT_NE(unwrap(store->addPoints(studyOf(other, "1"), points(1))), ids);
}

TEST_F(TuneStore, Merging) {
  const auto first = open("a.db"), second = open("b.db");
  const StudyKey study = studyOf(subject(), "1");
  for (Store *store : {&*first, &*second}) {
    const auto ids = unwrap(store->addPoints(study, points(3)));
    const bool isFirst = store == &*first;
    for (const size_t n : {size_t{0}, isFirst ? size_t{1} : size_t{2}}) {
      EXPECT_EQ(unwrap(store->claim(ids[n], Stage::Estimate)), Claim::Mine);
      EXPECT_FALSE(bool(store->finish(ids[n], Stage::Estimate, outcome(double(n) + 1), 0.5)));
    }
  }
  const Store::Merged merged = unwrap(first->merge(path("b.db")));
  EXPECT_EQ(merged.points, 0u);
  EXPECT_EQ(merged.results, 1u);
  EXPECT_EQ(merged.known, 1u);
  EXPECT_EQ(merged.different, 0u);
  EXPECT_EQ(unwrap(second->merge(path("a.db"))).results, 1u);
  EXPECT_EQ(csvOf(unwrap(first->rows())), csvOf(unwrap(second->rows())));
  EXPECT_EQ(unwrap(first->costs()).at(Stage::Estimate).points, 3u);
}

TEST_F(TuneStore, MergingWhatContradicts) {
  const auto first = open("a.db"), second = open("b.db");
  for (Store *store : {&*first, &*second}) {
    const auto ids = unwrap(store->addPoints(studyOf(subject(), "1"), points(1)));
    EXPECT_EQ(unwrap(store->claim(ids[0], Stage::Estimate)), Claim::Mine);
    EXPECT_FALSE(
        bool(store->finish(ids[0], Stage::Estimate, outcome(store == &*first ? 1 : 2), 0.5)));
  }
  const Store::Merged merged = unwrap(first->merge(path("b.db")));
  EXPECT_EQ(merged.different, 1u);
  EXPECT_EQ(merged.results, 0u);
  EXPECT_EQ(unwrap(first->rows()).front().estimate->milliseconds, 1); // Ours is kept.
}

/// Two cards, or one on two days, never take the same time.
TEST_F(TuneStore, TimesOfCardsDoNotContradict) {
  const auto first = open("a.db"), second = open("b.db");
  for (Store *store : {&*first, &*second}) {
    const auto ids = unwrap(store->addPoints(studyOf(subject(), "1"), points(2)));
    for (const Stage stage : {Stage::Estimate, Stage::Model, Stage::Emulator, Stage::Card})
      for (size_t n = 0; n < 2; ++n) {
        // By the model the first is the faster one.
        const double time =
            stage == Stage::Card ? (store == &*first ? 9.0 : 7.0) - double(n) : 1.0 + double(n);
        EXPECT_EQ(unwrap(store->claim(ids[n], stage)), Claim::Mine);
        EXPECT_FALSE(bool(store->finish(ids[n], stage, outcome(time), 0.5)));
      }
  }
  const Store::Merged merged = unwrap(first->merge(path("b.db")));
  EXPECT_EQ(merged.different, 0u);
  EXPECT_EQ(merged.known, 8u);
  const StudyReport report = reportOf(unwrap(first->rows())).front();
  ASSERT_TRUE(report.best);
  EXPECT_EQ(report.rows[*report.best].model->milliseconds, 2);
  EXPECT_EQ(report.rows[*report.best].card->milliseconds, 8); // Ours is kept.
}

TEST_F(TuneStore, FilesThatAreNoStores) {
  const auto refused = [&](const std::string &name, std::string_view says) {
    auto store = Store::open(path(name), Store::Missing::IsError);
    ASSERT_FALSE(bool(store)) << name;
    const std::string message = llvm::toString(store.takeError());
    EXPECT_NE(message.find(says), std::string::npos) << message;
  };
  refused("missing.db", "No such file");
  std::ofstream(path("text.db")) << std::string(5000, 'x');
  refused("text.db", "no SQLite database");
  {
    Database other = unwrap(Database::open(path("other.db")));
    EXPECT_FALSE(bool(other.run("CREATE TABLE t(x)")));
  }
  refused("other.db", "does not hold results of `tune`");
  open("new.db");
  EXPECT_FALSE(bool(unwrap(Database::open(path("new.db"))).run("PRAGMA user_version=7")));
  refused("new.db", "version 7");
  auto folder = Store::open(path("none/x.db"), Store::Missing::IsMade);
  ASSERT_FALSE(bool(folder));
  EXPECT_NE(llvm::toString(folder.takeError()).find("cannot be opened"), std::string::npos);
}

/// SQLite says so of a database that may not grow as it does of a disk without room.
TEST_F(TuneStore, AFullDisk) {
  Database database = unwrap(Database::open(path("a.db")));
  EXPECT_FALSE(bool(database.run("CREATE TABLE t(x)")));
  EXPECT_FALSE(bool(database.run("PRAGMA max_page_count=3")));
  llvm::Error error = database.run("INSERT INTO t VALUES(zeroblob(100000))");
  ASSERT_TRUE(bool(error));
  const std::string message = llvm::toString(std::move(error));
  EXPECT_NE(message.find("the disk is full"), std::string::npos) << message;
  EXPECT_NE(message.find("run the same command again"), std::string::npos) << message;
}

TEST(TuneReport, CurveFrontAndLimits) {
  std::vector<Row> rows(6);
  for (unsigned n = 0; n < 6; ++n) {
    rows[n].spec = std::string(1, static_cast<char>('a' + n));
    rows[n].estimate.emplace();
    rows[n].estimate->milliseconds = n + 1;
    rows[n].model.emplace();
    rows[n].model->limiter = n < 4 ? "tail" : "barrier";
  }
  const unsigned vgprs[] = {64, 64, 96, 64, 32, 48}, lds[] = {8, 8, 4, 16, 8, 8};
  const double times[] = {4, 2, 3, 1, 5, 6};
  for (unsigned n = 0; n < 6; ++n) {
    rows[n].estimate->vgprs = vgprs[n];
    rows[n].estimate->ldsBytes = lds[n];
    rows[n].model->milliseconds = times[n];
  }
  rows[0].emulator.emplace();
  rows[3].emulator.emplace();
  rows[3].emulator->verdict = Outcome::Verdict::Wrong;
  const StudyReport report = reportOf(rows).at(0);
  // By time: d 1, b 2, c 3, a 4, e 5, f 6.
  ASSERT_TRUE(report.best.has_value());
  EXPECT_EQ(report.rows[*report.best].spec, "a"); // d is wrong, b and c were not tried.
  std::string front;
  for (const size_t n : report.pareto)
    front += report.rows[n].spec;
  EXPECT_EQ(front, "dbce");
  ASSERT_EQ(report.curve.size(), 4u); // 1, 2, 5, 6.
  EXPECT_EQ(report.curve[0].share, 0.25);
  EXPECT_EQ(report.curve[1].share, 0.5);
  EXPECT_EQ(report.curve[2].k, 5u);
  EXPECT_EQ(report.curve[3].share, 1);
  ASSERT_EQ(report.limiters.size(), 2u);
  EXPECT_EQ(report.limiters[0].limiter, "tail");
  EXPECT_EQ(report.limiters[1].best, 5);
}

} // namespace
} // namespace rdna::tune::tuneStoreTest
