#include "common/Tool.h"

#include <fmt/format.h>

#include <cstdio>
#include <unistd.h>

namespace rdna::tool {

using Clock = std::chrono::steady_clock;

/// The one whose line may be on the screen.
static Progress *shown = nullptr;

Progress::Progress(std::string label)
    : label_(std::move(label)), start_(Clock::now()), lastDraw_(start_),
      terminal_(isatty(STDERR_FILENO) != 0) {
  shown = this;
}

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
  draw(fmt::format("{} [{:<{}}] {}/{}", label_, std::string(filled, '#'), width, done, total));
}

void Progress::status(std::string_view text) {
  if (!terminal_)
    return;
  const std::lock_guard lock(mutex_);
  draw(fmt::format("{}: {}", label_, text));
}

void Progress::draw(const std::string &line) {
  fmt::print(stderr, "\r{:<{}}", line, drawnWidth_);
  std::fflush(stderr);
  drawnWidth_ = line.size();
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (drawnWidth_ == 0)
    return;
  std::fprintf(stderr, "\r%*s\r", static_cast<int>(drawnWidth_), "");
  std::fflush(stderr);
  drawnWidth_ = 0;
}

void Progress::erase() {
  if (shown != nullptr)
    shown->clear();
}

Progress::~Progress() {
  clear();
  if (shown == this)
    shown = nullptr;
}

} // namespace rdna::tool
