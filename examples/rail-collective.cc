/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A collective operation on a rail, size by size: the table that users of nccl-tests know.
//
//     rank 0 ---+                          one GPU a server, all on one rail, --ports NIC ports
//     each rank 1 ---+  switch in the middle
//      ...      |  electrical: a packet switch with a way from each to each
//     rank n ---+  optical: circuits that stay, a ring: half of the ports to the next rank, half to
//                  the one before; if the --algorithm named needs other pairs, and one set of
//                  them, these; or with --reconfiguration=TIME circuits set up for each
//                  stage of the operation by a control plane that knows everything at once
//
// Every rank calls the operation at 0 s, the last one --straggler-delay later. The time is that
// from the last call to the end of the last rank: all its messages acknowledged, all for it there.
// "algbw" is size / time; "busbw" is that times what the operation needs of a wire at least, as
// nccl-tests defines it (for all-reduce 2 (n - 1) / n): compare it with what a GPU's ports carry.
//
// What to look at: a ring fills its wires once shards are many messages long; algorithms of few
// rounds win where sizes are small. On circuits that stay only rings can run: another algorithm
// runs its fallback, which the table says, or is refused with --fallback=false. All-to-all over a
// ring is forwarded by those between; with --algorithm=matchings --reconfiguration=10us circuits
// turn instead. With --multi-hop any algorithm runs on the ring: ranks between forward its
// messages.
//
// --matrix runs all algorithms of all collectives with 1, 2 and 4 ports, on a packet switch, on
// circuits that stay and on circuits that change, and prints one table; where one cannot run, the
// reason.
//
// --timeline=FILE draws the last size: what ranks did, and which circuits there were, when.
//
// Try: ./rails run rail-collective
//      ./rails run rail-collective --algorithm=halving-doubling --rail-kind=electrical
//      ./rails run rail-collective --collective=all-to-all --ranks=4 --max=64M
//      ./rails run rail-collective --ranks=8 --straggler-delay=20ms --rail-kind=electrical
//      ./rails run rail-collective --matrix --ranks=4

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Options = CollectiveOptions;

/** Gives each rank its program: the last one comes late. */
void
SetPrograms(CollectiveJob& collectives, const Options& options, uint64_t size)
{
    std::vector<uint32_t> ranks(options.ranks);
    for (uint32_t r = 0; r < options.ranks; ++r)
    {
        ranks[r] = r;
    }
    const auto group = collectives.MakeGroup("all", ranks);
    for (uint32_t r = 0; r < options.ranks; ++r)
    {
        auto program = std::make_shared<RankProgram>();
        if (r + 1 == options.ranks && options.stragglerDelay.IsStrictlyPositive())
        {
            program->Compute(0, options.stragglerDelay, "late");
        }
        const uint32_t call = program->Collective(0, 0, options.kind, size, options.algorithm);
        program->Edit(call).straggler = options.ranks - 1;
        collectives.SetProgram(r, program, {group});
    }
}

/** An operation of one size, from 0 s on. */
class Operation
{
  public:
    /** Sets all up. @param options what @param size of the operation */
    Operation(const Options& options, uint64_t size);

    /** Runs until a first rank has found out whether all can do it. */
    void Rehearse() const;
    /** Draws it. @param timeline where */
    void Draw(TimelineRecorder& timeline) const;
    /** @return the reason why its algorithm, which is named, cannot run; empty if it can */
    std::string GetWhyNot() const;
    /** Runs it to its end. */
    void Run();

    CollectiveMeasurement measurement;
    uint64_t frames{0};           //!< that were sent
    uint64_t reconfigurations{0}; //!< of circuits of a stage
    uint64_t bytesMultiHop{0};    //!< that ranks forwarded for others, at each hop
    RailNetDevice::Trains trains;

  private:
    /** Makes the rail. */
    void InstallRail(const Options& options);
    /** Has ranks do their programs. */
    void InstallRanks(const Options& options, uint64_t size);
    /** @return the parameters of the operation, as ranks derive them from their attributes */
    CollectiveParameters GetParameters(const Options& options) const;

