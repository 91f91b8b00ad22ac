#include "ObjectSample.h"
#include "Run/Expression.h"
#include "Run/LaunchDescription.h"

#include <cstring>

namespace runLaunchTest {

using namespace rdna;
using namespace rdna::run;
using rdna::test::messageOf;

namespace {

int64_t value(std::string_view text, const Parameters &parameters = {}) {
  llvm::Expected<int64_t> result = evaluate(text, parameters);
  if (result)
    return *result;
  std::string message;
  renderError(result.takeError(), "test", message);
  ADD_FAILURE() << message;
  return 0;
}

std::string refusedExpression(std::string_view text) {
  return messageOf(evaluate(text, {{"N", 256}}), Failure::BadInput);
}

TEST(RunExpression, Values) {
  const Parameters n{{"N", 300}, {"tile_x", 128}};
  EXPECT_EQ(value("42"), 42);
  EXPECT_EQ(value("0x10"), 16);
  EXPECT_EQ(value("2+3*4"), 14);
  EXPECT_EQ(value("(2+3)*4"), 20);
  EXPECT_EQ(value("10-3-2"), 5);
  EXPECT_EQ(value("100/7/2"), 7);
  EXPECT_EQ(value("17%5*2"), 4);
  EXPECT_EQ(value("-3+5"), 2);
  EXPECT_EQ(value("- -3"), 3);
  EXPECT_EQ(value(" ( N + 127 ) / tile_x ", n), 3);
  EXPECT_EQ(value("4*N*N", n), 360000);
}

TEST(RunExpression, Refusals) {
  for (const char *text : {"", "1+", "(1", "1)", "1 2", "*2", "N N", "12ab", "0x", "&", "2**3"})
    EXPECT_NE(refusedExpression(text).find("in the expression"), std::string::npos) << text;
  EXPECT_NE(refusedExpression("M").find("unknown parameter 'M'"), std::string::npos);
  EXPECT_NE(refusedExpression("1/0").find("division by zero"), std::string::npos);
  EXPECT_NE(refusedExpression("1%0").find("division by zero"), std::string::npos);
  EXPECT_NE(refusedExpression("9223372036854775807+1").find("64 bits"), std::string::npos);
  EXPECT_NE(refusedExpression("9223372036854775807*2").find("64 bits"), std::string::npos);
  EXPECT_NE(refusedExpression("(0-9223372036854775807-1)/-1").find("64 bits"), std::string::npos);
  EXPECT_NE(refusedExpression("99999999999999999999").find("not a number"), std::string::npos);
  EXPECT_NE(refusedExpression(std::string(100000, '(')).find("deep"), std::string::npos);
  EXPECT_NE(refusedExpression(std::string(100000, '-') + "1").find("deep"), std::string::npos);
}

constexpr std::string_view gemv = R"({
  "kernel": "gemv", "grid": ["(N+63)/64"], "block": [64, 1, 1], "lds": "N*4",
  "args": [
    {"buffer": "4*N*N", "type": "f32", "init": "ramp", "seed": 7},
    {"buffer": "2*N", "type": "f16", "output": true},
    {"i32": "N"}, {"f32": 1.25}, {"u8": 255}, {"f64": "N/2"}, {"i64": -1}
  ],
  "params": {"N": 100}
})";

std::string refusedLaunch(std::string_view text) {
  return messageOf(parseLaunchDescription(text, "l.json"), Failure::BadInput);
}

