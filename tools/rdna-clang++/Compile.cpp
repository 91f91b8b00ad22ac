#include "Compile.h"

#include "Compiler.h"
#include "Jobs.h"
#include "Object/CodeObject.h"
#include "Originals.h"
#include "Process.h"
#include "Sources.h"
#include "Support/File.h"
#include "common/RewriteReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <optional>

namespace rdna::hipclang {

namespace {

struct Rewritten {
  PipelineResult result;
  std::optional<std::vector<std::byte>> object; ///< Nothing if the text is the compiler's.
};

/// One command line of clang's that makes device code for an RDNA3.
class Steps {
public:
  Steps(const tool::Tool &tool, const RewriteRequest &request, std::string folder)
      : tool_(tool), request_(request), folder_(folder), originals_(std::move(folder)) {}

  /// The first exit code that is not 0 ends it, as in clang's driver for HIP.
  llvm::Expected<int> run(const Plan &plan) {
    for (const Job &job : plan.jobs) {
      auto code = job.device() == Job::Device::No ? runProgram(job.words) : makeObject(job);
      if (code && *code == 0)
        code = originals_.after(job);
      if (!code || *code != 0)
        return code;
    }
    return 0;
  }

private:
  llvm::Expected<int> makeObject(const Job &job);
  llvm::Expected<int> keepOriginal(const Job &job);
  llvm::Expected<Rewritten> rewritten(const std::string &text, const std::string &name) const;
  void sayNotUnderstood(const std::string &name, llvm::Error error) const;
  llvm::Error writeReport(const std::string &name, const std::string &before,
                          const PipelineResult &result) const;
  void say(const std::string &before, const PipelineResult &result) const;

  const tool::Tool &tool_;
  const RewriteRequest &request_;
  std::string folder_;
  Originals originals_;
  unsigned count_ = 0;
};

/// "saxpy-gfx1100": what messages and reports call the device code.
std::string nameOf(const Job &job) {
  std::string_view file = job.valueOf("-main-file-name");
  if (file.empty())
    file = job.words.back(); // -cc1as
  return fmt::format("{}-{}", llvm::sys::path::stem(file).str(), job.valueOf("-target-cpu"));
}

/// Where reports of this source go in their folder: "", or "src/" for one that is not in the
/// working folder, and its whole path for one outside of it. So no two sources have the same.
std::string subfolderOf(const Job &job) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path here = fs::current_path(code);
  const fs::path folder = (here / job.words.back()).lexically_normal().parent_path();
  const fs::path inside = folder.lexically_relative(here);
  if (inside == ".")
    return "";
  return (*inside.begin() == ".." ? folder.relative_path() : inside).string() + "/";
}

/// Options have another name here.
std::string withOurNames(std::string message) {
  for (const std::string_view name : {"--all-remarks", "--assume="})
    if (const size_t at = message.find(name); at != std::string::npos)
      message.insert(at + 2, "rdna-");
  return message;
}

void Steps::say(const std::string &before, const PipelineResult &result) const {
  using Say = RewriteRequest::Say;
  if (request_.say == Say::Nothing)
    return;
  for (Diagnostic remark :
       request_.say == Say::AllRemarks ? result.remarks : tool::folded(result.remarks)) {
    remark.message = withOurNames(std::move(remark.message));
    // With -g the place is one of the source.
    if (const auto place = sourceOf(before, remark.line);
        place && remark.severity == Severity::Remark) {
      const std::string known = fmt::format(
          " [{}:{}]", std::filesystem::path(place->file).filename().string(), place->line);
      if (remark.message.ends_with(known))
        remark.message.resize(remark.message.size() - known.size());
      remark.message += fmt::format(" (at {}:{})", remark.file, remark.line);
      remark.file = place->file;
      remark.line = place->line;
      remark.column = place->column;
      remark.sourceLine.clear();
    }
    tool_.report(remark);
  }
  if (request_.say == Say::Score)
    std::fputs(tool::scoreLines(result.steps).c_str(), stderr);
}

llvm::Error Steps::writeReport(const std::string &name, const std::string &before,
                               const PipelineResult &result) const {
  if (request_.folder.empty())
    return llvm::Error::success();
  const std::string path = request_.folder + "/" + name;
  std::error_code code;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), code);
  if (code)
    return makeError(Failure::BadInput, request_.folder, code.message());
  if (llvm::Error error = writeOutput(path + ".s", before))
    return error;
  if (llvm::Error error = writeOutput(path + ".rewritten.s", result.text))
    return error;
  return writeOutput(path + ".json", tool::jsonText(tool::rewriteReport(path + ".s", result)));
}

