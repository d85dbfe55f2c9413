/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs random programs of the suites photonic-rails-memo and photonic-rails-long-memo by their
// seeds, with operations that take after earlier ones and without, and prints the differences.
//
//     memo-one-seed FIRST [COUNT] [--show] [--events] [--servers | --rails]

#include "../support/seed-words.h"
#include "photonic-rails-memo-bench.h"

#include "ns3/picosecond-resolution.h"

#include <cstdint>
#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    UsePicoseconds();
    const SeedWords words(argc,
                          argv,
                          "memo-one-seed",
                          {"--show", "--events", "--servers", "--rails"});
    if (!words.IsRight())
    {
        return 2;
    }
    MemoCounts counts;
    const uint64_t differ = words.CountDiffering([&words, &counts](uint64_t seed) {
        const MemoSort sort = words.Has("--servers") ? MemoSort::SERVERS
                              : words.Has("--rails") ? MemoSort::RAILS
                                                     : MemoSort::RAIL;
        const MemoDraw drawn = MemoDraw::Of(sort, seed);
        std::cout << (words.Has("--show") ? drawn.Describe() : "") << std::flush;
        return CompareMemo(drawn, words.Has("--events"), counts);
    });
    std::cout << words.GetCount() << " programs, " << differ << " differ; of " << counts.operations
              << " operations " << counts.memoized << " were memoized (" << counts.workedOut
              << " of them worked out) and " << counts.madeUp << " made up for\n";
    return differ > 0 ? 1 : 0;
}
