/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_RANDOM_RUN_H
#define PHOTONIC_RAILS_OPUS_RANDOM_RUN_H

#include "photonic-rails-opus-bench.h"
#include "photonic-rails-opus-random-programs.h"

#include "ns3/job-demand.h"
#include "ns3/rdma-engine.h"
#include "ns3/test.h"

/**
 * @file
 * Runs a random job, and holds what came of it against what must.
 */

namespace ns3
{

/** What ranks have come to: by rank and operation of the list. */
struct RandomOutcome
{
    std::set<std::pair<uint32_t, uint32_t>> ended;
    std::set<std::pair<uint32_t, uint32_t>> failed;
};

/**
 * What must come of a job if what is broken was so from the beginning: ranks take operations as the
 * list has them, one at a time. An operation is over if all of its ranks come to it and it can have
 * circuits; else those that come to it fail in it, and do nothing more.
 */
inline RandomOutcome
Foretell(const RandomJob& job)
{
    const bool matters = job.fault == RandomFault::AGENT || job.fault == RandomFault::SERVER ||
                         job.fault == RandomFault::PORT;
    const auto isBroken = [&](uint32_t rank) {
        return job.fault == RandomFault::AGENT    ? rank % job.rails == job.victim
               : job.fault == RandomFault::SERVER ? rank / job.rails == job.victim
                                                  : rank == job.victim;
    };
    RandomOutcome outcome;
    std::vector<bool> over(job.servers * job.rails);
    for (uint32_t o = 0; o < job.operations.size(); ++o)
    {
        const RandomOperation& operation = job.operations[o];
        const std::vector<uint32_t> ranks = job.RanksOf(operation);
        const bool exchanges = operation.kind != RandomOperation::Kind::COMPUTE;
        const bool can = std::none_of(ranks.begin(), ranks.end(), [&](uint32_t rank) {
            return over[rank] || (exchanges && matters && isBroken(rank));
        });
        for (const uint32_t rank : ranks)
        {
            if (can)
            {
                outcome.ended.emplace(rank, o);
            }
            else if (!over[rank])
            {
                outcome.failed.emplace(rank, o);
                over[rank] = true;
            }
        }
    }
    return outcome;
}

/** A random job as it runs. */
class RandomRun
{
  public:
    // limits, in percent of which are taken: each is beyond what it has to outlast
    static constexpr int64_t VOTES_MS = 500;    //!< longer than anything but a fault
    static constexpr int64_t PROGRAM_MS = 300;  //!< longer than reconfiguration, and lost messages
    static constexpr int64_t PORTS_MS = 1500;   //!< longer than votes and program
    static constexpr int64_t GIVE_UP_MS = 4000; //!< longer than votes, ports and program
    static constexpr int64_t RETRY_MS = 2000;   //!< of the channel, not in percent
    static constexpr int64_t STALL_MS = 10'000; //!< longer than giving up

    /** @param seed of the job @param partitions whether the management network is cut */
    explicit RandomRun(uint64_t seed, bool partitions = false)
        : m_job(seed, partitions),
          m_programs(m_job)
    {
    }

    /** @return what is wrong; empty if nothing is */
    std::string Run()
    {
        OpusBench bench(MakeCase());
        m_bench = &bench;
        SetPrograms();
        for (uint32_t a = 0; a < bench.applications.GetN(); ++a)
        {
            const Ptr<Application> rank = bench.applications.Get(a);
            rank->SetAttribute("StallLimit", TimeValue(Limit(STALL_MS)));
            rank->TraceConnectWithoutContext("Stalled", MakeCallback(&RandomRun::Stalled, this));
        }
        for (uint32_t gpu = 0; gpu < bench.gpus.GetN(); ++gpu)
        {
            bench.gpus.Get(gpu)->GetObject<RdmaEngine>()->SetAttribute("DarkLimit",
                                                                       TimeValue(Limit(STALL_MS)));
        }
        for (const Rail& rail : bench.rails)
        {
            rail.GetOpticalSwitch()->TraceConnectWithoutContext(
                "FrameDropped",
                MakeCallback(&RandomRun::Dropped, this));
        }
        for (const RandomCut& cut : m_job.cuts)
        {
            Simulator::Schedule(cut.at, &RandomRun::Cut, this, cut);
            Simulator::Schedule(cut.mended, &RandomRun::Mend, this, cut);
        }
        if (m_job.fault != RandomFault::NONE && m_job.fault != RandomFault::PARTITION)
        {
            Simulator::Schedule(m_job.faultAt, &RandomRun::Break, this);
        }
        Simulator::Schedule(GetBound(), &RandomRun::GiveUp, this);
        const std::string findings = bench.Run();
        CheckOperations();
        CheckWaits();
        CheckSwitches();
        CheckRest();
        for (std::istringstream lines(findings); std::getline(lines, m_line);)
        {
            // ranks that ended early leave operations open
            Expect(m_early && (m_line.find("operations that rank") == 0 ||
                               m_line.find("bytes that ranks") == 0),
                   m_line);
        }
        m_bench = nullptr;
        return m_mistakes.empty() ? "" : m_job.Describe() + m_mistakes;
    }

