/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-jobs-differential.h"

#include "photonic-rails-jobs-draw.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace ns3
{

std::string
FirstDifference(std::vector<std::string> one, std::vector<std::string> other, bool numbered)
{
    for (std::vector<std::string>* lines : {&one, &other})
    {
        const auto isNumbered = [numbered](const std::string& line) {
            return !numbered && line.rfind(JobWitness::NUMBERED, 0) == 0;
        };
        lines->erase(std::remove_if(lines->begin(), lines->end(), isNumbered), lines->end());
    }
    std::vector<std::string> left;
    std::vector<std::string> right;
    std::set_difference(one.begin(),
                        one.end(),
                        other.begin(),
                        other.end(),
                        std::back_inserter(left));
    std::set_difference(other.begin(),
                        other.end(),
                        one.begin(),
                        one.end(),
                        std::back_inserter(right));
    std::ostringstream words;
    if (!left.empty() || !right.empty())
    {
        words << left.size() << " of " << one.size() << " lines are only in the first, "
              << right.size() << " of " << other.size() << " only in the second, such as\n  "
              << (left.empty() ? "-" : left.front()) << "\n  "
              << (right.empty() ? "-" : right.front()) << "\n";
    }
    return words.str();
}

std::vector<JobMode>
OtherModes(const DrawnJob& drawn)
{
    const uint64_t seed = drawn.seed;
    // not HeapScheduler: an event that it removes is replaced by one that only moves down the heap,
    // so that later ones may come before it (ns-3.35 to ns-3.48)
    static const char* const schedulers[]{"ns3::ListScheduler",
                                          "ns3::MapScheduler",
                                          "ns3::PriorityQueueScheduler",
                                          "ns3::CalendarScheduler"};
    if (drawn.hosts > 0)
    {
        return {{"PacketEvents", schedulers[seed % 4], 0, false},
                {"PacketTrains", schedulers[(seed + 1) % 4], 0, true}};
    }
    return {{"PacketEvents", schedulers[seed % 4], 0, false},
            {"PacketEvents", "ns3::MapScheduler", 2 * seed + 1, seed % 2 == 0},
            {"PacketTrains", "ns3::MapScheduler", 2 * seed + 2, true}};
}

bool
HasEqualNumbers(const DrawnJob& drawn, const JobMode& mode)
{
    return mode.salt == 0 && drawn.hosts == 0 && drawn.step.IsZero();
}

std::string
CompareModes(const DrawnJob& drawn, const std::vector<std::string>& lines)
{
    std::string words;
    for (const JobMode& mode : OtherModes(drawn))
    {
        const std::string difference =
            FirstDifference(lines, JobWitness::RunApart(drawn, mode), HasEqualNumbers(drawn, mode));
        words += difference.empty() ? "" : "  " + mode.Describe() + ": " + difference;
    }
    return words;
}

} // namespace ns3
