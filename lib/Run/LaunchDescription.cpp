#include "Run/LaunchDescription.h"

#include "Support/Diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace rdna::run {

LaunchDescription sgemmDescription(const SgemmOptions &options) {
  LaunchDescription description;
  description.grid = {fmt::format("(N+{})/{}", options.tile[0] - 1, options.tile[0]),
                      fmt::format("(N+{})/{}", options.tile[1] - 1, options.tile[1]), "1"};
  for (size_t i = 0; i < 3; ++i)
    description.block[i] = fmt::format("{}", options.block[i]);
  using Role = BufferArgument::Role;
  for (const Role role : {Role::Input, Role::Input, Role::Output}) {
    BufferArgument matrix;
    matrix.bytes = "4*N*N";
    matrix.role = role;
    description.arguments.push_back({"", std::move(matrix), {}});
  }
  description.arguments.push_back({"", ValueArgument{ElementType::I32, {Formula("N")}}, {}});
  description.arguments.push_back({"", ValueArgument{ElementType::F32, {1.25}}, {}});
  description.arguments.push_back({"", ValueArgument{ElementType::F32, {0.5}}, {}});
  description.parameters["N"] = 256;
  return description;
}

static constexpr size_t addressBytes = 8;

size_t addBuffer(ResolvedLaunch &launch, ResolvedBuffer buffer) {
  ResolvedArgument argument;
  argument.name = buffer.name;
  argument.bytes.resize(addressBytes);
  argument.alignment = addressBytes;
  argument.addresses = {{0, launch.buffers.size(), 0}};
  launch.arguments.push_back(std::move(argument));
  launch.buffers.push_back(std::move(buffer));
  return launch.buffers.size() - 1;
}

namespace {

/// What an unnamed argument is called: "arg2", and the second field of it "arg2.1".
std::string nameOf(const Argument &argument, const std::string &prefix, size_t index) {
  return argument.name.empty() ? fmt::format("{}{}", prefix, index) : argument.name;
}

class Resolver {
public:
  Resolver(const LaunchDescription &description, ResolvedLaunch &out)
      : description_(description), out_(out) {}
  llvm::Error run(const Parameters &overrides);

private:
  llvm::Error bad(const Place &place, std::string message) const {
    return makeError(Failure::BadInput,
                     Diagnostic{Severity::Error, description_.file, place.line, place.column,
                                std::move(message), place.sourceLine});
  }
  llvm::Expected<int64_t> evaluated(const Formula &formula) const {
    return evaluate(formula, out_.parameters, description_.file);
  }
  llvm::Expected<uint64_t> size(std::string_view what, const Formula &formula, uint64_t least,
                                uint64_t most) const;
  llvm::Error sizes();
  llvm::Error buffers(const std::vector<Argument> &list, const std::string &prefix, uint64_t seed);
  llvm::Error buffer(const Argument &argument, std::string name, uint64_t seed);
  llvm::Error argument(const Argument &argument, ResolvedArgument &out);
  llvm::Error values(const ValueArgument &argument, const Place &place, ResolvedArgument &out);
  llvm::Error address(const AddressArgument &argument, const Place &place, ResolvedArgument &out);
  llvm::Error fields(const StructArgument &argument, ResolvedArgument &out);

