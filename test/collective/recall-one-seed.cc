/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs random programs of the suites photonic-rails-recall and photonic-rails-long-recall by their
// seeds, with operations that take after earlier ones and without, and prints the differences.
//
//     recall-one-seed FIRST [COUNT] [--show] [--events]

#include "../support/seed-words.h"
#include "photonic-rails-recall-bench.h"

#include "ns3/picosecond-resolution.h"

#include <cstdint>
#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    UsePicoseconds();
    const SeedWords words(argc, argv, "recall-one-seed", {"--show", "--events"});
    if (!words.IsRight())
    {
        return 2;
    }
    RecallCounts counts;
    const uint64_t differ = words.CountDiffering([&words, &counts](uint64_t seed) {
        const RecallDraw drawn(seed);
        std::cout << (words.Has("--show") ? drawn.Describe() : "") << std::flush;
        return CompareRecall(drawn, words.Has("--events"), counts);
    });
    std::cout << words.GetCount() << " programs, " << differ << " differ; of " << counts.operations
              << " operations " << counts.recalled << " were recalled and " << counts.madeUp
              << " made up for\n";
    return differ > 0 ? 1 : 0;
}
