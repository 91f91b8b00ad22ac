#include "Compiler.h"

#include "Process.h"
#include "Support/Diagnostic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

namespace rdna::hipclang {

namespace {

namespace fs = std::filesystem;

/// The values of every `--option=value`, cut at commas.
Words valuesOf(const Words &words, llvm::StringRef option) {
  Words values;
  for (llvm::StringRef word : words)
    if (word.consume_front(option))
      for (llvm::StringRef value : llvm::split(word, ','))
        values.push_back(value.split(':').first.str());
  return values;
}

bool anyStarts(const Words &words, std::string_view with) {
  return llvm::any_of(words, [&](const std::string &word) { return word.starts_with(with); });
}

/// Whether a source is to be read as HIP, by its name or by -x.
bool readsHip(const Words &words) {
  for (size_t n = 0; n < words.size(); ++n)
    if (words[n] == "-xhip" || llvm::StringRef(words[n]).ends_with(".hip") ||
        (words[n] == "-x" && n + 1 < words.size() && words[n + 1] == "hip"))
      return true;
  return false;
}

/// Our folder of that name: beside this program, in the build folder or where it was installed.
llvm::Expected<std::string> ownFolder(const std::string &name) {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path prefix = self.parent_path().parent_path();
  for (const char *folder : {"lib", RDNA_LIBDIR})
    if (fs::path path = prefix / folder / "rdnakit" / name; fs::exists(path, ignored))
      return path.string();
  return makeError(Failure::NoBackend, "",
                   fmt::format("no {}/lib/rdnakit/{}", prefix.string(), name));
}

/// Where the device library of a ROCm would be that the user has named.
bool hasDeviceLibrary(const Words &words) {
  Words roots = valuesOf(words, "--rocm-path=");
  if (const char *root = std::getenv("ROCM_PATH"))
    roots.emplace_back(root);
  std::error_code ignored;
  return llvm::any_of(roots, [&](const std::string &root) {
    return fs::exists(fs::path(root) / "amdgcn" / "bitcode", ignored);
  });
}

/// clang 20 and later no longer say how many lanes a wave has, and headers before HIP 7 ask for it.
void addWaveSize(const Compiler &compiler, const Words &words, const Words &processors,
                 Words &defaults) {
  constexpr std::string_view name = "__AMDGCN_WAVEFRONT_SIZE";
  if (compiler.version < 20 ||
      llvm::any_of(
          words, [&](const std::string &word) { return word.find(name) != std::string::npos; }))
    return;
  const auto define = [&](const std::string &where, unsigned lanes) {
    llvm::append_range(defaults, Words{"-Xarch_" + where, fmt::format("-D{}={}", name, lanes)});
  };
  define("host", 32);
  for (const std::string &processor : processors)
    define(processor, processor.starts_with("gfx9") || processor.size() < 7 ? 64 : 32);
}

} // namespace

llvm::Expected<Compiler> findCompiler(const std::string &wanted) {
  const bool isVersion = llvm::all_of(wanted, llvm::isDigit);
  Compiler compiler{.program = isVersion ? "clang++-" + wanted : wanted};
  llvm::StringRef number = wanted;
  number = number.substr(number.rfind('-') + 1); // "/usr/bin/clang++-19"
  if (!number.getAsInteger(10, compiler.version))
    return compiler;
  auto said = captureProgram({compiler.program, "-dumpversion"});
  if (!said)
    return said.takeError();
  if (llvm::StringRef(said->out).split('.').first.getAsInteger(10, compiler.version))
    return makeError(Failure::BadInput, compiler.program, "says no version; is it clang?");
  return compiler;
}

llvm::Expected<Words> defaultWords(const Compiler &compiler, const Words &words) {
  Words defaults = {"--start-no-unused-arguments", "-D__HIP_PLATFORM_AMD__"};
  auto root = ownFolder("rocm");
  if (!root)
    return root.takeError();
  if (!anyStarts(words, "--rocm-path=") && std::getenv("ROCM_PATH") == nullptr)
    defaults.push_back("--rocm-path=" + *root);
  // Clang looks there by itself, but not with -nogpuinc, for which rdnakit/hip.h is.
  llvm::append_range(defaults, Words{"-idirafter", *root + "/include"});
  if (!anyStarts(words, "--rocm-device-lib-path=") && !anyStarts(words, "--hip-device-lib") &&
      !hasDeviceLibrary(words)) {
    auto library = ownFolder(fmt::format("device/clang-{}", compiler.version));
    if (!library)
      llvm::consumeError(library.takeError()); // clang says what it misses.
    else
      defaults.push_back("--rocm-device-lib-path=" + *library);
  }
  if (readsHip(words)) {
    Words processors = valuesOf(words, "--offload-arch=");
    if (processors.empty() && !anyStarts(words, "--cuda-gpu-arch=")) {
      processors.emplace_back("gfx1100");
      defaults.emplace_back("--offload-arch=gfx1100");
    }
    addWaveSize(compiler, words, processors, defaults);
  }
  defaults.emplace_back("--end-no-unused-arguments");
  return defaults;
}

llvm::Error refuse(const Words &words) {
  // The last word counts, as in clang.
  const auto last = [&](std::string_view on, std::string_view off) {
    for (const std::string &word : llvm::reverse(words))
      if (word == on || word == off)
        return word == on;
    return false;
  };
  if (last("-fgpu-rdc", "-fno-gpu-rdc"))
    return makeError(Failure::BadInput, "",
                     "-fgpu-rdc: device code then is no code before the program is linked, and "
                     "calls between files hide what a kernel does; leave it out, or say "
                     "--rdna-no-rewrite");
  if (last("--offload-new-driver", "--no-offload-new-driver"))
    return makeError(Failure::BadInput, "",
                     "--offload-new-driver: its steps are not known here; leave it out, or say "
                     "--rdna-no-rewrite");
  return llvm::Error::success();
}

} // namespace rdna::hipclang
