// Store: everything that is about many points at once.
#include "Tune/Store.h"

#include <fmt/format.h>

#include <filesystem>

namespace rdna::tune {

llvm::Expected<std::vector<int64_t>> Store::addPoints(const StudyKey &study,
                                                      std::span<const Point> points) {
  const std::lock_guard lock(mutex_);
  auto transaction = Transaction::begin(database_);
  if (!transaction)
    return transaction.takeError();
  const std::string key = study.text();
  auto add = database_.prepare("INSERT OR IGNORE INTO study(key,device,machine,version,seed,m,n,k,"
                               "base) VALUES(?,?,?,?,?,?,?,?,?)");
  if (!add)
    return add.takeError();
  add->bind(std::string_view(key)).bind(std::string_view(study.device));
  add->bind(std::string_view(study.machine)).bind(std::string_view(study.version));
  add->bind(static_cast<int64_t>(study.seed)).bind(int64_t{study.problem.m});
  add->bind(int64_t{study.problem.n}).bind(int64_t{study.problem.k});
  if (llvm::Error error = add->bind(std::string_view(study.base)).finish())
    return error;
  auto id = number("SELECT id FROM study WHERE key=?", key);
  if (!id)
    return id.takeError();
  auto insert = database_.prepare("INSERT OR IGNORE INTO point(study,spec,options) VALUES(?,?,?)");
  if (!insert)
    return insert.takeError();
  auto find = database_.prepare("SELECT id FROM point WHERE study=? AND spec=?");
  if (!find)
    return find.takeError();
  std::vector<int64_t> ids;
  for (const Point &point : points) {
    const std::string spec = keyOf(point), options = optionsOf(point);
    insert->bind(**id).bind(std::string_view(spec)).bind(std::string_view(options));
    if (llvm::Error error = insert->finish())
      return error;
    auto row = find->bind(**id).bind(std::string_view(spec)).step();
    if (!row)
      return row.takeError();
    ids.push_back(find->integer(0));
    if (llvm::Error error = find->finish())
      return error;
  }
  if (llvm::Error error = transaction->commit())
    return error;
  return ids;
}

/// From column `first` on: verdict, reason, ms, low, high, vgprs, lds, waves, limiter.
static Outcome outcomeAt(const Statement &row, int first) {
  Outcome o;
  o.verdict = static_cast<Outcome::Verdict>(row.integer(first));
  o.reason = row.text(first + 1);
  o.milliseconds = row.real(first + 2);
  o.low = row.real(first + 3);
  o.high = row.real(first + 4);
  o.vgprs = static_cast<unsigned>(row.integer(first + 5));
  o.ldsBytes = static_cast<unsigned>(row.integer(first + 6));
  o.wavesPerSimd = static_cast<unsigned>(row.integer(first + 7));
  o.limiter = row.text(first + 8);
  return o;
}

static constexpr const char *kOutcome = "verdict,reason,ms,low,high,vgprs,lds,waves,limiter";

llvm::Expected<std::vector<std::optional<Outcome>>> Store::results(std::span<const int64_t> points,
                                                                   Stage stage) {
  const std::lock_guard lock(mutex_);
  auto find =
      database_.prepare(fmt::format("SELECT {} FROM result WHERE point=? AND stage=?", kOutcome));
  if (!find)
    return find.takeError();
  std::vector<std::optional<Outcome>> outcomes;
  for (const int64_t point : points) {
    auto row = find->bind(point).bind(int64_t(stage)).step();
    if (!row)
      return row.takeError();
    outcomes.push_back(*row ? std::optional(outcomeAt(*find, 0)) : std::nullopt);
    if (llvm::Error error = find->finish())
      return error;
  }
  return outcomes;
}

llvm::Expected<std::vector<Row>> Store::rows() {
  const std::lock_guard lock(mutex_);
  auto all = database_.prepare(fmt::format(
      "SELECT device,machine,version,seed,m,n,k,base,p.id,spec,options,stage,{} FROM study s JOIN "
      "point p ON p.study=s.id LEFT JOIN result r ON r.point=p.id ORDER BY s.key,spec,stage",
      kOutcome));
  if (!all)
    return all.takeError();
  std::vector<Row> rows;
  int64_t last = 0;
  auto row = all->step();
  for (; row && *row; row = all->step()) {
    if (rows.empty() || all->integer(8) != last) {
      last = all->integer(8);
      const Problem problem{static_cast<unsigned>(all->integer(4)),
                            static_cast<unsigned>(all->integer(5)),
                            static_cast<unsigned>(all->integer(6))};
      rows.push_back({{all->text(0), all->text(1), all->text(2),
                       static_cast<uint64_t>(all->integer(3)), problem, all->text(7)},
                      all->text(9),
                      all->text(10),
                      {},
                      {},
                      {},
                      {}});
    }
    Row &point = rows.back();
    switch (all->integer(11)) {
    case 1:
      point.estimate = outcomeAt(*all, 12);
      break;
    case 2:
      point.model = outcomeAt(*all, 12);
      break;
    case 3:
      point.emulator = outcomeAt(*all, 12);
      break;
    case 4:
      point.card = outcomeAt(*all, 12);
      break;
    default: // No result yet.
      break;
    }
  }
  if (!row)
    return row.takeError();
  return rows;
}

llvm::Expected<std::map<Stage, Store::Cost>> Store::costs() {
  const std::lock_guard lock(mutex_);
  auto all = database_.prepare("SELECT stage,count(*),sum(seconds) FROM cost GROUP BY stage");
  if (!all)
    return all.takeError();
  std::map<Stage, Cost> costs;
  auto row = all->step();
  for (; row && *row; row = all->step())
    costs[static_cast<Stage>(all->integer(0))] = {static_cast<size_t>(all->integer(1)),
                                                  all->real(2)};
  if (!row)
    return row.takeError();
  return costs;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// The other file's results beside our points.
static constexpr const char *kTheirs =
    "FROM other.result r JOIN other.point q ON q.id=r.point JOIN other.study t ON t.id=q.study "
    "JOIN "
    "study s ON s.key=t.key JOIN point p ON p.study=s.id AND p.spec=q.spec ";

llvm::Expected<Store::Merged> Store::merge(const std::string &path) {
  if (auto other = open(path, Missing::IsError); !other) // Is it one of ours?
    return other.takeError();
  std::error_code ignored;
  if (std::filesystem::equivalent(path, this->path(), ignored))
    return makeError(Failure::BadInput, path, "this is the database that is merged into");
  const std::lock_guard lock(mutex_);
  auto attach = database_.prepare("ATTACH ? AS other");
  if (!attach)
    return attach.takeError();
  if (llvm::Error error = attach->bind(std::string_view(path)).finish())
    return error;
  Merged merged;
  const auto copy = [&]() -> llvm::Error {
    auto transaction = Transaction::begin(database_);
    if (!transaction)
      return transaction.takeError();
    const auto count = [&](size_t &into, std::string_view where) -> llvm::Error {
      auto n = number(fmt::format("SELECT count(*) {} JOIN result o ON o.point=p.id AND "
                                  "o.stage=r.stage WHERE {} (o.verdict,o.reason,o.ms,o.low,o.high,"
                                  "o.vgprs,o.lds,o.waves,o.limiter) IS (r.verdict,r.reason,r.ms,"
                                  "r.low,r.high,r.vgprs,r.lds,r.waves,r.limiter)",
                                  kTheirs, where),
                      "");
      if (!n)
        return n.takeError();
      into = static_cast<size_t>(**n);
      return llvm::Error::success();
    };
    if (llvm::Error error = database_.run(
            "INSERT OR IGNORE INTO study(key,device,machine,version,seed,m,n,k,base) SELECT "
            "key,device,machine,version,seed,m,n,k,base FROM other.study"))
      return error;
    if (llvm::Error error = database_.run(
            "INSERT OR IGNORE INTO point(study,spec,options) SELECT s.id,q.spec,q.options FROM "
            "other.point q JOIN other.study t ON t.id=q.study JOIN study s ON s.key=t.key"))
      return error;
    merged.points = static_cast<size_t>(database_.changes());
    const auto card = static_cast<int>(Stage::Card);
    if (llvm::Error error = count(merged.known, fmt::format("r.stage={} OR", card)))
      return error;
    if (llvm::Error error = count(merged.different, fmt::format("r.stage<>{} AND NOT", card)))
      return error;
    if (llvm::Error error = database_.run(fmt::format(
            "INSERT OR IGNORE INTO result SELECT p.id,r.stage,r.verdict,r.reason,r.ms,r.low,"
            "r.high,r.vgprs,r.lds,r.waves,r.limiter {}",
            kTheirs)))
      return error;
    merged.results = static_cast<size_t>(database_.changes());
    if (llvm::Error error = database_.run(
            "INSERT OR IGNORE INTO cost SELECT p.id,r.stage,r.seconds FROM other.cost r JOIN "
            "other.point q ON q.id=r.point JOIN other.study t ON t.id=q.study JOIN study s ON "
            "s.key=t.key JOIN point p ON p.study=s.id AND p.spec=q.spec"))
      return error;
    if (llvm::Error error =
            database_.run("DELETE FROM claim WHERE EXISTS(SELECT 1 FROM result r WHERE "
                          "r.point=claim.point AND r.stage=claim.stage)"))
      return error;
    return transaction->commit();
  };
  llvm::Error error = copy();
  if (llvm::Error other = database_.run("DETACH other"))
    error = llvm::joinErrors(std::move(error), std::move(other));
  if (error)
    return error;
  return merged;
}

} // namespace rdna::tune
