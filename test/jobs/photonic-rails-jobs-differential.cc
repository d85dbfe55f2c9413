/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-jobs-differential.h"

#include "../support/observed-lines.h"
#include "photonic-rails-jobs-draw.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

std::string
FirstDifference(std::vector<std::string> one, std::vector<std::string> other, bool numbered)
{
    const auto begins = [](const std::string& line, const char* with) {
        return line.rfind(with, 0) == 0;
    };
    const bool isFolded = std::any_of(other.begin(), other.end(), [&](const std::string& line) {
        return begins(line, JobWitness::FOLDED);
    });
    const bool isMemoized = std::any_of(other.begin(), other.end(), [&](const std::string& line) {
        return begins(line, JobWitness::MEMOIZED);
    });
    for (std::vector<std::string>* lines : {&one, &other})
    {
        const auto isLeftOut = [&](const std::string& line) {
            const bool hasNoMessages = isFolded || isMemoized;
            return ((!numbered || hasNoMessages) && begins(line, JobWitness::NUMBERED)) ||
                   (hasNoMessages &&
                    (begins(line, JobWitness::MESSAGE) || begins(line, JobWitness::FOLDED) ||
                     begins(line, JobWitness::MEMOIZED))) ||
                   (isFolded && begins(line, JobWitness::COUNTED));
        };
        lines->erase(std::remove_if(lines->begin(), lines->end(), isLeftOut), lines->end());
    }
    const std::vector<std::string> left = LinesOnlyIn(one, other);
    const std::vector<std::string> right = LinesOnlyIn(other, one);
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
    std::vector<JobMode> modes{{"PacketEvents", schedulers[seed % 4], 0, false}};
    if (drawn.hosts > 0)
    {
        modes.push_back({"PacketTrains", schedulers[(seed + 1) % 4], 0, true});
    }
    else
    {
        modes.push_back({"PacketEvents", "ns3::MapScheduler", 2 * seed + 1, seed % 2 == 0});
        modes.push_back({"PacketTrains", "ns3::MapScheduler", 2 * seed + 2, true});
    }
    if (drawn.job.plan.scaleUp > 1 && drawn.hosts == 0)
    {
        modes.push_back({"PacketTrains", schedulers[(seed + 2) % 4], 0, true, true});
    }
    if (seed % 4 == 3)
    {
        modes.push_back({"PacketTrains", schedulers[seed % 3], 0, true, false, true});
    }
    return modes;
}

bool
HasEqualNumbers(const DrawnJob& drawn, const JobMode& mode)
{
    const bool forwards = drawn.job.policy == "giant-ring";
    return mode.salt == 0 && drawn.hosts == 0 && drawn.step.IsZero() && (mode.asOne || !forwards);
}

std::vector<JobMode>
FoldedModes(const DrawnJob& drawn)
{
    const uint64_t salt = 2 * drawn.seed + 3;
    return {{"PacketTrains", "ns3::MapScheduler", 0, true, true},
            {"PacketTrains", "ns3::MapScheduler", salt, false, true},
            {"PacketEvents", "ns3::PriorityQueueScheduler", 0, true, true}};
}

std::vector<JobMode>
MemoizedModes(const DrawnJob& drawn)
{
    const uint64_t salt = drawn.hosts > 0 ? 0 : 2 * drawn.seed + 4; // as in OtherModes()
    return {{"PacketTrains", "ns3::MapScheduler", 0, true, false, true},
            {"PacketTrains", "ns3::MapScheduler", salt, false, false, true},
            {"PacketTrains", "ns3::PriorityQueueScheduler", 0, true, true, true}};
}

std::string
CompareModes(const DrawnJob& drawn, const std::vector<std::string>& lines)
{
    std::string words;
    for (const JobMode& mode : OtherModes(drawn))
    {
        const std::vector<std::string> others = JobWitness::RunApart(drawn, mode);
        const std::string difference =
            JobWitness::HasDiverged(others)
                ? ""
                : FirstDifference(lines, others, HasEqualNumbers(drawn, mode));
        words += difference.empty() ? "" : "  " + mode.Describe() + ": " + difference;
    }
    return words;
}

} // namespace ns3
