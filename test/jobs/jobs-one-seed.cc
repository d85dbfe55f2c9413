/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs random training jobs by their seeds, in all variants of the suites photonic-rails-jobs and
// photonic-rails-long-jobs, and prints the differences.
//
//     jobs-one-seed FIRST [COUNT] [--show] [--plans] [--folds] [--memoizes] [--lines PREFIX]
//
// --plans runs the plans of photonic-rails-long-plans instead, each once, and prints those that get
// stuck.
// --folds runs jobs whose rails do the same, each rail by itself and then folded in several ways.
// --memoizes runs the jobs without and with operations that take after earlier ones.
// --show prints each job; --lines writes the observations of each run into PREFIX.N, N from 0.

#include "photonic-rails-jobs-differential.h"
#include "photonic-rails-jobs-draw.h"
#include "photonic-rails-jobs-outcome.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    std::vector<uint64_t> numbers;
    std::string prefix;
    bool show = false;
    bool plans = false;
    bool folds = false;
    bool memoizes = false;
    for (std::size_t w = 0; w < words.size(); ++w)
    {
        if (words[w] == "--show")
        {
            show = true;
        }
        else if (words[w] == "--plans")
        {
            plans = true;
        }
        else if (words[w] == "--folds")
        {
            folds = true;
        }
        else if (words[w] == "--memoizes")
        {
            memoizes = true;
        }
        else if (words[w] == "--lines" && w + 1 < words.size())
        {
            prefix = words[++w];
        }
        else if (words[w].find_first_not_of("0123456789") == std::string::npos)
        {
            numbers.push_back(std::stoull(words[w]));
        }
        else
        {
            std::cerr << "jobs-one-seed: " << words[w]
                      << ": no such option; give FIRST [COUNT] [--show] [--plans] [--folds] "
                         "[--memoizes] [--lines "
                         "PREFIX]\n";
            return 2;
        }
    }
    if (numbers.empty() || numbers.size() > 2)
    {
        std::cerr << "jobs-one-seed: give a first seed, and how many if it is not one\n";
        return 2;
    }
    const uint64_t count = numbers.size() == 2 ? numbers[1] : 1;
    uint64_t differ = 0;
    uint64_t aborted = 0;
    uint64_t folded = 0;
    uint64_t diverged = 0;
    uint64_t memoized = 0;
    for (uint64_t seed = numbers[0]; seed < numbers[0] + count; ++seed)
    {
        const DrawnJob drawn(seed,
                             plans                ? DrawnRange::ANY_PLAN
                             : folds && !memoizes ? DrawnRange::EQUAL_RAILS
                                                  : DrawnRange::WHOLE);
        std::vector<JobMode> modes = plans      ? std::vector<JobMode>()
                                     : memoizes ? MemoizedModes(drawn)
                                     : folds    ? FoldedModes(drawn)
                                                : OtherModes(drawn);
        modes.insert(modes.begin(), JobMode());
        std::vector<std::string> first;
        std::string problem;
        for (std::size_t m = 0; m < modes.size(); ++m)
        {
            const std::vector<std::string> lines = JobWitness::RunApart(drawn, modes[m]);
            if (!prefix.empty())
            {
                std::ofstream file(prefix + "." + std::to_string(m));
                std::copy(lines.begin(),
                          lines.end(),
                          std::ostream_iterator<std::string>(file, "\n"));
            }
            if (m == 0)
            {
                first = lines;
                continue;
            }
            if (JobWitness::HasDiverged(lines))
            {
                ++diverged;
                std::cout << (show ? "  diverged: " + lines[1] + "\n" : "");
                continue;
            }
            for (const std::string& line : lines)
            {
                const bool isFolded = line.rfind(JobWitness::FOLDED, 0) == 0;
                folded += isFolded && line.rfind("folded 0", 0) != 0 ? 1 : 0;
                const bool isMemoized = line.rfind(JobWitness::MEMOIZED, 0) == 0;
                memoized += isMemoized ? std::stoull(line.substr(line.find(' '))) : 0;
                std::cout << (show && (isFolded || isMemoized) ? "  " + line + "\n" : "");
            }
            const std::string difference =
                FirstDifference(first, lines, HasEqualNumbers(drawn, modes[m]));
            problem += difference.empty() ? "" : "  " + modes[m].Describe() + ": " + difference;
        }
        const bool ended = first.front() != JobWitness::ABORTED;
        differ += problem.empty() ? 0 : 1;
        aborted += ended ? 0 : 1;
        const auto message = std::find_if(first.begin(), first.end(), [](const std::string& line) {
            return line.find("msg=") != std::string::npos;
        });
        const std::string why = message == first.end() ? first.back() : *message;
        const bool isStuck = !ended && why.find("can't be trained like that") == std::string::npos;
        if (show || !problem.empty() || (plans && isStuck))
        {
            std::cout << drawn.Describe() << "  " << first.size() << " lines"
                      << (ended ? "" : ", aborted: " + why) << "\n"
                      << problem << std::flush;
        }
    }
    if (memoized > 0)
    {
        std::cout << memoized << " operations that took after earlier ones\n";
    }
    if (folded + diverged > 0)
    {
        std::cout << folded << " runs with operations that followed another rail, " << diverged
                  << " that diverged\n";
    }
    std::cout << count << " jobs, " << aborted << " of them can't go on, " << differ << " differ\n";
    return differ == 0 ? 0 : 1;
}
