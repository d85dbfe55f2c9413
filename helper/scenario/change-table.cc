/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "change-table.h"

#include "ns3/option-value.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <sstream>

namespace ns3
{

namespace
{

/** @return the run in the first columns of its rows @param width of the policy */
std::string
NameColumns(const TrainingVariant& run, int width)
{
    std::ostringstream os;
    os << std::left << std::setw(width) << run.policy << std::right << std::setw(16)
       << (run.delay ? ToOption(*run.delay) : "-");
    return os.str();
}

} // namespace

void
PrintChange(std::ostream& os,
            const TrainingTask& task,
            const std::vector<TrainingVariant>& variants,
            const std::vector<TrainingOutcome>& outcomes)
{
    constexpr uint32_t SHOWN_AFTER = 3; // iterations
    const uint32_t change = task.change.iteration;
    const int width = GetPolicyWidth(variants);
    const std::string wider(width - 13, ' ');
    const std::string blank(width + 16, ' ');
    os << "\nfrom iteration " << change << " on: " << task.change.ToText(task.recipe) << "\npolicy"
       << wider
       << "        reconfiguration  iteration              time   exposed  reconfigurations  "
          "mispredictions\n"
       << wider << "                                                    (s)       (s)\n";
    for (std::size_t v = 0; v < variants.size(); ++v)
    {
        const auto& all = outcomes[v].iterations;
        const uint32_t last = std::min<uint32_t>(all.size(), change + SHOWN_AFTER);
        for (uint32_t i = change - 1; i <= last; ++i)
        {
            const char* const when = i < change ? " before" : i == change ? " change" : " after ";
            const IterationFigures& one = all[i - 1];
            os << (i == change - 1 ? NameColumns(variants[v], width) : blank) << std::setw(11) << i
               << when << std::fixed << std::setprecision(4) << std::setw(11) << one.seconds
               << std::setw(10) << one.exposed << std::setw(18) << one.reconfigurations
               << std::setw(16) << one.wrongPredictions << "\n";
        }
        if (last > change)
        {
            os << blank << "  cost of the change " << std::fixed << std::setprecision(4)
               << all[change - 1].seconds - all[change].seconds << " s\n";
        }
    }
    os << "cost: by how much the first iteration with the change takes longer than the next, of "
          "the "
          "same work"
       << std::endl;
}

} // namespace ns3
