// numpy's files: what is written is read again, and what is wrong is refused.
#include "Run/Npy.h"

#include "Support/Diagnostic.h"

#include <gtest/gtest.h>

namespace rdna::run::runNpyTest {

static std::string reasonOf(std::string_view contents) {
  llvm::Expected<NpyArray> array = readNpy(contents);
  if (array)
    return "";
  return llvm::toString(array.takeError());
}

/// A file of version 1 with this header, and the bytes behind it.
static std::string fileWith(std::string header, const std::string &bytes) {
  header += '\n';
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header + bytes;
}

TEST(NpyTest, WhatIsWrittenIsReadAgain) {
  const std::string bytes = "abcdefgh12345678";
  for (const ElementType type : {ElementType::F16, ElementType::F32, ElementType::F64,
                                 ElementType::I8, ElementType::U16, ElementType::I64}) {
    const std::string text = npyText(type, bytes);
    EXPECT_EQ((text.size() - bytes.size()) % 64, 0U) << "numpy wants elements aligned";
    llvm::Expected<NpyArray> array = readNpy(text);
    ASSERT_TRUE(bool(array)) << llvm::toString(array.takeError());
    EXPECT_EQ(array->type, type);
    EXPECT_EQ(array->data, bytes);
    EXPECT_EQ(array->shape, std::vector<uint64_t>{bytes.size() / bytesOf(type)});
  }
}

TEST(NpyTest, ShapesOfNumpy) {
  auto array =
      readNpy(fileWith("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }", "12345678"));
  ASSERT_TRUE(bool(array));
  EXPECT_EQ(array->shape, (std::vector<uint64_t>{2, 1}));
  EXPECT_TRUE(
      bool(readNpy(fileWith("{'descr': '|u1', 'fortran_order': False, 'shape': (), }", "1"))))
      << "a single number";
}

TEST(NpyTest, WhatIsWrongIsRefused) {
  EXPECT_NE(reasonOf("\x93NUMPY"), "");
  EXPECT_NE(reasonOf(std::string("\x93NUMPY\1\0\xff\xff", 10)), "") << "the header is cut off";
  const std::string big = "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }";
  EXPECT_NE(reasonOf(fileWith(big, "1234")).find("'>f4' are not known"), std::string::npos);
  const std::string fortran = "{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }";
  EXPECT_NE(reasonOf(fileWith(fortran, "1234")).find("Fortran"), std::string::npos);
  const std::string two = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  EXPECT_NE(reasonOf(fileWith(two, "1234")), "") << "one element for two";
  EXPECT_NE(reasonOf(fileWith(two, "123456789abc")), "") << "three elements for two";
  const std::string huge =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9), }";
  EXPECT_NE(reasonOf(fileWith(huge, "1234")), "") << "a product that wraps";
}

} // namespace rdna::run::runNpyTest
