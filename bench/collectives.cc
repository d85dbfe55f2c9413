/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The cost of a collective operation: CPU time of Simulator::Run(), with packet trains.

#include "empty-event.h"
#include "measure.h"

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <memory>

using namespace ns3;

namespace
{

/** The load of a run. */
struct Load
{
    std::string what;
    uint32_t groups; //!< groups, each with a ring
    uint32_t ranks;  //!< ranks of each group
    CollectiveKind kind;
    uint64_t bytes;
    uint64_t messageSize;
};

/** CPU time of the run in milliseconds, and of a message in microseconds. */
std::vector<double>
RunOnce(const Load& load)
{
    const uint32_t all = load.groups * load.ranks;
    NodeContainer gpus(all);
    PhotonicRailHelper rails;
    rails.SetProfile("2x200");
    rails.SetSwitchAttribute("Radix", UintegerValue(2 * all));
    const Rail rail = rails.Install(gpus);
    RdmaHelper rdma;
    rdma.SetAttribute("AckEvery", UintegerValue(256));
    rdma.Install(gpus);
    CollectiveHelper collectives;
    collectives.SetAttribute("MessageSize", UintegerValue(load.messageSize));
    const Ptr<CollectiveJob> job = collectives.Install(rail);
    const ApplicationContainer& applications = job->GetApplications();
    for (uint32_t g = 0; g < load.groups; ++g)
    {
        std::vector<uint32_t> ranks;
        for (uint32_t r = 0; r < load.ranks; ++r)
        {
            ranks.push_back(g * load.ranks + r);
            rail.GetOpticalSwitch()->Connect(
                rail.GetSwitchPort(g * load.ranks + r, 1),
                rail.GetSwitchPort(g * load.ranks + (r + 1) % load.ranks, 0));
        }
        job->Call(job->MakeGroup("ring", ranks), load.kind, load.bytes, "ring");
    }
    const double before = CpuTime();
    Simulator::Run();
    const double cpu = CpuTime() - before;
    RailAudit audit;
    audit.Add(rail);
    audit.Add(applications);
    audit.Require();
    const uint64_t messages = audit.GetTotals().messagesArrived;
    Simulator::Destroy();
    return {cpu / 1e6, cpu / 1e3 / messages};
}

/** CPU time in milliseconds until each rank has its part of a ring all-reduce. */
std::vector<double>
SetUpOnce(uint32_t ranks)
{
    CollectiveParameters parameters;
    parameters.ranks = ranks;
    parameters.channels = 2;
    parameters.bidirectional = true;
    const auto schedule = CollectiveAlgorithm::GetSchedule("ring", parameters);
    std::vector<std::shared_ptr<const RankSchedule>> parts;
    const double before = CpuTime();
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        parts.push_back(RankSchedule::Get(schedule, rank));
    }
    return {(CpuTime() - before) / 1e6};
}

} // namespace

int
main(int argc, char* argv[])
{
    UsePicoseconds();
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    uint32_t runs = 3;
    CommandLine cmd(__FILE__);
    cmd.AddValue("runs", "Runs of each benchmark", runs);
    cmd.Parse(argc, argv);

    ReportTitle("collectives by packet trains");
    ReportEmptyEvent(runs);
    const std::vector<Load> loads{
        {"ring all-reduce of 1 GiB, 8 ranks", 1, 8, CollectiveKind::ALL_REDUCE, 1 << 30, 1 << 20},
        {"ring all-gather of 1 GiB, 2 ranks", 1, 2, CollectiveKind::ALL_GATHER, 1 << 30, 1 << 20},
        {"128 rings of 16 ranks, all-gather of 64 MiB each",
         128,
         16,
         CollectiveKind::ALL_GATHER,
         64 << 20,
         1 << 20},
    };
    for (const Load& load : loads)
    {
        const auto figures = Repeat(runs, [&load]() { return RunOnce(load); });
        Report(load.what, "ms of CPU", figures[0]);
        Report("  a message", "us of CPU", figures[1]);
    }
    const auto setUp = Repeat(runs, []() { return SetUpOnce(1024); });
    Report("set-up of 1,024 ranks of a ring all-reduce", "ms of CPU", setUp[0]);
    return 0;
}
