//===- Registry.h - all passes, in the order in which they run ------------===//
#pragma once

#include "Pipeline/Pipeline.h"

namespace rdna {

/// The rows. Switches, help, man page and reports come from them.
llvm::ArrayRef<PassInfo> allPasses();
/// Nothing if there is no pass of that name.
const PassInfo *findPass(std::string_view name);

/// Passes and options by name, as a user gives them.
struct PassChoice {
  std::set<std::string, std::less<>> names; ///< Empty: all.
  std::map<std::string, uint64_t, std::less<>>
      values; ///< Of options; those of all passes that have it.
  std::set<std::string, std::less<>> without = {}; ///< Left out, whoever named them.
};
/// What stands behind "--NAME=": a number or word, or NAME:NUMBER of the parts that the pass has,
/// separated by commas or, where these separate passes, by plus signs. Returns what is wrong with
/// it, or nothing.
std::string readPassValue(const PassInfo &pass, std::string_view value, PassChoice &choice);
/// The same for an option of the pass that has words.
std::string readPassOption(const PassInfo &pass, std::string_view name, std::string_view word,
                           PassChoice &choice);
/// What can stand there, for messages; empty if nothing can.
std::string valueForm(const PassInfo &pass);

/// The passes that are chosen, in order, with what their rows say where no value is given.
std::vector<PassInvocation> choosePasses(const PassChoice &choice);

/// The choice with a pass more, which may run by name only: where nothing is named, the passes that
/// run by default are.
PassChoice withPass(PassChoice choice, std::string_view name);

/// What else may be faster than the chosen passes: none where the user says what he wants.
std::vector<Variant> variantsOf(const PassChoice &choice);

/// What vgpr-remap runs: that pass, once, on blocks of any size.
Pipeline remapPipeline(RemapOptions options = {});

} // namespace rdna