    const RandomJob& GetJob() const
    {
        return m_job;
    }

  private:
    /** @return a limit for this job @param ms in general */
    Time Limit(int64_t ms) const
    {
        // what is lost again and again comes after up to 1 s; a rotation may take long to come
        // round, and has much to do while somebody waits in vain
        const bool rotates = m_job.policy.find("rotor") == 0;
        const int64_t percent = rotates ? (m_job.IsForetold() ? 400 : 10)
                                : m_job.loss > 0.02 || !m_job.cuts.empty() ? 1000
                                                                           : 100;
        return MicroSeconds(ms * 10 * percent);
    }

    OpusCase MakeCase() const
    {
        OpusCase one;
        one.servers = m_job.servers;
        one.rails = m_job.rails;
        one.ports = m_job.ports;
        one.policy = m_job.policy;
        one.reconfiguration = m_job.reconfiguration;
        one.latency = m_job.latency;
        one.hostLatency = m_job.hostLatency;
        one.loss = m_job.loss;
        one.standby = m_job.standby;
        one.granularity = m_job.granularity;
        one.messageSize = m_job.messageSize;
        one.abort = false;
        one.jobs = m_job.jobs;
        one.adjust = [this](OpusHelper& opus) {
            const auto time = [this](int64_t ms) { return TimeValue(Limit(ms)); };
            opus.SetControllerAttribute("VoteLimit", time(VOTES_MS));
            opus.SetControllerAttribute("PortLimit", time(PORTS_MS));
            opus.SetControllerAttribute("ProgramLimit", time(PROGRAM_MS));
            opus.SetControllerAttribute("TrafficLimit", time(STALL_MS));
            opus.SetControllerAttribute("Speculation", StringValue(m_job.speculation));
            // nobody who is only cut off is given up
            const TimeValue retry(MilliSeconds((m_job.cuts.empty() ? 1 : 10) * RETRY_MS));
            opus.SetControllerAttribute("RetryFor", retry);
            opus.SetAgentAttribute("RetryFor", retry);
            opus.SetShimAttribute("RetryFor", retry);
            opus.SetShimAttribute("GiveUpAfter", time(GIVE_UP_MS));
            opus.SetShimAttribute("KeepIdle", TimeValue(MilliSeconds(1)));
            opus.SetShimAttribute("ProfileIterations", UintegerValue(m_job.foresees ? 1 : 1000));
        };
        return one;
    }

    void SetPrograms()
    {
        for (const RandomGroup& group : m_job.groups)
        {
            m_groups.push_back(m_bench->MakeGroup(group.name, group.ranks));
        }
        std::map<JobId, std::vector<RankPart>> parts;
        for (uint32_t rank = 0; rank < m_programs.GetParts().size(); ++rank)
        {
            const RandomPrograms::Part& part = m_programs.GetParts()[rank];
            if (part.program->GetOperations().empty())
            {
                continue;
            }
            CollectiveApplication::Groups groups;
            for (const uint32_t group : part.order)
            {
                groups.push_back(m_groups[group]);
            }
            m_bench->SetProgram(rank, part.program, groups);
            const bool isSecond = !m_job.jobs.empty() && m_job.jobs[0].back() < rank;
            parts[JobId(isSecond ? 1 : 0)].push_back({RankId(rank), part.program, groups});
        }
        for (const auto& [job, ranks] : parts)
        {
            m_bench->plane.Describe(MakeJobDemand(job, ranks, *m_bench->plane.cabling));
        }
    }

