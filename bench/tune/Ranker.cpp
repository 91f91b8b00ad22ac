#include "Ranker.h"

#include <fmt/format.h>
#include <xgboost/c_api.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace rdna::bench {

static void check(int code) {
  if (code == 0)
    return;
  fmt::print(stderr, "XGBoost: {}\n", XGBGetLastError());
  std::exit(1);
}

namespace {

/// Some candidates as a matrix.
class Matrix {
public:
  Matrix(const std::vector<Features> &all, std::span<const size_t> rows) {
    std::vector<float> cells;
    for (const size_t row : rows)
      cells.insert(cells.end(), all[row].begin(), all[row].end());
    check(XGDMatrixCreateFromMat(cells.data(), rows.size(), all.front().size(), std::nanf(""),
                                 &handle_));
  }
  ~Matrix() { XGDMatrixFree(handle_); }
  Matrix(const Matrix &) = delete;
  Matrix &operator=(const Matrix &) = delete;
  DMatrixHandle get() const { return handle_; }

private:
  DMatrixHandle handle_ = nullptr;
};

std::vector<size_t> firstNumbers(size_t count) {
  std::vector<size_t> numbers(count);
  for (size_t n = 0; n < count; ++n)
    numbers[n] = n;
  return numbers;
}

} // namespace

struct Ranker::State {
  std::vector<Features> candidates;
  Matrix all;
  BoosterHandle booster = nullptr;
  std::vector<std::unique_ptr<Matrix>> learnt; ///< The booster remembers predictions for them.
  int rounds = 0;
  explicit State(std::vector<Features> c)
      : candidates(std::move(c)), all(candidates, firstNumbers(candidates.size())) {}
};

Ranker::Ranker(std::vector<Features> candidates, uint64_t seed)
    : state_(std::make_unique<State>(std::move(candidates))) {
  const DMatrixHandle all = state_->all.get();
  check(XGBoosterCreate(&all, 1, &state_->booster));
  const std::string number = std::to_string(seed);
  for (const auto &[name, value] :
       {std::pair("objective", "reg:squarederror"), std::pair("eta", "0.2"),
        std::pair("max_depth", "5"), std::pair("lambda", "0.5"), std::pair("nthread", "1"),
        std::pair("tree_method", "exact"), std::pair("base_score", "0"),
        std::pair("seed", number.c_str()), std::pair("verbosity", "0")})
    check(XGBoosterSetParam(state_->booster, name, value));
}

Ranker::~Ranker() { XGBoosterFree(state_->booster); }

void Ranker::learn(std::span<const size_t> candidates, std::span<const double> times,
                   unsigned rounds) {
  state_->learnt.push_back(std::make_unique<Matrix>(state_->candidates, candidates));
  const DMatrixHandle matrix = state_->learnt.back()->get();
  std::vector<float> labels;
  for (const double time : times)
    labels.push_back(static_cast<float>(std::log(time)));
  check(XGDMatrixSetFloatInfo(matrix, "label", labels.data(), labels.size()));
  for (unsigned n = 0; n < rounds; ++n)
    check(XGBoosterUpdateOneIter(state_->booster, state_->rounds++, matrix));
}

std::vector<float> Ranker::scores() const {
  bst_ulong count = 0;
  const float *result = nullptr;
  check(XGBoosterPredict(state_->booster, state_->all.get(), 0, 0, 0, &count, &result));
  return {result, result + count};
}

} // namespace rdna::bench
