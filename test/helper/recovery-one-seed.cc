/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs random jobs that fail and go on, of the suites photonic-rails-recovery and
// photonic-rails-long-recovery, by their seeds, in all modes, and prints the differences. With
// --other-rail it runs those whose traffic goes over another rail (photonic-rails-other-rail).
//
//     recovery-one-seed FIRST [COUNT] [--other-rail] [--show]

#include "photonic-rails-recovery-bench.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::vector<std::string> options(argv + 1, argv + argc);
    const auto take = [&options](const std::string& name) {
        const auto found = std::find(options.begin(), options.end(), name);
        const bool isThere = found != options.end();
        if (isThere)
        {
            options.erase(found);
        }
        return isThere;
    };
    const bool show = take("--show");
    const bool isOtherRail = take("--other-rail");
    if (options.empty() || options.size() > 2)
    {
        std::cerr << "recovery-one-seed: give FIRST [COUNT] [--other-rail] [--show]\n";
        return 2;
    }
    const uint64_t first = std::stoull(options[0]);
    const uint64_t count = options.size() > 1 ? std::stoull(options[1]) : 1;
    uint64_t differ = 0;
    for (uint64_t seed = first; seed < first + count; ++seed)
    {
        if (show)
        {
            const RecoveryCase drawn = isOtherRail ? DrawOtherRail(seed) : DrawRecovery(seed);
            std::cout << seed << ": " << drawn.Describe() << std::endl;
            for (const std::string& line : drawn.Observe())
            {
                std::cout << "  " << line << "\n";
            }
        }
        const std::string found = isOtherRail ? CompareOtherRails(seed) : CompareRecoveries(seed);
        differ += found.empty() ? 0 : 1;
        std::cout << found << std::flush;
    }
    std::cout << count << " jobs, " << differ << " differ\n";
    return differ > 0 ? 1 : 0;
}
