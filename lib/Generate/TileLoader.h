//===- TileLoader.h - a tile of A or B from memory to LDS (private) -------===//
#pragma once

#include "Generate/KernelWriter.h"

namespace rdna::generate {

/// SGPRs that belong to one of the matrices.
struct LoaderScalars {
  unsigned resource, leading; ///< Its buffer; elements between two lines.
  unsigned extent;            ///< Rows (columns) that the matrix has from the block's first on.
  unsigned advance, partial;
};

/// The registers that take a tile between memory and LDS, and the code for it.
class TileLoader {
public:
  /// Nothing if the registers do not suffice.
  static std::optional<TileLoader> make(const LoadShape &loads, const LoaderScalars &scalars,
                                        RegisterPool &pool);

  /// Offsets and addresses, in front of everything. Takes temp(0) to temp(3).
  void prepare(KernelWriter &w) const;
  /// Keeps the loads from what lies behind the last of fewer than bk steps.
  void guardRest(KernelWriter &w) const;
  unsigned count() const { return loads_.count(); }
  void load(KernelWriter &w, unsigned number) const;
  void store(KernelWriter &w) const;
  /// To the next bk steps.
  void advance(KernelWriter &w) const;
  /// Behind the first `rest` steps.
  void advanceRest(KernelWriter &w) const;
  const std::vector<Vgpr> &ldsAddresses() const { return addresses_; }
  void release(RegisterPool &pool) const;

private:
  TileLoader(const LoadShape &loads, const LoaderScalars &scalars)
      : loads_(loads), scalars_(scalars) {}
  struct Item {
    unsigned address, bytes; ///< In addresses_; from there.
    Vgpr data;
    unsigned dwords;
  };
  std::vector<Item> items(unsigned first, unsigned last) const;
  static bool storeTwo(KernelWriter &w, Vgpr address, const Item &x, const Item &y);
  void storeItems(KernelWriter &w, std::vector<Item> items) const;
  /// Line and first element in it of a thread's load.
  void place(KernelWriter &w, Vgpr line, Vgpr at, unsigned number) const;

  LoadShape loads_;
  LoaderScalars scalars_;
  std::vector<Vgpr> data_, offsets_, addresses_;
  struct Place {
    unsigned address, bytes;
  };
  std::vector<Place> places_; ///< By load.
};

} // namespace rdna::generate
