//===- Handlers.cpp - the table of one level ------------------------------===//
#include "Emu/Handlers.h"

#include "Emu/DataShare.h"
#include "Emu/Fields.h"
#include "Emu/LdsRows.h"

/// RDNA_LEVEL_TABLE is the level's name for it. In C's way, because the name is what is left global
/// of a level's object file (CombineLevel.cmake).
extern "C" {
extern const rdna::emu::Handlers RDNA_LEVEL_TABLE;
constinit const rdna::emu::Handlers RDNA_LEVEL_TABLE = {
    .tables = {rdna::emu::vop1Table, rdna::emu::vop2Table, rdna::emu::vop3Table,
               rdna::emu::vop3IntTable, rdna::emu::vopcTable, rdna::emu::vop3pTable,
               rdna::emu::wmmaTable, rdna::emu::crossLaneTable, rdna::emu::salu32Table,
               rdna::emu::controlTable, rdna::emu::smemTable, rdna::emu::dsTable,
               rdna::emu::dsAtomicTable, rdna::emu::dataShareTable, rdna::emu::flatTable,
               rdna::emu::bufferTable, rdna::emu::typedBufferTable, rdna::emu::globalAtomicTable},
    .dualFmac = rdna::emu::dualFmac,
    .gdsAccess = rdna::emu::gdsAccess,
    .loadWithStatus = rdna::emu::loadWithStatus,
    .ldsLoad = rdna::emu::jit::ldsLoadFunction,
    .ldsSpan = rdna::emu::jit::findLdsSpan,
    .loadLdsLanes = rdna::emu::jit::loadLdsLanes,
    .hasAvx512 = rdna::emu::builtForAvx512,
};
}
