/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Why a rail of circuits has to be reconfigured: what a job needs of it, and what its ports can do.
//
//     dp  [0 1 2] [3 4 5] [6 7 8]      --rings=dp,pp --side=3: nine GPUs, one a server, on a rail;
//     pp  [0 3 6] [1 4 7] [2 5 8]      each is in a ring of three for each parallelism
//
// A ring takes ports to two neighbours. A GPU in rings of three parallelisms has six neighbours,
// and with four ports it cannot have circuits to all of them at once (the policy static-split is
// refused). With rings of two it can, but each ring then has half of the ports. Circuits that are
// turned whenever the job goes on to another parallelism (on-demand) give each ring all of them in
// its turn, and take the time to turn.
//
// Every rank does an all-reduce on each of its rings, one after another, or with --at-once side by
// side. Printed are the plan report of the job, and for either policy the time of all and the bus
// bandwidth of the ring that took longest, waiting for circuits left out.
//
// Try: ./rails run static-or-not
//      ./rails run static-or-not --rings=dp,pp,cp
//      ./rails run static-or-not --rings=dp,pp,cp --ports=6
//      ./rails run static-or-not --at-once --reconfiguration=10us
//      ./rails run static-or-not --circuit-map=circuits.svg --circuit-map-at=2ms

#include "ns3/circuit-policy.h"
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

/** What the command line can set. */
struct Options
{
    std::vector<std::string> rings{"dp", "pp"};
    uint32_t side{3};
    uint32_t ports{4};
    DataRate portRate{"100Gbps"};
    uint64_t size{64 << 20};
    Time reconfiguration{MilliSeconds(1)};
    NoiseOption noise;
    bool atOnce{false};

    uint32_t ranks{1}; //!< what follows from these

    void Add(Scenario& scenario)
    {
        scenario.Add("rings", "Parallelisms, with commas: each rank is in a ring of each", rings);
        scenario.Add("side", "Ranks of a ring", side).Between(2, 512);
        scenario.Add("ports", "NIC ports of a GPU", ports).Between(1, 16);
        scenario.Add("port-rate", "Rate of a port", portRate);
        scenario.Add("size", "Buffer of each all-reduce, bytes", size).Between(1, 16ULL << 30);
        scenario.Add("reconfiguration", "Reconfiguration time of the switches", reconfiguration)
            .Between(Seconds(0), Hours(1));
        noise.Add(scenario.GetOptions());
        scenario.Add("at-once", "Whether a rank does all of them side by side", atOnce);
    }

    /** Works out the rest. */
    void Complete(const Scenario& scenario)
    {
        scenario.Require(side == 2 || ports > 1, "ports", "a ring of three or more takes 2");
        for (std::size_t ring = 0; ring < rings.size() && ranks <= 512; ++ring)
        {
            ranks *= side;
        }
        scenario.Require(ranks <= 512,
                         "side",
                         "give 512 ranks at most: the side to the power of the rings, which are " +
                             std::to_string(rings.size()));
    }
};

/** Gives all ranks their programs: an all-reduce on each ring. @return the job's */
std::vector<RankPart>
SetPrograms(CollectiveJob& collectives, const Options& options)
{
    std::vector<CollectiveApplication::Groups> groups(options.ranks);
    RankProgram program;
    const RingGrid grid(options.rings.size(), options.side);
    for (uint32_t ring = 0; ring < options.rings.size(); ++ring)
    {
        program.Collective(options.atOnce ? ring : 0,
                           ring,
                           CollectiveKind::ALL_REDUCE,
                           options.size,
                           "ring");
        for (const std::vector<uint32_t>& members : grid.ListRings(ring))
        {
            const std::string name = options.rings[ring] + " " + std::to_string(members.front());
            const auto group = collectives.MakeGroup(name, members);
            for (const uint32_t rank : members)
            {
                groups[rank].push_back(group);
            }
        }
    }
    const auto shared = std::make_shared<const RankProgram>(program);
    std::vector<RankPart> parts;
    for (uint32_t rank = 0; rank < options.ranks; ++rank)
    {
        collectives.SetProgram(rank, shared, groups[rank]);
        parts.push_back({RankId(rank), shared, groups[rank]});
    }
    return parts;
}

/** The job on a rail of a policy's circuits: set up, and then run. */
class Case
{
  public:
    Case(const Options& options, const std::string& policy)
        : m_reconfiguration(options.reconfiguration)
    {
        NodeContainer gpus(options.ranks);
        PhotonicRailHelper helper;
        helper.SetPorts(options.ports, options.portRate);
        helper.SetSwitchAttribute("Radix", UintegerValue(options.ranks * options.ports));
        helper.SetReconfigurationTime(options.reconfiguration);
        options.noise.SetUp(helper, options.reconfiguration);
        m_rails = helper.InstallRails(gpus, 1);
        RdmaHelper().Install(gpus);
        OpusHelper opus;
        opus.SetPolicy(policy);
        OpusWaits waits;
        waits.reconfiguration =
            options.noise.GetLongest(options.reconfiguration); // minutes, of robots
        waits.reconfigurations = 2 * options.rings.size();
        const OpusLimits limits = OpusLimits().GetWith(waits);
        opus.SuggestLimits(limits);
        m_plane = opus.Install(m_rails);
        CollectiveHelper collectives;
        collectives.SetBrokers(m_plane.brokers);
        collectives.SuggestAttribute("StallLimit", TimeValue(limits.stall));
        m_job = collectives.Install(m_rails);
        m_applications = m_job->GetApplications();
        const JobDemand demand =
            MakeJobDemand(JobId(0), SetPrograms(*m_job, options), *m_plane.cabling);
        m_plane.Describe(demand);
        m_outcome.policy = policy;
        m_outcome.ports = options.ports;
        m_outcome.busBytes = GetBusFactor(CollectiveKind::ALL_REDUCE, options.side) * options.size;
        Foresee(demand);
    }

