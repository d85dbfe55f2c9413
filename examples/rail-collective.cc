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
// With --collective=send-recv every rank sends to the next and receives from the one before, at
// once, as sendrecv_perf of nccl-tests does. With --scale-up-size=8 servers have 8 GPUs on 8 rails,
// and a fabric that joins them. Ranks post, launch and copy in no time, unless --times=nccl or
// options such as --rail-start and --rail-step say how long they take; --protocol has NCCL's.
//
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
// --plot=FILE.svg draws the bandwidths over the size. --timeline=FILE draws the last size: what
// ranks did, and which circuits there were, when; --circuit-map=FILE.svg draws its circuits at an
// instant.
// --timeline=FILE draws the last size: what ranks did, and which circuits there were, when.
// --netanim=FILE shows circuits and ports of the last size as they change.
//
// Try: ./rails run rail-collective
//      ./rails run rail-collective --algorithm=halving-doubling --rail-kind=electrical
//      ./rails run rail-collective --collective=all-to-all --ranks=4 --max=64M
//      ./rails run rail-collective --ranks=8 --straggler-delay=20ms --rail-kind=electrical
//      ./rails run rail-collective --matrix --ranks=4
//      ./rails run rail-collective --max=1G --plot=bandwidth.svg
//      ./rails run rail-collective --rail-kind=electrical --protocol=Tuned --times=nccl
//      ./rails run rail-collective --ranks=16 --scale-up-size=8 --algorithm=rail-rings --max=16M

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

/** Adds the call of the operation to the program of a rank. @return its number */
uint32_t
AddCall(RankProgram& program, const Options& options, uint64_t size)
{
    if (!options.IsSendReceive())
    {
        return program.Collective(0, 0, options.kind, size, options.algorithm);
    }
    std::vector<GroupedSend> sends;
    for (uint32_t rank = 0; rank < options.ranks; ++rank)
    {
        sends.push_back({rank, (rank + 1) % options.ranks, size});
    }
    const uint32_t call = program.SendReceiveGroup(0, 0, options.ranks, sends);
    if (!options.algorithm.empty())
    {
        program.Edit(call).algorithm = options.algorithm;
    }
    return call;
}