    std::string m_algorithm;
    NodeContainer m_gpus;
    Rail m_rail;
    Ptr<CollectiveJob> m_job;
    ApplicationContainer m_applications;
    Ptr<CircuitBroker> m_broker;
    CollectiveParameters m_parameters;
    RailAudit m_audit;
};

Operation::Operation(const Options& options, uint64_t size)
    : measurement(size),
      m_algorithm(options.algorithm),
      m_gpus(options.ranks)
{
    InstallRail(options);
    InstallRanks(options, size);
    m_audit.Add(m_rail);
    m_audit.Add(m_applications);
}

void
Operation::InstallRail(const Options& options)
{
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    RailHelper& rails = options.IsOptical() ? static_cast<RailHelper&>(photonic) : electrical;
    rails.SetPorts(options.ports, options.portRate);
    photonic.SetSwitchAttribute("Radix", UintegerValue(options.ranks * options.ports));
    electrical.SetRadix(0); // one switch, with as many ports as it takes
    if (options.Reconfigures())
    {
        photonic.SetReconfigurationTime(options.reconfiguration);
    }
    m_rail = rails.Install(m_gpus);
    RdmaHelper rdma;
    rdma.SetAttribute("Mtu", UintegerValue(options.mtu));
    rdma.Install(m_gpus);
}

void
Operation::InstallRanks(const Options& options, uint64_t size)
{
    CollectiveHelper collectives;
    collectives.SetAttribute("MessageSize", UintegerValue(options.messageSize));
    collectives.SetAttribute("Fallback", BooleanValue(options.fallback));
    const auto links = std::make_shared<RailLinks>(std::vector<Rail>{m_rail});
    links->SetMultiHop(options.multiHop);
    if (options.Reconfigures())
    {
        m_broker = CreateObject<InstantCircuits>(links);
    }
    else
    {
        m_broker = CreateObject<StandingCircuits>(links);
    }
    collectives.SetBroker(m_broker);
    m_job = collectives.Install(m_rail);
    m_applications = m_job->GetApplications();
    m_parameters = GetParameters(options);
    if (options.IsOptical() && !options.Reconfigures())
    {
        JoinPairs(m_rail,
                  ChooseStandingPairs(m_parameters, options.multiHop ? "" : options.algorithm));
    }
    measurement.Observe(m_applications);
    SetPrograms(*m_job, options, size);
}

CollectiveParameters
Operation::GetParameters(const Options& options) const
{
    UintegerValue channels;
    UintegerValue ports;
    BooleanValue bidirectional;
    m_applications.Get(0)->GetAttribute("Channels", channels);
    m_applications.Get(0)->GetAttribute("Ports", ports);
    m_applications.Get(0)->GetAttribute("Bidirectional", bidirectional);
    CollectiveParameters parameters;
    parameters.kind = options.kind;
    parameters.ranks = options.ranks;
    parameters.channels = channels.Get();
    parameters.bidirectional = bidirectional.Get() && channels.Get() % 2 == 0;
    parameters.ports = ports.Get();
    parameters.straggler = options.ranks - 1;
    return parameters;
}

std::string
Operation::GetWhyNot() const
{
    const std::string whyNot =
        CollectiveAlgorithm::Get(m_parameters.kind, m_algorithm).GetWhyNot(m_parameters);
    if (!whyNot.empty())
    {
        return whyNot;
    }
    const auto schedule = CollectiveAlgorithm::GetSchedule(m_algorithm, m_parameters);
    for (const CollectiveSchedule::Stage& stage : schedule->GetStages())
    {
        std::vector<std::pair<RankId, RankId>> pairs;
        for (const auto& [one, other] : stage.pairs)
        {
            pairs.emplace_back(one, other);
        }
        const std::string gap = m_broker->GetWhyNot({}, pairs);
        if (!gap.empty())
        {
            return gap;
        }
    }
    return "";
}

