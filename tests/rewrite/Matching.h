//===- Matching.h - maximum-weight matching in a general graph ------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace rdna::rewrite {

/// An undirected graph with positive integer edge weights, by matrix: the graphs here are dense
/// (most operations of a loop body are independent of each other).
class PairGraph {
public:
  explicit PairGraph(uint32_t vertices)
      : vertices_(vertices), weight_(size_t{vertices} * vertices) {}
  void connect(uint32_t a, uint32_t b, int64_t weight) {
    weight_[at(a, b)] = weight_[at(b, a)] = weight;
  }
  int64_t weight(uint32_t a, uint32_t b) const { return weight_[at(a, b)]; } ///< 0: no edge.
  uint32_t vertices() const { return vertices_; }

private:
  size_t at(uint32_t a, uint32_t b) const { return size_t{a} * vertices_ + b; }
  uint32_t vertices_;
  std::vector<int64_t> weight_;
};

/// The pairs of a matching of maximum total weight (Edmonds' blossom algorithm with dual variables,
/// O(n^3)).
std::vector<std::pair<uint32_t, uint32_t>> heaviestMatching(const PairGraph &graph);

} // namespace rdna::rewrite
