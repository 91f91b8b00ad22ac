// Generated loops: what they are made of, and what they compute on the emulator, with memory
// operations that take as long as the counters allow.

#include "generate/LoopHarness.h"

namespace loopTest {

using namespace rdna;
using namespace rdna::generate;
using namespace rdna::test;

namespace {

TEST(GenerateLoop, TilesOfEveryParity) {
  for (const auto &[rows, columns] : std::vector<std::pair<unsigned, unsigned>>{
           {2, 2}, {3, 2}, {2, 3}, {3, 3}, {3, 5}, {4, 7}, {8, 16}, {16, 8}, {13, 11}, {15, 14}})
    for (const unsigned steps : {1u, 2u, 3u, 5u})
      for (const unsigned fragments : {1u, 2u})
        checkLoop(loopOf(rows, columns, steps, Source::Lds, Source::Lds, 4, fragments));
}

TEST(GenerateLoop, Lanes) {
  for (const unsigned laneRows : {1u, 2u, 4u, 8u, 16u, 32u})
    for (const auto &[rows, columns] :
         std::vector<std::pair<unsigned, unsigned>>{{6, 4}, {5, 7}, {3, 12}, {9, 6}})
      checkLoop(loopOf(rows, columns, 3, Source::Lds, Source::Lds, laneRows, 1));
}

TEST(GenerateLoop, Sources) {
  for (const Source a : {Source::Lds, Source::Scalar, Source::Vgpr})
    for (const Source b : {Source::Lds, Source::Vgpr})
      for (const auto &[rows, columns] : std::vector<std::pair<unsigned, unsigned>>{
               {4, 4}, {5, 3}, {3, 6}, {7, 8}, {32, 2}, {32, 4}, {64, 2}})
        for (const unsigned steps : {3u, 4u})
          checkLoop(loopOf(rows, columns, steps, a, b, a == Source::Scalar ? 1 : 8,
                           a == Source::Scalar ? 2 : 1));
}

} // namespace

} // namespace loopTest
