#include "common/Tool.h"

#include <fmt/format.h>

#include <cstdio>
#include <unistd.h>

namespace rdna::tool {

using Clock = std::chrono::steady_clock;

Progress::Progress(std::string label)
    : label_(std::move(label)), start_(Clock::now()), lastDraw_(start_),
      terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::update(uint64_t done, uint64_t total) {
  if (!terminal_ || total == 0)
    return;
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now - start_ < std::chrono::seconds(1) || now - lastDraw_ < std::chrono::milliseconds(100))
    return;
  lastDraw_ = now;
  constexpr uint64_t width = 30;
  const uint64_t filled = std::min(done, total) * width / total;
  const std::string bar =
      fmt::format("{} [{:<{}}] {}/{}", label_, std::string(filled, '#'), width, done, total);
  fmt::print(stderr, "\r{:<{}}", bar, drawnWidth_);
  std::fflush(stderr);
  drawnWidth_ = bar.size();
}

Progress::~Progress() {
  if (drawnWidth_ == 0)
    return;
  std::fprintf(stderr, "\r%*s\r", static_cast<int>(drawnWidth_), "");
  std::fflush(stderr);
}

} // namespace rdna::tool