void
Operation::Rehearse() const
{
    const auto stop = +[](const OperationRecord&) { Simulator::Stop(); };
    m_applications.Get(0)->TraceConnectWithoutContext("OperationStarted", MakeCallback(stop));
    Simulator::Run();
}

void
Operation::Draw(TimelineRecorder& timeline) const
{
    timeline.Add(m_applications);
    timeline.Add(m_rail);
}

void
Operation::Run()
{
    Scenario::Simulate();
    m_audit.Require();
    frames = m_audit.GetTotals().framesSent;
    bytesMultiHop = m_job->GetMultiHopBytes();
    trains = GetTrainsOf(m_rail);
    const auto changes = DynamicCast<InstantCircuits>(m_broker);
    reconfigurations = changes ? changes->GetReconfigurations() : 0;
    Simulator::Destroy();
}

/** Runs one size after the other. */
void
RunAll(Scenario& scenario, const Options& options)
{
    const CollectiveTable table(options);
    if (scenario.PrintsTables())
    {
        table.PrintHead(std::cout);
    }
    RailNetDevice::Trains trains;
    for (const uint64_t size : options.sizes)
    {
        Scenario::ShowAction(std::to_string(size) + " bytes of " + std::to_string(options.ranks) +
                             " ranks");
        Operation operation(options, size);
        if (size == options.sizes.back()) // each begins at 0 s: they would lie on each other
        {
            operation.Draw(scenario.GetTimeline());
        }
        operation.Run();
        if (scenario.PrintsTables())
        {
            table.Print(std::cout, operation.measurement);
            if (operation.bytesMultiHop > 0)
            {
                std::cout << "             of that, " << operation.bytesMultiHop
                          << " bytes forwarded by ranks between" << std::endl;
            }
        }
        scenario.AddRow("rows", [&](JsonWriter& json) {
            table.Write(json, operation.measurement);
            json.Field("bytes_multi_hop", operation.bytesMultiHop);
            json.Field("frames", operation.frames);
        });
        trains.Add(operation.trains);
    }
    scenario.Write([&trains](JsonWriter& json) { WriteFidelity(json, trains); });
}

/** Runs the cells of the matrix. */
void
RunMatrix(Scenario& scenario, const Options& options)
{
    if (scenario.PrintsTables())
    {
        CollectiveMatrix::PrintHead(std::cout, options);
    }
    RailNetDevice::Trains trains;
    for (const CollectiveMatrix::Cell& cell : CollectiveMatrix::GetCells(options))
    {
        Scenario::ShowAction(cell.options.collective + " by " + cell.options.algorithm);
        Operation operation(cell.options, cell.options.sizes.front());
        CollectiveMatrix::Outcome outcome;
        outcome.whyNot = operation.GetWhyNot();
        if (outcome.whyNot.empty())
        {
            operation.Run();
            outcome.measurement = &operation.measurement;
            outcome.reconfigurations = operation.reconfigurations;
            trains.Add(operation.trains);
        }
        Simulator::Destroy();
        if (scenario.PrintsTables())
        {
            CollectiveMatrix::Print(std::cout, cell, outcome);
        }
        scenario.AddRow("matrix",
                        [&](JsonWriter& json) { CollectiveMatrix::Write(json, cell, outcome); });
    }
    scenario.Write([&trains](JsonWriter& json) { WriteFidelity(json, trains); });
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    Options options;
    options.Add(scenario.GetOptions());
    scenario.AddTimeline();
    return scenario.Run(argc, argv, [&] {
        options.Complete(scenario.GetOptions());
        Scenario::Rehearse([&options] {
            auto largest = std::make_unique<Operation>(options, options.sizes.back());
            largest->Rehearse();
            return largest;
        });
        scenario.Begin();
        options.matrix ? RunMatrix(scenario, options) : RunAll(scenario, options);
    });
}
