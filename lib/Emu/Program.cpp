//===- Program.cpp - decoding a kernel ------------------------------------===//
#include "Emu/Program.h"
#include "Emu/Handlers.h"
#include "Emu/Observe/Plan.h"

#include "Emu/Jit/Compiler.h"
#include "Emu/Jit/Turn.h"

#include "Support/Diagnostic.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace rdna::emu {

char EmulationError::ID = 0;

llvm::Expected<std::unique_ptr<Program>> Program::create(KernelImage image) {
  auto program = std::make_unique<DecodedProgram>(std::move(image));
  if (llvm::Error error = program->decode())
    return error;
  return std::unique_ptr<Program>(std::move(program));
}

DecodedProgram::DecodedProgram(KernelImage image) : image_(std::move(image)) {}

DecodedProgram::~DecodedProgram() {
  if (backgroundDone_.valid()) {
    if (backgroundOf_ == getpid())
      backgroundDone_.wait();
    else // A child of fork() has no such thread to wait for.
      (void)new std::future<void>(std::move(backgroundDone_));
  }
  if (!jit::Turn::isWanted()) // What LLVM needs to take it apart may be gone.
    (void)native_.release();
}

const ProgramPlans &DecodedProgram::plans() const {
  std::call_once(planning_, [this] { plans_ = std::make_unique<ProgramPlans>(*this); });
  return *plans_;
}

llvm::Error DecodedProgram::compileNow() const {
  if (!jit::Turn::isWanted())
    return jit::noTurn();
  std::lock_guard lock(compiling_);
  if (native_)
    return llvm::Error::success();
  // Where computed jumps may go: behind every end of a function.
  std::vector<const Inst *> roots{entry()};
  for (size_t n = 1; computesJump_ && n < code_.size(); ++n) {
    const OpInfo *before = code_[n - 1].op;
    if (before && (before->op == Op::s_endpgm || before->op == Op::s_setpc_b64))
      roots.push_back(&code_[n]);
  }
  auto native = jit::CompiledKernel::compile(code_, roots);
  if (!native)
    return native.takeError();
  native_ = std::move(*native);
  compiled_.store(native_.get(), std::memory_order_release);
  return llvm::Error::success();
}

void DecodedProgram::compileInBackground() const {
  std::call_once(background_, [this] {
    try {
      backgroundOf_ = getpid();
      backgroundDone_ =
          std::async(std::launch::async, [this] { llvm::consumeError(compileNow()); });
    } catch (const std::system_error &) { // No more threads: slower, not wrong.
    }
  });
}

llvm::Error DecodedProgram::decode() {
  auto bad = [&](std::string_view what) {
    return makeError(Failure::BadInput, "", fmt::format("kernel '{}': {}", image_.name, what));
  };
  if (image_.codeBegin > image_.codeEnd || image_.codeEnd > image_.image.size() ||
      image_.codeBegin % 4 != 0 || image_.image.size() > (uint64_t(1) << 31))
    return bad("the code does not lie inside the image");
  if (image_.entryOffset < image_.codeBegin || image_.entryOffset >= image_.codeEnd ||
      image_.entryOffset % 4 != 0)
    return bad("the entry point is not inside the code");
  constexpr uint16_t wave32 = 1 << 10; // Of kernel_code_properties.
  if (!(image_.codeProperties & wave32))
    return makeError(
        Failure::Refused, "",
        fmt::format("kernel '{}' is wave64 code; the emulator runs wave32", image_.name));
  index_.assign((image_.codeEnd - image_.codeBegin) / 4, -1);

  using Sweep = KernelImage::Sweep;
  decodeReachable({uint32_t(image_.entryOffset)}, image_.sweep);
  if (image_.sweep == Sweep::All || computesJump_)
    decodeReachable({uint32_t(image_.codeBegin)}, Sweep::All);
  resolveTargets();
  findGroupOrder();
  return llvm::Error::success();
}

/// All: a linear sweep, because a call target may be any function of the image; then from every
/// branch target that the sweep took for the middle of an instruction.
void DecodedProgram::decodeReachable(std::vector<uint32_t> work, KernelImage::Sweep sweep) {
  while (!work.empty()) {
    uint32_t offset = work.back();
    work.pop_back();
    decodeFrom(offset, sweep, work);
  }
}

