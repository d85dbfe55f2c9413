/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-history.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <vector>

namespace ns3
{

namespace
{

constexpr int64_t NOT_YET = INT64_MAX; //!< the end of a circuit that is up

/** A circuit from an instant to another, with light or while it is set up. */
struct CircuitInterval
{
    int64_t from;
    int64_t to;
    std::pair<int64_t, int64_t> ports;
    bool isUp;
};

/** The intervals, by rail. */
using CircuitIntervals = std::map<int64_t, std::vector<CircuitInterval>>;

/** Adds the circuits that a switch sets up by a plan, such as "-0-1 +0-2". */
void
AddPlan(std::vector<CircuitInterval>& intervals, const std::string& plan, int64_t from, int64_t to)
{
    std::istringstream words(plan);
    for (std::string word; words >> word;)
    {
        const std::size_t dash = word.find('-', 1);
        if (word[0] == '+' && dash != std::string::npos)
        {
            const int64_t one = std::stoll(word.substr(1));
            const int64_t other = std::stoll(word.substr(dash + 1));
            intervals.push_back({from, to, std::minmax(one, other), false});
        }
    }
}

CircuitIntervals
ReadIntervals(ResultDatabase& database, const std::string& run)
{
    CircuitIntervals intervals;
    database.Select(
        "SELECT rail, low_port, high_port, up_ps, down_ps FROM circuits WHERE run=" + run,
        [&intervals](const auto& row) {
            intervals[ToWhole(row[0])].push_back({ToWhole(row[3]),
                                                  IsNull(row[4]) ? NOT_YET : ToWhole(row[4]),
                                                  {ToWhole(row[1]), ToWhole(row[2])},
                                                  true});
        });
    database.Select(
        "SELECT rail, circuits, start_ps, end_ps FROM plans WHERE status='done' AND "
        "end_ps>start_ps AND run=" +
            run,
        [&intervals](const auto& row) {
            AddPlan(intervals[ToWhole(row[0])], ToText(row[1]), ToWhole(row[2]), ToWhole(row[3]));
        });
    return intervals;
}

} // namespace

std::map<int64_t, CircuitHistory>
ReadCircuitHistories(ResultDatabase& database, const std::string& run, std::size_t mostInstants)
{
    std::map<int64_t, CircuitHistory> histories;
    for (const auto& [rail, intervals] : ReadIntervals(database, run))
    {
        CircuitHistory& history = histories[rail];
        std::set<int64_t> instants;
        for (const CircuitInterval& one : intervals)
        {
            instants.insert(one.from);
            if (one.to != NOT_YET)
            {
                instants.insert(one.to);
            }
            history.ports.insert({one.ports.first, one.ports.second});
        }
        const auto end =
            std::next(instants.begin(),
                      static_cast<std::ptrdiff_t>(std::min(instants.size(), mostInstants)));
        for (auto at = instants.begin(); at != end; ++at)
        {
            history.states[*at];
        }
        for (const CircuitInterval& one : intervals)
        {
            for (auto at = history.states.lower_bound(one.from);
                 at != history.states.end() && at->first < one.to;
                 ++at)
            {
                bool& isUp = at->second[one.ports];
                isUp = isUp || one.isUp;
            }
        }
    }
    return histories;
}

} // namespace ns3
