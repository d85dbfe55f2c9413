/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "packet-switch-options.h"

#include "scenario-options.h"

#include "ns3/training-job-helper.h"

namespace ns3
{

namespace
{

constexpr uint32_t MOST_PORTS = 4096; // of switches in two levels, for 8 million ports a rail

} // namespace

void
PacketSwitchOptions::Add(ScenarioOptions& options)
{
    options
        .Add("switch-radix",
             "Ports of a packet switch; larger rails get leaves and spines; 0: one switch a rail, "
             "as large as needed",
             radix)
        .Between(0, MOST_PORTS);
    options
        .Add("marks",
             "Of congestion on packet switches: drawn by each rail's switch (own), or equally by "
             "all, so that rails fold (common)",
             marks)
        .OneOf({"own", "common"}, "draw");
}

void
PacketSwitchOptions::Require(const ScenarioOptions& options) const
{
    options.Require(radix % 2 == 0,
                    "switch-radix",
                    "half of a leaf's ports go down and half up; give an even number");
}

void
PacketSwitchOptions::SetUp(TrainingJobHelper& helper) const
{
    helper.SetSwitchRadix(radix);
    if (marks == "common") // else EcnStream stays as it is set
    {
        helper.SetCommonMarks(true);
    }
}

} // namespace ns3
