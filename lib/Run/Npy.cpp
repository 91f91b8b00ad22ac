#include "Run/Npy.h"

#include "Support/Diagnostic.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"

#include <fmt/format.h>

namespace rdna::run {

using llvm::StringRef;

static constexpr std::string_view magic = "\x93NUMPY";

namespace {
struct TypeRow {
  std::string_view descr;
  ElementType type;
};
} // namespace

/// Little-endian, as GPUs are. BF16 comes last: its bits can be written, but are not read as such.
static constexpr TypeRow rows[] = {
    {"<f2", ElementType::F16}, {"<f4", ElementType::F32}, {"<f8", ElementType::F64},
    {"|i1", ElementType::I8},  {"|u1", ElementType::U8},  {"<i2", ElementType::I16},
    {"<u2", ElementType::U16}, {"<i4", ElementType::I32}, {"<u4", ElementType::U32},
    {"<i8", ElementType::I64}, {"<u8", ElementType::U64}, {"<u2", ElementType::BF16}};

static llvm::Error bad(std::string_view message) {
  return makeError(Failure::BadInput, "", message);
}

bool isNpy(std::string_view contents) { return contents.starts_with(magic); }

/// What stands behind a key of the header, which is a Python dictionary: {'descr': '<f4', ...}.
static StringRef valueOf(StringRef header, StringRef key) {
  const size_t at = header.find(("'" + key + "'").str());
  return at == StringRef::npos ? StringRef() : header.substr(at).split(':').second.ltrim();
}

static llvm::Expected<std::vector<uint64_t>> shapeOf(StringRef header) {
  StringRef text = valueOf(header, "shape");
  if (!text.consume_front("(") || !text.contains(')'))
    return bad("its header has no shape");
  llvm::SmallVector<StringRef, 4> parts;
  text.split(')').first.split(parts, ',', -1, false);
  std::vector<uint64_t> shape;
  for (const StringRef part : parts)
    if (const StringRef word = part.trim(); !word.empty())
      if (word.getAsInteger(10, shape.emplace_back()))
        return bad("its header has a shape that is none");
  return shape;
}

llvm::Expected<NpyArray> readNpy(std::string_view contents) {
  const StringRef all(contents.data(), contents.size());
  const size_t fixed = all.size() > 6 && all[6] == 1 ? 10 : 12;
  if (!isNpy(contents) || all.size() < fixed || all[6] < 1 || all[6] > 3)
    return bad("no .npy file of version 1 to 3");
  const uint64_t length = fixed == 10 ? llvm::support::endian::read16le(all.data() + 8)
                                      : llvm::support::endian::read32le(all.data() + 8);
  if (all.size() - fixed < length)
    return bad("its header is cut off");
  const StringRef header = all.substr(fixed, length);
  const StringRef descr = valueOf(header, "descr").drop_front(1).split('\'').first;
  const TypeRow *row = nullptr;
  for (const TypeRow &known : rows)
    if (row == nullptr && StringRef(known.descr) == descr)
      row = &known;
  if (row == nullptr)
    return bad(fmt::format("elements of the type '{}' are not known (write x.astype('<f4'))",
                           descr.str()));
  if (!valueOf(header, "fortran_order").starts_with("False"))
    return bad("it is in Fortran's order (write numpy.ascontiguousarray(x))");
  auto shape = shapeOf(header);
  if (!shape)
    return shape.takeError();
  NpyArray array{row->type, std::move(*shape), all.drop_front(fixed + length).str()};
  uint64_t elements = 1;
  for (const uint64_t size : array.shape)
    if (size != 0 && elements > array.data.size() / size)
      return bad("it has fewer elements than its shape says");
    else
      elements *= size;
  if (elements * bytesOf(array.type) != array.data.size())
    return bad(fmt::format("it has {} bytes of elements, its shape says {}", array.data.size(),
                           elements * bytesOf(array.type)));
  return array;
}

std::string npyText(ElementType type, std::string_view bytes) {
  std::string_view descr;
  for (const TypeRow &row : rows)
    if (row.type == type)
      descr = row.descr;
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}",
                                   descr, bytes.size() / bytesOf(type));
  constexpr size_t fixed = 10, alignment = 64;
  header.append((2 * alignment - (fixed + header.size() + 1) % alignment) % alignment, ' ');
  header += '\n';
  std::string text(magic);
  text +=
      {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  return text + header + std::string(bytes);
}

} // namespace rdna::run