  const LaunchDescription &description_;
  ResolvedLaunch &out_;
  size_t nextBuffer_ = 0;
};

/// Evaluates and checks the range.
llvm::Expected<uint64_t> Resolver::size(std::string_view what, const Formula &formula,
                                        uint64_t least, uint64_t most) const {
  llvm::Expected<int64_t> value = evaluated(formula);
  if (!value)
    return value.takeError();
  if (*value < static_cast<int64_t>(least) || *value > static_cast<int64_t>(most))
    return bad(formula.place,
               fmt::format("{} is {}; it must lie in {}..{}", what, *value, least, most));
  return static_cast<uint64_t>(*value);
}

llvm::Error Resolver::sizes() {
  for (size_t i = 0; i < 3; ++i) {
    llvm::Expected<uint64_t> grid = size("the grid", description_.grid[i], 1, INT32_MAX);
    if (!grid)
      return grid.takeError();
    llvm::Expected<uint64_t> block = size("the block", description_.block[i], 1, 1024);
    if (!block)
      return block.takeError();
    out_.grid[i] = static_cast<uint32_t>(*grid);
    out_.block[i] = static_cast<uint32_t>(*block);
  }
  if (uint64_t{out_.block[0]} * out_.block[1] * out_.block[2] > 1024)
    return bad(description_.block[0].place, "a workgroup has at most 1024 work-items");
  llvm::Expected<uint64_t> lds = size("lds", description_.lds, 0, 65536);
  if (!lds)
    return lds.takeError();
  out_.dynamicLdsBytes = static_cast<uint32_t>(*lds);
  return llvm::Error::success();
}

llvm::Error Resolver::buffer(const Argument &argument, std::string name, uint64_t seed) {
  const auto &described = std::get<BufferArgument>(argument.value);
  ResolvedBuffer out;
  out.name = std::move(name);
  out.type = described.type;
  out.init = described.init;
  out.seed = described.seed.value_or(seed);
  out.role = described.role;
  out.contents = described.contents;
  out.expected = described.expected;
  llvm::Expected<uint64_t> bytes =
      size("the size of " + out.name, described.bytes, 0, uint64_t{1} << 40);
  if (!bytes)
    return bytes.takeError();
  out.bytes = *bytes;
  const Place &place = described.bytes.place;
  if (out.bytes % bytesOf(out.type) != 0)
    return bad(place, fmt::format("the size of {} ({} bytes) is no multiple of its elements'",
                                  out.name, out.bytes));
  for (const auto &[contents, what] :
       {std::pair(out.contents, "its contents"),
        std::pair(out.expected ? out.expected->contents : nullptr, "what it is expected to be")})
    if (contents && contents->size() != out.bytes)
      return bad(place, fmt::format("{} has {} bytes; the file of {} has {}", out.name, out.bytes,
                                    what, contents->size()));
  for (const ResolvedBuffer &other : out_.buffers)
    if (other.name == out.name)
      return bad(argument.place, fmt::format("two buffers are called '{}'", out.name));
  out_.buffers.push_back(std::move(out));
  return llvm::Error::success();
}

/// All buffers before any argument: an address may be of one that is described further down.
llvm::Error Resolver::buffers(const std::vector<Argument> &list, const std::string &prefix,
                              uint64_t seed) {
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string name = nameOf(list[i], prefix, i);
    if (std::holds_alternative<BufferArgument>(list[i].value)) {
      if (llvm::Error error = buffer(list[i], name, seed + i))
        return error;
    } else if (const auto *fields = std::get_if<StructArgument>(&list[i].value)) {
      // Apart from those of the other arguments.
      if (llvm::Error error = buffers(fields->fields, name + ".", (seed + i) * 4096))
        return error;
    }
  }
  return llvm::Error::success();
}

llvm::Error Resolver::values(const ValueArgument &argument, const Place &place,
                             ResolvedArgument &out) {
  const ElementType type = argument.type;
  const unsigned bytes = bytesOf(type), bits = bytes * 8;
  out.alignment = bytes;
  out.bytes.resize(argument.values.size() * bytes);
  if (argument.values.size() == 1)
    out.type = type;
  std::byte *at = out.bytes.data();
  for (const Number &number : argument.values) {
    if (const auto *constant = std::get_if<double>(&number)) {
      storeElement(at, type, *constant);
    } else {
      const Formula &formula = std::get<Formula>(number);
      llvm::Expected<int64_t> value = evaluated(formula);
      if (!value)
        return value.takeError();
      // The value must survive the round trip through the type, by either signedness: -1 for u32
      // is as common as 0xffffffff for i32.
      if (!isFloat(type) && bits < 64 &&
          (*value >= int64_t{1} << bits || *value < -(int64_t{1} << (bits - 1))))
        return bad(
            formula.place.line != 0 ? formula.place : place,
            fmt::format("{} is {}, which {} does not hold", out.name, *value, toString(type)));
      if (isFloat(type))
        storeElement(at, type, static_cast<double>(*value));
      else
        std::memcpy(at, &*value, bytes);
    }
    at += bytes;
  }
  return llvm::Error::success();
}

