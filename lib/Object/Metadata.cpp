#include "Object/Metadata.h"

#include "llvm/BinaryFormat/AMDGPUMetadataVerifier.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/BinaryFormat/MsgPackReader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace rdna::object {

using llvm::msgpack::DocNode;
using llvm::msgpack::MapDocNode;
using llvm::msgpack::Type;

namespace {

/// Whether LLVM's document reader may have the blob: it compares map keys without looking at their
/// kind, which is undefined for keys that are maps, lists or nil, and crashes.
bool isTame(llvm::StringRef blob) {
  struct Level {
    uint64_t left = 0; ///< Nodes still to come; keys and values of a map both count.
    bool isMap = false;
  };
  constexpr size_t maxDepth = 64;
  llvm::msgpack::Reader reader(blob);
  std::vector<Level> levels{{1, false}};
  while (!levels.empty()) {
    Level &level = levels.back();
    if (level.left == 0) {
      levels.pop_back();
      continue;
    }
    const bool isKey = level.isMap && level.left % 2 == 0;
    --level.left;
    llvm::msgpack::Object object;
    llvm::Expected<bool> more = reader.read(object);
    if (!more) {
      llvm::consumeError(more.takeError());
      return false;
    }
    if (!*more || (isKey && object.Kind != Type::String))
      return false;
    switch (object.Kind) {
    case Type::Map:
      levels.push_back({uint64_t{object.Length} * 2, true});
      break;
    case Type::Array:
      levels.push_back({object.Length, false});
      break;
    case Type::Int:
    case Type::UInt:
    case Type::Boolean:
    case Type::Float:
    case Type::String:
    case Type::Nil:
      break;
    default:
      return false;
    }
    if (levels.size() > maxDepth)
      return false;
  }
  return true;
}

/// The entry `key`, or null. Asking a map for a missing key creates it, so find() it is; and asking
/// a node for a kind that it is not is undefined in a release build, so every reader checks.
const DocNode *find(MapDocNode &map, llvm::StringRef key) {
  const auto it = map.find(key);
  return it == map.end() ? nullptr : &it->second;
}

std::optional<uint64_t> unsignedOf(const DocNode &node) {
  if (node.getKind() == Type::UInt)
    return node.getUInt();
  if (node.getKind() == Type::Int && node.getInt() >= 0)
    return static_cast<uint64_t>(node.getInt());
  return std::nullopt;
}

template <typename T> std::optional<T> unsignedEntry(MapDocNode &map, llvm::StringRef key) {
  const DocNode *node = find(map, key);
  const std::optional<uint64_t> value = node ? unsignedOf(*node) : std::nullopt;
  if (!value || *value > std::numeric_limits<T>::max())
    return std::nullopt;
  return static_cast<T>(*value);
}

std::string stringEntry(MapDocNode &map, llvm::StringRef key) {
  const DocNode *node = find(map, key);
  return node && node->getKind() == Type::String ? node->getString().str() : std::string();
}

void readArguments(DocNode &list, Kernel &kernel) {
  for (DocNode &entry : list.getArray()) {
    if (!entry.isMap())
      continue;
    MapDocNode &map = entry.getMap();
    KernelArgument argument;
    argument.name = stringEntry(map, ".name");
    argument.valueKind = stringEntry(map, ".value_kind");
    argument.offset = unsignedEntry<uint32_t>(map, ".offset").value_or(0);
    argument.size = unsignedEntry<uint32_t>(map, ".size").value_or(0);
    kernel.arguments.push_back(std::move(argument));
  }
}

void readKernel(MapDocNode &map, Kernel &kernel) {
  kernel.hasMetadata = true;
  kernel.metadataVgprs = unsignedEntry<unsigned>(map, ".vgpr_count");
  kernel.metadataSgprs = unsignedEntry<unsigned>(map, ".sgpr_count");
  kernel.metadataLdsBytes = unsignedEntry<uint32_t>(map, ".group_segment_fixed_size");
  kernel.metadataScratchBytes = unsignedEntry<uint32_t>(map, ".private_segment_fixed_size");
  kernel.metadataKernargBytes = unsignedEntry<uint32_t>(map, ".kernarg_segment_size");
  kernel.maxFlatWorkgroupSize = unsignedEntry<unsigned>(map, ".max_flat_workgroup_size");
  kernel.wavefrontSize = unsignedEntry<unsigned>(map, ".wavefront_size");
  kernel.vgprSpills = unsignedEntry<unsigned>(map, ".vgpr_spill_count");
  kernel.sgprSpills = unsignedEntry<unsigned>(map, ".sgpr_spill_count");
  const auto size = map.find(".reqd_workgroup_size");
  if (size != map.end() && size->second.isArray() && size->second.getArray().size() == 3) {
    std::array<uint32_t, 3> required{};
    bool valid = true;
    for (size_t i = 0; i < 3; ++i) {
      const std::optional<uint64_t> value = unsignedOf(size->second.getArray()[i]);
      valid &= value && *value <= UINT32_MAX;
      required[i] = static_cast<uint32_t>(value.value_or(0));
    }
    if (valid)
      kernel.requiredWorkgroupSize = required;
  }
  const auto arguments = map.find(".args");
  if (arguments != map.end() && arguments->second.isArray())
    readArguments(arguments->second, kernel);
}

} // namespace

llvm::Error readMetadata(std::string_view blob, CodeObject &object) {
  llvm::msgpack::Document document;
  if (!isTame(blob) || !document.readFromBlob(llvm::StringRef(blob), false))
    return makeError(Failure::BadInput, object.file,
                     "the metadata note is not valid msgpack with names as keys");
  // Not strict: the verifier converts "12" to 12 where a producer wrote strings.
  if (!llvm::AMDGPU::HSAMD::V3::MetadataVerifier(false).verify(document.getRoot()))
    return makeError(Failure::BadInput, object.file,
                     "the metadata note does not describe kernels (LLVM's verifier rejects it)");
  object.hasMetadata = true;
  MapDocNode &root = document.getRoot().getMap();
  const auto kernels = root.find("amdhsa.kernels");
  if (kernels == root.end() || !kernels->second.isArray())
    return llvm::Error::success();
  std::set<std::string> seen;
  for (DocNode &node : kernels->second.getArray()) {
    if (!node.isMap())
      continue;
    MapDocNode &map = node.getMap();
    std::string symbol = stringEntry(map, ".symbol");
    const std::string name = stringEntry(map, ".name");
    if (llvm::StringRef(symbol).ends_with(".kd"))
      symbol.resize(symbol.size() - 3);
    const std::string &key = symbol.empty() ? name : symbol;
    if (!seen.insert(key).second) {
      object.duplicateKernels.push_back(key);
      continue;
    }
    const auto kernel = std::find_if(object.kernels.begin(), object.kernels.end(),
                                     [&](const Kernel &k) { return k.name == key; });
    if (kernel == object.kernels.end())
      object.missingKernels.push_back(key);
    else
      readKernel(map, *kernel);
  }
  return llvm::Error::success();
}

} // namespace rdna::object