llvm::Expected<Rewritten> Steps::rewritten(const std::string &text, const std::string &name) const {
  const std::string file = (request_.folder.empty() ? "" : request_.folder + "/") + name + ".s";
  auto result = rewriteDeviceCode(text, file, request_);
  if (!result)
    return result.takeError();
  Rewritten made{.result = std::move(*result), .object = {}};
  if (made.result.text == text)
    return made;
  auto assembled = object::assemble(made.result.text, file);
  if (!assembled)
    return assembled.takeError();
  made.object = std::move(*assembled);
  return made;
}

/// A step of which another form has run already, and has said its warnings.
llvm::Expected<int> runSilently(const Job &job) {
  auto done = captureProgram(job.words);
  if (!done)
    return done.takeError();
  if (done->code != 0)
    std::fputs(done->err.c_str(), stderr);
  return done->code;
}

llvm::Expected<int> Steps::keepOriginal(const Job &job) {
  Job original = job;
  const std::string file = fmt::format("{}/original-{}.o", folder_, count_++);
  *(llvm::find(original.words, "-o") + 1) = file;
  originals_.add(job, file);
  return runSilently(original);
}

llvm::Expected<int> Steps::makeObject(const Job &job) {
  std::string assembly = job.words.back();
  if (job.device() == Job::Device::Compile) {
    assembly = fmt::format("{}/device-{}.s", folder_, count_++);
    auto code = runProgram(writingAssembly(job, assembly).words);
    if (!code || *code != 0)
      return code;
  }
  auto text = readInput(assembly);
  if (!text)
    return text.takeError();
  const std::string name = subfolderOf(job) + nameOf(job);
  auto made = rewritten(*text, name);
  if (!made) {
    // What the compiler has made is right, whoever does not understand it.
    sayNotUnderstood(name, made.takeError());
    return runSilently(job);
  }
  if (llvm::Error error = writeReport(name, *text, made->result))
    return error;
  say(*text, made->result);
  // Not assembled again where nothing has changed: compilers set bits of descriptors that no
  // assembly says (clang 19: the number of SGPRs, which RDNA ignores).
  if (!made->object)
    return runSilently(job);
  if (llvm::Error error =
          writeOutput(job.output(),
                      {reinterpret_cast<const char *>(made->object->data()), made->object->size()}))
    return error;
  return request_.originals == RewriteRequest::Originals::Keep ? keepOriginal(job) : 0;
}

void Steps::sayNotUnderstood(const std::string &name, llvm::Error error) const {
  std::string reason;
  llvm::handleAllErrors(
      std::move(error),
      [&](const InputError &input) { reason = input.diagnostics().front().message; },
      [&](const llvm::ErrorInfoBase &other) { reason = other.message(); });
  Diagnostic warning;
  warning.severity = Severity::Warning;
  warning.message =
      fmt::format("the device code of {} is left as the compiler makes it: {}", name, reason);
  tool_.report(warning);
}

} // namespace

llvm::Expected<int> runSteps(const tool::Tool &tool, const RewriteRequest &request,
                             const std::vector<std::string> &command) {
  std::vector<std::string> ask = command;
  ask.insert(ask.begin() + 1, "-###");
  return workInFolder([&](const std::string &folder) {
    auto answer = captureProgram(ask, folder);
    if (!answer)
      return tool.report(answer.takeError());
    const Plan plan = readPlan(answer->err);
    if (linksRdna3Bitcode(plan)) {
      Diagnostic warning;
      warning.severity = Severity::Warning;
      warning.message =
          "no kernel is rewritten: with -foffload-lto the linker makes the device code";
      tool.report(warning);
    }
    // What has nothing to do with us is clang's, and its errors are, too.
    if (answer->code != 0 || !hasRdna3Code(plan)) {
      auto code = runProgram(command);
      return code ? *code : tool.report(code.takeError());
    }
    const bool verbose = llvm::is_contained(command, "-v");
    std::fputs(verbose ? answer->err.c_str() : plan.messages.c_str(), stderr);
    auto code = Steps(tool, request, folder).run(plan);
    return code ? *code : tool.report(code.takeError());
  });
}

} // namespace rdna::hipclang
