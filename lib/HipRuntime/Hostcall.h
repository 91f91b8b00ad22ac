//===- Hostcall.h - what kernels ask of the host while they run -----------===//
//
// The buffer of AMD's hostcall protocol, which printf, assert and device code of ROCm use: waves
// push packets on a stack, a thread of the host answers them. The layout is the device library's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "HipRuntime/DeviceMemory.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace rdna::hip {

/// Formats the content of a printf message: control word, format, arguments. Hostile content gives
/// a short text, never a crash.
std::string formatMessage(const std::vector<uint64_t> &content);

/// How its memory is called among the allocations.
inline constexpr char hostcallName[] = "hostcall buffer";

class Hostcall {
public:
  /// `print` gets what printf gives; `toError` says that it is for standard error.
  enum class Target { Output, Error };
  using Print = std::function<void(Target, const std::string &)>;

  /// Makes the buffer in `memory` for up to `waves` waves at a time.
  Hostcall(DeviceMemory &memory, unsigned waves, Print print);
  ~Hostcall();
  Hostcall(const Hostcall &) = delete;
  Hostcall &operator=(const Hostcall &) = delete;

  uint64_t address() const { return buffer_; }
  /// Answers from now until stop(), on a thread of its own.
  void start();
  void stop();
  /// Whether an assertion's text went by since start().
  bool sawAssertion() const { return sawAssertion_; }
  /// A service that is not offered was asked for, in words; empty otherwise.
  const std::string &refused() const { return refused_; }

private:
  void serve();
  bool answerAll();
  void answer(uint64_t header, uint64_t payload);
  void message(uint64_t *slots);

  DeviceMemory &memory_;
  Print print_;
  uint64_t buffer_ = 0, headers_ = 0, payloads_ = 0, mask_ = 0;
  std::thread thread_;
  std::atomic<bool> stopping_{false};
  std::map<uint64_t, std::vector<uint64_t>> messages_;
  uint64_t nextMessage_ = 1;
  bool sawAssertion_ = false;
  std::string refused_;
};

} // namespace rdna::hip
