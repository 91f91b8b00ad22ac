//===- VerifySample.h - asking the verifier about two kernel bodies -------===//
#pragma once

#include "AsmSnippet.h"
#include "Verify/Verify.h"

#include <initializer_list>
#include <string>
#include <utility>

namespace rdna::test {

/// Empty if `after` is proven to be the same as `before` and breaks no rule anew, else the
/// refusal's text.
inline std::string refusal(const Module &before, const Module &after,
                           const std::vector<Correspondence> &claims = {}) {
  auto proof = proveEquivalent(before, after, claims);
  std::string message;
  if (proof) {
    for (const Diagnostic &fault : proof->brokenRules)
      message += fmt::format("{}: {}\n", fault.line, fault.message);
    return message;
  }
  EXPECT_EQ(renderError(proof.takeError(), "verify", message), 2);
  EXPECT_FALSE(message.empty());
  return message;
}

/// The same for the bodies of a kernel `k`.
inline std::string refusalOfBodies(std::string_view before, std::string_view after,
                                   const std::vector<Correspondence> &claims = {}) {
  return refusal(*parseKernel(before), *parseKernel(after), claims);
}

/// Two ways to compute v1 of v0, v2, v3, v4 and SGPRs, which is then stored.
inline std::string refusalOfResult(std::string_view before, std::string_view after) {
  const std::string store = "\n	global_store_b32 v0, v1, s[4:5]";
  return refusalOfBodies(std::string(before) + store, std::string(after) + store);
}

/// Claims that old VGPRs live elsewhere at a label of the old body.
inline Correspondence claimAt(const std::string &body, std::string_view label,
                              std::initializer_list<std::pair<unsigned, unsigned>> oldToNew) {
  Correspondence claim;
  claim.function = "k";
  auto &equations = claim.points[parseKernel(body)->labelTarget(label).value()].equations;
  for (const auto &[from, to] : oldToNew)
    equations.push_back(
        movedTo({static_cast<uint8_t>(from)}, {static_cast<uint8_t>(to)}, Equation::Lanes::Active));
  return claim;
}

/// The errors (not warnings) of checkStructure, one a line.
inline std::string structureErrors(const Module &module) {
  std::string text;
  for (const Diagnostic &diagnostic : checkStructure(module))
    if (diagnostic.severity == Severity::Error)
      text += fmt::format("{}: {}\n", diagnostic.line, diagnostic.message);
  return text;
}

/// `text` with the only occurrence of `from` replaced.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at == std::string::npos)
    return text;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << from << " is not unique";
  return text.replace(at, from.size(), to);
}

} // namespace rdna::test
