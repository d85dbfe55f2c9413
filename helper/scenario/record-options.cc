/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record-options.h"

#include "scenario-options.h"

namespace ns3
{

void
RecordOptions::Add(ScenarioOptions& options)
{
    options
        .Add("record-ranks",
             "Largest job whose operations are recorded, for phases and windows, in ranks",
             ranks)
        .Between(0, 1 << 24);
    options.Add("output-inside",
                "Whether the database of --output has computing and operations inside servers too",
                inside);
    options.Add(
        "output-messages",
        "Whether the database of --output has the messages on rails, which then have events "
        "of their own",
        messages);
    options.Add("output-timeline",
                "Whether the folder of --output has a timeline of each run, for ui.perfetto.dev",
                timeline);
}

void
RecordOptions::Check(const ScenarioOptions& options) const
{
    for (const auto& [name, isOn] : {std::pair{"output-inside", inside},
                                     std::pair{"output-messages", messages},
                                     std::pair{"output-timeline", timeline}})
    {
        options.Require(!isOn || options.IsGiven("output"), name, "give --output=FOLDER too");
    }
}

std::string
RecordOptions::DescribeLimit(uint32_t jobRanks) const
{
    return jobRanks <= ranks
               ? ""
               : "operations, phases and windows of " + std::to_string(jobRanks) +
                     " ranks are not recorded; --record-ranks=" + std::to_string(jobRanks) +
                     " records them";
}

} // namespace ns3
