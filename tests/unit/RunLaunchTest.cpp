#include "ObjectSample.h"
#include "Run/Expression.h"
#include "Run/LaunchDescription.h"

#include <cstring>

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
  const auto &matrix = std::get<ResolvedBuffer>(launch->arguments[0]);
  EXPECT_EQ(matrix.bytes, 4u * 130 * 130);
  EXPECT_EQ(matrix.init, Init::Ramp);
  EXPECT_EQ(matrix.seed, 7u);
  const auto &vector = std::get<ResolvedBuffer>(launch->arguments[1]);
  EXPECT_EQ(vector.type, ElementType::F16);
  EXPECT_EQ(vector.role, BufferArgument::Role::Output);
  EXPECT_EQ(std::get<ResolvedScalar>(launch->arguments[2]).asDouble(), 130);
  EXPECT_EQ(std::get<ResolvedScalar>(launch->arguments[3]).asDouble(), 1.25);
  EXPECT_EQ(std::get<ResolvedScalar>(launch->arguments[4]).asDouble(), 255);
  EXPECT_EQ(std::get<ResolvedScalar>(launch->arguments[5]).asDouble(), 65);
  EXPECT_EQ(std::get<ResolvedScalar>(launch->arguments[6]).asDouble(), -1);
  EXPECT_FALSE(gemmShape(*launch));
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
  };
  for (const auto &[text, reason] : cases)
    EXPECT_NE(refusedLaunch(text).find(reason), std::string::npos) << text;
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
  EXPECT_NE(refused(R"({"grid": [1], "block": [1], "args": [{"i32": "M"}]})").find("'M'"),
            std::string::npos);
}

TEST(RunLaunch, Sgemm) {
  SgemmOptions options;
  options.tile = {128, 64};
  llvm::Expected<ResolvedLaunch> launch = resolve(sgemmDescription(options), {{"N", 300}});
  ASSERT_TRUE(static_cast<bool>(launch));
  EXPECT_EQ(launch->grid, (std::array<uint32_t, 3>{3, 5, 1}));
  EXPECT_EQ(launch->block, (std::array<uint32_t, 3>{128, 1, 1}));
  const std::optional<GemmShape> shape = gemmShape(*launch);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->n, 300u);
  EXPECT_EQ(shape->alpha, 1.25f);
  EXPECT_EQ(shape->beta, 0.5f);
  // Matrices of another size are no square SGEMM.
  std::get<ResolvedBuffer>(launch->arguments[1]).bytes /= 2;
  EXPECT_FALSE(gemmShape(*launch));
}

} // namespace
