//===- FillArms.h - a tile that both ways of an `if` store -------------------===//
//
// `if (inside) tile[i] = a[j]; else tile[i] = 0;` and `tile[i] = inside ? a[j] : 0;` may be
// compiled to stores on either way. Then the tile is made by two groups of lanes, one after the
// other, and no store stands in front of all others. Here lanes that load nothing get their
// constant into the register that the others load to, and all lanes store:
//
//   s_and_saveexec_b32 s4, s0                      v_mov_b32 v8, 0
//   s_xor_b32 s4, exec_lo, s4
//   ds_store_b32 v1, v2           ; v2 = 0
//   s_or_saveexec_b32 s4, s4
//   s_xor_b32 exec_lo, exec_lo, s4                 s_and_not0_saveexec_b32 s4, s0
//   global_load_b32 v8, ...                        global_load_b32 v8, ...
//   s_waitcnt vmcnt(0)                             s_waitcnt vmcnt(0)
//   ds_store_b32 v1, v8
//   s_or_b32 exec_lo, exec_lo, s4                  s_or_b32 exec_lo, exec_lo, s4
//                                                  ds_store_b32 v1, v8
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Code/Edit.h"
#include "Transform/LdsStages.h"

namespace rdna {

struct FillArms {
  std::vector<TextEdit> edits;
  unsigned ifs = 0;    ///< With stores on both ways.
  unsigned stores = 0; ///< That all lanes make now; as many again have gone, or more.
  unsigned moves = 0;  ///< Of constants into registers that are loaded to.
  unsigned vgprs = 0;  ///< Up to which number they are used, if there are new ones.
};

struct FillArmsOutcome {
  std::optional<FillArms> rewrite;
  std::vector<StagesLeft> left; ///< Ones that stay.
};

/// All such places of a loop, but for its inner loops. `firstFree`: no register from there on is
/// used.
FillArmsOutcome mergeFillArms(const Module &module, const Cfg &cfg, uint32_t loop,
                              unsigned firstFree);

} // namespace rdna