TEST(RunLaunch, Description) {
  llvm::Expected<LaunchDescription> description = parseLaunchDescription(gemv, "l.json");
  ASSERT_TRUE(static_cast<bool>(description));
  llvm::Expected<ResolvedLaunch> launch = resolve(*description, {{"N", 130}});
  ASSERT_TRUE(static_cast<bool>(launch));
  EXPECT_EQ(launch->kernel, "gemv");
  EXPECT_EQ(launch->grid, (std::array<uint32_t, 3>{3, 1, 1}));
  EXPECT_EQ(launch->block, (std::array<uint32_t, 3>{64, 1, 1}));
  EXPECT_EQ(launch->dynamicLdsBytes, 520u);
  ASSERT_EQ(launch->arguments.size(), 7u);
  ASSERT_EQ(launch->buffers.size(), 2u);
  const ResolvedBuffer &matrix = launch->buffers[0];
  EXPECT_EQ(matrix.bytes, 4u * 130 * 130);
  EXPECT_EQ(matrix.init, Init::Ramp);
  EXPECT_EQ(matrix.seed, 7u);
  const ResolvedBuffer &vector = launch->buffers[1];
  EXPECT_EQ(vector.type, ElementType::F16);
  EXPECT_EQ(vector.role, BufferArgument::Role::Output);
  EXPECT_EQ(launch->arguments[2].number(), 130);
  EXPECT_EQ(launch->arguments[3].number(), 1.25);
  EXPECT_EQ(launch->arguments[4].number(), 255);
  EXPECT_EQ(launch->arguments[5].number(), 65);
  EXPECT_EQ(launch->arguments[6].number(), -1);
  EXPECT_FALSE(launch->gemm);
  EXPECT_NE(messageOf(resolve(*description, {{"M", 1}}), Failure::BadInput).find("'M'"),
            std::string::npos);
}

TEST(RunLaunch, SyntaxErrorsHaveTheirPlace) {
  EXPECT_EQ(refusedLaunch("{\n  \"grid\": [1,\n}").find("l.json:3:1: error: not valid JSON"), 0u);
  EXPECT_EQ(refusedLaunch("").find("l.json:1:1: error"), 0u);
}

TEST(RunLaunch, Refusals) {
  const std::pair<const char *, const char *> cases[] = {
      {"[]", "must be an object"},
      {R"({"block": [1], "args": []})", "\"grid\" is missing"},
      {R"({"grid": [1], "block": [1], "args": [], "arg": []})", "unknown key \"arg\""},
      {R"({"grid": [], "block": [1], "args": []})", "one to three"},
      {R"({"grid": [1,1,1,1], "block": [1], "args": []})", "one to three"},
      {R"({"grid": [1.5], "block": [1], "args": []})", "integer or an expression"},
      {R"({"grid": [1], "block": [1], "args": {}})", "must be a list"},
      {R"({"grid": [1], "block": [1], "args": [3]})", "args[0]"},
      {R"({"grid": [1], "block": [1], "args": [{"buffer": 4, "typ": "f32"}]})", "\"typ\""},
      {R"({"grid": [1], "block": [1], "args": [{"buffer": 4, "type": "f31"}]})", "\"type\""},
      {R"({"grid": [1], "block": [1], "args": [{"buffer": 4, "init": "rnd"}]})", "\"init\""},
      {R"({"grid": [1], "block": [1], "args": [{"buffer": 4, "seed": -1}]})", "\"seed\""},
      {R"({"grid": [1], "block": [1], "args": [{"buffer": 4, "output": 1}]})", "\"output\""},
      {R"({"grid": [1], "block": [1], "args": [{"i33": 4}]})", "\"i33\""},
      {R"({"grid": [1], "block": [1], "args": [{"i32": 4, "u32": 5}]})", "exactly one"},
      {R"({"grid": [1], "block": [1], "args": [], "params": {"N": "x"}})", "\"N\""},
      {R"({"grid": [1], "block": [1], "args": [], "kernel": 1})", "\"kernel\""},
      {R"({"grid": [1], "block": [1], "args": [{"i32x3": [1, 2]}]})", "a list of 3 numbers"},
      {R"({"grid": [1], "block": [1], "args": [{"i32x0": []}]})", "\"i32x0\""},
      {R"({"grid": [1], "block": [1], "args": [{"i32x9999999999": []}]})", "unknown key"},
      {R"({"grid": [1], "block": [1], "args": [{"bytes": []}]})", "1 to 4096 bytes"},
      {R"({"grid": [1], "block": [1], "args": [{"bytes": 7}]})", "1 to 4096 bytes"},
      {R"({"grid": [1], "block": [1], "args": [{"struct": [3]}]})", "must be an object"},
      {R"({"grid": [1], "block": [1], "args": [{"struct": 3}]})", "must be a list"},
      {R"({"grid": [1], "block": [1], "args": [{"file": "no-such-file"}]})", "no-such-file"},
      {R"({"grid": [1], "block": [1], "args": [{"file": "f", "buffer": 4}]})", "\"init\""},
      {R"({"grid": [1], "block": [1], "args": [{"workspace": 4, "output": true}]})", "workspace"},
      {R"({"grid": [1], "block": [1], "args": [{"buffer": 4, "expected": {"file": "f"}}]})",
       "only an output"},
      {R"({"grid": [1], "block": [1], "args": [{"i32": 1, "name": "a"}, {"i32": 1, "name": "a"}]})",
       "two arguments are called \"a\""},
  };
  for (const auto &[text, reason] : cases)
    EXPECT_NE(refusedLaunch(text).find(reason), std::string::npos) << text;
}

