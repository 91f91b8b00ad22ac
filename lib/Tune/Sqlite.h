//===- Sqlite.h - SQLite's C interface with errors as llvm::Error ---------===//
#pragma once

#include "Support/Diagnostic.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace rdna::tune {

class Statement;

/// One connection. Not for several threads at once.
class Database {
public:
  static llvm::Expected<Database> open(const std::string &path);
  /// Statements without results.
  llvm::Error run(const std::string &sql);
  llvm::Expected<Statement> prepare(const std::string &sql);
  int64_t changes() const; ///< Of the last statement.
  const std::string &path() const { return path_; }
  /// What went wrong last, in words that say what to do about it.
  llvm::Error failure(int code) const;

private:
  struct Close {
    void operator()(sqlite3 *handle) const;
  };
  Database(std::string path, sqlite3 *handle) : path_(std::move(path)), handle_(handle) {}
  std::string path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

class Statement {
public:
  Statement &bind(int64_t value);
  Statement &bind(double value);
  Statement &bind(std::string_view value);
  /// Whether there is a row (another row).
  llvm::Expected<bool> step();
  /// Runs to the end and is ready to be bound again.
  llvm::Error finish();
  int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;

private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt *handle) const;
  };
  Statement(const Database &database, sqlite3_stmt *handle)
      : database_(&database), handle_(handle) {}
  const Database *database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  int bound_ = 0;
};

/// Everything until commit() happens at once or not at all; the destructor takes it back.
class Transaction {
public:
  static llvm::Expected<Transaction> begin(Database &database);
  Transaction(Transaction &&other) noexcept : database_(other.database_) {
    other.database_ = nullptr;
  }
  ~Transaction();
  llvm::Error commit();

private:
  explicit Transaction(Database *database) : database_(database) {}
  Database *database_;
};

} // namespace rdna::tune
