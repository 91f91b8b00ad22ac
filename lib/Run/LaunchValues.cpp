#include "Run/LaunchValues.h"

#include "Run/Kernarg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace rdna::run {

llvm::Expected<std::map<uint32_t, uint32_t>> kernargNumbers(const object::Kernel &kernel,
                                                            const ResolvedLaunch &launch) {
  // Packed twice: where the addresses go, the two differ.
  const std::vector<uint64_t> zeros(launch.arguments.size(), 0),
      ones(launch.arguments.size(), ~uint64_t(0));
  auto low = packKernarg(kernel, launch, zeros);
  if (!low)
    return low.takeError();
  auto high = packKernarg(kernel, launch, ones);
  if (!high)
    return high.takeError();
  std::map<uint32_t, uint32_t> numbers;
  for (uint32_t at = 0; at + 4 <= low->bytes.size(); at += 4) {
    uint32_t value = 0, other = 0;
    std::memcpy(&value, &low->bytes[at], 4);
    std::memcpy(&other, &high->bytes[at], 4);
    if (value == other)
      numbers[at] = value;
  }
  return numbers;
}

llvm::Expected<std::vector<std::string>> outsideGiven(const object::Kernel &kernel,
                                                      const ResolvedLaunch &launch) {
  std::vector<std::string> faults;
  if (kernel.given.empty())
    return faults;
  auto numbers = kernargNumbers(kernel, launch);
  if (!numbers)
    return numbers.takeError();
  for (const object::GivenRange &range : kernel.given) {
    uint32_t least = 0, most = 0;
    switch (range.of) {
    case object::GivenRange::Of::Kernarg: {
      const auto it = numbers->find(range.index);
      if (it == numbers->end()) {
        faults.push_back(fmt::format("the kernel was proven equal for {} only, and the launch "
                                     "passes no number there",
                                     range.text));
        continue;
      }
      least = most = it->second;
      break;
    }
    case object::GivenRange::Of::Workgroup:
      most = launch.grid[range.index] - 1;
      break;
    case object::GivenRange::Of::Workitem:
      most = launch.block[range.index] - 1;
      break;
    }
    if (least < range.least || most > range.most)
      faults.push_back(fmt::format("the kernel was proven equal for {} only, and the launch has {}",
                                   range.text, most > range.most ? most : least));
  }
  return faults;
}

} // namespace rdna::run
