#include "Emu/Handlers.h"
#include "Emu/Jit/UnitEmitter.h"

#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/Support/MathExtras.h"

namespace rdna::emu::jit {

std::pair<int32_t, UnitEmitter::Offset> UnitEmitter::baseOf(const Emission &e, int32_t version) {
  Offset added;
  for (;;) {
    const int32_t p = e.flow.versions[size_t(version)].producer;
    if (p < 0)
      return {version, added};
    const Item &item = e.flow.items[size_t(p)];
    const OpInfo &op = *item.operation->inst->op;
    if (op.op != Op::v_add_nc_u32 || item.sources.size() != 1)
      return {version, added};
    const ScalarOperands &o = e.operands[size_t(p)];
    Value *operand = o.row[0][0] ? o.row[0][0] : o.row[1][0];
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operand))
      added.constant += uint32_t(constant->getZExtValue());
    else
      added.scalar = added.scalar ? b_.CreateAdd(added.scalar, operand) : operand;
    version = item.sources.front();
  }
}

Value *UnitEmitter::plus(Value *address, const Offset &offset) {
  if (offset.scalar)
    address = b_.CreateAdd(address, offset.scalar);
  return b_.CreateAdd(address, b_.getInt32(offset.constant));
}

UnitEmitter::PutOff UnitEmitter::putOffLoads(Emission &e) {
  PutOff putOff{{}, b_.getTrue(), b_.getTrue()};
  std::map<int32_t, size_t> groupOf;
  for (size_t n = 0; n < e.flow.items.size(); ++n) {
    const Item &item = e.flow.items[n];
    if (item.operation->step != Step::LdsLoad)
      continue;
    auto [base, added] = baseOf(e, item.sources.front());
    auto [it, isNew] = groupOf.try_emplace(base, putOff.groups.size());
    if (isNew) {
      // A copy even of what is in the wave's memory: its row may be overwritten by a result.
      const Place row = arena(sizeof(Lanes));
      storeRow(e, read(e, base), row);
      putOff.groups.push_back({row, arena(llvm::alignTo<sizeof(Lanes)>(sizeof(LdsSpan))), {}});
    }
    putOff.groups[it->second].loads.push_back({n, added});
  }
  for (const LoadsAtAddress &group : putOff.groups)
    findSpan(e, group, putOff);
  return putOff;
}

namespace {

/// Byte offsets of an LDS load's addresses, from what it is added to.
std::vector<uint32_t> offsetsOf(const Inst &i) {
  const LdsShape shape = *ldsShape(i);
  const auto imm = uint32_t(i.imm);
  if (shape.addresses == 1)
    return {imm & 0xffff};
  return {(imm & 0xff) * shape.scale, (imm >> 8 & 0xff) * shape.scale};
}

} // namespace

void UnitEmitter::findSpan(const Emission &e, const LoadsAtAddress &group, PutOff &putOff) {
  call(reinterpret_cast<const void *>(handlers().ldsSpan), b_.getVoidTy(),
       {addressOf(group.address), addressOf(group.span)});
  auto word = [&](size_t offset) {
    return b_.CreateLoad(b_.getInt32Ty(), b_.CreateConstInBoundsGEP1_64(
                                              b_.getInt8Ty(), addressOf(group.span), offset));
  };
  Value *lowest[2], *highest[2];
  for (unsigned n = 0; n < 2; ++n) {
    lowest[n] = word(offsetof(LdsSpan, lowest) + 4 * n);
    highest[n] = word(offsetof(LdsSpan, highest) + 4 * n);
  }
  Value *least = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, lowest[0], lowest[1]);
  Value *most = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, highest[0], highest[1]);
  Value *wide = b_.CreateZExt(b_.CreateSub(most, least), b_.getInt64Ty());
  Value *ldsBytes =
      b_.CreateZExt(b_.CreateLoad(b_.getInt32Ty(), at(offsetof(Wave, ldsBytes))), b_.getInt64Ty());
  // By scalar: what is read, relative to one lane's address plus that scalar. Where the lowest
  // address wraps around, this is not "in range"; nobody writes that.
  std::map<Value *, std::pair<int64_t, int64_t>> read;
  unsigned dwords = 1;
  for (const PutOffLoad &load : group.loads) {
    const Inst &i = *e.flow.items[load.item].operation->inst;
    dwords = std::max(dwords, ldsShape(i)->dwords);
    for (uint32_t offset : offsetsOf(i)) {
      const int64_t from = int64_t(int32_t(load.offset.constant)) + offset;
      const int64_t to = from + 4 * ldsShape(i)->dwords;
      auto [it, isNew] = read.try_emplace(load.offset.scalar, from, to);
      it->second.first = std::min(it->second.first, from);
      it->second.second = std::max(it->second.second, to);
    }
  }
  for (auto [scalar, range] : read) {
    Value *from = b_.CreateZExt(plus(least, {scalar, uint32_t(range.first)}), b_.getInt64Ty());
    Value *bytes = b_.CreateAdd(wide, b_.getInt64(uint64_t(range.second - range.first)));
    putOff.inRange =
        b_.CreateAnd(putOff.inRange, b_.CreateICmpULE(b_.CreateAdd(from, bytes), ldsBytes));
  }
  for (unsigned n = 0; n < 2; ++n)
    putOff.windowed =
        b_.CreateAnd(putOff.windowed, b_.CreateICmpULE(b_.CreateSub(highest[n], lowest[n]),
                                                       b_.getInt32(128 - 4 * dwords)));
  putOff.windowed = b_.CreateAnd(
      putOff.windowed, b_.CreateICmpEQ(word(offsetof(LdsSpan, unaligned)), b_.getInt32(0)));
}

