//===- AsmSnippet.h - a few lines of assembly as a Module -----------------===//
#pragma once

#include "Asm/Module.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace rdna::test {

/// The parsed text; a test failure and an empty module if LLVM rejects it.
inline std::unique_ptr<Module> parseText(const std::string &text) {
  auto module = Module::parse(text, "test.s");
  if (module)
    return std::move(*module);
  std::string message;
  renderError(module.takeError(), "test", message);
  ADD_FAILURE() << message;
  return std::move(*Module::parse("", "test.s"));
}

/// A kernel `k` around some instructions; `fields` are further descriptor lines.
inline std::string kernelText(std::string_view body, std::string_view fields = "",
                              std::string_view vgprs = "64") {
  return fmt::format("\t.text\n\t.globl\tk\n\t.p2align\t8\n\t.type\tk,@function\nk:\n{}\n"
                     "\ts_endpgm\n.Lfunc_end0:\n\t.amdhsa_kernel k\n"
                     "\t.amdhsa_next_free_vgpr {}\n\t.amdhsa_next_free_sgpr 32\n{}\n"
                     "\t.end_amdhsa_kernel\n",
                     body, vgprs, fields);
}

inline std::unique_ptr<Module> parseKernel(std::string_view body, std::string_view fields = "") {
  return parseText(kernelText(body, fields));
}

/// The rendered error of a text that must not parse.
inline std::string parseError(const std::string &text) {
  auto module = Module::parse(text, "test.s");
  if (module) {
    ADD_FAILURE() << "parses, but should not:\n" << text;
    return {};
  }
  std::string message;
  EXPECT_EQ(renderError(module.takeError(), "test", message), 1);
  return message;
}

} // namespace rdna::test