    /**
     * A rank's operation is over, or has failed, within a stall after all of those before it in the
     * list; then retransmissions, heartbeats and timers that nobody waits for.
     */
    Time GetBound() const
    {
        Picoseconds bound = 0;
        for (const RandomOperation& operation : m_job.operations)
        {
            bound += operation.duration + Limit(STALL_MS).GetTimeStep();
        }
        for (const RandomCut& cut : m_job.cuts)
        {
            bound = std::max(bound, cut.mended.GetTimeStep()) + Limit(STALL_MS).GetTimeStep();
        }
        return m_job.faultAt + PicoSeconds(bound) + 4 * (Limit(STALL_MS) + MilliSeconds(RETRY_MS));
    }

    void Break()
    {
        OpusControlPlane& plane = m_bench->plane;
        switch (m_job.fault)
        {
        case RandomFault::CONTROLLER:
            plane.controller->Crash();
            break;
        case RandomFault::AGENT:
            plane.agents[m_job.victim]->Crash();
            break;
        case RandomFault::SERVER:
            plane.network.Cut(plane.servers.Get(m_job.victim));
            break;
        default: {
            const Rail& rail = m_bench->rails[m_job.victim % m_job.rails];
            rail.GetOpticalSwitch()->SetFault(rail.GetSwitchPort(m_job.victim / m_job.rails, 0),
                                              PortFault::STUCK_DARK);
        }
        }
    }

    Ptr<Node> NodeOf(const RandomCut& cut) const
    {
        const OpusControlPlane& plane = m_bench->plane;
        switch (cut.place)
        {
        case RandomCut::Place::CONTROLLER:
            return plane.controller->GetNode();
        case RandomCut::Place::STANDBY:
            return plane.standby->GetNode();
        case RandomCut::Place::AGENT:
            return plane.agents[cut.which]->GetNode();
        default:
            return plane.servers.Get(cut.which);
        }
    }

    void Cut(RandomCut cut)
    {
        const ManagementNetwork& network = m_bench->plane.network;
        if (cut.ways != 2)
        {
            network.CutTo(NodeOf(cut));
        }
        if (cut.ways != 1)
        {
            network.CutFrom(NodeOf(cut));
        }
    }

    void Mend(RandomCut cut)
    {
        m_bench->plane.network.Restore(NodeOf(cut));
    }

    void GiveUp()
    {
        if (!Simulator::IsFinished())
        {
            Expect(false, "the simulation has not ended by itself");
            Simulator::Stop();
        }
    }

    void Stalled(const std::string& report)
    {
        m_stalled.push_back(report);
    }

    void Dropped(PortId, const WireFrame&, FrameDropReason reason)
    {
        std::ostringstream words;
        words << "a switch dropped a frame: " << reason;
        Expect(m_job.fault == RandomFault::PORT && !m_job.faultAt.IsZero(), words.str());
    }

    void Expect(bool is, const std::string& mistake)
    {
        if (!is && m_mistakes.size() < 2000)
        {
            m_mistakes += "\n    " + mistake;
        }
    }

    static std::string Name(const std::pair<uint32_t, uint32_t>& one)
    {
        return "rank " + std::to_string(one.first) + ", operation " + std::to_string(one.second) +
               " of the list";
    }

    /** Each operation ends once at each rank, or is reported, or nobody came to it. */
    void CheckOperations()
    {
        RandomOutcome found;
        std::map<std::pair<uint32_t, uint32_t>, std::string> whys;
        for (const OperationRecord& record : m_bench->ended)
        {
            const uint32_t rank = record.rank.Get();
            const uint32_t listed = m_programs.GetParts()[rank].listed.at(record.operation);
            Expect(found.ended.emplace(rank, listed).second,
                   Name({rank, listed}) + " has ended twice");
        }
        std::set<uint32_t> lost;
        for (const OperationRecord& record : m_bench->failed)
        {
            const uint32_t rank = record.rank.Get();
            const uint32_t listed = m_programs.GetParts()[rank].listed.at(record.operation);
            found.failed.emplace(rank, listed);
            whys[{rank, listed}] = record.why;
            Expect(lost.insert(rank).second, Name({rank, listed}) + " has failed beside another");
            Expect(found.ended.count({rank, listed}) == 0,
                   Name({rank, listed}) + " has ended and failed");
        }
        m_early = !lost.empty() || !m_stalled.empty();
        if (m_job.IsForetold())
        {
            const RandomOutcome expected = Foretell(m_job);
            for (const auto& one : expected.ended)
            {
                Expect(found.ended.count(one), Name(one) + " should have ended: " + whys[one]);
            }
            for (const auto& one : expected.failed)
            {
                Expect(found.failed.count(one), Name(one) + " should have failed");
            }
            for (const auto& one : found.failed)
            {
                Expect(expected.failed.count(one),
                       Name(one) + " should not have failed: " + whys[one]);
            }
            Expect(m_stalled.empty(),
                   "somebody has stalled: " + (m_stalled.empty() ? "" : m_stalled[0]));
            return;
        }
        // a rank that stalls says so, and it is not one that has failed
        uint32_t open = 0;
        for (uint32_t rank = 0; rank < m_programs.GetParts().size(); ++rank)
        {
            const bool isOver = m_programs.GetParts()[rank].program->GetOperations().empty() ||
                                m_bench->collectives.Get(rank)->IsOver();
            open += isOver || lost.count(rank) ? 0 : 1;
        }
        Expect(open == m_stalled.size(),
               std::to_string(open) + " ranks are not through, and " +
                   std::to_string(m_stalled.size()) + " have said so");
    }

