// vgpr-remap: gives the values of FMA loops new registers and a new order, so that every FMA is
// dual issued without bank conflicts, and proves that the kernel computes the same.

#include "VgprRemap.h"

#include "common/RewriteCommand.h"

using namespace rdna;

namespace {
struct Options {
  std::string mapPath, emitMapPath, repairHazards;
  RemapOptions remap;
  PassRequest request;
  tool::RewriteCommand command;
};
} // namespace

static void addOptions(tool::Tool &tool, Options &options) {
  CLI::App &app = tool.app();
  options.command.addOptions(tool, app, options.request);
  app.add_option("--region", options.request.region,
                 "Only the loop with this label at its header, or the blocks between "
                 "'; RDNA-BEGIN name' and '; RDNA-END name' (default: innermost loops with F32 "
                 "FMAs, and other blocks with two or more)");
  static const std::map<std::string, SplitLoads> kSplitLoads{
      {"auto", SplitLoads::Auto}, {"always", SplitLoads::Always}, {"never", SplitLoads::Never}};
  app.add_option_function<std::string>(
         "--split-loads",
         [&](const std::string &word) { options.remap.splitLoads = kSplitLoads.at(word); },
         "Load LDS tuples by narrower loads so that their registers are free: auto (the default: "
         "where it pays), always, never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_option("--map", options.mapPath, "Mapping entries to honour (JSON, see --emit-map)");
  app.add_option("--emit-map", options.emitMapPath, "Write the mapping found to this file");
  app.add_flag(
         "--repair-hazards{free}", options.repairHazards,
         "Also rewrite blocks only to remove VOPD parity hazards, anywhere in a kernel: where "
         "no count gets worse, or with =any-cost everywhere")
      ->check(CLI::IsMember({"free", "any-cost"}));
  app.add_option_function<std::string>(
         "--assume",
         [&](const std::string &) {
           options.request.assumptions.insert(Assumption::NoSyncWithoutBarrier);
         },
         "What the proof may take for granted: no-sync-without-barrier (waves tell each other "
         "nothing by plain loads, stores and waits); declared in the output where it is needed")
      ->check(CLI::IsMember({toString(Assumption::NoSyncWithoutBarrier)}));
  app.footer(std::string(tool::exitCodeHelp));
}

static llvm::Expected<int> runTool(const tool::Tool &tool, Options &options) {
  if (!options.mapPath.empty()) {
    auto map = vgprremap::readMap(options.mapPath);
    if (!map)
      return map.takeError();
    options.remap.fixedMappings = std::move(*map);
  }
  auto module = options.command.read();
  if (!module)
    return module.takeError();
  if (!options.repairHazards.empty())
    options.remap.hazards =
        options.repairHazards == "free" ? Hazards::Repair : Hazards::RepairAtAnyCost;
  Pipeline pipeline = remapPipeline(options.remap);
  pipeline.request = options.request;
  if (!options.emitMapPath.empty()) // Other ways begin with what no mapping can say.
    pipeline.ways.clear();
  tool::Progress progress("vgpr-remap");
  pipeline.onPass = [&](std::string_view, unsigned) { progress.status("rewriting and proving"); };
  auto result = runPipeline(std::move(*module), pipeline);
  if (!result)
    return result.takeError();
  tool::Files files;
  if (!options.emitMapPath.empty())
    files.emplace_back(options.emitMapPath, vgprremap::mapText(*result));
  return options.command.finish(tool, *result,
                                vgprremap::jsonReport(options.command.file(), *result), files);
}

int main(int argc, char **argv) {
  tool::Tool tool("vgpr-remap",
                  "Rewrites the FMA loops of RDNA3 kernels: new registers and a new order, so "
                  "that every F32 FMA is dual issued without register bank conflicts. The result "
                  "is proven equivalent before it is printed.");
  Options options;
  addOptions(tool, options);
  tool.addExample("vgpr-remap kernel.s -o faster.s --score",
                  "Rewrite, and say what became of each loop");
  tool.addExample("vgpr-remap --require --kernel sgemm < kernel.s > faster.s",
                  "As a filter, that fails (exit code 2) if nothing could be rewritten");
  return tool.run(argc, argv, [&] { return runTool(tool, options); });
}
