#include "Tune/Store.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace rdna::tune {

/// "rdnT", so that `file` and we know whose database it is.
static constexpr int64_t kApplication = 0x72646e54;

static constexpr const char *kTables = R"(
CREATE TABLE study(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, device TEXT NOT NULL,
  machine TEXT NOT NULL, version TEXT NOT NULL, seed INTEGER NOT NULL, m INTEGER NOT NULL,
  n INTEGER NOT NULL, k INTEGER NOT NULL, base TEXT NOT NULL);
CREATE TABLE point(id INTEGER PRIMARY KEY, study INTEGER NOT NULL REFERENCES study,
  spec TEXT NOT NULL, options TEXT NOT NULL, UNIQUE(study, spec));
CREATE TABLE result(point INTEGER NOT NULL REFERENCES point, stage INTEGER NOT NULL,
  verdict INTEGER NOT NULL, reason TEXT NOT NULL, ms REAL NOT NULL, low REAL NOT NULL,
  high REAL NOT NULL, vgprs INTEGER NOT NULL, lds INTEGER NOT NULL, waves INTEGER NOT NULL,
  limiter TEXT NOT NULL, PRIMARY KEY(point, stage)) WITHOUT ROWID;
CREATE TABLE cost(point INTEGER NOT NULL REFERENCES point, stage INTEGER NOT NULL,
  seconds REAL NOT NULL, PRIMARY KEY(point, stage)) WITHOUT ROWID;
CREATE TABLE claim(point INTEGER NOT NULL REFERENCES point, stage INTEGER NOT NULL,
  worker INTEGER NOT NULL, PRIMARY KEY(point, stage)) WITHOUT ROWID;
CREATE TABLE worker(id INTEGER PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL);
)";

std::string StudyKey::text() const {
  return fmt::format("{}|{}|{}|{}|{}|{}", device, machine, version, seed, toString(problem), base);
}

StudyKey studyOf(const Subject &subject, std::string_view version) {
  const timing::Device &device = subject.machine.device();
  std::string all = fmt::format("{} {} {} {} {} {} {} {}", device.cus, device.cusPerArray,
                                device.boostMHz, device.l2KiB, device.infinityCacheMiB,
                                device.dramGBs, device.infinityCacheGBs, device.memoryGiB);
  for (const timing::ConstantRow &row : timing::constantRows())
    all += fmt::format(" {}={}:{}:{}", row.name, subject.machine[row.constant], row.low, row.high);
  const generate::KernelSpec &s = subject.base;
  const auto letter = [](generate::Transpose t) {
    return t == generate::Transpose::Yes ? 't' : 'n';
  };
  StudyKey key;
  key.device = device.id;
  key.machine = llvm::utohexstr(llvm::xxh3_64bits(all), /*LowerCase=*/true);
  key.version = version;
  key.seed = subject.seed;
  key.problem = subject.problem;
  key.base = fmt::format("{}{} {} {}", letter(s.a), letter(s.b),
                         s.order == generate::Order::Row ? "row" : "col",
                         s.edges == generate::Edges::Exact ? "exact" : "guarded");
  return key;
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

llvm::Expected<std::optional<int64_t>> Store::number(const std::string &sql,
                                                     std::string_view text) {
  auto statement = database_.prepare(sql);
  if (!statement)
    return statement.takeError();
  if (!text.empty())
    statement->bind(text);
  auto row = statement->step();
  if (!row)
    return row.takeError();
  return *row ? std::optional(statement->integer(0)) : std::nullopt;
}

llvm::Error Store::prepareSchema(Missing missing) {
  // A commit has reached the disk when it returns: that is SQLite's default, said here because the
  // promise of this class hangs on it.
  if (llvm::Error error = database_.run("PRAGMA synchronous=FULL"))
    return error;
  auto version = number("PRAGMA user_version", "");
  if (!version)
    return version.takeError();
  auto application = number("PRAGMA application_id", "");
  if (!application)
    return application.takeError();
  auto tables = number("SELECT count(*) FROM sqlite_master", "");
  if (!tables)
    return tables.takeError();
  const auto fail = [&](std::string_view message) {
    return makeError(Failure::BadInput, path(), message);
  };
  if (**tables == 0 && missing == Missing::IsMade) {
    auto transaction = Transaction::begin(database_);
    if (!transaction)
      return transaction.takeError();
    tables =
        number("SELECT count(*) FROM sqlite_master", ""); // Another tuner may have been faster.
    if (!tables)
      return tables.takeError();
    if (**tables == 0)
      if (llvm::Error error = database_.run(fmt::format(
              "{}PRAGMA application_id={};PRAGMA user_version={}", kTables, kApplication, kSchema)))
        return error;
    return transaction->commit();
  }
  if (**application != kApplication)
    return fail("this database does not hold results of `tune`");
  if (**version != kSchema)
    return fail(fmt::format("its schema is version {}, this tool knows {}", **version, kSchema));
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Store>> Store::open(const std::string &path, Missing missing) {
  if (missing == Missing::IsError && access(path.c_str(), F_OK) != 0)
    return makeError(Failure::BadInput, path, std::strerror(errno));
  auto database = Database::open(path);
  if (!database)
    return database.takeError();
  std::unique_ptr<Store> store(new Store(std::move(*database)));
  if (llvm::Error error = store->prepareSchema(missing))
    return error;
  return store;
}

Store::~Store() {
  if (lockFile_ >= 0)
    ::close(lockFile_);
}

//===----------------------------------------------------------------------===//
// Who works on what
//===----------------------------------------------------------------------===//

/// A lock on one byte, that of this worker's number. It belongs to the open file and not to the
/// process, so that it is gone when the file is closed, however that comes about.
static struct flock byteOf(int64_t worker) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = worker;
  lock.l_len = 1;
  return lock;
}

llvm::Error Store::becomeWorker() {
  if (worker_ != 0)
    return llvm::Error::success();
  if (path() == kInMemory) { // Nobody else sees it.
    worker_ = 1;
    return llvm::Error::success();
  }
  const std::string file = path() + "-workers";
  lockFile_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lockFile_ < 0)
    return makeError(Failure::BadInput, file, std::strerror(errno));
  auto statement = database_.prepare("INSERT INTO worker(pid) VALUES(?) RETURNING id");
  if (!statement)
    return statement.takeError();
  auto row = statement->bind(int64_t{::getpid()}).step();
  if (!row)
    return row.takeError();
  const int64_t worker = statement->integer(0);
  struct flock lock = byteOf(worker);
  if (::fcntl(lockFile_, F_OFD_SETLK, &lock) != 0)
    return makeError(Failure::BadInput, file, std::strerror(errno));
  if (llvm::Error error = statement->finish())
    return error;
  worker_ = worker;
  return llvm::Error::success();
}

