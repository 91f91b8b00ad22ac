//===- Recording.h - what the waves of some workgroups execute ---------------===//
//
// An observer of the emulator. Of each executed instruction it keeps which one it was, and of each
// access to memory what decides its time: passes through LDS, lines of global memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Observe/Observer.h"
#include "Timing/TimedOp.h"

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace rdna::timing {

inline constexpr unsigned lineBytes = 128; ///< Of the caches of vector memory.

struct MemoryStep {
  uint32_t first = 0;  ///< In WaveStream::lines.
  uint16_t lines = 0;  ///< Different lines of global memory.
  uint16_t passes = 0; ///< Through LDS, bank conflicts included.
};

/// So many instructions of a wave are kept, more than are ever simulated of it; the others are
/// counted.
inline constexpr size_t recordedSteps = 36000;

struct WaveStream {
  uint64_t executed = 0;          ///< Instructions.
  std::vector<uint32_t> steps;    ///< Numbers of ops, in the order of execution: the first ones.
  std::vector<MemoryStep> memory; ///< Of LDS and vector memory ops, in that order.
  std::vector<uint64_t> lines;
};

struct GroupStream {
  std::array<uint32_t, 3> id{};
  std::vector<WaveStream> waves;
};

struct Recording {
  std::vector<TimedOp> ops; ///< By number.
  std::vector<GroupStream> groups;
  uint64_t instructions = 0;
  uint64_t codeBase = 0;
  std::string refusal;    ///< Why no figure would be right; empty if none.
  bool truncated = false; ///< The limit of instructions was reached.
};

/// Passes through the banks of LDS for accesses of `bytes` at the lanes' addresses.
unsigned ldsPasses(std::span<const uint64_t> at, uint32_t lanes, unsigned bytes);

/// Records the workgroups that run. Put it into RunOptions::observers, together with
/// onlyWorkgroups. Stops the launch when one wave has executed `limit` instructions (0: none).
class Recorder final : public emu::Observer {
public:
  enum class Lengths : uint8_t {
    Counted,  ///< Waves run to their ends.
    Recorded, ///< The launch, of one workgroup, stops when all that is kept of a wave is there.
  };
  explicit Recorder(uint64_t limit, Lengths lengths = Lengths::Counted)
      : limit_(limit), lengths_(lengths) {}
  std::unique_ptr<emu::Listener> create(const emu::LaunchState &state) override;
  Threads threads(const emu::Launch &) const override { return Threads::Any; }
  /// Groups by id, once the run is over.
  Recording take();

private:
  friend class RecordingListener;
  uint64_t limit_;
  Lengths lengths_;
  std::mutex mutex_;
  Recording recording_;
};

} // namespace rdna::timing
