#include "Run/Kernarg.h"

#include "Support/Diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace rdna::run {

namespace {

/// The value of a hidden argument (LLVM AMDGPUUsage, "Code Object V5 Metadata"). What needs a
/// runtime (hostcall, heap, queues) is null: a kernel that uses it fails visibly.
uint64_t hiddenValue(std::string_view kind, const ResolvedLaunch &launch) {
  const auto axis = [&](const std::array<uint32_t, 3> &values) -> uint64_t {
    return kind.ends_with("_x") ? values[0] : kind.ends_with("_y") ? values[1] : values[2];
  };
  if (kind.starts_with("hidden_block_count_"))
    return axis(launch.grid);
  if (kind.starts_with("hidden_group_size_"))
    return axis(launch.block);
  if (kind == "hidden_grid_dims")
    return launch.grid[2] * launch.block[2] > 1 ? 3 : launch.grid[1] * launch.block[1] > 1 ? 2 : 1;
  if (kind == "hidden_dynamic_lds_size")
    return launch.dynamicLdsBytes;
  // hidden_remainder_*: grids are whole workgroups; hidden_global_offset_*: HIP has none.
  return 0;
}

class Packer {
public:
  Packer(const object::Kernel &kernel, const ResolvedLaunch &launch,
         std::span<const uint64_t> addresses)
      : kernel_(kernel), launch_(launch), addresses_(addresses) {}

  llvm::Expected<Kernarg> run() {
    if (llvm::Error error = kernel_.arguments.empty() ? packNaturally() : packByMetadata())
      return error;
    return std::move(out_);
  }

private:
  llvm::Error bad(std::string_view message) const {
    return makeError(Failure::BadInput, "", fmt::format("kernel '{}': {}", kernel_.name, message));
  }
  void put(size_t offset, std::span<const std::byte> bytes) {
    if (out_.bytes.size() < offset + bytes.size())
      out_.bytes.resize(offset + bytes.size());
    std::copy(bytes.begin(), bytes.end(), out_.bytes.begin() + static_cast<ptrdiff_t>(offset));
  }
  void put(size_t offset, const ResolvedArgument &argument) {
    put(offset, argument.bytes);
    for (const ResolvedArgument::Address &address : argument.addresses) {
      const uint64_t value = addresses_[address.buffer] + address.offset;
      put(offset + address.at, std::as_bytes(std::span(&value, 1)));
    }
  }
  llvm::Error packNaturally();
  llvm::Error packByMetadata();

  const object::Kernel &kernel_;
  const ResolvedLaunch &launch_;
  std::span<const uint64_t> addresses_;
  Kernarg out_;
};

llvm::Error Packer::packNaturally() {
  out_.bytes.resize(kernel_.kernargBytes);
  size_t at = 0;
  for (const ResolvedArgument &argument : launch_.arguments) {
    at = (at + argument.alignment - 1) / argument.alignment * argument.alignment;
    put(at, argument);
    at += argument.bytes.size();
  }
  out_.explicitBytes = at;
  // A .s without metadata may still declare its size; then it must be this one or larger.
  if (kernel_.kernargBytes != 0 && at > kernel_.kernargBytes)
    return bad(fmt::format("the launch has {} bytes of arguments, the kernel takes {}", at,
                           kernel_.kernargBytes));
  return llvm::Error::success();
}

/// " (out, n)": what the kernel's source calls its arguments, where that is known.
std::string namesOf(const object::Kernel &kernel) {
  std::string names;
  for (const object::KernelArgument &argument : kernel.arguments) {
    if (argument.valueKind.starts_with("hidden_"))
      continue;
    if (argument.name.empty())
      return {};
    names += (names.empty() ? "" : ", ") + argument.name;
  }
  return names.empty() ? names : " (" + names + ")";
}

llvm::Error Packer::packByMetadata() {
  const uint32_t segment = kernel_.argumentBytes();
  out_.bytes.resize(segment);
  size_t index = 0;
  const size_t expected = static_cast<size_t>(
      std::count_if(kernel_.arguments.begin(), kernel_.arguments.end(),
                    [](const auto &a) { return !a.valueKind.starts_with("hidden_"); }));
  if (expected != launch_.arguments.size())
    return bad(fmt::format("takes {} argument{}{}, the launch has {}", expected,
                           expected == 1 ? "" : "s", namesOf(kernel_), launch_.arguments.size()));
  for (const object::KernelArgument &argument : kernel_.arguments) {
    if (uint64_t{argument.offset} + argument.size > segment)
      return bad(fmt::format("argument at offset {} lies outside the {} kernarg bytes",
                             argument.offset, segment));
    if (argument.valueKind.starts_with("hidden_")) {
      const uint64_t hidden = hiddenValue(argument.valueKind, launch_);
      const auto bytes = std::as_bytes(std::span(&hidden, 1));
      put(argument.offset, bytes.first(std::min<size_t>(argument.size, 8)));
      continue;
    }
    const ResolvedArgument &given = launch_.arguments[index];
    // Assemblers' own kernels declare addresses as 64-bit numbers: by_value takes anything.
    if (given.isAddress()
            ? argument.valueKind != "global_buffer" && argument.valueKind != "by_value"
            : argument.valueKind == "global_buffer")
      return bad(fmt::format("{} is {} in the launch, but {} for the kernel", given.name,
                             given.isAddress() ? "a buffer" : "a number", argument.valueKind));
    if (given.bytes.size() != argument.size)
      return bad(fmt::format("{} has {} bytes in the launch, but {} for the kernel", given.name,
                             given.bytes.size(), argument.size));
    put(argument.offset, given);
    out_.explicitBytes = std::max<size_t>(out_.explicitBytes, argument.offset + argument.size);
    ++index;
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<Kernarg> packKernarg(const object::Kernel &kernel, const ResolvedLaunch &launch,
                                    std::span<const uint64_t> bufferAddresses) {
  return Packer(kernel, launch, bufferAddresses).run();
}

} // namespace rdna::run
