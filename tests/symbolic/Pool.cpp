#include "Pool.h"

#include "diff/RandomCode.h"
#include "unit/EmuSnippet.h"

#include "Emu/Disassembler.h"

#include <fmt/format.h>

#include <set>

namespace rdna::test {

static std::string joined(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += "\t" + line + "\n";
  return text;
}

static const std::string kHead = "\t.text\nk:\n";

/// By naming it, which LLVM takes and nobody documents; the proof follows no such function.
static bool writesScc(const Instruction &inst) {
  return std::any_of(inst.operands.begin(), inst.operands.end(), [](const Operand &operand) {
    return operand.cls == Operand::Class::Def && operand.special == SpecialSource::Scc;
  });
}

void Pool::addLegal(std::vector<std::string> lines) {
  for (unsigned round = 0; round < 3; ++round) {
    auto module = Module::parse(kHead + joined(lines), "pool.s");
    std::set<size_t> good;
    if (module) {
      for (const Instruction &inst : (*module)->instructions())
        if (!writesScc(inst))
          good.insert(inst.line - 3);
    } else {
      for (size_t n = 0; n < lines.size(); ++n)
        good.insert(n);
      llvm::handleAllErrors(module.takeError(), [&](const InputError &error) {
        for (const Diagnostic &diagnostic : error.diagnostics())
          good.erase(diagnostic.line - 3);
      });
    }
    std::vector<std::string> kept;
    for (const size_t n : good)
      kept.push_back(std::move(lines[n]));
    lines = std::move(kept);
    if (module) {
      lines_.insert(lines_.end(), lines.begin(), lines.end());
      return;
    }
  }
}

Pool::Pool(std::vector<std::string> lines) {
  std::set<std::string> seen;
  std::vector<std::string> different;
  for (std::string &line : lines)
    if (seen.insert(line).second)
      different.push_back(std::move(line));
  // Few at a time: the parser lists so many errors and no more.
  constexpr size_t kAtOnce = 40;
  for (size_t from = 0; from < different.size(); from += kAtOnce)
    addLegal({different.begin() + long(from),
              different.begin() + long(std::min(from + kAtOnce, different.size()))});
  module_ = llvm::cantFail(Module::parse(kHead + joined(lines_) + "\ts_endpgm\n", "pool.s"));
  if (module_->instructions().size() != lines_.size() + 1) {
    ADD_FAILURE() << lines_.size() << " lines are " << module_->instructions().size() - 1
                  << " instructions";
    lines_.clear();
  }
  auto image = kernelImage(joined(lines_) + "\ts_endpgm\n",
                           keepDenormals +
                               fmt::format("\t.amdhsa_group_segment_fixed_size {}\n", kLdsBytes));
  uint64_t offset = image.entryOffset;
  for (unsigned n = 0; n < lines_.size(); ++n) {
    numbers_.emplace(lines_[n], n);
    offsets_.push_back(offset);
    offset += instruction(n).sizeBytes;
  }
  program_ = llvm::cantFail(emu::Program::create(std::move(image)));
  emu::Launch launch;
  launch.block = {32, 1, 1};
  launch.engine = emu::Engine::Interpreter;
  session_ = llvm::cantFail(program_->debug(launch, {0, 0, 0}));
}

std::optional<unsigned> Pool::find(const std::string &line) const {
  const auto it = numbers_.find(line);
  return it == numbers_.end() ? std::nullopt : std::optional(it->second);
}

bool Pool::run(unsigned n) {
  wave().event = emu::Event::None;
  if (!session_->jump(0, offsets_[n]))
    return false;
  auto steps = session_->step(0, 1);
  if (!steps) {
    llvm::consumeError(steps.takeError());
    return false;
  }
  return true;
}

std::vector<std::string> swappedSources(const std::string &line) {
  const size_t begin = line.find(' ');
  if (begin == std::string::npos || line.find("::") != std::string::npos)
    return {};
  std::vector<std::string> parts;
  size_t depth = 0, from = begin + 1;
  for (size_t at = from; at <= line.size(); ++at) {
    const char c = at < line.size() ? line[at] : ',';
    depth += c == '[' || c == '(' ? 1 : 0;
    depth -= c == ']' || c == ')' ? 1 : 0;
    if (depth != 0 || c != ',')
      continue;
    const size_t first = line.find_first_not_of(' ', from);
    parts.push_back(line.substr(first, at - first));
    from = at + 1;
  }
  if (parts.empty())
    return {};
  // Modifiers of the instruction stand behind the last operand.
  const size_t space = parts.back().find(' ');
  const std::string rest = space == std::string::npos ? "" : parts.back().substr(space);
  parts.back().resize(std::min(space, parts.back().size()));
  std::vector<std::string> results;
  for (size_t a = 0; a + 1 < parts.size(); ++a) {
    std::vector<std::string> other = parts;
    std::swap(other[a], other[a + 1]);
    std::string text = line.substr(0, begin);
    for (size_t n = 0; n < other.size(); ++n)
      text += (n ? ", " : " ") + other[n];
    if (text + rest != line)
      results.push_back(text + rest);
  }
  return results;
}

std::vector<std::string> randomLines(uint64_t seed, unsigned count) {
  RandomCode random(seed);
  const auto disassembler = llvm::cantFail(emu::Disassembler::create());
  std::vector<std::string> lines;
  while (lines.size() < count) {
    std::vector<uint32_t> words;
    random.append(words, Kind::Any);
    words.push_back(0xbf800000);
    std::string text = disassembler->text(std::as_bytes(std::span(words)));
    if (const size_t at = text.find_first_not_of(" \t"); at != std::string::npos)
      text = text.substr(at);
    for (char &c : text)
      c = c == '\t' || c == '\n' ? ' ' : c;
    // Memory outside of LDS is not there; see the comment in the test for readfirstlane.
    if (text.empty() || text.starts_with("global_") || text.starts_with(".long"))
      continue;
    lines.push_back(text);
  }
  return lines;
}

} // namespace rdna::test