TEST(RunLaunch, ErrorsOfValuesHaveTheirPlace) {
  EXPECT_EQ(refusedLaunch("{\"grid\": [1],\n \"block\": [1],\n \"args\": [{\"i33\": 4}]}")
                .find("l.json:3:12: error: unknown key \"i33\" in args[0]"),
            0u);
  // An escaped quote, a brace in a string and a second key of one name do not lead astray.
  EXPECT_EQ(refusedLaunch("{\"kernel\": \"\\\"{,\", \"block\": [2], \"block\": [1],\n\"grid\": []}")
                .find("l.json:1:1: error: \"args\""),
            0u);
}

/// The bytes of the only argument, and what else the launch has.
ResolvedLaunch packed(const std::string &argument) {
  const std::string text =
      R"({"grid": [1], "block": [1], "params": {"N": 3}, "args": [)" + argument + "]}";
  llvm::Expected<LaunchDescription> description = parseLaunchDescription(text, "l.json");
  llvm::Expected<ResolvedLaunch> launch =
      description ? resolve(*description, {}) : description.takeError();
  if (launch)
    return std::move(*launch);
  std::string message;
  renderError(launch.takeError(), "test", message);
  ADD_FAILURE() << message;
  return {};
}

template <typename T> T at(const ResolvedArgument &argument, size_t offset) {
  T value{};
  EXPECT_LE(offset + sizeof value, argument.bytes.size());
  std::memcpy(&value, argument.bytes.data() + offset, sizeof value);
  return value;
}

TEST(RunLaunch, SeveralNumbersInOneArgument) {
  ResolvedArgument sizes = packed(R"({"u32x3": ["N", "N+1", -1]})").arguments.at(0);
  EXPECT_EQ(sizes.bytes.size(), 12u);
  EXPECT_EQ(at<uint32_t>(sizes, 4), 4u);
  EXPECT_EQ(at<uint32_t>(sizes, 8), 0xffffffffu);
  EXPECT_FALSE(sizes.number());
  const ResolvedArgument halves = packed(R"({"f16x2": [1, 0.5]})").arguments.at(0);
  EXPECT_EQ(at<uint32_t>(halves, 0), 0x38003c00u);
  const ResolvedArgument bytes = packed(R"({"bytes": [1, "N", 255]})").arguments.at(0);
  EXPECT_EQ(bytes.bytes.size(), 3u);
  EXPECT_EQ(at<uint8_t>(bytes, 1), 3u);
  EXPECT_EQ(at<uint8_t>(bytes, 2), 255u);
}

TEST(RunLaunch, Structs) {
  const std::string fields = R"([{"u8": 7}, {"buffer": 16, "name": "x"}, {"f32": 0.5},
      {"struct": [{"i16": 2}, {"u64": 9}]}, {"same_as": "x", "offset": 8}, {"u8": 1}])";
  const ResolvedLaunch natural = packed(R"({"struct": )" + fields + "}");
  const ResolvedArgument &argument = natural.arguments.at(0);
  EXPECT_EQ(argument.bytes.size(), 56u); // 1, 8, 16, 24..40, 40, 48, and padding.
  EXPECT_EQ(argument.alignment, 8u);
  EXPECT_EQ(at<float>(argument, 16), 0.5f);
  EXPECT_EQ(at<int16_t>(argument, 24), 2);
  EXPECT_EQ(at<uint64_t>(argument, 32), 9u);
  ASSERT_EQ(argument.addresses.size(), 2u);
  EXPECT_EQ(argument.addresses[0].at, 8u);
  EXPECT_EQ(argument.addresses[1].at, 40u);
  EXPECT_EQ(argument.addresses[1].offset, 8u);
  ASSERT_EQ(natural.buffers.size(), 1u);
  EXPECT_EQ(natural.buffers[0].name, "x");
  const ResolvedLaunch tight = packed(R"({"packed": true, "struct": )" + fields + "}");
  EXPECT_EQ(tight.arguments.at(0).bytes.size(), 1u + 8 + 4 + 16 + 8 + 1);
  EXPECT_EQ(tight.arguments.at(0).addresses.at(0).at, 1u);
}