/** Gives each rank its program: the last one comes late. */
void
SetPrograms(CollectiveJob& collectives, const Options& options, uint64_t size)
{
    std::vector<uint32_t> ranks(options.ranks);
    for (uint32_t r = 0; r < options.ranks; ++r)
    {
        ranks[r] = r;
    }
    const auto group = collectives.MakeGroup("all", ranks, options.scaleUpSize);
    for (uint32_t r = 0; r < options.ranks; ++r)
    {
        auto program = std::make_shared<RankProgram>();
        if (r + 1 == options.ranks && options.stragglerDelay.IsStrictlyPositive())
        {
            program->Compute(0, options.stragglerDelay, "late");
        }
        const uint32_t call = AddCall(*program, options, size);
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
    /** Draws it. @param scenario has the timeline and the animation @param circuitMap where too */
    void Draw(Scenario& scenario, CircuitMapOption& circuitMap) const;
    /** @return the reason why its algorithm, which is named, cannot run; empty if it can */
    std::string GetWhyNot() const;
    /** Runs it to its end. @param results record it; null: nothing does */
    void Run(const Ptr<RunResults>& results = nullptr);

    CollectiveMeasurement measurement;
    uint64_t frames{0};           //!< that were sent
    uint64_t reconfigurations{0}; //!< of circuits of a stage
    uint64_t bytesMultiHop{0};    //!< that ranks forwarded for others, at each hop
    RailNetDevice::Trains trains;

  private:
    /** Makes the rails, and the fabrics in servers. */
    void InstallRails(const Options& options);
    /** @return the broker of circuits */
    Ptr<CircuitBroker> MakeBroker(const Options& options) const;
    /** Joins the GPUs of each rail by circuits that stay. */
    void JoinRails(const Options& options) const;
    /** Has ranks do their programs. */
    void InstallRanks(const Options& options, uint64_t size);
    /** @return the parameters of the operation, as ranks derive them from their attributes */
    CollectiveParameters GetParameters(const Options& options) const;

    std::string m_algorithm;
    NodeContainer m_gpus;
    std::vector<Rail> m_rails;
    std::vector<Ptr<ScaleUpDomain>> m_domains;
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
    InstallRails(options);
    InstallRanks(options, size);
    for (const Rail& rail : m_rails)
    {
        m_audit.Add(rail);
    }
    m_audit.Add(m_applications);
}

void
Operation::InstallRails(const Options& options)
{
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    RailHelper& rails = options.IsOptical() ? static_cast<RailHelper&>(photonic) : electrical;
    rails.SetPorts(options.ports, options.portRate);
    photonic.SetSwitchAttribute("Radix", UintegerValue(options.GetServers() * options.ports));
    electrical.SetRadix(0); // one switch, with as many ports as it takes
    if (options.Reconfigures())
    {
        photonic.SetReconfigurationTime(options.reconfiguration);
        options.noise.SetUp(photonic, options.reconfiguration);
    }
    m_rails = rails.InstallRails(m_gpus, options.scaleUpSize);
    RdmaHelper rdma;
    rdma.SetAttribute("Mtu", UintegerValue(options.mtu));
    rdma.Install(m_gpus);
    if (options.scaleUpSize > 1)
    {
        m_domains = ScaleUpHelper().Install(m_gpus, options.scaleUpSize);
    }
}

Ptr<CircuitBroker>
Operation::MakeBroker(const Options& options) const
{
    const auto links = std::make_shared<RailLinks>(m_rails, !m_domains.empty());
    links->SetMultiHop(options.multiHop);
    if (options.Reconfigures())
    {
        return CreateObject<InstantCircuits>(links);
    }
    return CreateObject<StandingCircuits>(links);
}

void
Operation::JoinRails(const Options& options) const
{
    if (options.scaleUpSize == 1)
    {
        JoinPairs(m_rails.front(),
                  ChooseStandingPairs(m_parameters, options.multiHop ? "" : options.algorithm));
        return;
    }
    CollectiveParameters servers = m_parameters; // a rail has one GPU of each
    servers.ranks = options.GetServers();
    for (const Rail& rail : m_rails)
    {
        JoinPairs(rail, ChooseStandingPairs(servers, ""));
    }
}

void
Operation::InstallRanks(const Options& options, uint64_t size)
{
    CollectiveHelper collectives;
    collectives.SetAttribute("MessageSize", UintegerValue(options.messageSize));
    collectives.SetAttribute("Fallback", BooleanValue(options.fallback));
    if (options.GetChannels() > 0)
    {
        collectives.SetAttribute("Channels", UintegerValue(options.GetChannels()));
    }
    options.times.SetUp(collectives);
    collectives.SetScaleUp(m_domains);
    m_broker = MakeBroker(options);
    collectives.SetBroker(m_broker);
    m_job = collectives.Install(m_rails);
    m_applications = m_job->GetApplications();
    m_parameters = GetParameters(options);
    if (options.IsOptical() && !options.Reconfigures())
    {
        JoinRails(options);
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
    parameters.perServer = options.scaleUpSize;
    if (options.IsSendReceive())
    {
        RankProgram program; // that has the demand
        AddCall(program, options, 1);
        parameters.kind = CollectiveKind::ALL_TO_ALL_V;
        parameters.demand = program.GetOperations().front().demand;
    }
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
Operation::Draw(Scenario& scenario, CircuitMapOption& circuitMap) const
{
    circuitMap.Record(m_rails.front(), "GPU");
    scenario.GetTimeline().Add(m_applications);
    scenario.GetTimeline().Add(m_rails);
    scenario.GetAnimation().Add(m_rails);
    scenario.GetAnimation().Add(m_applications);
}

void
Operation::Run(const Ptr<RunResults>& results)
{
    if (results)
    {
        results->Add(m_rails);
        results->Add(m_applications);
    }
    Scenario::Simulate();
    m_audit.Require();
    if (results)
    {
        results->Finish();
    }
    frames = m_audit.GetTotals().framesSent;
    bytesMultiHop = m_job->GetMultiHopBytes();
    for (const Rail& rail : m_rails)
    {
        trains.Add(GetTrainsOf(rail));
    }
    const auto changes = DynamicCast<InstantCircuits>(m_broker);
    reconfigurations = changes ? changes->GetReconfigurations() : 0;
}

/** Sets the quantities of the plot: the bandwidths of nccl-tests over the size. */
void
SetUpPlot(CurvePlot& plot, const Options& options)
{
    plot.SetTitle("Bandwidth of " + options.collective + ", " + std::to_string(options.ranks) +
                  " ranks, " + options.railKind + " rail");
    plot.SetX({"size of the buffer (logarithmic)", 1, PlotQuantity::BYTES, true});
    plot.SetY({"bandwidth (GB/s)", 1, PlotQuantity::NUMBERS, false, true});
}

/** @return what the run of a size is called in a database of results */
RunLabel
MakeLabel(const Options& options, uint64_t size)
{
    const std::string name = options.collective + " of " + std::to_string(size) + " bytes";
    if (!options.Reconfigures())
    {
        return {name, options.IsOptical() ? "standing circuits" : "electrical"};
    }
    return {name, "circuits by stage", options.reconfiguration};
}

/** Runs one size after the other. */
void
RunAll(Scenario& scenario, const Options& options, CircuitMapOption& circuitMap)
{
    const CollectiveTable table(options);
    if (scenario.PrintsTables())
    {
        table.PrintHead(std::cout);
    }
    SetUpPlot(scenario.GetPlot(), options);
    RailNetDevice::Trains trains;
    for (const uint64_t size : options.sizes)
    {
        Scenario::ShowAction(std::to_string(size) + " bytes of " + std::to_string(options.ranks) +
                             " ranks");
        Operation operation(options, size);
        if (size == options.sizes.back()) // each begins at 0 s: they would lie on each other
        {
            operation.Draw(scenario, circuitMap);
        }
        operation.Run(scenario.BeginRun(MakeLabel(options, size)));
        circuitMap.Write();
        Simulator::Destroy();
        if (scenario.PrintsTables())
        {
            table.Print(std::cout, operation.measurement);
            if (operation.bytesMultiHop > 0)
            {
                std::cout << "             of that, " << operation.bytesMultiHop
                          << " bytes forwarded by ranks between" << std::endl;
            }
        }
        scenario.AddFigure(options.collective + " of " + std::to_string(size) + " bytes",
                           "us",
                           operation.measurement.GetSeconds() * 1e6);
        table.Plot(scenario.GetPlot(), operation.measurement);
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
            scenario.AddFigure(cell.options.collective + " by " + cell.options.algorithm + ", " +
                                   std::to_string(cell.options.ports) + " ports, " + cell.rail,
                               "us",
                               operation.measurement.GetSeconds() * 1e6);
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
    CircuitMapOption circuitMap;
    circuitMap.Add(scenario.GetOptions());
    scenario.AddPlot();
    scenario.AddTimeline();
    scenario.AddAnimation();
    return scenario.Run(argc, argv, [&] {
        options.Complete(scenario.GetOptions());
        scenario.Require(!options.matrix || !scenario.IsPlotted(),
                         "plot",
                         "--matrix has one size, so there is no curve");
        circuitMap.Check(scenario.GetOptions(), options.IsOptical());
        scenario.Require(!options.matrix || !circuitMap.IsOn(),
                         "circuit-map",
                         "--matrix has many rails; leave one of the two out");
        scenario.CheckAnimation(options.scaleUpSize, options.GetServers(), options.ports);
        scenario.Require(!options.matrix || !scenario.GetOptions().IsGiven("netanim"),
                         "netanim",
                         "it shows one operation; leave it out, or --matrix");
        Scenario::Rehearse([&options] {
            auto largest = std::make_unique<Operation>(options, options.sizes.back());
            largest->Rehearse();
            return largest;
        });
        scenario.Begin();
        options.matrix ? RunMatrix(scenario, options) : RunAll(scenario, options, circuitMap);
    });
}