void DecodedProgram::decodeFrom(uint32_t offset, KernelImage::Sweep sweep,
                                std::vector<uint32_t> &targets) {
  std::span<const std::byte> bytes(image_.image);
  auto slot = [&](uint32_t at) -> int32_t & { return index_[(at - image_.codeBegin) / 4]; };
  bool fresh = false;
  while (offset + 4 <= image_.codeEnd) {
    if (slot(offset) >= 0) {
      if (fresh) { // Joins an earlier stream: jump there.
        Inst jump;
        jump.run = findOp(opName(Op::s_branch))->run;
        jump.count = 0;
        jump.offset = offset;
        jump.literal = 1; // Its target is its own offset, see resolveTargets.
        code_.push_back(jump);
      }
      return;
    }
    fresh = true;
    Encoding e;
    e.offset = offset;
    auto rest = bytes.subspan(offset, image_.codeEnd - offset);
    std::memcpy(e.word.data(), rest.data(), std::min<size_t>(rest.size(), sizeof e.word));
    slot(offset) = int32_t(code_.size());
    const Opcode *op = findOpcode(e);
    e.bytes = op ? encodedBytes(e, *op) : 4;
    if (op && e.bytes <= rest.size()) {
      translate(e, *op, code_);
    } else {
      e.bytes = 4;
      Inst i;
      i.run = stopUndecodable;
      i.offset = offset;
      code_.push_back(i);
    }
    uint32_t target;
    if (directTarget(e, target) && target >= image_.codeBegin && target < image_.codeEnd &&
        image_.codeEnd - target >= 4 && slot(target) < 0)
      targets.push_back(target);
    offset += e.bytes;
    const Op kind = op ? op->op : Op::unknown;
    computesJump_ |= kind == Op::s_setpc_b64 || kind == Op::s_swappc_b64;
    const bool falls =
        op && kind != Op::s_endpgm && kind != Op::s_branch && kind != Op::s_setpc_b64;
    if (sweep == KernelImage::Sweep::Reachable && !falls)
      return;
  }
  Inst end;
  end.run = stopLeftCode;
  end.offset = uint32_t(image_.codeEnd);
  code_.push_back(end);
}

const Inst *DecodedProgram::at(uint64_t imageOffset) const {
  if (imageOffset < image_.codeBegin || imageOffset >= image_.codeEnd || imageOffset % 4 != 0)
    return nullptr;
  size_t n = (imageOffset - image_.codeBegin) / 4;
  return n < index_.size() && index_[n] >= 0 ? &code_[size_t(index_[n])] : nullptr;
}

/// After all code is decoded: pointers into `code_` would not survive its growth.
void DecodedProgram::resolveTargets() {
  for (Inst &i : code_) {
    if (!i.op && i.literal == 1) {
      i.target = at(i.offset);
      continue;
    }
    if (i.offset + 4 > image_.codeEnd)
      continue;
    Encoding e;
    e.offset = i.offset;
    std::memcpy(e.word.data(), image_.image.data() + i.offset, 4);
    uint32_t target;
    if (directTarget(e, target))
      i.target = at(target);
  }
}

/// Conservative: looks at all code that can be reached from the entry, and at all code of the image
/// once a computed jump is reachable.
void DecodedProgram::findGroupOrder() {
  auto sensitive = [](const Inst &i) {
    return i.run == handlers().gdsAccess ||
           (i.op && i.op->isAtomic && (i.returns || i.op->order == OpInfo::GroupOrder));
  };
  std::vector<bool> seen(code_.size());
  std::vector<size_t> work;
  auto visit = [&](const Inst *i) {
    size_t n = i ? size_t(i - code_.data()) : 0;
    if (i && !seen[n]) {
      seen[n] = true;
      work.push_back(n);
    }
  };
  visit(entry());
  while (!work.empty()) {
    size_t n = work.back();
    work.pop_back();
    const Inst &i = code_[n];
    const Op kind = i.op ? i.op->op : Op::unknown;
    if (sensitive(i)) {
      needsGroupOrder_ = true;
      return;
    }
    if (kind == Op::s_swappc_b64 || kind == Op::s_setpc_b64) {
      needsGroupOrder_ = std::any_of(code_.begin(), code_.end(), sensitive);
      return;
    }
    visit(i.target);
    if (i.op && kind != Op::s_endpgm && kind != Op::s_branch && n + 1 < code_.size())
      visit(&code_[n + 1]);
  }
}

/// LLVM's text; where it has none (pairs that an assembler refuses), the row's name and the words.
std::string DecodedProgram::instructionAt(uint64_t imageOffset) const {
  if (imageOffset + 4 > image_.codeEnd)
    return {};
  auto bytes =
      std::span<const std::byte>(image_.image).subspan(imageOffset, image_.codeEnd - imageOffset);
  std::string text = instructionText(bytes);
  if (!text.empty())
    return text;
  Encoding e;
  std::memcpy(e.word.data(), bytes.data(), std::min<size_t>(bytes.size(), sizeof e.word));
  const Opcode *op = findOpcode(e);
  text = op ? op->name : "";
  if (op && op->format == Format::Vopd)
    text += fmt::format(" :: {}", findDualY(e)->name);
  size_t words = std::min<size_t>(op ? encodedBytes(e, *op) / 4 : 1, bytes.size() / 4);
  for (size_t k = 0; k < words; ++k)
    text += fmt::format("{}{:#010x}", text.empty() ? "" : " ", e.word[k]);
  return text;
}

} // namespace rdna::emu
