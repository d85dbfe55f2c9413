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

/** Prints the heading of a program's figures; tools/compare-figures reads it and the lines below.
 */
inline void
ReportTitle(const std::string& title)
{
    std::cout << std::left << std::setw(58) << title << std::right << std::setw(12) << "median"
              << std::setw(12) << "best"
              << "  unit" << std::endl;
}

/** Prints the median of a figure over several runs, and the best one. */
inline void
ReportBest(const std::string& what, const std::string& unit, double median, double best)
{
    const int digits = median < 10 ? 3 : median < 1000 ? 2 : 0;
    std::cout << std::left << std::setw(58) << what << std::right << std::fixed
              << std::setprecision(digits) << std::setw(12) << median << std::setw(12) << best
              << "  " << unit << std::endl;
}

/** @return the middle one of some figures, the greater of the two in the middle */
inline double
Median(std::vector<double> figures)
{
    std::sort(figures.begin(), figures.end());
    return figures[figures.size() / 2];
}

/** Prints the median and the least of a cost over several runs. */
inline void
Report(const std::string& what, const std::string& unit, const std::vector<double>& figures)
{
    ReportBest(what, unit, Median(figures), *std::min_element(figures.begin(), figures.end()));
}

/** Prints the median and the greatest of a rate over several runs. */
inline void
ReportRate(const std::string& what, const std::string& unit, const std::vector<double>& figures)
{
    ReportBest(what, unit, Median(figures), *std::max_element(figures.begin(), figures.end()));
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
