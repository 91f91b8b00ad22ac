//===- Table.cpp - the handler table, by mnemonic -------------------------===//
#include "Emu/Fields.h"
#include "Emu/Handlers.h"

#include <unordered_map>

namespace rdna::emu {

const OpInfo *findOp(std::string_view mnemonic) {
  static const auto table = [] {
    std::unordered_map<std::string_view, OpInfo> t;
    for (const auto tableOf : handlers().tables)
      for (const OpInfo &op : tableOf())
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
