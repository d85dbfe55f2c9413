/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs random programs of the suites photonic-rails-intra-node and photonic-rails-long-intra-node
// by their seeds, as one and by messages, and prints the differences.
//
//     intra-node-one-seed FIRST [COUNT] [--show] [--stretches]
//
// --stretches draws programs whose ranks do the same over stretches, and works these out as a
// whole.

#include "../support/seed-words.h"
#include "photonic-rails-intra-node-bench.h"

#include "ns3/picosecond-resolution.h"

#include <cstdint>
#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    UsePicoseconds();
    const SeedWords words(argc, argv, "intra-node-one-seed", {"--show", "--stretches"});
    if (!words.IsRight())
    {
        return 2;
    }
    const bool stretches = words.Has("--stretches");
    uint64_t operations = 0;
    uint64_t asOne = 0;
    const uint64_t differ = words.CountDiffering([&](uint64_t seed) {
        const IntraNodeDraw drawn(seed, stretches);
        std::cout << (words.Has("--show") ? drawn.Describe() : "") << std::flush;
        return stretches ? CompareStretches(drawn, operations, asOne)
                         : CompareIntraNode(drawn, operations, asOne);
    });
    std::cout << words.GetCount() << " programs, " << differ << " differ; of " << operations
              << " operations of ranks inside servers " << asOne
              << (stretches ? " were worked out in stretches\n" : " went as one\n");
    return differ > 0 ? 1 : 0;
}
