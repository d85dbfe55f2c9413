/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A collective operation on a rail, size by size: the table that users of nccl-tests know.
//
//     rank 0 ---+                          one GPU a server, all on one rail, --ports NIC ports
//     each rank 1 ---+  switch in the middle
//      ...      |  electrical: a packet switch with a way from each to each
//     rank n ---+  optical: circuits that stay, a ring: half of the ports to the next rank, half to
//                  the one before; or with --reconfiguration=TIME circuits set up for each
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
// turn instead.
//
// --timeline=FILE draws the last size: what ranks did, and which circuits there were, when.
//
// Try: ./rails run rail-collective
//      ./rails run rail-collective --algorithm=halving-doubling --rail-kind=electrical
//      ./rails run rail-collective --collective=all-to-all --ranks=4 --max=64M
//      ./rails run rail-collective --ranks=8 --straggler-delay=20ms --rail-kind=electrical

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <iostream>
#include <memory>
#include <string>
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

/** Half of the ports to the next rank, half to the one before. */
void
JoinRing(const Rail& rail, uint32_t ranks, uint32_t ports)
{
    for (uint32_t r = 0; r < ranks && (ranks > 2 || r == 0); ++r)
    {
        for (uint32_t p = 0; p<ports; p += ranks> 2 ? 2 : 1)
        {
            rail.GetOpticalSwitch()->Connect(rail.GetSwitchPort(r, ranks > 2 ? p + 1 : p),
                                             rail.GetSwitchPort((r + 1) % ranks, p));
        }
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
    /** Runs it to its end. */
    void Run();

    CollectiveMeasurement measurement;
    uint64_t frames{0}; //!< that were sent
    RailNetDevice::Trains trains;

  private:
    /** Makes the rail. */
    void InstallRail(const Options& options);
    /** Has ranks do their programs. */
    void InstallRanks(const Options& options, uint64_t size);

    NodeContainer m_gpus;
    Rail m_rail;
    Ptr<CollectiveJob> m_job;
    ApplicationContainer m_applications;
    RailAudit m_audit;
};

Operation::Operation(const Options& options, uint64_t size)
    : measurement(size),
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
    if (options.Reconfigures())
    {
        const auto links = std::make_shared<const RailLinks>(std::vector<Rail>{m_rail});
        collectives.SetBroker(CreateObject<InstantCircuits>(links));
    }
    else if (options.IsOptical())
    {
        JoinRing(m_rail, options.ranks, options.ports);
    }
    m_job = collectives.Install(m_rail);
    m_applications = m_job->GetApplications();
    measurement.Observe(m_applications);
    SetPrograms(*m_job, options, size);
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
    trains = GetTrainsOf(m_rail);
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
        }
        scenario.AddRow("rows", [&](JsonWriter& json) {
            table.Write(json, operation.measurement);
            json.Field("frames", operation.frames);
        });
        trains.Add(operation.trains);
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
        RunAll(scenario, options);
    });
}
