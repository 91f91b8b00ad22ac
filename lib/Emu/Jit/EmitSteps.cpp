#include "Emu/Handlers.h"
#include "Emu/Jit/UnitEmitter.h"

#include <numeric>

namespace rdna::emu::jit {

void UnitEmitter::emitScalar(const Inst &i) {
  std::vector<Value *> arguments;
  for (unsigned k = 0; k < 3; ++k) {
    if (i.op->src[k] == LaneType::None)
      continue;
    const Source &s = i.src[k];
    bool wide = isWide(i.op->src[k]);
    if (s.kind != SourceKind::Scalar)
      arguments.push_back(b_.getInt64(wide ? s.constant : uint32_t(s.constant)));
    else
      arguments.push_back(wide ? readScalar64(s.index)
                               : b_.CreateZExt(readScalar(s.index), b_.getInt64Ty()));
  }
  arguments.push_back(readScalar(regScc));
  Value *r = b_.CreateCall(semantics_.scalar(module_, *i.op), arguments);
  Value *value = b_.CreateExtractValue(r, 0);
  if (i.op->dst != LaneType::None)
    writeScalar(i.dst, b_.CreateTrunc(value, b_.getInt32Ty()));
  if (i.op->dst == LaneType::U64)
    writeScalar(i.dst + 1, b_.CreateTrunc(b_.CreateLShr(value, 32), b_.getInt32Ty()));
  writeScalar(regScc, b_.CreateExtractValue(r, 1));
}

UnitEmitter::ScalarOperands UnitEmitter::scalarOperands(const Inst &i) {
  ScalarOperands o;
  for (unsigned k = 0; k < 3; ++k) {
    const Source &s = i.src[k];
    if (i.op->src[k] == LaneType::None || s.kind == SourceKind::Vgpr)
      continue;
    for (unsigned r = 0; r < rowsOf(i.op->src[k]); ++r)
      o.row[k][r] = s.kind == SourceKind::Scalar ? readScalar(s.index + r)
                                                 : b_.getInt32(uint32_t(s.constant >> 32 * r));
  }
  o.mask = i.op->readsMask ? readScalar(i.maskSrc) : b_.getInt32(0);
  return o;
}

void UnitEmitter::placeInWave(Emission &e, int32_t born) {
  for (size_t v = 0; v < e.flow.versions.size(); ++v)
    if (e.flow.versions[v].producer < 0 && e.flow.versions[v].born == born)
      e.inWave[e.flow.versions[v].vgpr] = int32_t(v);
}

Value *UnitEmitter::loadRow(const Emission &e, const Place &place) {
  auto *type = llvm::FixedVectorType::get(b_.getInt32Ty(), e.lanes);
  return b_.CreateAlignedLoad(type, addressOf(place, e.slice), llvm::Align(4 * e.lanes));
}

void UnitEmitter::storeRow(const Emission &e, Value *value, const Place &place) {
  b_.CreateAlignedStore(value, addressOf(place, e.slice), llvm::Align(4 * e.lanes));
}

Value *UnitEmitter::read(Emission &e, int32_t version) {
  auto v = size_t(version);
  if (e.value[v])
    return e.value[v];
  if (e.windowed)
    if (auto it = e.window.find(version); it != e.window.end())
      return it->second;
  const bool placed = e.memory[v].base;
  Value *row = loadRow(e, placed ? e.memory[v] : wavePlace(e.flow.versions[v].vgpr));
  if (e.windowed)
    e.window[version] = row;
  else if (!placed)
    e.value[v] = row;
  return row;
}

void UnitEmitter::rescue(Emission &e, unsigned vgpr) {
  int32_t v = e.inWave[vgpr];
  if (v >= 0 && e.pending[size_t(v)] && !e.value[size_t(v)] && !e.memory[size_t(v)].base)
    e.value[size_t(v)] = loadRow(e, wavePlace(vgpr));
}

void UnitEmitter::flush(Emission &e, int32_t version) {
  unsigned vgpr = e.flow.versions[size_t(version)].vgpr;
  if (e.inWave[vgpr] == version)
    return;
  if (e.flow.versions[size_t(version)].producer < 0)
    return; // It has never left the wave's memory.
  rescue(e, vgpr);
  storeRow(e, read(e, version), wavePlace(vgpr));
  e.inWave[vgpr] = version;
}

void UnitEmitter::finish(Emission &e, const Item &item) {
  for (int32_t v : item.sources)
    --e.pending[size_t(v)];
  if (item.operation->step == Step::Native)
    return;
  for (int32_t v : item.results)
    if (e.flow.last[e.flow.versions[size_t(v)].vgpr] == v)
      flush(e, v);
}

void UnitEmitter::emitVector(Emission &e, size_t number) {
  const Item &item = e.flow.items[number];
  const Inst &i = *item.operation->inst;
  const OpInfo &op = *i.op;
  const ScalarOperands &o = e.operands[number];
  std::vector<Value *> arguments;
  size_t next = 0;
  for (unsigned k = 0; k < 3; ++k)
    for (unsigned r = 0; r < rowsOf(op.src[k]); ++r)
      arguments.push_back(i.src[k].kind == SourceKind::Vgpr
                              ? read(e, item.sources[next++])
                              : b_.CreateVectorSplat(e.lanes, o.row[k][r]));
  if (isHalf(op.dst))
    arguments.push_back(read(e, item.sources[next++]));
  arguments.push_back(o.mask);
  arguments.push_back(b_.CreateLoad(b_.getInt32Ty(), at(offsetof(Wave, mode))));
  llvm::Function *function = e.lanes == laneCount ? semantics_.vector(module_, op)
                                                  : semantics_.slice(module_, op, e.lanes);
  Value *r = b_.CreateCall(function, arguments);
  for (unsigned k = 0; k < item.results.size(); ++k)
    e.value[size_t(item.results[k])] = b_.CreateExtractValue(r, k);
  if (op.writesMask)
    writeScalar(i.maskDst, b_.CreateExtractValue(r, unsigned(item.results.size())));
}

void UnitEmitter::emitLdsLoad(Emission &e, const Item &item) {
  const Inst &i = *item.operation->inst;
  auto address = size_t(item.sources[0]);
  if (!e.memory[address].base && e.value[address]) {
    e.memory[address] = arena(sizeof(Lanes));
    storeRow(e, e.value[address], e.memory[address]);
  }
  const Place from = e.memory[address].base ? e.memory[address] : wavePlace(i.addr);
  // Into the wave's registers if the results are those of the block's end, and no lane's address
  // is read after its row has been written.
  bool direct = true;
  for (int32_t v : item.results) {
    unsigned vgpr = e.flow.versions[size_t(v)].vgpr;
    direct = direct && e.flow.last[vgpr] == v && vgpr != i.addr;
  }
  const Place to = direct ? wavePlace(i.dst) : arena(uint32_t(item.results.size() * sizeof(Lanes)));
  for (int32_t v : item.results)
    if (direct) {
      rescue(e, e.flow.versions[size_t(v)].vgpr);
      e.inWave[e.flow.versions[size_t(v)].vgpr] = v;
    }
  call(reinterpret_cast<const void *>(handlers().ldsLoad(*ldsShape(i))), b_.getVoidTy(),
       {wave_, pointerTo(&i), addressOf(from), addressOf(to)});
  for (unsigned k = 0; k < item.results.size(); ++k)
    e.memory[size_t(item.results[k])] = {to.base, to.offset + k * uint32_t(sizeof(Lanes))};
  finish(e, item);
}

void UnitEmitter::emitNative(Emission &e, const Item &item) {
  const Inst &i = *item.operation->inst;
  for (int32_t v : item.sources)
    flush(e, v);
  for (int32_t v : item.sources)
    --e.pending[size_t(v)];
  for (int32_t v : item.lost) {
    unsigned vgpr = e.flow.versions[size_t(v)].vgpr;
    e.inWave[vgpr] = v;
    rescue(e, vgpr);
    e.inWave[vgpr] = -1;
  }
  call(reinterpret_cast<const void *>(i.op->run), b_.getVoidTy(), {wave_, pointerTo(&i)});
  placeInWave(e, int32_t(&item - e.flow.items.data()));
  auto access = nativeAccess(i);
  if (!access || access->scalars == NativeAccess::Scalars::Written)
    scalars_.clear();
  // A handler that stops the wave ends the run, so what is still deferred does not matter.
  Value *event = b_.CreateLoad(b_.getInt32Ty(), at(offsetof(Wave, event)));
  auto *stopped = newBlock("stopped"), *goesOn = newBlock("goesOn");
  b_.CreateCondBr(b_.CreateICmpEQ(event, b_.getInt32(0)), goesOn, stopped);
  b_.SetInsertPoint(stopped);
  leave(Exit::Dispatch);
  b_.SetInsertPoint(goesOn);
}

Value *UnitEmitter::call(const void *function, llvm::Type *result,
                         llvm::ArrayRef<Value *> arguments) {
  std::vector<llvm::Type *> types;
  for (const Value *a : arguments)
    types.push_back(a->getType());
  auto *type = llvm::FunctionType::get(result, types, false);
  auto *c = b_.CreateCall(type, pointerTo(function), arguments);
  c->setDoesNotThrow();
  return c;
}

void UnitEmitter::emitBody(Emission &e) {
  const auto &items = e.flow.items;
  size_t deferred =
      size_t(std::count_if(items.begin(), items.end(), [](const Item &i) { return i.deferred; }));
  bool inOrder = deferred < leastDeferred;
  for (size_t n = 0; n < items.size(); ++n) {
    const Item &item = items[n];
    const Inst &i = *item.operation->inst;
    switch (item.operation->step) {
    case Step::Vector:
      e.operands[n] = scalarOperands(i);
      if (inOrder || !item.deferred) {
        emitVector(e, n);
        finish(e, item);
      }
      break;
    case Step::LdsLoad:
      emitLdsLoad(e, item);
      break;
    case Step::Native:
      emitNative(e, item);
      break;
    case Step::Scalar:
      emitScalar(i);
      break;
    default:
      break;
    }
  }
  if (inOrder)
    return;
  emitDeferred(e, {});
}

unsigned UnitEmitter::sliceLanes(const DataFlow &flow) {
  const bool sliceable = std::all_of(flow.items.begin(), flow.items.end(), [&](const Item &i) {
    return !i.deferred || semantics_.slice(module_, *i.operation->inst->op, target_.lanes);
  });
  return sliceable ? target_.lanes : laneCount;
}

void UnitEmitter::emitDeferred(const Emission &all, const PutOff &putOff) {
  // As many lanes at a time as the host's registers have: twice the accumulators fit, so that their
  // operands are loaded half as often. And a loop over them, because what limits long stretches of
  // straight code is the host's instruction cache.
  const unsigned lanes = sliceLanes(all.flow);
  const auto order = orderDeferred(all.flow, target_.accumulators * target_.lanes / lanes);
  Emission e = all;
  e.windowed = true;
  e.lanes = lanes;
  llvm::PHINode *slice = nullptr;
  llvm::BasicBlock *top = nullptr;
  if (lanes < laneCount) {
    // What is a value now is one of all lanes.
    for (const Item &item : e.flow.items)
      for (int32_t v : item.sources)
        if (item.deferred && e.value[size_t(v)]) {
          const Place row = arena(sizeof(Lanes));
          storeRow(all, e.value[size_t(v)], row);
          e.memory[size_t(v)] = row;
          e.value[size_t(v)] = nullptr;
        }
    auto *before = b_.GetInsertBlock();
    top = newBlock("slice");
    b_.CreateBr(top);
    b_.SetInsertPoint(top);
    slice = b_.CreatePHI(b_.getInt64Ty(), 2);
    slice->addIncoming(b_.getInt64(0), before);
    e.slice = slice;
  }
  emitPutOff(putOff, e);
  for (Deferred d : order) {
    if (d.begins) {
      // A block of its own: the time of LLVM's instruction selection grows with the square of a
      // block's size.
      e.window.clear();
      auto *group = newBlock("group");
      b_.CreateBr(group);
      b_.SetInsertPoint(group);
    }
    emitVector(e, d.item);
    finish(e, e.flow.items[d.item]);
  }
  if (!slice)
    return;
  Value *next = b_.CreateAdd(slice, b_.getInt64(4 * lanes));
  slice->addIncoming(next, b_.GetInsertBlock());
  auto *done = newBlock("done");
  b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt64(sizeof(Lanes))), top, done);
  b_.SetInsertPoint(done);
}

} // namespace rdna::emu::jit
