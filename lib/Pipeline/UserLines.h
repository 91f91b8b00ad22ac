//===- UserLines.h - from lines of a rewritten text to the user's ----------===//
#pragma once

#include "Pipeline/Next.h"
#include "Support/Diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace rdna {

/// Where each line of the text that the user gave is in the text as it is now.
class UserLines {
public:
  explicit UserLines(const Module &module);
  /// The text has changed.
  void move(const OffsetMap &places);
  /// Makes a remark about a line of `now` one about the user's line that the code there came of.
  /// The source line is shown only if it is the same in both. Where the user's text has debug
  /// lines the message ends with what the line was compiled from: " [kernel.hip:57]".
  void place(Diagnostic &remark, const Module &now) const;
  /// Where a line of the user's is now, if it is still there as it was.
  std::optional<uint32_t> lineNow(uint32_t userLine, const Module &now) const;
  /// Which of the user's lines stands at a line of `now` as it was.
  std::optional<uint32_t> userLine(uint32_t lineNow, const Module &now) const;

private:
  struct Line {
    std::string text;
    uint32_t place;     ///< Of its first byte, in the text as it is now.
    std::string source; ///< "kernel.hip:57", of its first instruction; often empty.
  };
  std::vector<Line> lines_;
};

/// The line of `module` that holds the byte.
uint32_t lineOfOffset(const Module &module, uint32_t offset);

} // namespace rdna
