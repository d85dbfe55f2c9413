/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs random programs of the suites photonic-rails-recall and photonic-rails-long-recall by their
// seeds, with operations that take after earlier ones and without, and prints the differences.
//
//     recall-one-seed FIRST [COUNT] [--show] [--events]

#include "photonic-rails-recall-bench.h"

#include "ns3/picosecond-resolution.h"

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    UsePicoseconds();
    std::vector<uint64_t> numbers;
    bool show = false;
    bool events = false;
    for (const std::string& word : std::vector<std::string>(argv + 1, argv + argc))
    {
        if (word == "--show")
        {
            show = true;
        }
        else if (word == "--events")
        {
            events = true;
        }
        else
        {
            numbers.push_back(std::stoull(word));
        }
    }
    if (numbers.empty())
    {
        std::cerr << "recall-one-seed: give FIRST [COUNT] [--show] [--events]\n";
        return 2;
    }
    uint64_t differ = 0;
    RecallCounts counts;
    const uint64_t count = numbers.size() > 1 ? numbers[1] : 1;
    for (uint64_t seed = numbers[0]; seed < numbers[0] + count; ++seed)
    {
        const RecallDraw drawn(seed);
        if (show)
        {
            std::cout << drawn.Describe() << std::flush;
        }
        const std::string difference = CompareRecall(drawn, events, counts);
        if (!difference.empty())
        {
            ++differ;
            std::cout << "program " << seed << ": " << difference << std::endl;
        }
    }
    std::cout << count << " programs, " << differ << " differ; of " << counts.operations
              << " operations " << counts.recalled << " were recalled and " << counts.madeUp
              << " made up for\n";
    return differ > 0 ? 1 : 0;
}
