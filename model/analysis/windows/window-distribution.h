/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WINDOW_DISTRIBUTION_H
#define PHOTONIC_RAILS_WINDOW_DISTRIBUTION_H

#include "communication-window.h"

#include "ns3/nstime.h"
#include "ns3/picosecond-resolution.h"

#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The distribution of the lengths of windows, and its relation to the traffic after them.
 *
 * Lengths are compared as whole time steps, so shares are exact counts over the number of
 * windows. Negative lengths (phases that overlap) count like others.
 *
 * @code
 * const WindowDistribution distribution(FindWindows(operations));
 * distribution.GetShareAbove(MilliSeconds(1));
 * distribution.Print(std::cout, {1'000'000, 100'000'000});
 * @endcode
 */
class WindowDistribution
{
  public:
    /** A point of the cumulative distribution function. */
    struct Point
    {
        Time length;       //!< an occurring length
        std::size_t count; //!< number of windows that are not longer
        double share;      //!< the same, as a share of all windows
    };

    /** Windows with a similar volume of traffic after them. */
    struct Group
    {
        uint64_t from;                 //!< bytes after the window, at least
        std::optional<uint64_t> below; //!< bytes after the window, less than; none: no limit
        std::vector<Time> lengths;     //!< ascending

        /** @return the share of the group's windows that are longer; 0 if it has no window */
        double GetShareAbove(Time length) const;
    };

    /** @param windows of ranks or rails */
    explicit WindowDistribution(const std::vector<CommunicationWindow>& windows);

    /** @return the number of windows */
    std::size_t GetCount() const;

    /** @return the exact points of the distribution, one for each length that occurs, ascending */
    std::vector<Point> GetPoints() const;

    /** @return the share of windows that are longer; 0 if there are none */
    double GetShareAbove(Time length) const;

    /**
     * @param share more than 0, at most 1
     * @return the shortest length that this share of the windows does not exceed; none if there are
     *         no windows
     */
    std::optional<Time> GetQuantile(double share) const;

    /**
     * Groups windows by the traffic after them.
     * @param bounds in bytes, ascending: a window with exactly as many is above the bound
     * @return one group more than bounds; some may be empty
     */
    std::vector<Group> GroupByBytes(const std::vector<uint64_t>& bounds) const;

    /** @return the number of windows by iteration */
    const std::map<uint32_t, std::size_t>& GetCountPerIteration() const;

    /**
     * Prints a table: by traffic after the window, the number of windows, the shortest, the median
     * and the longest length, and the share above a length. The definition of a window is above it.
     * @param bounds of the groups, in bytes, ascending
     */
    void Print(std::ostream& os,
               const std::vector<uint64_t>& bounds,
               Time above = ToTime(1'000'000'000)) const;

  private:
    std::vector<CommunicationWindow> m_windows; //!< ascending by length
    std::map<uint32_t, std::size_t> m_perIteration;
};

/**
 * Writes windows as CSV, a line each after a line of names: rank (empty: a window of the rail),
 * rail, iteration, start_ps, length_ps, from, to, next_bytes, next_operations.
 * @param windows in the order of the lines
 */
void WriteWindows(std::ostream& os, const std::vector<CommunicationWindow>& windows);

} // namespace ns3

#endif /* PHOTONIC_RAILS_WINDOW_DISTRIBUTION_H */
