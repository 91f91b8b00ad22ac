#include "Matching.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace rdna::rewrite {

namespace {

/// Vertices are 1..n, blossoms n+1..2n; 0 is nothing. Weights count twice, so that half steps of
/// the dual variables stay integers.
class Blossoms {
public:
  explicit Blossoms(const PairGraph &graph)
      : n_(graph.vertices()), top_(n_), size_(2 * n_ + 1), edges_(size_t{size_} * size_),
        dual_(size_), mate_(size_), slack_(size_), outermost_(size_), parent_(size_),
        from_(size_, std::vector<uint32_t>(n_ + 1)), color_(size_), stamp_(size_), inside_(size_) {
    for (uint32_t u = 0; u < size_; ++u)
      for (uint32_t v = 0; v < size_; ++v)
        edge(u, v) = {u, v, 0};
    int64_t heaviest = 0;
    for (uint32_t u = 1; u <= n_; ++u) {
      outermost_[u] = u;
      from_[u][u] = u;
      for (uint32_t v = 1; v <= n_; ++v) {
        edge(u, v).weight = graph.weight(u - 1, v - 1);
        heaviest = std::max(heaviest, edge(u, v).weight);
      }
    }
    for (uint32_t u = 1; u <= n_; ++u)
      dual_[u] = heaviest;
  }

  std::vector<std::pair<uint32_t, uint32_t>> run() {
    while (phase()) {
    }
    std::vector<std::pair<uint32_t, uint32_t>> result;
    for (uint32_t u = 1; u <= n_; ++u)
      if (mate_[u] != 0 && mate_[u] < u)
        result.emplace_back(mate_[u] - 1, u - 1);
    return result;
  }

private:
  struct Edge {
    uint32_t u = 0, v = 0;
    int64_t weight = 0;
  };
  /// Of outermost blossoms in the search: Even ones are reached along a matched edge or are roots.
  enum Color : uint8_t { Unseen, Even, Odd };

  Edge &edge(uint32_t u, uint32_t v) { return edges_[size_t{u} * size_ + v]; }
  int64_t distance(const Edge &e) { return dual_[e.u] + dual_[e.v] - 2 * edge(e.u, e.v).weight; }

  void updateSlack(uint32_t u, uint32_t x) {
    if (slack_[x] == 0 || distance(edge(u, x)) < distance(edge(slack_[x], x)))
      slack_[x] = u;
  }
  void setSlack(uint32_t x) {
    slack_[x] = 0;
    for (uint32_t u = 1; u <= n_; ++u)
      if (edge(u, x).weight > 0 && outermost_[u] != x && color_[outermost_[u]] == Even)
        updateSlack(u, x);
  }
  void push(uint32_t x) {
    if (x <= n_)
      queue_.push_back(x);
    else
      for (const uint32_t inner : inside_[x])
        push(inner);
  }
  void setOutermost(uint32_t x, uint32_t blossom) {
    outermost_[x] = blossom;
    if (x > n_)
      for (const uint32_t inner : inside_[x])
        setOutermost(inner, blossom);
  }

  /// Position of `inner` on the even way round from the blossom's base.
  size_t evenPosition(uint32_t blossom, uint32_t inner) {
    std::vector<uint32_t> &ring = inside_[blossom];
    const auto at = static_cast<size_t>(std::find(ring.begin(), ring.end(), inner) - ring.begin());
    if (at % 2 == 0)
      return at;
    std::reverse(ring.begin() + 1, ring.end());
    return ring.size() - at;
  }

  void setMatch(uint32_t u, uint32_t v) {
    mate_[u] = edge(u, v).v;
    if (u <= n_)
      return;
    const Edge e = edge(u, v);
    const uint32_t inner = from_[u][e.u];
    const size_t at = evenPosition(u, inner);
    for (size_t i = 0; i < at; ++i)
      setMatch(inside_[u][i], inside_[u][i ^ 1]);
    setMatch(inner, v);
    std::rotate(inside_[u].begin(), inside_[u].begin() + static_cast<ptrdiff_t>(at),
                inside_[u].end());
  }

  void augment(uint32_t u, uint32_t v) {
    for (;;) {
      const uint32_t next = outermost_[mate_[u]];
      setMatch(u, v);
      if (next == 0)
        return;
      setMatch(next, outermost_[parent_[next]]);
      u = outermost_[parent_[next]];
      v = next;
    }
  }

  uint32_t commonAncestor(uint32_t u, uint32_t v) {
    for (++time_; u != 0 || v != 0; std::swap(u, v)) {
      if (u == 0)
        continue;
      if (stamp_[u] == time_)
        return u;
      stamp_[u] = time_;
      u = outermost_[mate_[u]];
      if (u != 0)
        u = outermost_[parent_[u]];
    }
    return 0;
  }

  void addBlossom(uint32_t u, uint32_t base, uint32_t v) {
    uint32_t b = n_ + 1;
    while (b <= top_ && outermost_[b] != 0)
      ++b;
    top_ = std::max(top_, b);
    dual_[b] = 0;
    color_[b] = Even;
    mate_[b] = mate_[base];
    std::vector<uint32_t> &ring = inside_[b];
    ring.assign(1, base);
    const auto climb = [&](uint32_t x) {
      while (x != base) {
        ring.push_back(x);
        const uint32_t y = outermost_[mate_[x]];
        ring.push_back(y);
        push(y);
        x = outermost_[parent_[y]];
      }
    };
    climb(u);
    std::reverse(ring.begin() + 1, ring.end());
    climb(v);
    setOutermost(b, b);
    for (uint32_t x = 1; x <= top_; ++x)
      edge(b, x).weight = edge(x, b).weight = 0;
    std::fill(from_[b].begin(), from_[b].end(), 0);
    for (const uint32_t inner : ring) {
      for (uint32_t x = 1; x <= top_; ++x)
        if (edge(b, x).weight == 0 || distance(edge(inner, x)) < distance(edge(b, x))) {
          edge(b, x) = edge(inner, x);
          edge(x, b) = edge(x, inner);
        }
      for (uint32_t x = 1; x <= n_; ++x)
        if (from_[inner][x] != 0)
          from_[b][x] = inner;
    }
    setSlack(b);
  }

