/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs random programs of the suites photonic-rails-intra-node and photonic-rails-long-intra-node
// by their seeds, as one and by messages, and prints the differences.
//
//     intra-node-one-seed FIRST [COUNT] [--show]

#include "photonic-rails-intra-node-bench.h"

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
    for (const std::string& word : std::vector<std::string>(argv + 1, argv + argc))
    {
        if (word == "--show")
        {
            show = true;
        }
        else
        {
            numbers.push_back(std::stoull(word));
        }
    }
    if (numbers.empty())
    {
        std::cerr << "intra-node-one-seed: give FIRST [COUNT] [--show]\n";
        return 2;
    }
    uint64_t differ = 0;
    uint64_t operations = 0;
    uint64_t asOne = 0;
    const uint64_t count = numbers.size() > 1 ? numbers[1] : 1;
    for (uint64_t seed = numbers[0]; seed < numbers[0] + count; ++seed)
    {
        const IntraNodeDraw drawn(seed);
        if (show)
        {
            std::cout << drawn.Describe() << std::flush;
        }
        const std::string difference = CompareIntraNode(drawn, operations, asOne);
        if (!difference.empty())
        {
            ++differ;
            std::cout << "program " << seed << ": " << difference << std::endl;
        }
    }
    std::cout << count << " programs, " << differ << " differ; of " << operations
              << " operations of ranks inside servers " << asOne << " went as one\n";
    return differ > 0 ? 1 : 0;
}
