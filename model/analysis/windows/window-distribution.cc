/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "window-distribution.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace ns3
{

namespace
{

/** @return a number of bytes as a short text: 1 MB is 10^6 bytes */
std::string
DescribeBytes(uint64_t bytes)
{
    const char* units[] = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
    std::size_t unit = 0;
    uint64_t scale = 1;
    for (; unit + 1 < std::size(units) && bytes / scale >= 1000; ++unit)
    {
        scale *= 1000;
    }
    std::ostringstream words;
    words << bytes / static_cast<double>(scale) << " " << units[unit];
    return words.str();
}

/** @return the traffic of a group as text */
std::string
DescribeRange(const WindowDistribution::Group& group)
{
    if (!group.below)
    {
        return group.from == 0 ? "any" : "from " + DescribeBytes(group.from);
    }
    return group.from == 0 ? "below " + DescribeBytes(*group.below)
                           : DescribeBytes(group.from) + " to " + DescribeBytes(*group.below);
}

/** @return the rank, from 1, at which a share of a count is reached */
std::size_t
RankOf(double share, std::size_t count)
{
    // a share such as 0.07 of 100 must not become 8 by rounding up 7.000000000000001
    const double exact = share * count;
    const double whole = std::round(exact);
    const double rank = std::abs(exact - whole) < 1e-9 * count ? whole : std::ceil(exact);
    return std::min(count, std::max<std::size_t>(1, static_cast<std::size_t>(rank)));
}

/** @return the share of ascending lengths above one; 0 if there are none */
double
ShareAbove(const std::vector<Time>& lengths, Time length)
{
    const auto above = lengths.end() - std::upper_bound(lengths.begin(), lengths.end(), length);
    return lengths.empty() ? 0 : static_cast<double>(above) / lengths.size();
}

void
PrintRow(std::ostream& os, const WindowDistribution::Group& group, Time above)
{
    const auto& lengths = group.lengths;
    os << "  " << std::left << std::setw(20) << DescribeRange(group) << std::right << std::setw(9)
       << lengths.size();
    if (!lengths.empty())
    {
        os << std::fixed << std::setprecision(3);
        for (const std::size_t rank : {std::size_t{1}, RankOf(0.5, lengths.size()), lengths.size()})
        {
            os << std::setw(13) << lengths[rank - 1].GetTimeStep() / 1e9;
        }
        os << std::setprecision(1) << std::setw(8) << 100 * group.GetShareAbove(above) << " %";
    }
    os << "\n";
}

} // namespace

double
WindowDistribution::Group::GetShareAbove(Time length) const
{
    return ShareAbove(lengths, length);
}

WindowDistribution::WindowDistribution(const std::vector<CommunicationWindow>& windows)
    : m_windows(windows),
      m_perIteration(CountWindows(windows))
{
    std::stable_sort(m_windows.begin(), m_windows.end(), [](const auto& one, const auto& other) {
        return one.length < other.length;
    });
}

std::size_t
WindowDistribution::GetCount() const
{
    return m_windows.size();
}

std::vector<WindowDistribution::Point>
WindowDistribution::GetPoints() const
{
    std::vector<Point> points;
    for (std::size_t i = 0; i < m_windows.size(); ++i)
    {
        if (i + 1 == m_windows.size() || m_windows[i + 1].length != m_windows[i].length)
        {
            points.push_back(
                {m_windows[i].length, i + 1, static_cast<double>(i + 1) / m_windows.size()});
        }
    }
    return points;
}

double
WindowDistribution::GetShareAbove(Time length) const
{
    return GroupByBytes({}).front().GetShareAbove(length);
}

std::optional<Time>
WindowDistribution::GetQuantile(double share) const
{
    NS_ABORT_MSG_UNLESS(share > 0 && share <= 1,
                        "WindowDistribution: a quantile of " << share
                                                             << "; give more than 0 and at most 1");
    if (m_windows.empty())
    {
        return std::nullopt;
    }
    return m_windows[RankOf(share, m_windows.size()) - 1].length;
}

std::vector<WindowDistribution::Group>
WindowDistribution::GroupByBytes(const std::vector<uint64_t>& bounds) const
{
    std::vector<Group> groups{{0, std::nullopt, {}}};
    for (const uint64_t bound : bounds)
    {
        NS_ABORT_MSG_UNLESS(bound > groups.back().from,
                            "WindowDistribution: a bound of "
                                << bound << " bytes does not come after " << groups.back().from
                                << "; give bounds that are above 0 and ascend");
        groups.back().below = bound;
        groups.push_back({bound, std::nullopt, {}});
    }
    for (const CommunicationWindow& window : m_windows) // ascending by length
    {
        const auto group = std::upper_bound(bounds.begin(), bounds.end(), window.nextBytes);
        groups[group - bounds.begin()].lengths.push_back(window.length);
    }
    return groups;
}

const std::map<uint32_t, std::size_t>&
WindowDistribution::GetCountPerIteration() const
{
    return m_perIteration;
}

void
WindowDistribution::Print(std::ostream& os, const std::vector<uint64_t>& bounds, Time above) const
{
    std::ostringstream share;
    share << "> " << above.GetTimeStep() / 1e9 << " ms";
    std::ostringstream table; // so that the state of os does not change
    table << GetWindowRule() << "\n\n  " << std::left << std::setw(20) << "traffic after"
          << std::right << std::setw(9) << "windows" << std::setw(13) << "shortest" << std::setw(13)
          << "median" << std::setw(13) << "longest" << std::setw(10) << share.str() << "\n"
          << std::setw(44) << "(ms)" << std::setw(13) << "(ms)" << std::setw(13) << "(ms)"
          << "\n";
    std::vector<Group> groups = GroupByBytes(bounds);
    if (!bounds.empty())
    {
        groups.push_back(GroupByBytes({}).front());
    }
    for (const Group& group : groups)
    {
        PrintRow(table, group, above);
    }
    table << "\n  windows by iteration:";
    for (const auto& [iteration, count] : m_perIteration)
    {
        table << " " << iteration << ": " << count;
    }
    os << table.str() << (m_perIteration.empty() ? " none\n" : "\n");
}

void
WriteWindows(std::ostream& os, const std::vector<CommunicationWindow>& windows)
{
    // names of parallelisms come from the user; quotes keep a name with a comma or a quote in one
    // field
    const auto quoted = [](const std::string& word) {
        if (word.find_first_of(",\"\r\n") == std::string::npos)
        {
            return word;
        }
        std::string text = "\"";
        for (const char c : word)
        {
            text += c == '"' ? std::string("\"\"") : std::string(1, c);
        }
        return text + "\"";
    };
    os << "rank,rail,iteration,start_ps,length_ps,from,to,next_bytes,next_operations\n";
    for (const CommunicationWindow& one : windows)
    {
        os << (one.rank ? std::to_string(one.rank->Get()) : "") << "," << one.rail << ","
           << one.iteration << "," << one.start.GetTimeStep() << "," << one.length.GetTimeStep()
           << "," << quoted(one.from) << "," << quoted(one.to) << "," << one.nextBytes << ","
           << one.nextOperations << "\n";
    }
}

} // namespace ns3
