//===- Table.cpp - the handler table, by mnemonic -------------------------===//
#include "Emu/Fields.h"

#include <unordered_map>

namespace rdna::emu {

const OpInfo *findOp(std::string_view mnemonic) {
  static const auto table = [] {
    std::unordered_map<std::string_view, OpInfo> t;
    for (auto group : {vop1Table(), vop2Table(), vop3Table(), vop3IntTable(), vopcTable(),
                       vop3pTable(), wmmaTable(), crossLaneTable(), salu32Table(), controlTable(),
                       smemTable(), dsTable(), dsAtomicTable(), dataShareTable(), flatTable(),
                       bufferTable(), typedBufferTable(), globalAtomicTable()})
      for (const OpInfo &op : group)
        t.emplace(op.name, op).first->second.op = opByName(op.name);
    return t;
  }();
  auto it = table.find(mnemonic);
  return it == table.end() ? nullptr : &it->second;
}

const OpInfo *handlerOf(const Opcode &opcode) {
  static const auto table = [] {
    std::vector<const OpInfo *> t;
    t.reserve(opcodes().size());
    for (const Opcode &op : opcodes())
      t.push_back(findOp(opName(op.op)));
    return t;
  }();
  return table[size_t(&opcode - opcodes().data())];
}

void stopUnimplemented(Wave &w, const Inst &i) { stopWave(w, i, Event::Unimplemented); }
void stopUndecodable(Wave &w, const Inst &i) { stopWave(w, i, Event::Undecodable); }
void stopLeftCode(Wave &w, const Inst &i) { stopWave(w, i, Event::BadTarget); }

} // namespace rdna::emu
