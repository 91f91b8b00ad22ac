// A new pass is a row here and two files in lib/Transform.

#include "Pipeline/Registry.h"

#include "Pipeline/Passes.h"
#include "Transform/CompactVgprs.h"
#include "Transform/DualIssue.h"
#include "Transform/FragmentBuffers.h"
#include "Transform/Reschedule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

namespace rdna {

static constexpr PassOption kMostFmas{
    .name = "max-block-fmas",
    .help = "Most F32 FMAs in a block that --vgpr-remap works on (default: any number)",
    .most = std::numeric_limits<uint32_t>::max(),
    .fallback = std::numeric_limits<uint32_t>::max()};
static constexpr PassOption kMostBytes{
    .name = "max-code-bytes",
    .help = "Most bytes of code that a loop may become (default 32768, the instruction cache)",
    .least = 1,
    .most = 1u << 30,
    .fallback = 32 * 1024};

static constexpr std::string_view kOrders[] = {"load,use,store", "0,2,1",          "load,store,use",
                                               "0,1,2",          "use,load,store", "1,2,0"};
static constexpr PassOption kOrder{
    .name = "order",
    .help = "What stands where in a step of a loop made in stages: load,use,store (default), "
            "load,store,use or use,load,store; or the places of loads, stores and use, as TVM "
            "gives them: 0,2,1 is the default",
    .choices = kOrders};

static constexpr PassOption kRemapOptions[] = {kMostFmas};
static constexpr PassOption kUnrollOptions[] = {
    {.name = "unroll", .help = {}, .least = 2, .most = 1024, .fallback = 0, .word = "full"},
    kMostBytes};
static constexpr PassOption kSpreadOptions[] = {kMostBytes};
static constexpr PassOption kStagesOptions[] = {
    {.name = "stages", .help = {}, .least = 2, .most = 8, .fallback = 2}, kOrder, kMostBytes};

static constexpr PassOption kPipelineOptions[] = {
    {.name = "lds",
     .help = "LDS buffers",
     .least = 1,
     .most = 8,
     .fallback = 0,
     .place = PassOption::Place::Value},
    {.name = "vgpr",
     .help = "tiles on their way from memory, each in registers of its own",
     .least = 1,
     .most = 8,
     .fallback = 0,
     .place = PassOption::Place::Value},
    kOrder,
    kMostBytes};

/// In the order in which they run.
static const PassInfo kPasses[] = {
    // First, because it is cheaper on one iteration than on all.
    {.name = "vgpr-remap",
     .help = "Conflict-free dual issue in FMA loops, as vgpr-remap does it",
     .needs = PassNeeds::Anything,
     .options = kRemapOptions,
     .gain = Gain::Later,
     .run = remapBlocks},
    {.name = "dual-issue",
     .help = "Partners for single operations in any code; factors of FMACs in other banks "
             "throughout the function",
     .needs = PassNeeds::NoOpaque,
     .gain = Gain::Later,
     .run = issueDual},
    // Only of kernels: what a device function's callers keep in registers is not known.
    {.name = "sgpr-base",
     .help = "Global accesses relative to scalar pointers; those of loops are computed before the "
             "loop",
     .needs = PassNeeds::Kernel,
     .gain = Gain::Later,
     .run = rebaseAccesses},
    {.name = "unroll",
     .help = "Write out all iterations of loops whose trip count follows from constants, or N at "
             "a time of any that can be counted at its head; additions of constants to addresses "
             "become offsets: --unroll[=N|full]",
     .needs = PassNeeds::Anything,
     .options = kUnrollOptions,
     .gain = Gain::Later,
     .run = unrollLoops},
    {.name = "spread-loads",
     .help = "Global loads of a loop go where LDS loads are; a step whose loads are guarded gets "
             "a copy of its own",
     .needs = PassNeeds::NoCalls,
     .options = kSpreadOptions,
     .run = spreadGlobalLoads},
    // By name only, and in front of what gives loops a second buffer without more registers.
    {.name = "stages",
     .help = "--pipeline=lds:N, in loops that load, store and use a tile in one step alone",
     .needs = PassNeeds::Kernel,
     .chosen = Chosen::ByName,
     .options = kStagesOptions,
     .run = stageLoops},
    // By name only: it asks for the workgroup's shape, and a barrier less is worth something only
    // where the waves of a workgroup are not in step. Behind what changes loops, because it copies.
    {.name = "pipeline",
     .help =
         "Tiles steps ahead, in loops that fill LDS from memory: two LDS buffers that take "
         "turns and one barrier a step less; --pipeline=lds:N,vgpr:N says how many buffers, "
         "and how many tiles are on their way in registers, for one loop the comment "
         "; RDNA-PIPELINE lds:N,vgpr:M, else --for chooses (--block says the workgroup's size if "
         "the file does not)",
     .needs = PassNeeds::Kernel,
     .chosen = Chosen::ByName,
     .options = kPipelineOptions,
     .run = pipelineLoops},
    // By name only: whether it pays depends on what other waves hide. With --for it is tried.
    {.name = "fragments",
     .help =
         "LDS loads of an unrolled loop's step among the FMACs of the step before, in registers "
         "of their own",
     .chosen = Chosen::ByName,
     .run = bufferFragments},
    // Behind whatever takes registers, and before waits, which depend on none.
    {.name = "compact-vgprs",
     .help = "Other registers for values in the whole kernel where fewer VGPRs give another wave",
     .needs = PassNeeds::Kernel,
     .run = compactVgprs},
    {.name = "merge-stores",
     .help = "Neighbouring LDS stores become one with two addresses",
     .run = mergeLdsStores},
    {.name = "reschedule",
     .help =
         "Instructions of loops in an order in which results are waited for less; registers and "
         "pairs stay",
     .needs = PassNeeds::NoOpaque,
     .begins = Begins::Behind,
     .run = reschedule},
    {.name = "waits",
     .help = "Wait for what is needed, when it is needed: exact counts, and in loops one wait for "
             "the LDS loads of a run of FMACs that is long for them",
     .begins = Begins::Behind,
     .run = waitForWhatIsNeeded},
    {.name = "clause",
     .help = "s_clause before runs of memory instructions of one kind",
     .needs = PassNeeds::NoOpaque,
     .begins = Begins::Behind,
     .run = insertClauses},
    {.name = "setprio",
     .help = "Raise the wave's priority over runs of FMACs in loops, lower it before memory "
             "instructions",
     .needs = PassNeeds::NoOpaque,
     .begins = Begins::Behind,
     .run = insertPriorities},
    // Last, because they count instructions.
    {.name = "delay-alu",
     .help = "The s_delay_alu that LLVM would write for the code as it is now",
     .needs = PassNeeds::NoOpaque,
     .begins = Begins::Behind,
     .run = insertDelays},
};

llvm::ArrayRef<PassInfo> allPasses() { return kPasses; }

const PassInfo *findPass(std::string_view name) {
  const auto *pass = llvm::find_if(kPasses, [&](const PassInfo &p) { return p.name == name; });
  return pass == std::end(kPasses) ? nullptr : pass;
}

static PassInvocation invoke(const PassInfo &pass, const PassChoice &choice) {
  PassInvocation invocation{&pass, {}};
  for (const PassOption &option : pass.options) {
    const auto given = choice.values.find(option.name);
    invocation.values.set(option.name,
                          given == choice.values.end() ? option.fallback : given->second);
  }
  return invocation;
}

/// What is wrong with a number or word of an option; empty: nothing.
static std::string readValue(const PassOption &option, llvm::StringRef text, PassChoice &choice) {
  uint64_t number = option.fallback;
  const bool isWord = !option.word.empty() && text == llvm::StringRef(option.word);
  if (!isWord && (text.size() > 9 || text.getAsInteger(10, number) || number < option.least ||
                  number > option.most)) {
    const std::string range = fmt::format("a number from {} to {}", option.least, option.most);
    return option.word.empty()
               ? fmt::format("'{}' is not {}", text.str(), range)
               : fmt::format("'{}' is neither {} nor {}", text.str(), option.word, range);
  }
  choice.values[std::string(option.name)] = number;
  return {};
}

std::string readPassValue(const PassInfo &pass, std::string_view value, PassChoice &choice) {
  if (const auto *own = llvm::find_if(
          pass.options, [&](const PassOption &option) { return option.name == pass.name; });
      own != pass.options.end())
    return readValue(*own, value, choice);
  std::set<llvm::StringRef> seen;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::SplitString(value, parts, ",+");
  for (const llvm::StringRef part : parts) {
    const auto [name, number] = part.split(':');
    const auto *option = llvm::find_if(pass.options, [name = name](const PassOption &o) {
      return o.place == PassOption::Place::Value && llvm::StringRef(o.name) == name;
    });
    if (option == pass.options.end())
      return fmt::format("'{}' is none of {}", part.str(), valueForm(pass));
    if (!seen.insert(name).second)
      return fmt::format("'{}' stands there twice", name.str());
    if (std::string wrong = readValue(*option, number, choice); !wrong.empty())
      return fmt::format("{}: {}", name.str(), wrong);
  }
  return parts.empty() ? fmt::format("nothing stands behind '='; {} may", valueForm(pass)) : "";
}

std::string readPassOption(const PassInfo &pass, std::string_view name, std::string_view word,
                           PassChoice &choice) {
  const auto *option =
      llvm::find_if(pass.options, [&](const PassOption &o) { return o.name == name; });
  const auto *at = llvm::find(option->choices, word);
  if (at == option->choices.end())
    return fmt::format("'{}' is none of {}", word, fmt::join(option->choices, " "));
  choice.values[std::string(name)] = static_cast<uint64_t>(at - option->choices.begin()) / 2;
  return {};
}

std::string valueForm(const PassInfo &pass) {
  std::string form;
  for (const PassOption &option : pass.options)
    if (option.name == pass.name)
      return fmt::format("{}{}{} to {}", option.word, option.word.empty() ? "" : " or ",
                         option.least, option.most);
    else if (option.place == PassOption::Place::Value)
      form += fmt::format("{}{}:{} to {}", form.empty() ? "" : ", ", option.name, option.least,
                          option.most);
  return form;
}

std::vector<PassInvocation> choosePasses(const PassChoice &choice) {
  std::vector<PassInvocation> chosen;
  for (const PassInfo &pass : kPasses)
    if (!choice.without.contains(pass.name) &&
        (choice.names.empty() ? pass.chosen == Chosen::ByDefault
                              : choice.names.contains(pass.name)))
      chosen.push_back(invoke(pass, choice));
  return chosen;
}

/// LDS loads that stay what they are.
static void keepLoadsWhole(std::vector<PassInvocation> &passes) {
  RemapOptions whole;
  whole.splitLoads = SplitLoads::Never;
  for (PassInvocation &invocation : passes)
    if (invocation.pass->name == "vgpr-remap")
      invocation.run = remapWith(whole);
    else if (invocation.pass->name == "dual-issue")
      invocation.run = issueDualWith({.splitLoads = SplitLoads::Never});
}

PassChoice withPass(PassChoice choice, std::string_view name) {
  if (choice.names.empty())
    for (const PassInfo &pass : kPasses)
      if (pass.chosen == Chosen::ByDefault)
        choice.names.emplace(pass.name);
  choice.names.emplace(name);
  return choice;
}

std::vector<Variant> variantsOf(const PassChoice &choice) {
  std::vector<Variant> found;
  if (!choice.names.empty() || !choice.values.empty())
    return found;
  const auto passes = [&choice](std::string_view name, uint64_t value) {
    PassChoice other = withPass(choice, name);
    other.values.emplace(name, value);
    return choosePasses(other);
  };
  if (!choice.without.contains("fragments"))
    found.push_back({"LDS loads among the FMACs of the step before", {}, passes("fragments", 0)});
  if (!choice.without.contains("vgpr-remap")) {
    found.push_back({"LDS loads whole", "vgpr-remap", choosePasses(choice)});
    keepLoadsWhole(found.back().passes);
  }
  if (!choice.without.contains("unroll")) {
    found.push_back({"loops unrolled 4 times", "unroll", passes("unroll", 4)});
    found.push_back({"loops not unrolled", "unroll", choosePasses(choice)});
    llvm::erase_if(found.back().passes,
                   [](const PassInvocation &p) { return p.pass->name == "unroll"; });
  }
  return found;
}

/// No pass of its own for users: what it makes is for passes behind it.
static const PassInfo kBalance{.name = "balance-sums",
                               .help = "Sums in even registers and in odd ones alike",
                               .needs = PassNeeds::NoOpaque,
                               .chosen = Chosen::ByPasses,
                               .gain = Gain::Later,
                               .run = balanceParities};

/// Behind passes that drop delays: without them a wave that waits for a result keeps others from
/// issuing.
static const PassInfo kRenewDelays{.name = "delay-alu",
                                   .help = "s_delay_alu where the text had some",
                                   .needs = PassNeeds::NoOpaque,
                                   .chosen = Chosen::ByPasses,
                                   .run = renewDelays};

/// Where much is left: dual issue first; sums in other registers.
static std::vector<OtherWay> waysBeside(const PassInvocation &remap, const PassInvocation &dual) {
  return {{{}, {dual, remap}}, {{{&kBalance, {}}}, {remap, dual}}};
}

Pipeline remapPipeline(RemapOptions options) {
  PassInvocation remap = invoke(*findPass("vgpr-remap"), {});
  // Where the user says which registers, it is not for others to change.
  const bool isFree = options.fixedMappings.empty();
  const SplitLoads split = options.splitLoads;
  remap.run = remapWith(std::move(options));
  Pipeline pipeline;
  pipeline.passes.push_back(std::move(remap));
  if (isFree) {
    pipeline.passes.push_back(invoke(*findPass("dual-issue"), {}));
    pipeline.passes.back().run = issueDualWith({.splitLoads = split});
    pipeline.ways = waysBeside(pipeline.passes[0], pipeline.passes[1]);
  }
  const PassInvocation delays = invoke(kRenewDelays, {});
  for (OtherWay &way : pipeline.ways)
    way.passes.push_back(delays);
  pipeline.passes.push_back(delays);
  pipeline.rounds = isFree ? Rounds::ToFixedPoint : Rounds::One;
  return pipeline;
}

} // namespace rdna
