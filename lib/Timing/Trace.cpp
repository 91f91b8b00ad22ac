#include "Timing/Trace.h"

#include "Isa/OpTraits.h"
#include "Support/Diagnostic.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace rdna::timing {

using llvm::StringRef;

namespace {

/// The fields of a CSV line; quotes hold commas together.
std::vector<std::string> fieldsOf(StringRef line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line)
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  return fields;
}

/// The units of "v3", "v[2:5].l", "vcc_lo"; empty for anything else.
llvm::SmallVector<uint16_t, 8> unitsOf(StringRef operand) {
  operand = operand.split("/*").first.trim();
  operand.consume_front("-");
  operand.consume_front("|");
  llvm::SmallVector<uint16_t, 8> units;
  const auto add = [&units](RegUnit first, unsigned count) {
    for (unsigned n = 0; n < count; ++n)
      units.push_back(static_cast<uint16_t>(first.index + n));
  };
  if (operand.starts_with("vcc"))
    add(kVccLo, 1);
  else if (operand.starts_with("exec"))
    add(kExecLo, 1);
  if (!units.empty() || operand.size() < 2 || (operand[0] != 'v' && operand[0] != 's'))
    return units;
  const bool isVector = operand.consume_front("v");
  if (!isVector)
    operand.consume_front("s");
  unsigned first = 0, last = 0;
  const bool isTuple = operand.consume_front("[");
  if (operand.consumeInteger(10, first))
    return units;
  last = first;
  if (isTuple && (!operand.consume_front(":") || operand.consumeInteger(10, last)))
    return units;
  if (last < first || last > 255)
    return units;
  add(isVector ? RegUnit::vgpr(first) : RegUnit::scalar(first), last - first + 1);
  return units;
}

IssueClass classOf(StringRef packet, Op op) {
  if (packet.starts_with("VALUINST") || packet.starts_with("INST:VALU") ||
      packet.starts_with("INST:VINTERP"))
    return IssueClass::Vector;
  if (packet.starts_with("INST:LDS"))
    return IssueClass::Lds;
  if (packet.starts_with("INST:SGMEM") || packet.starts_with("INST:FLAT") ||
      packet.starts_with("INST:VMEM"))
    return IssueClass::VectorMemory;
  if (packet.starts_with("INST:SMEM"))
    return IssueClass::ScalarMemory;
  if (packet.starts_with("INST:SALU") || packet.starts_with("INST:CALL"))
    return IssueClass::Scalar;
  if (packet.starts_with("INST:BARRIER"))
    return IssueClass::Barrier;
  if (packet.starts_with("INST:JUMP"))
    return IssueClass::Branch;
  return opUnit(op) == Unit::Wait ? IssueClass::Wait : IssueClass::Internal;
}

/// The number that ends a packet's name: clocks of operand transfer or of the vector ALU.
unsigned suffixOf(StringRef packet, unsigned fallback) {
  unsigned number = fallback;
  const auto [head, tail] = packet.rsplit('_');
  if (tail.getAsInteger(10, number))
    return fallback;
  return number;
}

VectorRate rateOf(StringRef packet, Op op) {
  if (packet.starts_with("INST:VALUT"))
    return VectorRate::Transcendental;
  if (packet.starts_with("INST:VALUB")) {
    const unsigned clocks = suffixOf(packet, 1);
    return clocks == 2 ? VectorRate::Half : clocks == 4 ? VectorRate::Quarter : VectorRate::Double;
  }
  return vectorRate(op);
}

/// Does the text leave out that the destination is a source as well?
bool readsResult(Op op) {
  const OpTraits &traits = opTraits(op);
  return traits.is(OpFlag::Accumulates) || traits.is(OpFlag::Keeps) || op == Op::s_addk_i32 ||
         op == Op::s_mulk_i32;
}

bool isBitTest(Op op) {
  return op == Op::s_bitcmp0_b32 || op == Op::s_bitcmp1_b32 || op == Op::s_bitcmp0_b64 ||
         op == Op::s_bitcmp1_b64;
}

