//===- main.cpp - rdna-clang++: clang for HIP with a rewriter inside -------===//
#include "Compile.h"
#include "Compiler.h"
#include "Options.h"
#include "Process.h"

using namespace rdna;
using namespace rdna::hipclang;

namespace {

llvm::Expected<int> compile(const tool::Tool &tool, Options &options, const Words &words) {
  if (llvm::Error error = finishOptions(options))
    return error;
  auto compiler = findCompiler(options.clang);
  if (!compiler)
    return compiler.takeError();
  auto defaults = defaultWords(*compiler, words);
  if (!defaults)
    return defaults.takeError();
  Words command = {compiler->program};
  llvm::append_range(command, *defaults);
  llvm::append_range(command, words);
  if (options.rewrite == Options::Rewrite::No)
    return becomeProgram(command);
  if (llvm::Error error = refuse(words))
    return error;
  return runSteps(tool, options.request, command);
}

} // namespace

int main(int argc, char **argv) {
  tool::Tool tool(
      "rdna-clang++",
      "Compiles and links HIP programs as clang++ does, with the kernels for gfx1100 to "
      "gfx1103 rewritten: rdna-clang++ [options] [clang's options] file...");
  Options options;
  declareOptions(tool, options);
  tool.addExample("rdna-clang++ -O3 --offload-arch=gfx1100 saxpy.hip -o saxpy",
                  "A program; what was left alone, and why, is said in remarks");
  tool.addExample("rdna-clang++ -O3 -c saxpy.hip --rdna-report=report --rdna-kernels=saxpy",
                  "An object; only kernels of that name, and what was done as JSON");
  tool.addExample("cmake -DCMAKE_HIP_COMPILER=rdna-clang++ -B build",
                  "For a project whose CMakeLists.txt says project(... LANGUAGES CXX HIP)");
  auto line = splitCommandLine(argc, argv);
  if (!line)
    return tool.report(line.takeError());
  Words ours = {"rdna-clang++"};
  const bool forBuild =
      !line->clangs.empty() && (line->clangs[0] == "--man" || line->clangs[0] == "--completion");
  llvm::append_range(ours, forBuild ? line->clangs : line->ours);
  std::vector<char *> arguments;
  for (std::string &word : ours)
    arguments.push_back(word.data());
  return tool.run(static_cast<int>(arguments.size()), arguments.data(),
                  [&] { return compile(tool, options, line->clangs); });
}
