#include "HipRuntime/Compare.h"

#include "HipRuntime/Hostcall.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace rdna::hip {

namespace {

using Bytes = std::span<const std::byte>;

bool isNan(uint32_t word) { return (word & 0x7fffffff) > 0x7f800000; }

uint32_t wordAt(Bytes bytes, size_t at) {
  uint32_t word = 0;
  std::memcpy(&word, bytes.data() + at, std::min<size_t>(4, bytes.size() - at));
  return word;
}

std::string shown(uint32_t word) {
  float value;
  std::memcpy(&value, &word, sizeof value);
  return fmt::format("{:#010x} ({})", word, value);
}

/// Adds what differs between a piece of memory and what the original left there.
void addDifferences(Bytes original, Bytes now, const std::string &name,
                    std::optional<MemoryCopy::Difference> &all) {
  if (original.empty() || std::memcmp(original.data(), now.data(), original.size()) == 0)
    return;
  for (size_t at = 0; at < original.size(); at += 4) {
    const uint32_t before = wordAt(original, at), after = wordAt(now, at);
    if (before == after || (isNan(before) && isNan(after)))
      continue;
    if (!all)
      all = {fmt::format("the rewritten kernel leaves {} at byte {} of {}, the original {}",
                         shown(after), at, name, shown(before)),
             0};
    ++all->dwords;
  }
}

std::string_view codeOf(const CodeModule &module, const object::Kernel &kernel) {
  const std::vector<std::byte> &image = module.object().image;
  if (kernel.entryAddress > image.size() || kernel.codeBytes > image.size() - kernel.entryAddress)
    return {};
  return {reinterpret_cast<const char *>(image.data()) + kernel.entryAddress, kernel.codeBytes};
}

/// Whether some word of the variable is an address that the loader has filled in.
bool holdsAddresses(const CodeModule &module, const Global &global) {
  const uint64_t begin = global.address - reinterpret_cast<uint64_t>(module.image());
  return std::any_of(module.object().addressWords.begin(), module.object().addressWords.end(),
                     [&](uint64_t at) { return at + 8 > begin && at < begin + global.bytes; });
}

} // namespace

ModuleKernel *originalOf(const ModuleKernel &kernel) {
  CodeModule *module = kernel.module().original();
  ModuleKernel *original = module ? module->kernel(kernel.kernel().name) : nullptr;
  if (!original || codeOf(*module, original->kernel()) == codeOf(kernel.module(), kernel.kernel()))
    return nullptr;
  return original;
}

MemoryCopy::MemoryCopy(const DeviceMemory &memory) {
  for (const auto &[address, allocation] : memory.allocations()) {
    if (allocation.kind == Allocation::Kind::Code || allocation.function == hostcallName)
      continue;
    auto *data = reinterpret_cast<std::byte *>(address);
    pieces_.push_back({data, allocation.name(), {data, data + allocation.bytes}});
  }
}

void MemoryCopy::restore() const {
  for (const Piece &piece : pieces_)
    if (std::memcmp(piece.data, piece.bytes.data(), piece.bytes.size()) != 0)
      std::memcpy(piece.data, piece.bytes.data(), piece.bytes.size());
}

std::optional<MemoryCopy::Difference> MemoryCopy::compare(const DeviceMemory &memory) const {
  std::optional<Difference> all;
  for (const Piece &piece : pieces_)
    if (memory.allocations().contains(reinterpret_cast<uint64_t>(piece.data)))
      addDifferences(piece.bytes, {piece.data, piece.bytes.size()}, piece.name, all);
  return all;
}

VariablesCopy::VariablesCopy(const CodeModule &module) {
  for (const auto &[name, global] : module.globals()) {
    // A kernel's descriptor is an object, too, and belongs to its code.
    if (name.ends_with(".kd") || global.bytes == 0 || holdsAddresses(module, global))
      continue;
    const auto *data = reinterpret_cast<const std::byte *>(global.address);
    values_[name] = {data, data + global.bytes};
  }
}

void VariablesCopy::copyTo(const CodeModule &module) const {
  for (const auto &[name, bytes] : values_)
    if (const auto global = module.global(name);
        global && global->bytes == bytes.size() && !holdsAddresses(module, *global))
      std::memcpy(reinterpret_cast<void *>(global->address), bytes.data(), bytes.size());
}

std::optional<MemoryCopy::Difference> VariablesCopy::compare(const CodeModule &module) const {
  std::optional<MemoryCopy::Difference> all;
  for (const auto &[name, bytes] : values_)
    if (const auto global = module.global(name);
        global && global->bytes == bytes.size() && !holdsAddresses(module, *global))
      addDifferences(bytes, {reinterpret_cast<const std::byte *>(global->address), bytes.size()},
                     fmt::format("the variable {}", name), all);
  return all;
}

} // namespace rdna::hip
