/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs random jobs with faults of the suites photonic-rails-faults-random and
// photonic-rails-long-faults-random by their seeds, in all modes, and prints the differences.
//
//     faults-one-seed FIRST [COUNT] [--show]

#include "../support/seed-words.h"
#include "photonic-rails-faults-random.h"

#include "ns3/picosecond-resolution.h"

#include <cstdint>
#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    UsePicoseconds();
    const SeedWords words(argc, argv, "faults-one-seed", {"--show"});
    if (!words.IsRight())
    {
        return 2;
    }
    FaultsCounts counts;
    const uint64_t differ = words.CountDiffering([&words, &counts](uint64_t seed) {
        const FaultsDraw drawn(seed);
        std::cout << (words.Has("--show") ? drawn.Describe() : "") << std::flush;
        return CompareFaults(drawn, counts);
    });
    std::cout << words.GetCount() << " jobs, " << differ << " differ; " << counts.whole
              << " outlast their " << counts.begun << " faults\n";
    return differ > 0 ? 1 : 0;
}