std::vector<UnitEmitter::LdsPiece> UnitEmitter::piecesOf(const PutOffLoad &load, Emission &e) {
  const Item &item = e.flow.items[load.item];
  const Inst &i = *item.operation->inst;
  // Into the wave's registers if the results are those of the loop's end.
  const bool last = std::all_of(item.results.begin(), item.results.end(), [&](int32_t v) {
    return e.flow.last[e.flow.versions[size_t(v)].vgpr] == v;
  });
  const uint32_t rowBytes = last ? uint32_t(sizeof(Lanes)) : 4 * e.lanes;
  const Place to = last ? wavePlace(i.dst)
                        : arena(rowBytes * uint32_t(item.results.size()), Place::Extent::Slice);
  for (unsigned k = 0; k < item.results.size(); ++k) {
    const auto v = size_t(item.results[k]);
    if (last) {
      rescue(e, e.flow.versions[v].vgpr);
      e.inWave[e.flow.versions[v].vgpr] = int32_t(v);
    }
    e.memory[v] = {to.base, to.offset + k * rowBytes, to.extent};
  }
  std::vector<LdsPiece> pieces;
  const unsigned dwords = ldsShape(i)->dwords;
  for (uint32_t offset : offsetsOf(i)) {
    const uint32_t before = uint32_t(pieces.size()) * dwords * rowBytes;
    pieces.push_back({{load.offset.scalar, load.offset.constant + offset},
                      dwords,
                      {to.base, to.offset + before, to.extent},
                      rowBytes});
  }
  return pieces;
}

void UnitEmitter::emitWindowed(const LoadsAtAddress &group, const std::vector<LdsPiece> &pieces,
                               const Emission &e) {
  auto *vector = llvm::FixedVectorType::get(b_.getInt32Ty(), 16);
  auto beyond = [&](Value *p, Value *offset) {
    return b_.CreateInBoundsGEP(b_.getInt8Ty(), p, offset);
  };
  for (unsigned first = 0; first < e.lanes; first += 16) {
    // Byte offset of these sixteen lanes in a row.
    Value *here = b_.getInt64(4 * first);
    if (e.slice)
      here = b_.CreateAdd(here, e.slice);
    Value *span = addressOf(group.span);
    Value *lane[4] = {b_.CreateAlignedLoad(vector, beyond(span, here), llvm::Align(64))};
    for (unsigned k = 1; k < 4; ++k)
      lane[k] = b_.CreateAdd(lane[k - 1], b_.CreateVectorSplat(16, b_.getInt32(1)));
    Value *lowest = b_.CreateLoad(
        b_.getInt32Ty(),
        beyond(b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), span, offsetof(LdsSpan, lowest)),
               b_.CreateLShr(here, 4)));
    Value *lds = b_.CreateLoad(b_.getPtrTy(), at(offsetof(Wave, lds)));
    for (const LdsPiece &piece : pieces) {
      Value *from = beyond(lds, b_.CreateZExt(plus(lowest, piece.offset), b_.getInt64Ty()));
      Value *low = b_.CreateAlignedLoad(vector, from, llvm::Align(1));
      Value *high = b_.CreateAlignedLoad(vector, beyond(from, b_.getInt64(64)), llvm::Align(1));
      for (unsigned k = 0; k < piece.dwords; ++k) {
        Value *row = b_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_d_512, {},
                                        {low, lane[k], high});
        const Place to{piece.to.base, piece.to.offset + k * piece.rowBytes + 4 * first,
                       piece.to.extent};
        b_.CreateAlignedStore(row, addressOf(to, e.slice), llvm::Align(64));
      }
    }
  }
}

void UnitEmitter::emitPutOff(const PutOff &putOff, Emission &e) {
  if (putOff.groups.empty())
    return;
  std::vector<std::vector<LdsPiece>> pieces;
  for (const LoadsAtAddress &group : putOff.groups) {
    auto &all = pieces.emplace_back();
    for (const PutOffLoad &load : group.loads)
      for (const LdsPiece &p : piecesOf(load, e))
        all.push_back(p);
  }
  auto *anywhere = newBlock("anywhere"), *loaded = newBlock("loaded");
  if (target_.lanes == 16) {
    auto *windowed = newBlock("windowed");
    b_.CreateCondBr(putOff.windowed, windowed, anywhere);
    b_.SetInsertPoint(windowed);
    for (size_t n = 0; n < pieces.size(); ++n)
      emitWindowed(putOff.groups[n], pieces[n], e);
    b_.CreateBr(loaded);
  } else {
    b_.CreateBr(anywhere);
  }
  b_.SetInsertPoint(anywhere);
  Value *lds = b_.CreateLoad(b_.getPtrTy(), at(offsetof(Wave, lds)));
  for (size_t n = 0; n < pieces.size(); ++n)
    for (const LdsPiece &p : pieces[n])
      call(reinterpret_cast<const void *>(handlers().loadLdsLanes), b_.getVoidTy(),
           {lds, addressOf(putOff.groups[n].address, e.slice), addressOf(p.to, e.slice),
            plus(b_.getInt32(0), p.offset), b_.getInt32(p.dwords), b_.getInt32(e.lanes),
            b_.getInt32(p.rowBytes)});
  b_.CreateBr(loaded);
  b_.SetInsertPoint(loaded);
  for (const LoadsAtAddress &group : putOff.groups)
    for (const PutOffLoad &load : group.loads)
      finish(e, e.flow.items[load.item]);
}

} // namespace rdna::emu::jit
