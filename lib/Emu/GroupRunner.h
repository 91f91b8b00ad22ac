//===- GroupRunner.h - runs one workgroup after the other on one thread ---===//
#pragma once

#include "Emu/Access.h"
#include "Emu/DataShare.h"
#include "Emu/Observe/Audience.h"
#include "Emu/Program.h"

#include <atomic>
#include <memory>
#include <new>

namespace rdna::emu {

// Registers and LDS that nothing has written hold recognisable garbage, the same in every run: a
// VGPR 0xffa5'rrll (register, lane; a signalling NaN as f32), an SGPR 0xffa6'00rr, LDS and scratch
// bytes 0xa5. Zeros would hide kernels that forget to initialise.
constexpr uint32_t vgprGarbage(unsigned vgpr, unsigned lane) {
  return 0xffa50000u | (vgpr & 255) << 8 | lane;
}
constexpr uint32_t sgprGarbage(unsigned sgpr) { return 0xffa60000u | sgpr; }
inline constexpr int byteGarbage = 0xa5;

/// Memory with the alignment of a page, so that a segment's alignment survives loading.
class AlignedBytes {
public:
  explicit AlignedBytes(size_t bytes)
      : bytes_(bytes),
        data_(static_cast<std::byte *>(::operator new(bytes ? bytes : 1, std::align_val_t(4096)))) {
  }
  ~AlignedBytes() { ::operator delete(data_, std::align_val_t(4096)); }
  AlignedBytes(const AlignedBytes &) = delete;
  AlignedBytes &operator=(const AlignedBytes &) = delete;
  std::byte *data() const { return data_; }
  size_t size() const { return bytes_; }

private:
  size_t bytes_;
  std::byte *data_;
};

/// What every workgroup of a launch starts from.
struct LaunchState {
  LaunchState(const DecodedProgram &program, const Launch &launch);

  const DecodedProgram *program;
  const Launch *launch;
  AlignedBytes image; ///< A copy, or nothing if the caller has placed the image.
  uint64_t imageBase = 0;
  MemoryMap memory;
  std::array<std::byte, 64> dispatchPacket{};
  std::array<std::byte, 256> queue{};
  std::unique_ptr<GlobalShare> globalShare; ///< Used by one thread at most.
  std::unique_ptr<Wave> prototype;          ///< Registers of a wave before its ids are filled in.
  uint32_t ldsBytes = 0;
  uint32_t scratchBytes = 0; ///< Per lane.
  uint32_t threads = 0;      ///< Work-items of a workgroup.
  unsigned systemSgpr = 0;   ///< Where the workgroup ids begin.
  /// Instructions that all threads have interpreted: how the launch knows that it is a long one.
  mutable std::atomic<uint64_t> interpreted{0};

private:
  void loadImage();
  void fillDispatchPacket();
  void fillUserSgprs();
};

/// What cannot be launched, in words.
llvm::Error checkLaunch(const Launch &launch, const KernelImage &image);

/// The error of a wave that has stopped with `event` at an offset of the image.
llvm::Error emulationError(const DecodedProgram &program, Event event, uint64_t offset,
                           const std::array<uint32_t, 3> &workgroup);

/// Why a workgroup ended.
struct Stop {
  Event event = Event::End;
  uint64_t offset = 0;
};

/// What a workgroup has come to.
enum class GroupProgress { Running, AtGridBarrier, Ended, Stopped };

class GroupRunner {
public:
  explicit GroupRunner(const LaunchState &state);
  Stop run(const std::array<uint32_t, 3> &id);
  /// Sets up the waves of a workgroup; run() does it itself.
  void begin(const std::array<uint32_t, 3> &id);
  /// Runs each wave to its next barrier, its end, or the end of its time slice.
  GroupProgress advance();
  /// Of advance()'s `Stopped`.
  const Stop &stop() const { return stop_; }
  void releaseGridBarrier() { release(Event::GridBarrier); }
  std::span<const std::unique_ptr<Wave>> waves() const { return waves_; }
  const BoundsLog &log() { return view_.log(); }
  uint64_t instructions() const { return instructions_; }
  /// Those of them that compiled code executed.
  uint64_t compiledInstructions() const { return compiledInstructions_; }

private:
  void start(Wave &w, unsigned number, const std::array<uint32_t, 3> &id);
  Event resume(Wave &w);
  void release(Event barrier);
  void interpret(Wave &w);
  void runCompiled(Wave &w, const jit::CompiledKernel &kernel);
  void considerCompiling(uint64_t interpreted);

  const LaunchState &state_;
  MemoryView view_;
  std::vector<std::unique_ptr<Wave>> waves_;
  Audience audience_;
  AlignedBytes lds_;
  AlignedBytes scratch_;
  uint32_t scratchStride_ = 0;
  Stop stop_;
  uint64_t instructions_ = 0;
  uint64_t compiledInstructions_ = 0;
};

} // namespace rdna::emu