    /** No wait is longer than its limit. */
    void CheckWaits()
    {
        const Picoseconds most = Limit(GIVE_UP_MS).GetTimeStep() + 1; // when that instant is over
        for (const ShimNote& note : m_bench->answers)
        {
            Expect(note.answered - note.requested <= most,
                   "rank " + std::to_string(note.rank.Get()) + " waited for " +
                       std::to_string(note.answered - note.requested) + " ps");
            if (!m_early)
            {
                Expect(note.network == CircuitAnswer::Network::RAIL ||
                           note.network == CircuitAnswer::Network::WITHDRAWN,
                       "rank " + std::to_string(note.rank.Get()) + " got no circuits");
            }
        }
    }

    /** Switches have refused nothing, and lost nothing. */
    void CheckSwitches()
    {
        const bool mayBeStuck = m_job.fault == RandomFault::PORT;
        for (const Ptr<OcsAgent>& agent : m_bench->plane.agents)
        {
            Expect(mayBeStuck || agent->GetCounters().alarms == 0, "a switch refused a plan");
        }
        Expect(mayBeStuck || m_bench->audit.GetTotals().framesDropped == 0, "frames were dropped");
    }

    /** Nobody keeps anything. */
    void CheckRest()
    {
        const OpusControlPlane& plane = m_bench->plane;
        if (m_early || !m_job.IsForetold())
        {
            return; // somebody may not be there to take what is given back
        }
        for (const Ptr<OpusShimApp>& shim : plane.shims)
        {
            Expect(shim->GetCore().IsIdle(), "a shim is not idle:\n" + shim->GetCore().Describe());
        }
        const bool isForGood = m_job.policy != "on-demand" && m_job.policy != "provisioned" &&
                               m_job.policy != "co-scheduled" && m_job.policy.find("rotor") != 0;
        for (const auto& [key, phase] : plane.GetInCharge()->GetCore().GetPhases())
        {
            Expect(isForGood || phase.state != ControllerPhase::State::GRANTED,
                   "a phase is still granted:\n" + plane.GetInCharge()->GetCore().Describe());
        }
        const bool isQuiet = m_job.fault == RandomFault::NONE && m_job.loss == 0;
        if (plane.standby && isQuiet)
        {
            Expect(plane.controller->GetRole() == OpusControllerApp::Role::IN_CHARGE &&
                       plane.standby->GetRole() == OpusControllerApp::Role::STANDBY,
                   "somebody took over");
        }
    }

    RandomJob m_job;
    RandomPrograms m_programs;
    OpusBench* m_bench{nullptr};
    std::vector<std::shared_ptr<const CommunicationGroup>> m_groups;
    std::vector<std::string> m_stalled;
    bool m_early{false}; //!< some rank's program ended before its end
    std::string m_line;
    std::string m_mistakes;
};

/** Random jobs, one after another. */
class RandomJobsCase : public TestCase
{
  public:
    /** @param first seed @param count of seeds @param partitions whether links are cut */
    RandomJobsCase(uint64_t first, uint64_t count, bool partitions = false)
        : TestCase("random jobs" + std::string(partitions ? " and partitions" : "") +
                   " from seed " + std::to_string(first)),
          m_first(first),
          m_count(count),
          m_partitions(partitions)
    {
    }

  private:
    void DoRun() override
    {
        for (uint64_t seed = m_first; seed < m_first + m_count; ++seed)
        {
            const std::string mistakes = RandomRun(seed, m_partitions).Run();
            NS_TEST_EXPECT_MSG_EQ(mistakes, "", "seed " << seed);
        }
    }

    uint64_t m_first;
    uint64_t m_count;
    bool m_partitions;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_RANDOM_RUN_H */
