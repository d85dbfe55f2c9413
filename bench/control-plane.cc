/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a control plane costs: CPU time of a decision as groups grow in number, and of whole jobs
// with all their messages, as they grow in GPUs.

#include "measure.h"

#include "ns3/controller-core.h"
#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <deque>
#include <memory>
#include <sstream>

using namespace ns3;

namespace
{

constexpr uint32_t RAILS = 8;

/** Asks a ControllerCore on behalf of groups of eight, and answers as agents would, at once. */
class Asker
{
  public:
    explicit Asker(uint32_t groups)
        : m_groups(groups)
    {
        auto cabling = std::make_shared<Cabling>(Cabling::OfRails(groups * 8 / RAILS, RAILS, 2));
        for (uint32_t rank = 0; rank < groups * 8; ++rank)
        {
            cabling->Own(JobId(0), RankId(rank));
        }
        m_core = std::make_unique<ControllerCore>(cabling, ControllerSettings());
        m_cabling = cabling;
        for (uint32_t group = 0; group < groups; ++group)
        {
            for (const RankId rank : RanksOf(group))
            {
                OpusMessage message = MakeMessage(OpusMessage::Type::REGISTER_GROUP, group, rank);
                message.ranks = {rank};
                message.whole = RanksOf(group).size();
                message.digest = GetDigest(RanksOf(group));
                message.reason = "dp " + std::to_string(group);
                Tell(message);
            }
        }
    }

    /** Every group asks for other pairs than before, gets them, and releases them. */
    void Round(uint32_t round)
    {
        for (uint32_t group = 0; group < m_groups; ++group)
        {
            // neighbours in one round, those opposite in the next: every circuit changes
            const std::vector<RankId> ranks = RanksOf(group);
            std::vector<std::pair<RankId, RankId>> pairs;
            for (uint32_t i = 0; i < 4; ++i)
            {
                pairs.emplace_back(round % 2 == 0 ? ranks[2 * i] : ranks[i],
                                   round % 2 == 0 ? ranks[2 * i + 1] : ranks[i + 4]);
            }
            for (const OpusMessage::Type type :
                 {OpusMessage::Type::REQUEST, OpusMessage::Type::RELEASE})
            {
                for (const RankId rank : ranks)
                {
                    OpusMessage message = MakeMessage(type, group, rank);
                    message.phase.operation = round;
                    message.until = round;
                    message.ranks = {rank};
                    WholePairs(pairs).Name(message);
                    Tell(message);
                }
            }
        }
    }

    uint64_t GetGrants() const
    {
        return m_core->GetCounters().grants;
    }

  private:
    /** @return eight servers' GPUs of one rail */
    std::vector<RankId> RanksOf(uint32_t group) const
    {
        std::vector<RankId> ranks;
        const uint32_t rail = group % RAILS;
        for (uint32_t i = 0; i < 8; ++i)
        {
            ranks.emplace_back((group / RAILS * 8 + i) * RAILS + rail);
        }
        return ranks;
    }

    OpusMessage MakeMessage(OpusMessage::Type type, uint32_t group, RankId rank) const
    {
        OpusMessage message;
        message.type = type;
        message.phase.group = GroupId(group);
        message.server = m_cabling->GetServer(rank);
        return message;
    }

    void Tell(const OpusMessage& message)
    {
        std::deque<OpusMessage> inputs{message};
        while (!inputs.empty())
        {
            for (const OpusLetter& letter : m_core->Take(inputs.front(), m_now))
            {
                if (letter.toAgent)
                {
                    OpusMessage done = letter.message;
                    done.type = OpusMessage::Type::DONE;
                    inputs.push_back(done);
                }
            }
            inputs.pop_front();
            m_core->TakeNotes();
            m_now += 1000;
        }
    }

