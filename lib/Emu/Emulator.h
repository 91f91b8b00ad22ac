//===- Emulator.h - functional emulation of gfx1100 wave32 code -----------===//
//
// Addresses that kernels see are host addresses: a buffer of the launch is a host allocation, and
// every access is checked against the list of allocations.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Support/Diagnostic.h"

#include "llvm/Support/Error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rdna::emu {

/// One kernel as a loader would place it: relocated code and data, and the descriptor's words.
struct KernelImage {
  std::string name;
  std::vector<std::byte> image; ///< All loadable segments, at their offsets from `imageBase`.
  uint64_t entryOffset = 0;     ///< Offset of the first instruction in `image`.
  uint64_t codeBegin = 0;       ///< Offsets of the executable bytes in `image`.
  uint64_t codeEnd = 0;
  uint32_t rsrc1 = 0; ///< COMPUTE_PGM_RSRC1/2/3 and kernel_code_properties of the descriptor.
  uint32_t rsrc2 = 0;
  uint32_t rsrc3 = 0;
  uint16_t codeProperties = 0;
  uint32_t ldsBytes = 0;     ///< group_segment_fixed_size.
  uint32_t scratchBytes = 0; ///< private_segment_fixed_size, bytes per lane.
  uint32_t kernargBytes = 0;
  unsigned codeObjectVersion = 5; ///< 4, 5 or 6: where the hidden arguments lie.
  /// Offsets of 64-bit words to which the load address is added (R_AMDGPU_RELATIVE64).
  std::vector<uint64_t> relativeRelocations;
  /// Which executable bytes are taken for instructions. Raw code has no symbols and may be followed
  /// by megabytes of anything: there only what the entry can reach is decoded, unless it computes a
  /// jump.
  enum class Sweep { All, Reachable } sweep = Sweep::All;
  /// Excluded: a rewrite relies on indices that do not wrap (no-index-wrap).
  enum class IndexWrap { Possible, Excluded } indexWrap = IndexWrap::Possible;
};

/// A host allocation that the kernel may access.
struct MemoryRegion {
  std::string name;
  std::byte *data = nullptr;
  uint64_t bytes = 0;
  enum class Access { ReadOnly, ReadWrite } access = Access::ReadWrite;
  /// Undefined: a checker reports what reads it before the kernel has written it.
  enum class Contents { Defined, Undefined } contents = Contents::Defined;
};

class Observer;

/// What a kernel may access.
enum class Addressing {
  Regions, ///< The regions of the launch; everything else is reported and has no effect.
  Host,    ///< Any host address, unchecked: a wild one is the process's own wild access.
};

/// What executes a kernel. Both engines give the same bits.
enum class Engine {
  Auto, ///< Interpreter at first; compiled code once a kernel has run for a while.
  Interpreter,
  Jit, ///< Compile before the first wave starts.
};

/// Which workgroups of a launch are there at a time.
enum class Residency {
  InTurn,   ///< As many as there are host threads, each to its end: none may wait for another.
  Together, ///< All of them, taking turns on one host thread (cooperative launches).
};

struct Launch {
  std::array<uint32_t, 3> grid{1, 1, 1};  ///< In workgroups.
  std::array<uint32_t, 3> block{1, 1, 1}; ///< In work-items.
  uint32_t dynamicLdsBytes = 0;
  std::span<const std::byte> kernarg; ///< Explicit and hidden arguments, as the kernel sees them.
  Addressing addressing = Addressing::Regions;
  std::vector<MemoryRegion> regions; ///< Besides the kernarg segment, scratch and the image.
  /// Where the caller holds the image; PC-relative addresses then point into his own copy. Null:
  /// every run gets a fresh copy, with its global variables as they were in the file.
  std::byte *placedImage = nullptr;
  /// Workgroup ids to run; empty means the whole grid. Used for sampled tiles.
  std::vector<std::array<uint32_t, 3>> onlyWorkgroups;
  unsigned threads = 0; ///< Host threads, 0 = all cores.
  /// Together: neither observed nor delayed, and every workgroup takes its registers' memory.
  Residency residency = Residency::InTurn;
  Engine engine = Engine::Auto;
  /// Memory operations take effect, and waves take turns, at moments that this seed chooses among
  /// all that the counters allow; interpreted, on one host thread, without observers. Empty: every
  /// operation takes effect at once.
  std::optional<uint64_t> delaySeed;
  /// Not owned. The waves that they select are interpreted, whatever `engine` says
  /// (Observe/Observer.h).
  std::vector<Observer *> observers;
  uint64_t instructionBudget = 0;                              ///< Per wave; 0 = no limit.
  std::function<void(uint64_t done, uint64_t total)> progress; ///< Workgroups; may be empty.
};