TEST(RunLaunch, Workspaces) {
  const ResolvedLaunch launch = packed(R"({"workspace": "4*N"}, {"workspace": 8, "init": "zero"})");
  EXPECT_EQ(launch.buffers.at(0).role, BufferArgument::Role::Workspace);
  EXPECT_EQ(launch.buffers.at(0).bytes, 12u);
  EXPECT_EQ(launch.buffers.at(0).init, Init::Undefined);
  EXPECT_EQ(launch.buffers.at(1).init, Init::Zero);
}

TEST(RunLaunch, SizesAreChecked) {
  const auto refused = [](std::string_view text) {
    llvm::Expected<LaunchDescription> description = parseLaunchDescription(text, "l.json");
    if (!description) {
      ADD_FAILURE() << text;
      llvm::consumeError(description.takeError());
      return std::string();
    }
    return messageOf(resolve(*description, {}), Failure::BadInput);
  };
  EXPECT_NE(refused(R"({"grid": [0], "block": [1], "args": []})").find("grid"), std::string::npos);
  EXPECT_NE(refused(R"({"grid": ["0-1"], "block": [1], "args": []})").find("grid"),
            std::string::npos);
  EXPECT_NE(refused(R"({"grid": [1], "block": [1025], "args": []})").find("block"),
            std::string::npos);
  EXPECT_NE(refused(R"({"grid": [1], "block": [64, 32], "args": []})").find("1024"),
            std::string::npos);
  EXPECT_NE(refused(R"({"grid": [1], "block": [1], "args": [], "lds": 65537})").find("lds"),
            std::string::npos);
  EXPECT_NE(refused(R"({"grid": [1], "block": [1], "args": [{"buffer": 6}]})").find("multiple"),
            std::string::npos);
  EXPECT_NE(refused(R"({"grid": [1], "block": [1], "args": [{"buffer": -4}]})").find("arg0"),
            std::string::npos);
  EXPECT_NE(refused(R"({"grid": [1], "block": [1], "args": [{"u8": 256}]})").find("u8"),
            std::string::npos);
  EXPECT_NE(refused(R"({"grid": [1], "block": [1], "args": [{"i32": "M"}]})")
                .find("l.json:1:46: error: in the expression 'M': unknown parameter 'M'"),
            std::string::npos);
  EXPECT_NE(refused(R"({"grid": [1], "block": [1], "args": [{"bytes": [1, 256]}]})").find("u8"),
            std::string::npos);
  EXPECT_NE(refused(R"({"grid": [1], "block": [1], "args": [{"same_as": "D"}]})").find("'D'"),
            std::string::npos);
  EXPECT_NE(refused(R"({"grid": [1], "block": [1], "args": [{"buffer": 4, "name": "arg1"},
                                                           {"buffer": 4}]})")
                .find("two buffers are called 'arg1'"),
            std::string::npos);
}

TEST(RunLaunch, Sgemm) {
  SgemmOptions options;
  options.tile = {128, 64};
  llvm::Expected<ResolvedLaunch> launch = resolve(sgemmDescription(options), {{"N", 300}});
  ASSERT_TRUE(static_cast<bool>(launch));
  EXPECT_EQ(launch->grid, (std::array<uint32_t, 3>{3, 5, 1}));
  EXPECT_EQ(launch->block, (std::array<uint32_t, 3>{128, 1, 1}));
  const std::optional<GemmShape> shape = launch->gemm;
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->n, 300u);
  EXPECT_EQ(shape->alpha, 1.25f);
  EXPECT_EQ(shape->beta, 0.5f);
  // Matrices of another size are no square SGEMM.
  launch->buffers[1].bytes /= 2;
  EXPECT_FALSE(recognizedGemm(*launch));
}

} // namespace

} // namespace runLaunchTest
