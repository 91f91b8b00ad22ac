#include "Symbolic/Interval.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace rdna::verify {

static constexpr int64_t kDwords = int64_t(1) << 32;

static uint64_t distance(int64_t from, int64_t to) {
  return static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
}
static uint64_t magnitude(int64_t value) {
  return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

Interval Interval::normalised() const {
  if (isNone())
    return none();
  Interval result = *this;
  if (result.step != 0)
    result.most -= static_cast<int64_t>(distance(least, most) % step);
  else
    result.most = least;
  if (result.least == result.most)
    result.step = 0;
  return result;
}

bool Interval::contains(const Interval &other) const {
  if (other.isNone())
    return true;
  if (isNone() || other.least < least || other.most > most)
    return false;
  if (step == 0)
    return true; // Both are that number.
  return distance(least, other.least) % step == 0 && other.step % step == 0;
}

Interval Interval::atMost(int64_t bound) const {
  if (isNone() || bound < least)
    return none();
  return Interval{least, std::min(most, bound), step}.normalised();
}

Interval Interval::atLeast(int64_t bound) const {
  if (isNone() || bound > most)
    return none();
  if (bound <= least || step == 0)
    return *this;
  const uint64_t over = distance(least, bound) % step;
  const uint64_t up = distance(least, bound) + (over ? step - over : 0);
  if (up > distance(least, most))
    return none();
  return Interval{static_cast<int64_t>(static_cast<uint64_t>(least) + up), most, step}.normalised();
}

Interval Interval::without(int64_t number) const {
  if (isNone() || (number != least && number != most))
    return *this;
  if (least == most)
    return none();
  const auto by = static_cast<int64_t>(step);
  return number == least ? Interval{least + by, most, step}.normalised()
                         : Interval{least, most - by, step}.normalised();
}

Interval join(const Interval &a, const Interval &b) {
  if (a.isNone())
    return b;
  if (b.isNone())
    return a;
  const auto &[low, high] = std::minmax(a.least, b.least);
  const uint64_t step = std::gcd(std::gcd(a.step, b.step), distance(low, high));
  return Interval{low, std::max(a.most, b.most), step}.normalised();
}

std::optional<Interval> add(const Interval &a, const Interval &b) {
  if (a.isNone() || b.isNone())
    return Interval::none();
  Interval result;
  if (llvm::AddOverflow(a.least, b.least, result.least) ||
      llvm::AddOverflow(a.most, b.most, result.most))
    return std::nullopt;
  result.step = std::gcd(a.step, b.step);
  return result.normalised();
}

/// (x + i s)(y + j t) = xy + xt j + ys i + st ij.
std::optional<Interval> multiply(const Interval &a, const Interval &b) {
  if (a.isNone() || b.isNone())
    return Interval::none();
  int64_t corners[4];
  if (llvm::MulOverflow(a.least, b.least, corners[0]) ||
      llvm::MulOverflow(a.least, b.most, corners[1]) ||
      llvm::MulOverflow(a.most, b.least, corners[2]) ||
      llvm::MulOverflow(a.most, b.most, corners[3]))
    return std::nullopt;
  uint64_t step = 0;
  const std::pair<uint64_t, uint64_t> parts[] = {
      {magnitude(a.least), b.step}, {magnitude(b.least), a.step}, {a.step, b.step}};
  for (const auto &[x, y] : parts) {
    uint64_t product = 0;
    // Any common divisor will do.
    step = std::gcd(step, llvm::MulOverflow(static_cast<int64_t>(x), static_cast<int64_t>(y),
                                            reinterpret_cast<int64_t &>(product))
                              ? uint64_t(1)
                              : product);
  }
  const auto [least, most] = std::minmax_element(std::begin(corners), std::end(corners));
  if (*least == *most)
    step = 0;
  return Interval{*least, *most, step}.normalised();
}

Interval moduloDword(const Interval &a) {
  if (a.isNone())
    return a;
  const auto round = [](int64_t value) { return value >> 32; };
  if (round(a.least) == round(a.most)) {
    const int64_t base = round(a.least) * kDwords;
    return {a.least - base, a.most - base, a.step};
  }
  // Around the corner only a power of two survives.
  const uint64_t power = std::min<uint64_t>(a.step & (0 - a.step), uint64_t(kDwords) / 2);
  const auto first = static_cast<int64_t>(static_cast<uint64_t>(a.least) & (power - 1));
  return Interval{first, kDwords - 1, power}.normalised();
}

} // namespace rdna::verify
