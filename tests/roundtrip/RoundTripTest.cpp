// Compiler output of every kind comes out of the parser byte for byte and, printed anew by LLVM,
// assembles to the same code: the ladder's kernels at -O0 to -O3 and with -g, and the corpus.

#include "Asm/Module.h"
#include "Support/File.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sys/wait.h>

using namespace rdna;
namespace fs = std::filesystem;

namespace {

int run(const std::string &command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string read(const fs::path &path) {
  auto text = readInput(path.string());
  if (text)
    return *text;
  ADD_FAILURE() << path << ": " << llvm::toString(text.takeError());
  return {};
}

/// Byte for byte, no unknown instruction, and the same code after printing anew.
void checkFile(const fs::path &file) {
  const std::string text = read(file);
  ASSERT_FALSE(text.empty());
  auto module = Module::parse(text, file.string());
  ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
  EXPECT_EQ(std::string((*module)->text()), text);
  unsigned unknown = 0;
  for (const Instruction &inst : (*module)->instructions())
    unknown += inst.op == Op::unknown ? 1 : 0;
  EXPECT_EQ(unknown, 0u) << file;
  const std::string log = testing::TempDir() + "/roundtrip.log";
  EXPECT_EQ(run(fmt::format("'{}/isa-parse' --roundtrip '{}' >'{}' 2>&1", RDNA_BIN_DIR,
                            file.string(), log)),
            0)
      << read(log);
}

TEST(RoundTrip, TheBuildHasEveryKindOfCompilerOutput) {
  for (const char *compiler : {"clang-16", "clang-19", "clang-22"}) {
    for (const char *optimization : {"O0", "O1", "O2", "O3"})
      EXPECT_TRUE(
          fs::exists(fmt::format("{}/kernel5.{}.{}.s", RDNA_KERNEL_DIR, compiler, optimization)));
    for (const char *optimization : {"O0", "O3"}) // with -g
      EXPECT_TRUE(fs::exists(
          fmt::format("{}/kernel5_debug.{}.{}.s", RDNA_KERNEL_DIR, compiler, optimization)));
  }
}

TEST(RoundTrip, EveryKernelOfTheBuild) {
  unsigned files = 0;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(RDNA_KERNEL_DIR))
    if (entry.path().extension() == ".s") {
      SCOPED_TRACE(entry.path().string());
      checkFile(entry.path());
      ++files;
    }
  EXPECT_GT(files, 0u);
}

TEST(RoundTrip, Corpus) { checkFile(RDNA_DATA_DIR "/roundtrip_corpus.s"); }

} // namespace
