#include "Tune/Sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace rdna::tune {

void Database::Close::operator()(sqlite3 *handle) const { sqlite3_close_v2(handle); }
void Statement::Finalize::operator()(sqlite3_stmt *handle) const { sqlite3_finalize(handle); }

llvm::Error Database::failure(int code) const {
  const auto fail = [&](std::string_view message) {
    return makeError(Failure::BadInput, path_, message);
  };
  switch (code & 0xff) {
  case SQLITE_FULL:
  case SQLITE_IOERR: // A limit of the file's size, or a quota: SQLite does not tell them apart.
    return fail(fmt::format("cannot be written: {}. What was finished before is in it; make room "
                            "and run the same command again, it goes on from there",
                            (code & 0xff) == SQLITE_FULL ? "the disk is full"
                                                         : sqlite3_errmsg(handle_.get())));
  case SQLITE_NOTADB:
    return fail("this is no SQLite database");
  case SQLITE_CORRUPT:
    return fail("the database is damaged");
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return fail("the database is locked by another program");
  case SQLITE_READONLY:
    return fail("the database cannot be written: it, or its folder, is read-only");
  case SQLITE_CANTOPEN:
    return fail("the database cannot be opened: is there such a folder, and may it be written?");
  default:
    return fail(fmt::format("SQLite: {}", sqlite3_errmsg(handle_.get())));
  }
}

llvm::Expected<Database> Database::open(const std::string &path) {
  sqlite3 *handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  Database database(path, handle);
  if (code != SQLITE_OK)
    return database.failure(code);
  sqlite3_busy_timeout(handle, 60000);
  return database;
}

llvm::Error Database::run(const std::string &sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? llvm::Error::success() : failure(code);
}

llvm::Expected<Statement> Database::prepare(const std::string &sql) {
  sqlite3_stmt *handle = nullptr;
  const int code = sqlite3_prepare_v2(handle_.get(), sql.c_str(), -1, &handle, nullptr);
  if (code != SQLITE_OK)
    return failure(code);
  return Statement(*this, handle);
}

int64_t Database::changes() const { return sqlite3_changes64(handle_.get()); }

Statement &Statement::bind(int64_t value) {
  sqlite3_bind_int64(handle_.get(), ++bound_, value);
  return *this;
}

Statement &Statement::bind(double value) {
  sqlite3_bind_double(handle_.get(), ++bound_, value);
  return *this;
}

Statement &Statement::bind(std::string_view value) {
  sqlite3_bind_text(handle_.get(), ++bound_, value.data(), static_cast<int>(value.size()),
                    SQLITE_TRANSIENT);
  return *this;
}

llvm::Expected<bool> Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW)
    return true;
  if (code == SQLITE_DONE)
    return false;
  return database_->failure(code);
}

llvm::Error Statement::finish() {
  llvm::Expected<bool> more = step();
  while (more && *more)
    more = step();
  sqlite3_reset(handle_.get());
  bound_ = 0;
  return more ? llvm::Error::success() : more.takeError();
}

int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(handle_.get(), column); }

std::string Statement::text(int column) const {
  const auto *bytes = sqlite3_column_text(handle_.get(), column);
  return bytes == nullptr ? std::string() : reinterpret_cast<const char *>(bytes);
}

llvm::Expected<Transaction> Transaction::begin(Database &database) {
  // Immediate: who will write asks for it now, and does not find out in the middle that it may not.
  if (llvm::Error error = database.run("BEGIN IMMEDIATE"))
    return error;
  return Transaction(&database);
}

Transaction::~Transaction() {
  if (database_ != nullptr)
    llvm::consumeError(database_->run("ROLLBACK"));
}

llvm::Error Transaction::commit() {
  if (llvm::Error error = database_->run("COMMIT"))
    return error; // The destructor takes it back.
  database_ = nullptr;
  return llvm::Error::success();
}

} // namespace rdna::tune
