/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs random jobs that fail and go on, of the suites photonic-rails-recovery and
// photonic-rails-long-recovery, by their seeds, in all modes, and prints the differences.
//
//     recovery-one-seed FIRST [COUNT] [--show]

#include "photonic-rails-recovery-bench.h"

#include <cstdint>
#include <iostream>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    const std::string last = argc > 1 ? argv[argc - 1] : "";
    const bool show = last == "--show";
    const int numbers = argc - 1 - (show ? 1 : 0);
    if (numbers < 1 || numbers > 2)
    {
        std::cerr << "recovery-one-seed: give FIRST [COUNT] [--show]\n";
        return 2;
    }
    const uint64_t first = std::stoull(argv[1]);
    const uint64_t count = numbers > 1 ? std::stoull(argv[2]) : 1;
    uint64_t differ = 0;
    for (uint64_t seed = first; seed < first + count; ++seed)
    {
        if (show)
        {
            std::cout << seed << ": " << DrawRecovery(seed).Describe() << std::endl;
            for (const std::string& line : DrawRecovery(seed).Observe())
            {
                std::cout << "  " << line << "\n";
            }
        }
        const std::string found = CompareRecoveries(seed);
        differ += found.empty() ? 0 : 1;
        std::cout << found << std::flush;
    }
    std::cout << count << " jobs, " << differ << " differ\n";
    return differ > 0 ? 1 : 0;
}