  void expandBlossom(uint32_t b) {
    for (const uint32_t inner : inside_[b])
      setOutermost(inner, inner);
    const uint32_t entry = from_[b][edge(b, parent_[b]).u];
    const size_t at = evenPosition(b, entry);
    for (size_t i = 0; i < at; i += 2) {
      const uint32_t odd = inside_[b][i], even = inside_[b][i + 1];
      parent_[odd] = edge(even, odd).u;
      color_[odd] = Odd;
      color_[even] = Even;
      slack_[odd] = 0;
      setSlack(even);
      push(even);
    }
    color_[entry] = Odd;
    parent_[entry] = parent_[b];
    for (size_t i = at + 1; i < inside_[b].size(); ++i) {
      color_[inside_[b][i]] = Unseen;
      setSlack(inside_[b][i]);
    }
    outermost_[b] = 0;
  }

  /// An edge without slack; true if it completes an augmenting path.
  bool useEdge(const Edge &e) {
    const uint32_t u = outermost_[e.u], v = outermost_[e.v];
    if (color_[v] == Unseen) {
      parent_[v] = e.u;
      color_[v] = Odd;
      const uint32_t next = outermost_[mate_[v]];
      slack_[v] = slack_[next] = 0;
      color_[next] = Even;
      push(next);
    } else if (color_[v] == Even) {
      const uint32_t base = commonAncestor(u, v);
      if (base == 0) {
        augment(u, v);
        augment(v, u);
        return true;
      }
      addBlossom(u, base, v);
    }
    return false;
  }

  bool scanQueue() {
    while (!queue_.empty()) {
      const uint32_t u = queue_.front();
      queue_.pop_front();
      if (color_[outermost_[u]] == Odd)
        continue;
      for (uint32_t v = 1; v <= n_; ++v) {
        if (edge(u, v).weight == 0 || outermost_[u] == outermost_[v])
          continue;
        if (distance(edge(u, v)) != 0)
          updateSlack(u, outermost_[v]);
        else if (useEdge(edge(u, v)))
          return true;
      }
    }
    return false;
  }

  /// Changes the dual variables by the largest step allowed; false if the matching is the best.
  bool adjustDuals() {
    int64_t step = std::numeric_limits<int64_t>::max();
    for (uint32_t b = n_ + 1; b <= top_; ++b)
      if (outermost_[b] == b && color_[b] == Odd)
        step = std::min(step, dual_[b] / 2);
    for (uint32_t x = 1; x <= top_; ++x)
      if (outermost_[x] == x && slack_[x] != 0) {
        const int64_t gap = distance(edge(slack_[x], x));
        if (color_[x] == Unseen)
          step = std::min(step, gap);
        else if (color_[x] == Even)
          step = std::min(step, gap / 2);
      }
    for (uint32_t u = 1; u <= n_; ++u) {
      if (color_[outermost_[u]] == Even) {
        if (dual_[u] <= step)
          return false;
        dual_[u] -= step;
      } else if (color_[outermost_[u]] == Odd) {
        dual_[u] += step;
      }
    }
    for (uint32_t b = n_ + 1; b <= top_; ++b)
      if (outermost_[b] == b && color_[b] != Unseen)
        dual_[b] += (color_[b] == Even ? 2 : -2) * step;
    return true;
  }

  /// Finds one augmenting path; false if there is none.
  bool phase() {
    std::fill(color_.begin(), color_.end(), Unseen);
    std::fill(slack_.begin(), slack_.end(), 0);
    queue_.clear();
    for (uint32_t x = 1; x <= top_; ++x)
      if (outermost_[x] == x && mate_[x] == 0) {
        parent_[x] = 0;
        color_[x] = Even;
        push(x);
      }
    if (queue_.empty())
      return false;
    for (;;) {
      if (scanQueue())
        return true;
      if (!adjustDuals())
        return false;
      queue_.clear();
      for (uint32_t x = 1; x <= top_; ++x)
        if (outermost_[x] == x && slack_[x] != 0 && outermost_[slack_[x]] != x &&
            distance(edge(slack_[x], x)) == 0 && useEdge(edge(slack_[x], x)))
          return true;
      for (uint32_t b = n_ + 1; b <= top_; ++b)
        if (outermost_[b] == b && color_[b] == Odd && dual_[b] == 0)
          expandBlossom(b);
    }
  }

  uint32_t n_, top_, size_;
  std::vector<Edge> edges_;
  std::vector<int64_t> dual_;
  std::vector<uint32_t> mate_, slack_, outermost_, parent_;
  std::vector<std::vector<uint32_t>> from_; ///< Which member of a blossom holds a vertex.
  std::vector<uint8_t> color_;
  std::vector<uint32_t> stamp_;
  uint32_t time_ = 0;
  std::vector<std::vector<uint32_t>> inside_; ///< A blossom's members around its ring.
  std::deque<uint32_t> queue_;
};

} // namespace

std::vector<std::pair<uint32_t, uint32_t>> heaviestMatching(const PairGraph &graph) {
  return Blossoms(graph).run();
}

} // namespace rdna::rewrite