/// Accesses outside every region, folded per instruction.
struct OutOfBounds {
  enum class Kind { Read, Write, Atomic } kind = Kind::Read;
  uint64_t codeOffset = 0;   ///< Offset of the instruction in the image.
  uint64_t lanes = 0;        ///< Number of lane accesses.
  uint64_t firstAddress = 0; ///< The lowest address of them (the same for every thread count).
  std::string instruction;   ///< Its text.
  std::string nearest;       ///< "128 bytes past the end of arg2", or empty.
  uint64_t lastAddress = 0;  ///< The highest address of them, or 0 if not recorded.
  /// Who accessed `firstAddress`; the first one, in the order of workgroups.
  std::array<uint32_t, 3> workgroup{};
  uint32_t wave = 0, lane = 0;
};

struct RunResult {
  uint64_t instructions = 0;         ///< Wave instructions executed,
  uint64_t compiledInstructions = 0; ///< so many of them by compiled code.
  uint64_t loopsAtOnce = 0; ///< Loops of which compiled code runs several iterations at once.
  uint64_t workgroups = 0;
  double seconds = 0;                   ///< Wall time of the emulation itself.
  std::vector<OutOfBounds> outOfBounds; ///< Sorted by code offset, then kind.
  bool stopped = false;                 ///< A listener ended the run before its end.
};

/// The error of a run: an InputError that also says where in the image.
class EmulationError : public llvm::ErrorInfo<EmulationError, InputError> {
public:
  static char ID;
  enum class Reason { Unimplemented, Undecodable, LeftCode, Budget, Trap, Internal };
  EmulationError(Reason reason, uint64_t codeOffset, std::string instruction, Diagnostic diagnostic)
      : ErrorInfo(Failure::Refused, std::vector<Diagnostic>{std::move(diagnostic)}),
        reason_(reason), codeOffset_(codeOffset), instruction_(std::move(instruction)) {}
  Reason reason() const { return reason_; }
  uint64_t codeOffset() const { return codeOffset_; }
  const std::string &instruction() const { return instruction_; }

private:
  Reason reason_;
  uint64_t codeOffset_;
  std::string instruction_;
};

class Session;

/// A decoded kernel, shared by all runs of it. Decoding is lazy per reachable instruction or eager;
/// an instruction without semantics is an error only when a wave reaches it.
class Program {
public:
  static llvm::Expected<std::unique_ptr<Program>> create(KernelImage image);
  virtual ~Program() = default;

  /// Runs the launch to its end. An unimplemented instruction, an undecodable one, a wave that
  /// leaves the code or exceeds its budget is an EmulationError (Failure::Refused) with the
  /// instruction's text and its offset in the image, so that a caller that has the .s can add the
  /// line. Results do not depend on the number of threads.
  virtual llvm::Expected<RunResult> run(const Launch &launch) const = 0;
  /// One workgroup of the launch, to be executed step by step (Session.h). The program must outlive
  /// it, and so must the memory that the launch names.
  virtual llvm::Expected<std::unique_ptr<Session>>
  debug(const Launch &launch, const std::array<uint32_t, 3> &workgroup) const = 0;
  virtual const KernelImage &image() const = 0;
  /// The instruction at an offset of the image as LLVM prints it, else name and words; empty
  /// outside of the code.
  virtual std::string instructionAt(uint64_t imageOffset) const = 0;
};

} // namespace rdna::emu