llvm::Expected<Store::Claim> Store::claim(int64_t point, Stage stage) {
  const std::lock_guard lock(mutex_);
  if (llvm::Error error = becomeWorker())
    return error;
  auto transaction = Transaction::begin(database_);
  if (!transaction)
    return transaction.takeError();
  auto done = database_.prepare("SELECT 1 FROM result WHERE point=? AND stage=?");
  if (!done)
    return done.takeError();
  auto row = done->bind(point).bind(int64_t(stage)).step();
  if (!row)
    return row.takeError();
  if (*row)
    return Claim::Done;
  auto insert = database_.prepare("INSERT OR IGNORE INTO claim VALUES(?,?,?)");
  if (!insert)
    return insert.takeError();
  if (llvm::Error error = insert->bind(point).bind(int64_t(stage)).bind(worker_).finish())
    return error;
  const bool isMine = database_.changes() == 1;
  if (llvm::Error error = transaction->commit())
    return error;
  return isMine ? Claim::Mine : Claim::Another;
}

llvm::Error Store::finish(int64_t point, Stage stage, const Outcome &o, double seconds) {
  const std::lock_guard lock(mutex_);
  auto transaction = Transaction::begin(database_);
  if (!transaction)
    return transaction.takeError();
  auto result = database_.prepare("INSERT OR IGNORE INTO result VALUES(?,?,?,?,?,?,?,?,?,?,?)");
  if (!result)
    return result.takeError();
  result->bind(point)
      .bind(int64_t(stage))
      .bind(int64_t(o.verdict))
      .bind(std::string_view(o.reason));
  result->bind(o.milliseconds).bind(o.low).bind(o.high);
  result->bind(int64_t{o.vgprs}).bind(int64_t{o.ldsBytes}).bind(int64_t{o.wavesPerSimd});
  if (llvm::Error error = result->bind(std::string_view(o.limiter)).finish())
    return error;
  auto cost = database_.prepare("INSERT OR IGNORE INTO cost VALUES(?,?,?)");
  if (!cost)
    return cost.takeError();
  if (llvm::Error error = cost->bind(point).bind(int64_t(stage)).bind(seconds).finish())
    return error;
  auto claim = database_.prepare("DELETE FROM claim WHERE point=? AND stage=?");
  if (!claim)
    return claim.takeError();
  if (llvm::Error error = claim->bind(point).bind(int64_t(stage)).finish())
    return error;
  return transaction->commit();
}

llvm::Error Store::releaseDead() {
  const std::lock_guard lock(mutex_);
  if (llvm::Error error = becomeWorker())
    return error;
  auto workers = database_.prepare("SELECT DISTINCT worker FROM claim");
  if (!workers)
    return workers.takeError();
  std::vector<int64_t> dead;
  auto row = workers->step();
  for (; row && *row; row = workers->step()) {
    struct flock held = byteOf(workers->integer(0));
    if (workers->integer(0) != worker_ && ::fcntl(lockFile_, F_OFD_GETLK, &held) == 0 &&
        held.l_type == F_UNLCK)
      dead.push_back(workers->integer(0));
  }
  if (!row)
    return row.takeError();
  for (const int64_t worker : dead)
    if (llvm::Error error = database_.run(fmt::format("DELETE FROM claim WHERE worker={}", worker)))
      return error;
  return llvm::Error::success();
}

} // namespace rdna::tune
