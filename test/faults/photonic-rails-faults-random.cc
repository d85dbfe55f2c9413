/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-faults-random.h"

#include "../support/photonic-rails-event-order.h"

#include "ns3/config.h"
#include "ns3/opus-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <tuple>

namespace ns3
{

namespace
{

/** Draws faults of a cluster. */
class FaultDice
{
  public:
    FaultDice(std::mt19937_64& random,
              const OpusCase& cluster,
              const std::vector<Picoseconds>& instants)
        : m_random(random),
          m_cluster(cluster),
          m_instants(instants)
    {
    }

    Fault Draw()
    {
        const std::vector<FaultKind>& kinds = GetFaultKinds();
        Fault fault;
        do
        {
            fault.kind = kinds[Below(kinds.size())];
        } while ((fault.kind == FaultKind::GPU_FAILURE || fault.kind == FaultKind::SERVER_LOSS) &&
                 Below(3) > 0); // they end a job
        const FaultUses& uses = UsesOf(fault.kind);
        // often at the instants at which something happens
        const Picoseconds last = m_instants.back();
        fault.at = Below(2) == 0 ? ToTime(m_instants[Below(m_instants.size())])
                                 : ToTime(Below(last + last / 4));
        const bool isForGood = !uses.bounded && Below(6) == 0;
        if (!isForGood)
        {
            const Picoseconds until = m_instants[Below(m_instants.size())];
            const bool isEqual = Below(2) == 0 && until > fault.at.GetTimeStep() + 1000;
            fault.duration =
                isEqual ? ToTime(until) - fault.at
                        : ToTime(1000 + Below(Below(4) == 0 ? 5'000'000'000 : 200'000'000));
        }
        if (fault.kind == FaultKind::OCS_PORT_STUCK || fault.kind == FaultKind::OCS_PORT_SLOW)
        {
            // at the instant of a plan they act in the order of events
            fault.at += ToTime(500);
            fault.duration = ToTime(1 + Below(200'000'000) * 3 + 1);
        }
        fault.rail = RailId(uses.rail ? Below(m_cluster.rails) : 0);
        fault.server = uses.server ? Below(m_cluster.servers) : 0;
        fault.gpu = uses.gpu ? Below(m_cluster.rails) : 0;
        const uint32_t switchPorts = m_cluster.servers * m_cluster.ports;
        fault.port = uses.nic ? Below(m_cluster.ports) : uses.port ? Below(switchPorts) : 0;
        fault.other = uses.other ? (fault.port + 1 + Below(switchPorts - 1)) % switchPorts : 0;
        if (uses.ends)
        {
            DrawEnds(fault);
        }
        fault.position = uses.position ? Below(5) / 4.0 : fault.position;
        fault.factor = uses.factor ? 1.25 * (1 + Below(4)) : fault.factor;
        fault.loss = uses.loss ? (1 + Below(10)) / 10.0 : fault.loss;
        fault.extra = uses.extra ? ToTime(1 + Below(300'000'000)) : fault.extra;
        fault.period = uses.flapping ? ToTime(1'000'000 + Below(50'000'000)) : fault.period;
        fault.duty = uses.flapping ? 0.25 * (1 + Below(3)) : fault.duty;
        return fault;
    }

  private:
    uint64_t Below(uint64_t limit)
    {
        return m_random() % limit;
    }

    void DrawEnds(Fault& fault)
    {
        std::vector<ManagementEnd> all{{ManagementEnd::Role::CONTROLLER, 0},
                                       {ManagementEnd::Role::STANDBY, 0}};
        for (uint32_t server = 0; server < m_cluster.servers; ++server)
        {
            all.push_back({ManagementEnd::Role::SERVER, server});
        }
        for (uint32_t rail = 0; rail < m_cluster.rails; ++rail)
        {
            all.push_back({ManagementEnd::Role::RAIL, rail});
        }
        std::shuffle(all.begin(), all.end(), m_random);
        fault.ends.assign(all.begin(), all.begin() + 1 + Below(3));
        std::sort(fault.ends.begin(), fault.ends.end());
    }

    std::mt19937_64& m_random;
    const OpusCase& m_cluster;
    const std::vector<Picoseconds>& m_instants;
};

/** Sets what a run needs, and removes it. */
class Environment
{
  public:
    explicit Environment(uint64_t salt)
    {
        UsePicoseconds();
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        SetEventOrder(salt);
        // whatever fails is found out in milliseconds
        Config::SetDefault("ns3::RdmaEngine::TimeoutExponent", UintegerValue(7)); // 524 us
        Config::SetDefault("ns3::RdmaEngine::RetryLimit", UintegerValue(3));
        Config::SetDefault("ns3::RdmaEngine::DarkLimit", StringValue("20ms"));
        Config::SetDefault("ns3::CollectiveApplication::StallLimit", StringValue("400ms"));
        Config::SetDefault("ns3::OpusEndpoint::RetryFor", StringValue("100ms"));
        Config::SetDefault("ns3::OpusControllerApp::ProgramLimit", StringValue("20ms"));
        Config::SetDefault("ns3::OpusControllerApp::VoteLimit", StringValue("100ms"));
        Config::SetDefault("ns3::OpusControllerApp::PortLimit", StringValue("150ms"));
        Config::SetDefault("ns3::OpusControllerApp::TrafficLimit", StringValue("100ms"));
        Config::SetDefault("ns3::OpusShimApp::GiveUpAfter", StringValue("300ms"));
    }

    ~Environment()
    {
        Simulator::Destroy();
        SetEventOrder(0);
        Config::Reset();
    }
};

} // namespace

FaultsDraw::FaultsDraw(uint64_t seed)
{
    std::mt19937_64 random(seed);
    const auto below = [&random](uint64_t limit) { return random() % limit; };
    cluster = FaultsBench::MakeCase(below(2) == 0 ? "on-demand" : "provisioned");
    cluster.rails = 1 + below(2);
    job.iterations = 1 + below(3);
    job.compute = MicroSeconds(10 + below(100));
    job.bytes = uint64_t{1} << (14 + below(6));
    // the instants of the same job without faults
    std::vector<Picoseconds> instants;
    {
        const Environment environment(0);
        FaultsBench bench(cluster, job);
        bench.Run();
        for (const OperationRecord& record : bench.ended)
        {
            instants.push_back(record.end.GetTimeStep());
        }
        for (const LightChange& change : bench.changes)
        {
            instants.push_back(change.when);
        }
    }
    std::sort(instants.begin(), instants.end());
    FaultDice dice(random, cluster, instants);
    for (uint64_t f = 1 + below(4); f > 0; --f)
    {
        schedule.Add(dice.Draw());
    }
}

std::string
FaultsDraw::Describe() const
{
    std::ostringstream words;
    words << cluster.policy << ", " << cluster.rails << " rails, " << job.iterations
          << " iterations, " << job.bytes << " bytes, computing " << job.compute.GetTimeStep()
          << " ps\n";
    for (const Fault& fault : schedule.GetFaults())
    {
        words << "  " << fault << "\n";
    }
    return words.str();
}

FaultsOutcome
RunFaults(const FaultsDraw& drawn, const FaultsMode& mode)
{
    const Environment environment(mode.salt);
    FaultsOutcome outcome;
    OpusCase one = drawn.cluster;
    one.fidelity = mode.fidelity;
    FaultsBench bench(one, drawn.job);
    bench.injector->Load(drawn.schedule);
    const std::string audit = bench.Run();
    std::istringstream findings(audit);
    for (std::string line; std::getline(findings, line);)
    {
        // what a rank that stopped had begun beside the operation that failed
        const bool isOfRanks = line.find("operations that rank") != std::string::npos ||
                               line.find("bytes that ranks sent") != std::string::npos;
        outcome.findings += isOfRanks ? "" : line + "\n";
    }
    const auto add = [&outcome](const std::string& what, auto... values) {
        std::ostringstream words;
        words << what;
        ((words << " " << values), ...);
        outcome.lines.push_back(words.str());
    };
    for (const OperationRecord& record : bench.ended)
    {
        add("ended",
            record.rank,
            record.operation,
            record.start.GetTimeStep(),
            record.end.GetTimeStep());
    }
    for (const OperationRecord& record : bench.failed)
    {
        add("failed", record.rank, record.operation, record.end.GetTimeStep());
    }
    for (const std::string& report : bench.stalled)
    {
        add("stalled", report.substr(0, report.find(':')));
    }
    // what comes and goes at one instant is dark in the end
    std::map<std::tuple<uint64_t, Picoseconds, PortId, PortId>, std::vector<bool>> light;
    for (const LightChange& change : bench.changes)
    {
        light[{change.rail, change.when, change.low, change.high}].push_back(change.up);
    }
    for (const auto& [where, changes] : light)
    {
        const auto& [rail, when, low, high] = where;
        if (changes.front() == changes.back()) // else it is as before
        {
            add("light", rail, when, changes.back(), low, high);
        }
    }
    for (const std::string& words : bench.outcomes)
    {
        add("fault", words);
    }
    const RailAudit::Totals totals = bench.audit.GetTotals();
    add("frames", totals.framesSent, totals.framesReceived, totals.framesDropped);
    add("messages", totals.messagesPosted, totals.messagesSettled, totals.messagesFailed);
    add("arrived", totals.messagesArrived, totals.bytesArrived);
    std::sort(outcome.lines.begin(), outcome.lines.end());
    outcome.isWhole = bench.IsOver();
    outcome.begun = bench.injector->GetCounters().begun;
    return outcome;
}

std::string
CompareFaults(const FaultsDraw& drawn, FaultsCounts& counts)
{
    const FaultsOutcome events = RunFaults(drawn, FaultsMode());
    counts.whole += events.isWhole ? 1 : 0;
    counts.begun += events.begun;
    if (!events.findings.empty())
    {
        return events.findings;
    }
    for (const FaultsMode& mode : {FaultsMode{"PacketTrains", 0},
                                   FaultsMode{"PacketEvents", 1},
                                   FaultsMode{"PacketTrains", 2}})
    {
        const FaultsOutcome other = RunFaults(drawn, mode);
        if (!other.findings.empty())
        {
            return mode.fidelity + ": " + other.findings;
        }
        for (std::size_t k = 0; k < std::max(events.lines.size(), other.lines.size()); ++k)
        {
            const std::string one = k < events.lines.size() ? events.lines[k] : "nothing";
            const std::string two = k < other.lines.size() ? other.lines[k] : "nothing";
            if (one != two)
            {
                return mode.fidelity + ", order " + std::to_string(mode.salt) + ": " + two +
                       "; packet events: " + one;
            }
        }
    }
    return "";
}

FaultsCase::FaultsCase(uint64_t first, uint64_t count)
    : TestCase("Random faults from " + std::to_string(first)),
      m_first(first),
      m_count(count)
{
}

void
FaultsCase::DoRun()
{
    FaultsCounts counts;
    for (uint64_t seed = m_first; seed < m_first + m_count; ++seed)
    {
        const FaultsDraw drawn(seed);
        const std::string difference = CompareFaults(drawn, counts);
        NS_TEST_EXPECT_MSG_EQ(difference, "", "seed " << seed << ": " << drawn.Describe());
    }
    NS_TEST_EXPECT_MSG_GT(counts.begun, m_count, "more than a fault a job");
    NS_TEST_EXPECT_MSG_GT(counts.whole, m_count / 4, "many jobs outlast theirs");
}

} // namespace ns3