llvm::Error Resolver::address(const AddressArgument &argument, const Place &place,
                              ResolvedArgument &out) {
  size_t index = 0;
  while (index < out_.buffers.size() && out_.buffers[index].name != argument.buffer)
    ++index;
  if (index == out_.buffers.size())
    return bad(place, fmt::format("{} is the same as '{}', but no buffer has this name", out.name,
                                  argument.buffer));
  llvm::Expected<uint64_t> offset =
      size("the offset of " + out.name, argument.offset, 0, out_.buffers[index].bytes);
  if (!offset)
    return offset.takeError();
  out.alignment = addressBytes;
  out.bytes.resize(addressBytes);
  out.addresses = {{0, index, *offset}};
  return llvm::Error::success();
}

llvm::Error Resolver::fields(const StructArgument &argument, ResolvedArgument &out) {
  const bool packed = argument.layout == StructArgument::Layout::Packed;
  const auto align = [&](size_t alignment) {
    if (!packed)
      out.bytes.resize((out.bytes.size() + alignment - 1) / alignment * alignment);
  };
  for (size_t i = 0; i < argument.fields.size(); ++i) {
    ResolvedArgument field;
    field.name = nameOf(argument.fields[i], out.name + ".", i);
    if (llvm::Error error = this->argument(argument.fields[i], field))
      return error;
    align(field.alignment);
    for (ResolvedArgument::Address address : field.addresses) {
      address.at += out.bytes.size();
      out.addresses.push_back(address);
    }
    out.bytes.insert(out.bytes.end(), field.bytes.begin(), field.bytes.end());
    if (!packed)
      out.alignment = std::max(out.alignment, field.alignment);
  }
  align(out.alignment);
  return llvm::Error::success();
}

llvm::Error Resolver::argument(const Argument &argument, ResolvedArgument &out) {
  if (const auto *values = std::get_if<ValueArgument>(&argument.value))
    return this->values(*values, argument.place, out);
  if (const auto *address = std::get_if<AddressArgument>(&argument.value))
    return this->address(*address, argument.place, out);
  if (const auto *fields = std::get_if<StructArgument>(&argument.value))
    return this->fields(*fields, out);
  out.alignment = addressBytes;
  out.bytes.resize(addressBytes);
  out.addresses = {{0, nextBuffer_++, 0}};
  return llvm::Error::success();
}

static std::string namesOf(const Parameters &parameters) {
  std::string names;
  for (const auto &[name, value] : parameters)
    names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "none" : names;
}

llvm::Error Resolver::run(const Parameters &overrides) {
  out_.kernel = description_.kernel;
  out_.parameters = description_.parameters;
  for (const auto &[name, value] : overrides) {
    const auto known = out_.parameters.find(name);
    if (known == out_.parameters.end())
      return makeError(Failure::BadInput, "",
                       fmt::format("the launch description has no parameter '{}'; it has {}", name,
                                   namesOf(description_.parameters)));
    known->second = value;
  }
  if (llvm::Error error = sizes())
    return error;
  // Seeds apart from those of the arguments.
  if (llvm::Error error = buffers(description_.buffers, "buffer", 1u << 20))
    return error;
  nextBuffer_ = out_.buffers.size();
  if (llvm::Error error = buffers(description_.arguments, "arg", 1))
    return error;
  for (size_t i = 0; i < description_.arguments.size(); ++i) {
    ResolvedArgument &out = out_.arguments.emplace_back();
    out.name = nameOf(description_.arguments[i], "arg", i);
    if (llvm::Error error = argument(description_.arguments[i], out))
      return error;
  }
  if (!description_.gemm) {
    out_.gemm = recognizedGemm(out_);
    return llvm::Error::success();
  }
  llvm::Expected<GemmShape> gemm = resolveGemm(*description_.gemm, out_);
  if (!gemm)
    return gemm.takeError();
  out_.gemm = *gemm;
  return llvm::Error::success();
}

} // namespace

llvm::Expected<ResolvedLaunch> resolve(const LaunchDescription &description,
                                       const Parameters &overrides) {
  ResolvedLaunch out;
  if (llvm::Error error = Resolver(description, out).run(overrides))
    return error;
  return out;
}

} // namespace rdna::run