    uint32_t m_groups;
    std::shared_ptr<const Cabling> m_cabling;
    std::unique_ptr<ControllerCore> m_core;
    Picoseconds m_now{0};
};

/** @return CPU time of a decision with so many groups, in microseconds */
std::vector<double>
DecideOnce(uint32_t groups)
{
    Asker asker(groups);
    asker.Round(0);
    const uint64_t grantsBefore = asker.GetGrants();
    const double before = CpuTime();
    for (uint32_t round = 1; round < 1 + 16384 / groups; ++round)
    {
        asker.Round(round);
    }
    return {(CpuTime() - before) / 1e3 / (asker.GetGrants() - grantsBefore)};
}

/** What a job's control plane did. */
struct Job
{
    double cpu{0}; //!< of Simulator::Run(), nanoseconds
    uint64_t messages{0};
    uint64_t grants{0};
    double exposed{0}; //!< seconds
};

/**
 * A job of 16 stages and as many replicas as there are GPUs for: an iteration of an all-gather, a
 * send to the next stage, and a reduce-scatter, on each of 8 rails; small, so that what remains is
 * the control plane. Three times: the first is learned from.
 */
Job
RunJob(uint32_t gpus, const std::string& policy)
{
    constexpr uint32_t STAGES = 16;
    const uint32_t servers = gpus / RAILS;
    const uint32_t replicas = servers / STAGES;
    NodeContainer nodes(gpus);
    PhotonicRailHelper photonic;
    photonic.SetProfile("2x200");
    photonic.SetSwitchAttribute("Radix", UintegerValue(2 * servers));
    photonic.SetReconfigurationTime(MicroSeconds(100));
    const std::vector<Rail> rails = photonic.InstallRails(nodes, RAILS);
    RdmaHelper().Install(nodes);
    OpusHelper opus;
    opus.SetPolicy(policy);
    const OpusControlPlane plane = opus.Install(rails);
    CollectiveHelper collectives;
    collectives.SetBrokers(plane.brokers);
    const ApplicationContainer applications = collectives.Install(rails);
    // server = stage * replicas + replica
    std::vector<std::shared_ptr<const RankProgram>> programs;
    for (const uint32_t kind : {0, 1, 2}) // the first stage, one in the middle, the last
    {
        auto program = std::make_shared<RankProgram>();
        for (uint32_t i = 0; i < 3; ++i)
        {
            program->BeginIteration();
            program->Collective(0, 0, CollectiveKind::ALL_GATHER, 1 << 20, "ring");
            if (kind > 0)
            {
                program->Receive(0, 1, 0, 1 << 16);
            }
            program->Compute(0, 200'000'000);
            if (kind < 2)
            {
                program->Send(0, kind == 0 ? 1 : 2, 1, 1 << 16);
            }
            program->Collective(0, 0, CollectiveKind::REDUCE_SCATTER, 1 << 20, "ring");
        }
        programs.push_back(program);
    }
    for (uint32_t rail = 0; rail < RAILS; ++rail)
    {
        std::vector<std::shared_ptr<const CommunicationGroup>> before(replicas);
        for (uint32_t stage = 0; stage < STAGES; ++stage)
        {
            std::vector<uint32_t> ranks;
            for (uint32_t replica = 0; replica < replicas; ++replica)
            {
                ranks.push_back((stage * replicas + replica) * RAILS + rail);
            }
            const auto dp = collectives.MakeGroup("dp", ranks);
            for (uint32_t replica = 0; replica < replicas; ++replica)
            {
                const bool last = stage + 1 == STAGES;
                const auto after = last ? nullptr
                                        : collectives.MakeGroup(
                                              "pp",
                                              {ranks[replica], ranks[replica] + replicas * RAILS});
                CollectiveApplication::Groups groups{dp};
                if (stage > 0)
                {
                    groups.push_back(before[replica]);
                }
                if (!last)
                {
                    groups.push_back(after);
                }
                collectives.SetProgram(ranks[replica],
                                       programs[stage == 0 ? 0
                                                : last     ? 2
                                                           : 1],
                                       groups);
                before[replica] = after;
            }
        }
    }
    Job job;
    const double begin = CpuTime();
    Simulator::Run();
    job.cpu = CpuTime() - begin;
    RailAudit audit;
    audit.Add(applications);
    audit.Require();
    job.messages = plane.GetMessages();
    job.grants = plane.controller->GetCore().GetCounters().grants;
    job.exposed = plane.GetTimes().exposed / 1e12;
    Simulator::Destroy();
    return job;
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

    std::cout << std::left << std::setw(58) << "control plane" << std::right << std::setw(12)
              << "median" << std::setw(12) << "minimum"
              << "  unit" << std::endl;
    for (const uint32_t groups : {8, 64, 512, 2048})
    {
        const auto figures = Repeat(runs, [groups]() { return DecideOnce(groups); });
        Report("a decision, votes and all, " + std::to_string(groups) + " groups of 8",
               "us of CPU",
               figures[0]);
    }
    for (const uint32_t gpus : {256, 512, 1024, 2048})
    {
        Job job;
        const auto figures = Repeat(1, [gpus, &job]() {
            job = RunJob(gpus, "provisioned");
            return std::vector<double>{job.cpu / 1e6,
                                       job.cpu / 1e3 / job.messages,
                                       double(job.messages) / gpus / 3,
                                       double(job.messages) / job.grants};
        });
        const std::string what = std::to_string(gpus) + " GPUs, provisioned, 3 iterations";
        Report(what, "ms of CPU", figures[0]);
        Report("  a control message", "us of CPU", figures[1]);
        Report("  control messages of an iteration, a GPU", "messages", figures[2]);
        Report("  control messages of a grant", "messages", figures[3]);
    }
    return 0;
}
