// The verifier on what compilers really write: every kernel of the build is proven equal to itself,
// breaks no rule of checkStructure, and is proven quickly.

#include "Code/Edit.h"
#include "Verify/Opaque.h"
#include "VerifySample.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace rdna::test::verifyKernelsTest {
namespace {

std::string readText(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> kernelFiles() {
  std::vector<std::string> files;
  std::ifstream manifest(RDNA_KERNEL_DIR "/manifest.json");
  if (!manifest)
    return files;
  for (const auto &entry : nlohmann::json::parse(manifest))
    files.push_back(entry["assembly"]);
  return files;
}

/// With an s_nop in front of every function's first instruction: the same, but not the same text,
/// which would be accepted without being looked at.
std::string withNops(const Module &module) {
  std::vector<TextEdit> edits;
  for (const Function &function : module.functions())
    if (function.first < function.last)
      edits.push_back(
          lineBefore(module, module.instructions()[function.first], Code::text("s_nop 0")));
  return applyEdits(module, std::move(edits));
}

TEST(VerifyKernels, CompilersOutputIsEqualToItselfAndBreaksNoRule) {
  const auto files = kernelFiles();
  ASSERT_GE(files.size(), 30u);
  unsigned blockPairs = 0;
  for (const std::string &file : files) {
    const std::string text = readText(file);
    ASSERT_FALSE(text.empty()) << file;
    const auto before = parseText(text);
    // What cannot be followed is only accepted as it is.
    bool isOpaque = false;
    for (uint32_t f = 0; f < before->functions().size(); ++f)
      isOpaque |= verify::findOpaque(*before, buildCfg(*before, f)).has_value();
    const auto after = isOpaque ? parseText(text) : parseText(withNops(*before));
    auto proof = proveEquivalent(*before, *after, {});
    if (proof) {
      blockPairs += proof->blockPairs;
    } else {
      std::string message;
      renderError(proof.takeError(), "verify", message);
      ADD_FAILURE() << file << ": " << message;
    }
    EXPECT_EQ(structureErrors(*after), "") << file;
  }
  // Functions that can only be compared as text make no block pairs; most must be simulated.
  EXPECT_GT(blockPairs, 5 * files.size());
}

} // namespace
} // namespace rdna::test::verifyKernelsTest
