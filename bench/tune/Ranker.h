// A learned ranker of kernels: gradient-boosted trees that begin with what the analytical estimate
// says of all of them, and go on with what the timing model says of some.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rdna::bench {

using Features = std::vector<float>;

class Ranker {
public:
  /// All candidates; the numbers of those to come refer to them.
  Ranker(std::vector<Features> candidates, uint64_t seed);
  ~Ranker();
  Ranker(const Ranker &) = delete;
  Ranker &operator=(const Ranker &) = delete;

  /// Trains `rounds` further trees on the logarithm of `times` of these candidates.
  void learn(std::span<const size_t> candidates, std::span<const double> times, unsigned rounds);
  /// Of all candidates; only the order means something.
  std::vector<float> scores() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace rdna::bench
