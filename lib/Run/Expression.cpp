#include "Run/Expression.h"

#include "Support/Diagnostic.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace rdna::run {

namespace {

class Evaluator {
public:
  Evaluator(std::string_view text, const Parameters &parameters)
      : text_(text), parameters_(parameters) {}

  llvm::Expected<int64_t> run() {
    int64_t value = sum();
    if (failure_.empty() && peek() != 0)
      fail(fmt::format("unexpected '{}'", peek()));
    if (!failure_.empty())
      return makeError(Failure::BadInput, "",
                       fmt::format("in the expression '{}': {}", text_, failure_));
    return value;
  }

private:
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : 0;
  }
  int64_t fail(std::string message) {
    if (failure_.empty())
      failure_ = std::move(message);
    at_ = text_.size();
    return 0;
  }
  int64_t combine(char operation, int64_t left, int64_t right) {
    int64_t result = 0;
    bool overflow = false;
    switch (operation) {
    case '+':
      overflow = __builtin_add_overflow(left, right, &result);
      break;
    case '-':
      overflow = __builtin_sub_overflow(left, right, &result);
      break;
    case '*':
      overflow = __builtin_mul_overflow(left, right, &result);
      break;
    default:
      if (right == 0)
        return fail("division by zero");
      if (right == -1) // INT64_MIN / -1 traps.
        overflow = __builtin_mul_overflow(left, right, &result);
      else
        result = operation == '/' ? left / right : left % right;
      if (right == -1 && operation == '%')
        result = 0, overflow = false;
    }
    return overflow ? fail("the value does not fit 64 bits") : result;
  }
  int64_t sum() {
    int64_t value = product();
    for (char c; (c = peek()) == '+' || c == '-';) {
      ++at_;
      value = combine(c, value, product());
    }
    return value;
  }
  int64_t product() {
    int64_t value = factor();
    for (char c; (c = peek()) == '*' || c == '/' || c == '%';) {
      ++at_;
      value = combine(c, value, factor());
    }
    return value;
  }
  int64_t factor() {
    if (++depth_ > 100)
      return fail("nested too deeply");
    const int64_t value = primary();
    --depth_;
    return value;
  }
  int64_t primary() {
    const char c = peek();
    if (c == '(') {
      ++at_;
      const int64_t value = sum();
      if (peek() != ')')
        return fail("')' missing");
      ++at_;
      return value;
    }
    if (c == '-') {
      ++at_;
      return combine('-', 0, factor());
    }
    size_t end = at_;
    while (end < text_.size() && (llvm::isAlnum(text_[end]) || text_[end] == '_'))
      ++end;
    const llvm::StringRef word(text_.data() + at_, end - at_);
    if (word.empty())
      return c == 0 ? fail("a value is missing") : fail(fmt::format("unexpected '{}'", c));
    at_ = end;
    if (llvm::isDigit(word[0])) {
      int64_t value = 0;
      const bool hex = word.starts_with_insensitive("0x");
      if ((hex ? word.drop_front(2) : word).getAsInteger(hex ? 16 : 10, value))
        return fail(fmt::format("'{}' is not a number", word.str()));
      return value;
    }
    const auto parameter = parameters_.find(std::string_view(word));
    if (parameter == parameters_.end())
      return fail(fmt::format("unknown parameter '{}'", word.str()));
    return parameter->second;
  }

  std::string_view text_;
  const Parameters &parameters_;
  size_t at_ = 0;
  unsigned depth_ = 0;
  std::string failure_;
};

} // namespace

llvm::Expected<int64_t> evaluate(std::string_view text, const Parameters &parameters) {
  return Evaluator(text, parameters).run();
}

llvm::Expected<int64_t> evaluate(const Formula &formula, const Parameters &parameters,
                                 std::string_view file) {
  llvm::Expected<int64_t> value = evaluate(formula.text, parameters);
  if (value || formula.place.line == 0)
    return value;
  Diagnostic diagnostic{
      Severity::Error,         std::string(file), formula.place.line, formula.place.column, "",
      formula.place.sourceLine};
  llvm::handleAllErrors(value.takeError(), [&](const InputError &error) {
    diagnostic.message = error.diagnostics().at(0).message;
  });
  return makeError(Failure::BadInput, std::move(diagnostic));
}

} // namespace rdna::run
