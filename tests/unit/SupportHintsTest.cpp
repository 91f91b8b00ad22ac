// What is said to a word that is nearly right, and to a file that is something else.
#include "Support/FileKind.h"
#include "Support/Nearest.h"

#include <gtest/gtest.h>

namespace rdna::supportHintsTest {

TEST(NearestTest, FindsMisspellings) {
  const std::vector<std::string> words = {"verify", "inspect", "run"};
  EXPECT_EQ(nearest("verfy", words), "verify");
  EXPECT_EQ(nearest("VERIFY", words), "verify");
  EXPECT_EQ(nearest("nispect", words), "inspect") << "two letters that have changed places";
  EXPECT_EQ(nearest("insp", words), "inspect") << "the beginning of a word";
}

TEST(NearestTest, SaysNothingWhereNothingIsNear) {
  EXPECT_EQ(nearest("bench", {"verify", "run"}), "");
  EXPECT_EQ(nearest("c", {"a", "b"}), "") << "every letter is near every other";
  EXPECT_EQ(nearest(".LBB9_9", {".LBB0_3"}), "") << "numbers of labels are not letters";
  EXPECT_EQ(nearest("", {"a"}), "");
  EXPECT_EQ(didYouMean("bench", {"verify"}), "");
  EXPECT_EQ(didYouMean("verfy", {"verify"}), " (did you mean 'verify'?)");
}

TEST(FileKindTest, NamesWhatTheFileIs) {
  const auto says = [](std::string_view text, std::string_view what) {
    return notAssembly(text, "dir/k.hip", Wanted::Assembly).find(what) != std::string::npos;
  };
  EXPECT_TRUE(says("// a kernel\n#include <hip/hip_runtime.h>\n", "HIP or C++ source"));
  EXPECT_TRUE(says("#include <x>\n", "-S dir/k.hip -o k.s"));
  EXPECT_TRUE(says("\177ELF\2\1", "code object"));
  EXPECT_TRUE(says("BC\xC0\xDE", "LLVM IR"));
  EXPECT_TRUE(says("__CLANG_OFFLOAD_BUNDLE__", "bundle"));
  EXPECT_TRUE(says("main:\n\tpushq %rbp\n", "host's processor"));
}

TEST(FileKindTest, AssemblyWithAnErrorIsAssembly) {
  EXPECT_EQ(notAssembly("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n#include <x>\n", "k.s",
                        Wanted::Assembly),
            "");
  EXPECT_EQ(notAssembly("k:\n\tv_foo v1, v2\n", "k.s", Wanted::Assembly), "");
  EXPECT_EQ(notAssembly("\177ELF", "k.hsaco", Wanted::AssemblyOrCodeObject), "");
}

} // namespace rdna::supportHintsTest
