//===- ExpectSame.h - one snippet on both engines -------------------------===//
#pragma once

#include "unit/EmuSnippet.h"

namespace rdna::test {

/// Runs a snippet on both engines and expects the same results; returns the compiled run's.
inline SnippetResult expectSame(Snippet s) {
  s.engine = emu::Engine::Interpreter;
  SnippetResult a = run(s);
  s.engine = emu::Engine::Jit;
  SnippetResult b = run(s);
  EXPECT_GT(b.run.compiledInstructions, 0u);
  EXPECT_EQ(a.run.instructions, b.run.instructions);
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.run.outOfBounds.size(), b.run.outOfBounds.size());
  for (size_t n = 0; n < a.run.outOfBounds.size() && n < b.run.outOfBounds.size(); ++n) {
    EXPECT_EQ(a.run.outOfBounds[n].lanes, b.run.outOfBounds[n].lanes);
    EXPECT_EQ(a.run.outOfBounds[n].firstAddress, b.run.outOfBounds[n].firstAddress);
    EXPECT_EQ(a.run.outOfBounds[n].lastAddress, b.run.outOfBounds[n].lastAddress);
  }
  return b;
}

} // namespace rdna::test
