/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The cost of a control plane: CPU time of a decision as groups grow in number and in ranks, and of
// whole jobs with all their messages, as they grow in GPUs.

#include "empty-event.h"
#include "measure.h"

#include "ns3/controller-core.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/photonic-rails-module.h"

#include <deque>
#include <memory>
#include <sstream>

using namespace ns3;

namespace
{

constexpr uint32_t RAILS = 8;

/** @return the answer of an agent to a PROGRAM */
OpusMessage
MakeDone(const OpusMessage& message)
{
    const OpusProgram& program = message.Get<OpusProgram>();
    return {message.term, ServerId(), message.rail, OpusDone{program.plan, program.phase}};
}

/** Sends the requests of groups of eight to a ControllerCore, and the answers of agents at once. */
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
                OpusRegisterGroup registration;
                registration.group = GroupId(group);
                registration.ranks = {rank};
                registration.whole = RanksOf(group).size();
                registration.digest = GetDigest(RanksOf(group));
                registration.name = "dp " + std::to_string(group);
                Deliver(rank, registration);
            }
        }
    }

    /** Every group requests other pairs than before, gets them, and releases them. */
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
            OpusPhase phase;
            phase.group = GroupId(group);
            phase.operation = round;
            for (const RankId rank : ranks)
            {
                OpusRequest request;
                request.phase = phase;
                request.ranks = {rank};
                request.until = round;
                WholePairs(pairs).Name(request);
                Deliver(rank, request);
            }
            for (const RankId rank : ranks)
            {
                Deliver(rank, OpusRelease{phase, {rank}, 0, false, round});
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

    void Deliver(RankId rank, const OpusMessage::Content& content)
    {
        std::deque<OpusMessage> inputs{{0, m_cabling->GetServer(rank), RailId(), content}};
        while (!inputs.empty())
        {
            for (const OutgoingMessage& outgoing : m_core->Take(inputs.front(), m_now))
            {
                if (outgoing.toAgent)
                {
                    inputs.push_back(MakeDone(outgoing.message));
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

/** @return CPU time of a decision with a number of groups, in microseconds */
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

/**
 * One group of ranks, each on a server of its own, requests one ring after another: no circuit of
 * one is in the next.
 * @return a rank's CPU time in a phase in microseconds, and bytes of messages to it and from it
 */
std::vector<double>
RequestRings(uint32_t ranks)
{
    constexpr uint32_t PHASES = 8;
    auto cabling = std::make_shared<Cabling>(Cabling::OfRails(ranks, 1, 2));
    std::vector<std::vector<RankId>> rings(2);
    for (uint32_t i = 0; i < ranks; ++i)
    {
        cabling->Own(JobId(0), RankId(i));
        rings[0].emplace_back(i);
        rings[1].emplace_back(3 * i % ranks); // a ring too: 3 does not divide a power of two
    }
    ControllerCore core(cabling, ControllerSettings());
    uint64_t bytes = 0;
    Picoseconds now = 0;
    const auto deliver = [&](const OpusMessage& message) {
        std::deque<OpusMessage> inputs{message};
        bytes += OpusEncoding::Encode(message).size();
        for (; !inputs.empty(); inputs.pop_front())
        {
            for (const OutgoingMessage& outgoing : core.Take(inputs.front(), now += 1000))
            {
                bytes += OpusEncoding::Encode(outgoing.message).size();
                if (outgoing.toAgent)
                {
                    inputs.push_back(MakeDone(outgoing.message));
                }
            }
            core.TakeNotes();
        }
    };
    const auto sendOf = [&](RankId rank, const OpusMessage::Content& content) {
        deliver({0, cabling->GetServer(rank), RailId(), content});
    };
    for (const RankId rank : rings[0])
    {
        sendOf(rank,
               OpusRegisterGroup{JobId(0), GroupId(0), {rank}, ranks, GetDigest(rings[0]), ""});
    }
    bytes = 0;
    std::vector<double> figures{0};
    OpusPhase phase;
    for (phase.operation = 0; phase.operation < PHASES; ++phase.operation)
    {
        WholePairs pairs(MakeRingOf(rings[phase.operation % 2]));
        const double before = CpuTime();
        for (const RankId rank : rings[0])
        {
            OpusRequest request;
            request.phase = phase;
            request.ranks = {rank};
            request.until = phase.operation;
            pairs.Name(request);
            sendOf(rank, request);
        }
        for (const RankId rank : rings[0])
        {
            sendOf(rank, OpusRelease{phase, {rank}, 0, false, phase.operation});
        }
        figures[0] += (CpuTime() - before) / 1e3 / ranks / PHASES;
    }
    NS_ABORT_MSG_UNLESS(core.GetCounters().grants == PHASES, "a ring was not granted");
    figures.push_back(double(bytes) / ranks / PHASES);
    return figures;
}

/** The counts of a job's control plane. */
struct Job
{
    double cpu{0}; //!< of Simulator::Run(), nanoseconds
    uint64_t messages{0};
    uint64_t bytes{0};     //!< that left nodes, IP and UDP included
    uint64_t sentAgain{0}; //!< datagrams
    uint64_t grants{0};
    double exposed{0}; //!< seconds
};

/** Counts the packets that leave a node on the management network. */
void
CountBytes(uint64_t* bytes, Ptr<const Packet> packet)
{
    *bytes += packet->GetSize();
}

/**
 * Runs a job of 16 stages and the replicas that the GPUs allow: an iteration has an all-gather, a
 * send to the next stage, and a reduce-scatter, on each of 8 rails; small, so that the control
 * plane dominates. There are three iterations; shims learn in the first.
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
    const Ptr<CollectiveJob> collectiveJob = collectives.Install(rails);
    const ApplicationContainer& applications = collectiveJob->GetApplications();
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
            program->Compute(0, ToTime(200'000'000));
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
            const auto dp = collectiveJob->MakeGroup("dp", ranks);
            for (uint32_t replica = 0; replica < replicas; ++replica)
            {
                const bool last = stage + 1 == STAGES;
                const auto after = last ? nullptr
                                        : collectiveJob->MakeGroup(
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
                collectiveJob->SetProgram(ranks[replica],
                                          programs[stage == 0 ? 0
                                                   : last     ? 2
                                                              : 1],
                                          groups);
                before[replica] = after;
            }
        }
    }
    Job job;
    for (uint32_t n = 0; n < plane.network.devices.GetN(); ++n)
    {
        plane.network.devices.Get(n)->TraceConnectWithoutContext(
            "MacTx",
            MakeBoundCallback(&CountBytes, &job.bytes));
    }
    const double begin = CpuTime();
    Simulator::Run();
    job.cpu = CpuTime() - begin;
    RailAudit audit;
    audit.Add(applications);
    audit.Require();
    job.messages = plane.GetMessages();
    job.sentAgain = plane.controller->GetChannelCounters().retransmitted;
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        job.sentAgain += shim->GetChannelCounters().retransmitted;
    }
    job.grants = plane.controller->GetCore().GetCounters().grants;
    job.exposed = plane.GetTimes().exposed.GetTimeStep() / 1e12;
    Simulator::Destroy();
    return job;
}

/** Prints the cost of decisions, for several numbers of groups. */
void
ReportDecisions(uint32_t runs)
{
    for (const uint32_t groups : {8, 64, 512, 2048})
    {
        const auto figures = Repeat(runs, [groups]() { return DecideOnce(groups); });
        Report("a decision, votes and all, " + std::to_string(groups) + " groups of 8",
               "us of CPU",
               figures[0]);
    }
}

/** Prints the cost of rings, for several numbers of ranks. */
void
ReportRings(uint32_t runs)
{
    for (const uint32_t ranks : {16, 64, 256, 1024, 2048})
    {
        const auto figures = Repeat(runs, [ranks]() { return RequestRings(ranks); });
        Report("a phase of a ring of " + std::to_string(ranks) + " ranks, of a rank",
               "us of CPU",
               figures[0]);
        Report("  messages to it and from it", "bytes", figures[1]);
    }
}

/** Prints the cost of a job. */
void
ReportJob(uint32_t gpus)
{
    Job job;
    const auto figures = Repeat(1, [gpus, &job]() {
        job = RunJob(gpus, "provisioned");
        return std::vector<double>{job.cpu / 1e6,
                                   job.cpu / 1e3 / job.messages,
                                   double(job.messages) / gpus / 3,
                                   double(job.messages) / job.grants,
                                   double(job.bytes) / gpus / 3,
                                   double(job.sentAgain)};
    });
    const std::string what = std::to_string(gpus) + " GPUs, provisioned, 3 iterations";
    Report(what, "ms of CPU", figures[0]);
    Report("  a control message", "us of CPU", figures[1]);
    Report("  control messages of an iteration, a GPU", "messages", figures[2]);
    Report("  control messages of a grant", "messages", figures[3]);
    Report("  control bytes of an iteration, a GPU", "bytes", figures[4]);
    Report("  datagrams sent again", "datagrams", figures[5]);
}

/** Receives datagrams, and sends as many bytes back. */
class Echo
{
  public:
    /** @param bytes of an answer */
    explicit Echo(uint32_t bytes)
        : m_bytes(bytes)
    {
    }

    void Take(Ptr<Socket> socket)
    {
        Address from;
        while (socket->RecvFrom(from))
        {
            if (m_bytes > 0)
            {
                socket->SendTo(Create<Packet>(m_bytes), 0, from);
            }
        }
    }

  private:
    uint32_t m_bytes;
};

/** @return an open UDP socket of a node, whose datagrams an Echo receives */
Ptr<Socket>
OpenSocket(Ptr<Node> node, Echo& echo)
{
    Ptr<Socket> socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), OPUS_PORT));
    socket->SetRecvCallback(MakeCallback(&Echo::Take, &echo));
    return socket;
}

void
SendBytes(Ptr<Socket> socket, uint32_t bytes, InetSocketAddress to)
{
    socket->SendTo(Create<Packet>(bytes), 0, to);
}

constexpr uint32_t ROUNDS = 100;             //!< datagrams, or messages, of each server
constexpr uint64_t ROUND = 1'000'000'000;    //!< from one to the next of a server, picoseconds
constexpr uint32_t DATAGRAM_BYTES = 124 + 8; //!< of a message with two ranks or one pair

/**
 * The least that a datagram costs in ns-3: servers send datagrams to one node over the management
 * network, which sends as many back, all without any content or protocol.
 * @return CPU time of a datagram in microseconds, over both links
 */
std::vector<double>
EchoOverManagementNetwork(uint32_t servers)
{
    NodeContainer nodes(servers + 1);
    const ManagementNetwork network = ManagementNetworkHelper().Install(nodes);
    Echo answers(OpusHeader::SIZE + DATAGRAM_BYTES);
    Echo takes(0);
    const Ptr<Socket> center = OpenSocket(nodes.Get(servers), answers);
    for (uint32_t server = 0; server < servers; ++server)
    {
        const Ptr<Socket> socket = OpenSocket(nodes.Get(server), takes);
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            Simulator::ScheduleWithContext(
                nodes.Get(server)->GetId(),
                ToTime(round * ROUND + server * 1000),
                &SendBytes,
                socket,
                OpusHeader::SIZE + DATAGRAM_BYTES,
                InetSocketAddress(network.addresses[servers], OPUS_PORT));
        }
    }
    const double begin = CpuTime();
    Simulator::Run();
    const double cpu = (CpuTime() - begin) / 1e3 / servers / ROUNDS / 2;
    Simulator::Destroy();
    return {cpu};
}

/** Sends a message back for each that it takes, or none. */
class Answerer : public OpusEndpoint
{
  public:
    /** @param answers whether it does */
    explicit Answerer(bool answers)
        : m_answers(answers)
    {
    }

    /** Sends a message. */
    void SendOne(OpusPeer peer)
    {
        OpusRelease release;
        release.ranks = {RankId(0), RankId(1)};
        Send({0, ServerId(), RailId(), release}, peer);
    }

  private:
    void Take(const OpusMessage&, const OpusPeer& peer) override
    {
        if (m_answers)
        {
            SendOne(peer);
        }
    }

    bool m_answers;
};

/**
 * The cost of a message without its meaning: servers send messages to one node, which answers each
 * by another, in reliable channels.
 * @return CPU time of a message in microseconds, and the datagrams that it takes
 */
std::vector<double>
AnswerOverManagementNetwork(uint32_t servers)
{
    NodeContainer nodes(servers + 1);
    const ManagementNetwork network = ManagementNetworkHelper().Install(nodes);
    std::vector<Ptr<Answerer>> endpoints;
    for (uint32_t node = 0; node <= servers; ++node)
    {
        endpoints.push_back(CreateObject<Answerer>(node == servers));
        nodes.Get(node)->AddApplication(endpoints.back());
        for (uint32_t round = 0; node < servers && round < ROUNDS; ++round)
        {
            Simulator::ScheduleWithContext(nodes.Get(node)->GetId(),
                                           ToTime((round + 1) * ROUND + node * 1000),
                                           &Answerer::SendOne,
                                           PeekPointer(endpoints.back()),
                                           OpusPeer{network.addresses[servers], OPUS_PORT});
        }
    }
    const double begin = CpuTime();
    Simulator::Run();
    const double cpu = (CpuTime() - begin) / 1e3 / servers / ROUNDS / 2;
    uint64_t datagrams = 0;
    uint64_t received = 0;
    for (const Ptr<Answerer>& endpoint : endpoints)
    {
        datagrams += endpoint->GetChannelCounters().datagrams;
        received += endpoint->GetChannelCounters().received;
    }
    NS_ABORT_MSG_UNLESS(received == 2 * servers * ROUNDS, "a message is missing");
    Simulator::Destroy();
    return {cpu, double(datagrams) / received};
}

void
Count(uint64_t* events)
{
    ++*events;
}

/** @return CPU time of an empty ns-3 event in nanoseconds, with 1,000 others pending */
std::vector<double>
RunEmptyEvents()
{
    constexpr uint32_t EVENTS = 1'000'000;
    constexpr uint32_t PENDING = 1000;
    uint64_t events = 0;
    double cpu = 0;
    for (uint32_t i = 0; i < EVENTS / PENDING; ++i)
    {
        const double begin = CpuTime();
        for (uint32_t j = 0; j < PENDING; ++j)
        {
            Simulator::Schedule(ToTime(j), &Count, &events);
        }
        Simulator::Run();
        cpu += CpuTime() - begin;
    }
    Simulator::Destroy();
    return {cpu / EVENTS};
}

/** Prints what a message costs beside what is ns-3's in it. */
void
ReportMessages(uint32_t runs)
{
    Report("an empty event among 1,000 pending ones", "ns", Repeat(runs, RunEmptyEvents)[0]);
    for (const uint32_t servers : {32, 256})
    {
        const std::string of = " of " + std::to_string(servers) + " servers";
        const auto bare = Repeat(runs, [servers]() { return EchoOverManagementNetwork(servers); });
        Report("a bare UDP datagram over two links" + of, "us of CPU", bare[0]);
        const auto whole =
            Repeat(runs, [servers]() { return AnswerOverManagementNetwork(servers); });
        Report("a message over two links, endpoints included" + of, "us of CPU", whole[0]);
        Report("  datagrams of a message", "datagrams", whole[1]);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    UsePicoseconds();
    GlobalValue::Bind("SchedulerType", StringValue("ns3::PriorityQueueScheduler"));
    uint32_t runs = 3;
    uint32_t gpus = 0;
    std::string part;
    CommandLine cmd(__FILE__);
    cmd.AddValue("runs", "Runs of each benchmark", runs);
    cmd.AddValue("part", "decisions, rings, messages or jobs; empty: all", part);
    cmd.AddValue("gpus", "GPUs of the job, a multiple of 128; 0: several jobs", gpus);
    cmd.Parse(argc, argv);

    ReportTitle("control plane");
    ReportEmptyEvent(runs);
    if (part.empty() || part == "decisions")
    {
        ReportDecisions(runs);
    }
    if (part.empty() || part == "rings")
    {
        ReportRings(runs);
    }
    if (part.empty() || part == "messages")
    {
        ReportMessages(runs);
    }
    if (part.empty() || part == "jobs")
    {
        for (const uint32_t size :
             gpus == 0 ? std::vector<uint32_t>{256, 512, 1024, 2048} : std::vector<uint32_t>{gpus})
        {
            ReportJob(size);
        }
    }
    return 0;
}