void addRegisters(TimedOp &op, StringRef operands, Op kind) {
  llvm::SmallVector<StringRef, 6> list;
  while (!operands.empty()) {
    const size_t bracket = operands.find('[');
    size_t comma = operands.find(',');
    if (bracket < comma && comma != StringRef::npos)
      comma = operands.find(',', operands.find(']'));
    list.push_back(operands.take_front(comma).trim());
    operands = comma == StringRef::npos ? StringRef() : operands.drop_front(comma + 1);
  }
  const OpTraits &traits = opTraits(kind);
  const bool writesSccOnly = isScalarCompare(kind) || isBitTest(kind);
  const bool isStore = traits.memory.kind == MemoryKind::Store;
  unsigned results = writesSccOnly || isStore ? 0 : 1;
  llvm::SmallVector<uint16_t, 4> vectors;
  for (size_t n = 0; n < list.size(); ++n) {
    const auto units = unitsOf(list[n]);
    // A carry that is written stands behind the result.
    if (n == 1 && results == 1 && op.issue == IssueClass::Vector && units.size() == 1 &&
        units[0] == kVccLo.index)
      results = 2;
    auto &target = n < results ? op.writes : op.reads;
    target.append(units.begin(), units.end());
    if (n >= results && !units.empty() && RegUnit{units[0]}.isVgpr())
      vectors.push_back(units[0]);
    else if (n >= results && !units.empty())
      ++op.scalarSources;
    if (n == 0 && readsResult(kind)) {
      op.reads.append(units.begin(), units.end());
      op.scalarSources += op.issue == IssueClass::Scalar;
    }
  }
  op.vectorSources = vectors.empty() ? 0 : static_cast<uint8_t>(list.size() - results);
  op.tripleBank = vectors.size() == 3 && (vectors[0] & 3) == (vectors[1] & 3) &&
                  (vectors[1] & 3) == (vectors[2] & 3);
  if (op.issue == IssueClass::Scalar && kind == Op::unknown) { // Says nothing of itself.
    op.reads.push_back(kVccLo.index);
    op.writes.push_back(kVccLo.index);
  }
  if (op.issue == IssueClass::Scalar && writesSccOnly)
    op.writes.push_back(kScc.index);
}

TimedOp opOf(StringRef text, StringRef packet, uint32_t pc) {
  auto [mnemonic, operands] = text.split(' ');
  for (const StringRef encoding : {"_e32", "_e64"})
    mnemonic.consume_back(encoding);
  const Op kind = opByName(std::string_view(mnemonic));
  TimedOp op;
  op.offset = pc;
  op.issue = classOf(packet, kind);
  addRegisters(op, operands, kind);
  if (op.issue == IssueClass::Vector)
    op.rate = rateOf(packet, kind);
  if (op.isMemory())
    op.operandClocks = static_cast<uint8_t>(suffixOf(packet, 1));
  op.scalar = scalarKind(kind);
  if (op.issue == IssueClass::Wait)
    op.wait.lgkm = 0;
  return op;
}

} // namespace

llvm::Expected<Trace> readTrace(std::string_view csv, std::string_view file) {
  Trace trace;
  trace.name = std::string(file);
  llvm::SmallVector<StringRef, 0> lines;
  StringRef(csv.data(), csv.size()).split(lines, '\n', -1, false);
  std::map<unsigned, unsigned> otherClocks;
  for (size_t n = 1; n < lines.size(); ++n) {
    const std::vector<std::string> field = fieldsOf(lines[n].rtrim('\r'));
    unsigned wave = 0;
    Cycles cycle = 0;
    if (field.size() < 10 || StringRef(field[4]).getAsInteger(10, cycle))
      return makeError(Failure::BadInput, file, fmt::format("line {}: no event of a trace", n + 1));
    (void)StringRef(field[3]).getAsInteger(10, wave);
    const std::string &event = field[5], &packet = field[9];
    if (event == "issue") {
      uint32_t pc = 0;
      if (StringRef(field[6]).getAsInteger(0, pc))
        return makeError(Failure::BadInput, file, fmt::format("line {}: no pc", n + 1));
      trace.issues.push_back({wave, cycle, field[7], opOf(field[7], packet, pc)});
    } else if (event == "issue-other") {
      otherClocks[wave] = suffixOf(packet, 1);
    } else if (event == "exec-lds-alt") {
      trace.otherLds.push_back({cycle, otherClocks.empty() ? 1 : otherClocks.rbegin()->second});
    } else if (event == "exec-vmem-alt") {
      trace.otherMemory.push_back({cycle, otherClocks.empty() ? 1 : otherClocks.rbegin()->second});
    } else if (event == "wave-end" && !field[6].empty()) {
      trace.end = std::max(trace.end, cycle);
    }
  }
  if (trace.issues.empty())
    return makeError(Failure::BadInput, file, "no instruction was issued in this trace");
  std::stable_sort(trace.issues.begin(), trace.issues.end(),
                   [](const TraceIssue &a, const TraceIssue &b) { return a.cycle < b.cycle; });
  // Lengths: to the next pc of the wave.
  std::map<unsigned, TimedOp *> last;
  for (TraceIssue &issue : trace.issues) {
    if (TimedOp *before = last[issue.wave])
      before->bytes = static_cast<uint8_t>(std::min(issue.op.offset - before->offset, 12u));
    last[issue.wave] = &issue.op;
  }
  return trace;
}

} // namespace rdna::timing
