/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEASURE_H
#define PHOTONIC_RAILS_MEASURE_H

#include <algorithm>
#include <ctime>
#include <functional>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

// Measurements of the benchmarks: CPU time of the process, median and best of several runs.

namespace ns3
{

/** CPU time of this process, in nanoseconds. */
inline double
CpuTime()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

/** Prints the median of a figure over several runs, and the best one. */
inline void
ReportBest(const std::string& what, const std::string& unit, double median, double best)
{
    std::cout << std::left << std::setw(58) << what << std::right << std::fixed
              << std::setprecision(2) << std::setw(12) << median << std::setw(12) << best << "  "
              << unit << std::endl;
}

/** Prints the median and the least of a cost over several runs. */
inline void
Report(const std::string& what, const std::string& unit, std::vector<double> figures)
{
    std::sort(figures.begin(), figures.end());
    ReportBest(what, unit, figures[figures.size() / 2], figures.front());
}

/** Prints the median and the greatest of a rate over several runs. */
inline void
ReportRate(const std::string& what, const std::string& unit, std::vector<double> figures)
{
    std::sort(figures.begin(), figures.end());
    ReportBest(what, unit, figures[figures.size() / 2], figures.back());
}

/** Calls a function that returns figures several times. */
inline std::vector<std::vector<double>>
Repeat(uint32_t runs, const std::function<std::vector<double>()>& once)
{
    once(); // warms caches
    std::vector<std::vector<double>> figures;
    for (uint32_t i = 0; i < runs; ++i)
    {
        const std::vector<double> some = once();
        figures.resize(some.size());
        for (std::size_t f = 0; f < some.size(); ++f)
        {
            figures[f].push_back(some[f]);
        }
    }
    return figures;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEASURE_H */
