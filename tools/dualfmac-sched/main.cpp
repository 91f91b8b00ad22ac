// dualfmac-sched: takes a compiled kernel up the ladder that is otherwise climbed by hand, one
// proven pass after the other.

#include "Given.h"
#include "Report.h"

#include "common/RewriteCommand.h"

#include <fmt/format.h>

using namespace rdna;

namespace {
struct Options {
  std::string unroll;
  std::vector<std::string> assumptions, given;
  std::string launchFile;
  std::set<Pass> passes; ///< Empty: all.
  LadderOptions ladder;
  tool::RewriteCommand command;
};
} // namespace

/// Empty, or what is wrong with the value of --unroll.
static std::string checkTrips(const std::string &text) {
  const bool isNumber = !text.empty() && text.size() <= 4 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
  const unsigned long trips = isNumber ? std::stoul(text) : 0;
  return text == "full" || (trips >= 2 && trips <= 1024)
             ? std::string()
             : fmt::format("'{}' is neither full nor a number from 2 to 1024", text);
}

static void addOptions(tool::Tool &tool, CLI::App &app, Options &options) {
  const auto addPass = [&](const char *name, Pass pass, const char *text) {
    app.add_flag_callback(
           name, [&options, pass] { options.passes.insert(pass); }, text)
        ->disable_flag_override(); // --waits=3 is a mistake.
  };
  addPass("--vgpr-remap", Pass::VgprRemap,
          "Conflict-free dual issue in FMA loops, as vgpr-remap does it");
  addPass(
      "--sgpr-base", Pass::SgprBase,
      "Global accesses relative to scalar pointers; those of loops are computed before the loop");
  app.add_option("--assume", options.assumptions,
                 "What the proof may take for granted: no-index-wrap (no 32-bit index of a global "
                 "access wraps, and its bytes fit 4 GiB), no-sync-without-barrier (waves tell each "
                 "other nothing by plain loads, stores and waits); may be given for each")
      ->check(CLI::IsMember(
          {toString(Assumption::NoIndexWrap), toString(Assumption::NoSyncWithoutBarrier)}))
      ->allow_extra_args(false); // What follows is the file.
  app.add_option("--given", options.given,
                 "A range of what is launched, which may show that no index wraps: N<=32768, "
                 "N==4096 or 1<=N<32768, unsigned. N is a kernel argument by its name, arg3, "
                 "kernarg+24 (a dword by offset), workgroup_id_x or workitem_id_x; may be given "
                 "several times")
      ->allow_extra_args(false);
  app.add_option("--launch", options.launchFile,
                 "Launch description (as for hsaco-loader) whose names of arguments --given takes");
  // As a flag with a value, because behind a blank the file would be taken for it.
  app.add_flag(
         "--unroll{full}", options.unroll,
         "Write out all trips of loops whose number of trips follows from constants, or N at a "
         "time of any that can be counted at its head; additions of constants to addresses become "
         "offsets: --unroll[=N|full]")
      ->check(CLI::Validator(checkTrips, "full or 2 to 1024"));
  addPass(
      "--spread-loads", Pass::SpreadLoads,
      "Global loads of a loop go where LDS loads are; a step whose loads are guarded gets a copy "
      "of its own");
  addPass("--merge-stores", Pass::MergeStores,
          "Neighbouring LDS stores become one with two addresses");
  addPass(
      "--waits", Pass::Waits,
      "Wait for what is needed, when it is needed: exact counts, and in loops one wait for the LDS "
      "loads of a run of FMACs");
  addPass("--clause", Pass::Clause, "s_clause before runs of memory instructions of one kind");
  addPass(
      "--setprio", Pass::SetPrio,
      "Raise the wave's priority over runs of FMACs in loops, lower it before memory instructions");
  app.add_flag_callback(
      "--delay-alu", [&] { options.passes.insert(Pass::DelayAlu); },
      "The s_delay_alu that LLVM would write for the code as it is now");
  app.add_option("--region", options.ladder.rewrite.region,
                 "Only the loop with this label at its header, and those inside it");
  app.add_option("--max-code-bytes", options.ladder.unroll.mostBytes,
                 "Most bytes of code that a loop may become (default 32768, the instruction cache)")
      ->check(CLI::Range(1u, 1u << 30));
  app.add_option("--max-block-fmas", options.ladder.rewrite.mostFmas,
                 "Most F32 FMAs in a block that --vgpr-remap works on (default 400: longer ones "
                 "can take minutes)");
  options.command.addOptions(tool, app, options.ladder.rewrite);
}

static llvm::Expected<int> rewrite(const tool::Tool &tool, Options &options) {
  if (!options.unroll.empty())
    options.passes.insert(Pass::Unroll);
  if (!options.unroll.empty() && options.unroll != "full")
    options.ladder.unroll.factor = static_cast<unsigned>(std::stoul(options.unroll));
  if (!options.passes.empty())
    options.ladder.passes = options.passes;
  for (const Assumption assumption : {Assumption::NoIndexWrap, Assumption::NoSyncWithoutBarrier})
    if (llvm::is_contained(options.assumptions, toString(assumption)))
      options.ladder.assumptions.insert(assumption);
  auto module = options.command.read();
  if (!module)
    return module.takeError();
  if (llvm::Error error =
          dualfmac::readGiven(**module, options.given, options.launchFile, options.ladder))
    return error;
  auto result = climb(std::move(*module), options.ladder);
  if (!result)
    return result.takeError();
  return options.command.finish(tool, {result->remarks, dualfmac::scoreLines(*result),
                                       dualfmac::jsonReport(options.command.file(), *result),
                                       result->text});
}

int main(int argc, char **argv) {
  tool::Tool tool("dualfmac-sched",
                  "Rewrites gfx1100 kernels for dual issue, one proven pass after the other.");
  Options options;
  CLI::App &command = *tool.app().add_subcommand(
      "rewrite", "Rewrite a kernel: the passes that are named, or all, in this order: "
                 "--vgpr-remap, --sgpr-base, --unroll, --spread-loads, --merge-stores, --waits, "
                 "--clause, --setprio, --delay-alu");
  addOptions(tool, command, options);
  tool.app().require_subcommand(1);
  tool.app().footer(std::string(tool::exitCodeHelp));
  return tool.run(argc, argv, [&] { return rewrite(tool, options); });
}