    ~Case()
    {
        Simulator::Destroy();
    }

    /** Runs it, unless the policy refuses it. @return what came of it */
    PolicyOutcome Run(Scenario& scenario, CircuitMapOption& circuitMap)
    {
        for (uint32_t a = 0; a < m_applications.GetN(); ++a)
        {
            m_applications.Get(a)->TraceConnectWithoutContext(
                "OperationEnded",
                MakeCallback(&PolicyOutcome::TakeEnd, &m_outcome));
        }
        if (m_outcome.refusal.empty())
        {
            RailAudit audit;
            audit.Add(m_rails[0]);
            audit.Add(m_applications);
            circuitMap.Record(m_rails[0], "GPU");
            const Ptr<RunResults> results =
                scenario.BeginRun({m_outcome.policy, m_outcome.policy, m_reconfiguration});
            results->Add(m_rails);
            results->Add(m_applications);
            results->Add(m_plane);
            Scenario::Simulate();
            audit.Require();
            circuitMap.Write(m_outcome.policy);
            results->Finish();
        }
        m_outcome.trains = GetTrainsOf(m_rails[0]);
        return m_outcome;
    }

  private:
    /** Works out what can be said without a run. */
    void Foresee(const JobDemand& demand)
    {
        m_outcome.report = GetDemandReport(demand, *m_plane.cabling);
        std::vector<std::vector<JoinedRanks>> rings;
        for (const ParallelismDemand& parallelism : demand.parallelisms)
        {
            rings.push_back(parallelism.pairs);
        }
        m_outcome.degree = GetDegree(rings);
        m_outcome.refusal = MakeCircuitPolicy(m_outcome.policy, m_plane.cabling)
                                ->GetInitial(demand, MakeDarkRails(*m_plane.cabling))
                                .refusal;
    }

    Time m_reconfiguration;
    std::vector<Rail> m_rails;
    OpusControlPlane m_plane;
    Ptr<CollectiveJob> m_job;
    ApplicationContainer m_applications;
    PolicyOutcome m_outcome;
};

/** Writes what came of both policies. */
void
WriteOutcomes(JsonWriter& json, const PolicyOutcome& split, const PolicyOutcome& onDemand)
{
    json.Field("degree", split.degree);
    json.Field("ports", split.ports);
    json.Field("refusal", split.refusal);
    json.Field("busbw_static", split.GetBusBandwidth() / 1e9);
    json.Field("busbw_on_demand", onDemand.GetBusBandwidth() / 1e9);
    json.Field("time_static_s", split.end.GetTimeStep() / 1e12);
    json.Field("time_on_demand_s", onDemand.end.GetTimeStep() / 1e12);
    RailNetDevice::Trains trains = split.trains;
    trains.Add(onDemand.trains);
    WriteFidelity(json, trains);
}

} // namespace

int
main(int argc, char* argv[])
{
    Scenario scenario(__FILE__);
    Options options;
    options.Add(scenario);
    CircuitMapOption circuitMap;
    circuitMap.Add(scenario.GetOptions());
    return scenario.Run(argc, argv, [&] {
        options.Complete(scenario);
        const std::vector<std::string> policies{"static-split", "on-demand"};
        circuitMap.Check(scenario.GetOptions());
        circuitMap.Claim(scenario.GetOptions(), policies);
        for (const std::string& policy : policies)
        {
            Scenario::Rehearse([&] { return std::make_unique<Case>(options, policy); });
        }
        scenario.Begin();
        std::vector<PolicyOutcome> outcomes;
        for (const std::string& policy : policies)
        {
            Scenario::ShowAction(policy);
            outcomes.push_back(Case(options, policy).Run(scenario, circuitMap));
            const PolicyOutcome& outcome = outcomes.back();
            if (scenario.PrintsTables() && outcomes.size() == 1)
            {
                std::cout << outcome.report << std::endl;
                PolicyOutcome::PrintHead(std::cout);
            }
            if (scenario.PrintsTables())
            {
                outcome.Print(std::cout);
            }
            scenario.AddFigure("end of the job, " + policy, "us", outcome.end.GetTimeStep() / 1e6);
            scenario.AddRow("policies", [&outcome](JsonWriter& json) { outcome.Write(json); });
        }
        scenario.Write([&](JsonWriter& json) { WriteOutcomes(json, outcomes[0], outcomes[1]); });
    });
}
