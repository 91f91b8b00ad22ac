//===- KernelWriter.h - the code of a kernel (private to lib/Generate) ----===//
#pragma once

#include "Generate/KernelShape.h"
#include "Generate/LoopSteps.h"

#include "llvm/ADT/ArrayRef.h"

namespace rdna::generate {

/// SGPRs of the kernel. The kernel's arguments are loaded as they lie in memory.
struct Scalars {
  static constexpr unsigned kKernarg = 0, kGroupX = 13, kGroupY = 14, kGroupZ = 15;
  static constexpr unsigned kArguments = 16; ///< s16 to s29; batch strides in s32 to s37.
  static constexpr unsigned kStrides = 32;
  static constexpr unsigned kA = 4, kB = 8, kC = 32; ///< Buffer resources; C's is the last.
  static constexpr unsigned kRows = 2, kColumns = 3; ///< That C has left from the block's first.
  static constexpr unsigned kSteps = 12, kRest = 30; ///< Of K: whole steps, and what is left.
  static constexpr unsigned kAdvanceA = 31, kAdvanceB = 38;
  static constexpr unsigned kRowBytes = 39;
  // In place of arguments that are not needed behind the scalar part.
  static constexpr unsigned kPartialA = 16, kPartialB = 17; ///< Threads of a tile's last load.
  static constexpr unsigned kCount = 18, kStage = 19;
  /// s40 to s47, where elements of A are, too.
  static constexpr unsigned kTemp = 40;
  static constexpr unsigned kElements = 40, kEnd = 104;
};

/// Kernel arguments by their role in the row-major product.
struct Arguments {
  unsigned a, b, c;       ///< SGPR pairs.
  unsigned rows, columns; ///< M and N.
  unsigned k, lda, ldb, ldc, alpha, beta;
  unsigned strideA, strideB, strideC;
  static Arguments of(Order order);
  /// Of a kernel that splits K: where the parts' sums go, an SGPR pair.
  static constexpr unsigned kWorkspace = 36;
};

/// Offset that is outside of every buffer here, and the size of all of them.
inline constexpr int64_t kOutside = 0x80000000;

/// Which of the kernel's two ways: by how wide its accesses to memory are.
enum class Path { Wide, Narrow };

/// What the parts of a kernel's code share.
struct KernelWriter {
  const KernelShape &shape;
  const TilePlan &plan;
  const Arguments args;
  Listing &out;
  Vgpr thread; ///< The work-item's number.
  LoopSides sides;
  unsigned labels = 0; ///< That freshLabel() has made.

  std::string freshLabel();
  /// Labels of two kernels in one file must differ.
  std::string label(Path path) const;
  void put(Op op, llvm::ArrayRef<Arg> values) { out << build(op, values); }
  void branch(Op op, std::string_view label) { out << buildBranch(op, label); }
  void waitVm() { out << buildWait({.vm = 0, .lgkm = {}, .exp = {}}); }
  void waitLgkm() { out << buildWait({.vm = {}, .lgkm = 0, .exp = {}}); }
  void barrier() { put(Op::s_barrier, {}); }
  /// Four VGPRs for addresses while accumulators are not in use.
  Vgpr temp(unsigned number) const;
  /// quotient = value / divisor, rest = value % divisor.
  void divide(Vgpr quotient, Vgpr rest, Vgpr value, unsigned divisor);
  /// The numbers, in the block, of the first row and column of C that a thread has.
  struct Corner {
    Vgpr row, column;         ///< Of its groups.
    Vgpr lastRow, lastColumn; ///< Of the last row (column), if the number is odd.
  };
  /// Of A, if it is scalar: the buffer of the wave's rows, no more than C has.
  void scalarRows(Vgpr waveRow);
  void threadCorner(const Corner &to, const std::array<Vgpr, 4> &temps);
};

/// Arguments, bases and sizes, up to where the paths part. KernelScalars.cpp
void writeScalars(KernelWriter &writer);
/// Loads the kernel's arguments. KernelScalars.cpp
void loadArguments(KernelWriter &writer);
/// pair += 4 * x * y, for unsigned 32-bit factors; pair += 4 * elements * times, of 64 bits and 32;
/// pair += bytes, both of 64 bits.
void addElements(KernelWriter &writer, unsigned pair, unsigned x, const Arg &y);
void addMultiple(KernelWriter &writer, unsigned pair, unsigned elements, unsigned times);
void addPair(KernelWriter &writer, unsigned pair, unsigned bytes);
/// A raw buffer from `base` on: only offsets of kOutside and above are out of its range.
void makeResource(KernelWriter &writer, unsigned resource, unsigned base);
/// Factors that make nothing of a sum that is 0: -0 changes no number that it is added to, of
/// either sign; 0 is the result where there is no such number.
inline constexpr int64_t kZeroBits = 0, kMinusZeroBits = 0x80000000;
/// alpha = `bits` if K is 0: there is no product then, even if alpha is infinite.
void dropAlphaWithoutSum(KernelWriter &writer, int64_t bits);
/// The part of K that the workgroup sums, and where its sums go. SplitK.cpp
void splitK(KernelWriter &writer);

/// The accumulators.
void clearSums(KernelWriter &writer);
/// One way through a kernel whose elements do not go through LDS: DirectCode.cpp. False if
/// registers do not suffice.
bool writeDirect(KernelWriter &writer, RegisterPool &pool, Path path);

/// Branches to the narrow path where wide accesses are not possible. KernelScalars.cpp
void choosePath(KernelWriter &writer);
/// C from the accumulators: KernelStore.cpp.
/// False if registers do not suffice.
bool writeResults(KernelWriter &writer, RegisterPool &pool, Path path, std::string_view prefix);

} // namespace rdna::generate
