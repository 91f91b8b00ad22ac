//===- StepReport.h - what a pass says of a step that was proven ----------===//
//
// Data that anyone can print without knowing the pass: names of a report's fields are the keys of
// its JSON, the summary is the sentence of its score line.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Metrics.h"
#include "Symbolic/Proof.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rdna {

struct ReportField;

/// A number, a word, the counts of some code, an object or a list.
class ReportValue {
public:
  using Object = std::vector<ReportField>;
  using List = std::vector<ReportValue>;
  ReportValue(uint64_t number);
  ReportValue(std::string word);
  ReportValue(const LoopMetrics &metrics);
  ReportValue(Object object);
  ReportValue(List list);
  ReportValue(const ReportValue &);
  ReportValue(ReportValue &&) noexcept;
  ReportValue &operator=(const ReportValue &);
  ReportValue &operator=(ReportValue &&) noexcept;
  ~ReportValue();

  using Data = std::variant<uint64_t, std::string, LoopMetrics, Object, List>;
  const Data &data() const { return data_; }

private:
  Data data_;
};

struct ReportField {
  std::string_view key; ///< A literal.
  ReportValue value;
};

struct StepReport {
  std::string_view pass; ///< Its name; filled in by the pipeline, as `function` and `proof` are.
  std::string function;
  std::optional<std::string> name; ///< Of the loop or region, if the step is one's; may be empty.
  unsigned round = 0;              ///< Of the pipeline, from 0; filled in by it.
  std::string summary;             ///< "8 iterations unrolled, VALU 528 -> 512".
  ReportValue::Object fields;
  Proof proof;

  void add(std::string_view key, ReportValue value) { fields.push_back({key, std::move(value)}); }
  void add(std::string_view key, std::string word) { add(key, ReportValue(std::move(word))); }

  /// Nothing if there is no such field.
  const ReportValue *find(std::string_view key) const;
  /// The same of a kind that the caller knows it to be; empty if there is none.
  uint64_t number(std::string_view key) const;
  std::string text(std::string_view key) const;
  LoopMetrics metrics(std::string_view key) const;
};

} // namespace rdna
