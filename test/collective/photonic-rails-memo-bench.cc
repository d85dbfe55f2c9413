/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-memo-bench.h"

#include "../support/observed-lines.h"
#include "../support/photonic-rails-collective-bench.h"

#include "ns3/boolean.h"
#include "ns3/collective-helper.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/frame-digest.h"
#include "ns3/instant-circuits.h"
#include "ns3/mix-bits.h"
#include "ns3/optical-fiber.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-links.h"
#include "ns3/rank-program.h"
#include "ns3/rdma-engine.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/scale-up-domain.h"
#include "ns3/scale-up-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace ns3
{

namespace
{

/** How a program is run. */
struct MemoMode
{
    bool memoizes{false};
    bool events{false};
};

constexpr uint32_t CLOCK = 100; //!< a stream that waits for no operation

/** Circuits that stand; the answer comes to each rank after a time of its own. */
class LateCircuits : public StandingCircuits
{
  public:
    explicit LateCircuits(std::shared_ptr<const Connectivity> links)
        : StandingCircuits(std::move(links))
    {
    }

    void Request(const CircuitRequest& request, AnswerCallback callback) override
    {
        constexpr std::array<Picoseconds, 6> TIMES{0,
                                                   1,
                                                   200'000,
                                                   3'000'000,
                                                   25'000'000,
                                                   50'000'000};
        const uint64_t bits = MixBits(request.rank.Get() + 64 * request.operation +
                                      (request.pointToPoint ? 1 << 20 : 0));
        Simulator::Schedule(ToTime(TIMES[bits % TIMES.size()]),
                            &LateCircuits::Answer,
                            Ptr<LateCircuits>(this),
                            request,
                            callback);
    }

  private:
    void Answer(CircuitRequest request, AnswerCallback callback)
    {
        StandingCircuits::Request(request, callback);
    }
};

/** One run of a program, and the lines of what is seen of it. */
class MemoRun : private ObservedLines
{
  public:
    explicit MemoRun(const MemoDraw& drawn)
        : m_drawn(drawn)
    {
    }

    /** @return the lines, sorted */
    std::vector<std::string> Run(const MemoMode& mode, MemoCounts& counts)
    {
        MakeRails(mode.events);
        CollectiveHelper helper;
        helper.SetScaleUp(m_domains);
        helper.SetAttribute("MessageSize", UintegerValue(m_drawn.messageSize));
        helper.SetAttribute("MemoizeOperations", BooleanValue(mode.memoizes));
        helper.SetAttribute("IntraNodeAsOne", BooleanValue(m_drawn.asOne));
        if (m_drawn.reconfigures)
        {
            helper.SetBroker(
                CreateObject<InstantCircuits>(std::make_shared<const RailLinks>(m_rails)));
        }
        if (m_drawn.grantsLate)
        {
            helper.SetBroker(
                CreateObject<LateCircuits>(std::make_shared<const RailLinks>(m_rails)));
        }
        const Ptr<CollectiveJob> job = helper.Install(m_rails);
        const uint32_t perServer = m_drawn.perServer;
        const auto railGroups = MakeRailGroups(*job);
        for (uint32_t r = 0; r < m_drawn.ranks; ++r)
        {
            auto program = std::make_shared<RankProgram>();
            for (const MemoStep& step : m_drawn.steps)
            {
                const Picoseconds computes = step.compute[r];
                const uint32_t stream = m_drawn.byClock ? CLOCK : 0;
                program->Compute(stream, ToTime(computes));
                if (step.sends.empty())
                {
                    AddCollectives(*program, step, r / perServer);
                }
                else
                {
                    AddSends(*program, step, r);
                }
                if (m_drawn.byClock)
                {
                    program->Compute(CLOCK, ToTime(MemoDraw::PERIOD - computes));
                }
            }
            std::vector<std::shared_ptr<const CommunicationGroup>> groups{
                railGroups[r % railGroups.size()]};
            if (perServer > 1 && !m_drawn.apart)
            {
                groups.push_back(MakeServerGroup(*job, r / perServer));
            }
            job->SetProgram(r, program, groups);
        }
        job->TraceConnect("OperationEnded", MakeCallback(&MemoRun::Ended, this));
        for (std::size_t d = 0; d < m_drawn.disturbances.size(); ++d)
        {
            if (m_drawn.disturbances[d].ends == 0)
            {
                Simulator::Schedule(ToTime(m_drawn.disturbances[d].at), &MemoRun::Disturb, this, d);
            }
        }
        Simulator::Run();
        NoteCounts();
        for (uint32_t r = 0; r < m_drawn.ranks; ++r)
        {
            const auto& its = job->Get(r)->GetCounters();
            Note("rank", r, its.messagesSent, its.bytesReceived, its.mostEarly);
        }
        counts.operations += mode.memoizes ? m_drawn.steps.size() * railGroups.size() : 0;
        counts.memoized += job->GetMemoCounters().memoized;
        counts.workedOut += job->GetMemoCounters().workedOut;
        counts.madeUp += job->GetMemoCounters().madeUp;
        Simulator::Destroy();
        Config::Reset();
        return TakeSorted();
    }

  private:
    /** Builds the rails, RDMA on them, and the fabrics of servers of several GPUs. */
    void MakeRails(bool events)
    {
        CollectiveCase one;
        one.ranks = m_drawn.ranks;
        one.ports = m_drawn.ports;
        one.fidelity = events ? "events" : "trains";
        one.railSwitch =
            m_drawn.reconfigures ? CollectiveCase::RECONFIGURING : CollectiveCase::RING;
        Config::SetDefault("ns3::RdmaEngine::AckEvery", UintegerValue(m_drawn.ackEvery));
        const uint32_t answers = m_drawn.answersFirst ? 7 : 3; // 3 is that of data
        Config::SetDefault("ns3::RdmaEngine::AckClass", UintegerValue(answers));
        m_rails = MakeCollectiveRails(one, m_drawn.perServer);
        if (m_drawn.perServer > 1)
        {
            NodeContainer gpus;
            for (uint32_t r = 0; r < m_drawn.ranks; ++r)
            {
                gpus.Add(GetGpu(r));
            }
            m_domains = ScaleUpHelper().Install(gpus, m_drawn.perServer);
        }
        m_serverGroups.resize(m_drawn.ranks / m_drawn.perServer);
    }

    Ptr<Node> GetGpu(uint32_t rank) const
    {
        return m_rails[rank % m_drawn.perServer].GetGpu(rank / m_drawn.perServer);
    }

    Ptr<RailNetDevice> GetNic(uint32_t rank, uint32_t port) const
    {
        return m_rails[rank % m_drawn.perServer].GetNic(rank / m_drawn.perServer, port);
    }

    /** @return the group of each rail; or one of all ranks */
    std::vector<std::shared_ptr<const CommunicationGroup>> MakeRailGroups(CollectiveJob& job) const
    {
        const uint32_t perServer = m_drawn.perServer;
        if (!m_drawn.apart)
        {
            return {job.MakeGroup("all", FirstRanks(m_drawn.ranks), perServer)};
        }
        std::vector<std::shared_ptr<const CommunicationGroup>> groups;
        for (uint32_t rail = 0; rail < perServer; ++rail)
        {
            std::vector<uint32_t> ranks;
            for (uint32_t rank = rail; rank < m_drawn.ranks; rank += perServer)
            {
                ranks.push_back(rank);
            }
            groups.push_back(job.MakeGroup("rail " + std::to_string(rail), ranks));
        }
        return groups;
    }

    /** @return the group of a server */
    std::shared_ptr<const CommunicationGroup> MakeServerGroup(CollectiveJob& job, uint32_t server)
    {
        std::shared_ptr<const CommunicationGroup>& group = m_serverGroups[server];
        if (!group)
        {
            std::vector<uint32_t> ranks;
            for (uint32_t local = 0; local < m_drawn.perServer; ++local)
            {
                ranks.push_back(server * m_drawn.perServer + local);
            }
            group = job.MakeGroup("server " + std::to_string(server), ranks, m_drawn.perServer);
        }
        return group;
    }

    /** Adds the operation of a step, and one inside the server beside it, if it has one. */
    static void AddCollectives(RankProgram& program, const MemoStep& step, uint32_t server)
    {
        const uint32_t computed = program.GetOperations().size() - 1;
        const uint32_t later = program.Compute(0, ToTime(step.later));
        program.After(later, computed);
        const uint32_t all = program.Collective(0, 0, step.kind, step.bytes, step.algorithm);
        if (server >= step.inside.size() || step.inside[server].bytes == 0)
        {
            return;
        }
        const uint32_t waited = program.Compute(1, ToTime(step.inside[server].after));
        program.After(waited, computed);
        const uint32_t inside =
            program.Collective(1, 1, CollectiveKind::ALL_REDUCE, step.inside[server].bytes, "ring");
        const uint32_t over = program.Compute(0, Time(0));
        program.After(over, all);
        program.After(over, inside);
    }

    /** Adds what a rank sends and receives, each beside the others. */
    static void AddSends(RankProgram& program, const MemoStep& step, uint32_t rank)
    {
        const uint32_t computed = program.GetOperations().size() - 1;
        std::vector<uint32_t> all;
        uint32_t stream = 0;
        for (const MemoSend& send : step.sends)
        {
            ++stream; // a send has the same one at both ends
            if (rank != send.from && rank != send.to)
            {
                continue;
            }
            const bool isSender = rank == send.from;
            const uint32_t waited =
                program.Compute(stream, ToTime(isSender ? send.sends : send.receives));
            program.After(waited, computed);
            all.push_back(isSender ? program.Send(stream, 0, send.to, send.bytes)
                                   : program.Receive(stream, 0, send.from, send.bytes));
        }
        const uint32_t over = program.Compute(0, Time(0));
        for (const uint32_t one : all)
        {
            program.After(over, one);
        }
    }

    void Ended(const OperationRecord& r)
    {
        NoteOperation("operation", r);
        ++m_ends;
        for (std::size_t d = 0; d < m_drawn.disturbances.size(); ++d)
        {
            if (m_drawn.disturbances[d].ends == m_ends)
            {
                Simulator::Schedule(ToTime(m_drawn.disturbances[d].at), &MemoRun::Disturb, this, d);
            }
        }
    }

    void Settled(Ptr<RdmaQueuePair>, const RdmaMessage& message)
    {
        Note("other message", message.bytes, NowPicoseconds());
    }

    void Seen(const RdmaQueuePair&, const RdmaMessage& message)
    {
        Note("observed", message.id, message.bytes, NowPicoseconds());
    }

    Ptr<RdmaEngine> GetEngine(uint32_t rank) const
    {
        return GetGpu(rank)->GetObject<RdmaEngine>();
    }

    void Disturb(std::size_t number)
    {
        const MemoDisturbance& its = m_drawn.disturbances[number];
        const Ptr<RailNetDevice> nic = GetNic(its.rank, its.port);
        switch (its.what)
        {
        case MemoDisturbance::COUNTS:
            Note("read", nic->GetCounters().sent, nic->GetCounters().received);
            break;
        case MemoDisturbance::TOTALS:
            for (const Ptr<RdmaQueuePair>& pair : GetEngine(its.rank)->GetQueuePairs())
            {
                Note("totals", pair->GetTotals().settled, pair->GetTotals().arrived);
                Note("open", pair->GetOpenMessages());
            }
            break;
        case MemoDisturbance::MESSAGE:
            Post(its.rank);
            break;
        case MemoDisturbance::RATE:
            nic->SetAttribute("DataRate", DataRateValue(DataRate("100Gbps")));
            break;
        case MemoDisturbance::CUT:
            nic->GetFiber()->Cut();
            Simulator::Schedule(MicroSeconds(20),
                                &OpticalFiber::Splice,
                                PeekPointer(nic->GetFiber()));
            break;
        case MemoDisturbance::SINK:
            m_digests.push_back(std::make_shared<FrameDigest>());
            nic->AddSink(m_digests.back());
            break;
        case MemoDisturbance::TRACE:
            GetEngine(its.rank)->TraceConnectWithoutContext("MessageSettled",
                                                            MakeCallback(&MemoRun::Seen, this));
            break;
        case MemoDisturbance::INSIDE_COUNTS:
            NoteInside("inside now", its.rank);
            break;
        case MemoDisturbance::INSIDE_TRACE:
            m_domains[its.rank / m_drawn.perServer]->TraceConnectWithoutContext(
                "MessageDelivered",
                MakeCallback(&MemoRun::SeenInside, this));
            break;
        }
    }

    MemberId GetMember(uint32_t rank) const
    {
        return MemberId(rank % m_drawn.perServer);
    }

    void SeenInside(const ScaleUpMessage& message)
    {
        Note("observed inside", message.from, message.to, message.bytes, NowPicoseconds());
    }

    void NoteInside(const char* what, uint32_t rank)
    {
        const ScaleUpDomain& domain = *m_domains[rank / m_drawn.perServer];
        const ScaleUpCount& c = domain.GetCount(GetMember(rank));
        Note(what, rank, c.messagesSent, c.bytesSent, c.messagesDelivered, c.bytesDelivered);
    }

    /** Sends a message of its own over the circuit of a ring from a rank to the next. */
    void Post(uint32_t rank)
    {
        if (m_drawn.reconfigures)
        {
            return; // the circuit may be another one
        }
        const bool isPair = m_drawn.ranks == 2 * m_drawn.perServer;
        const auto ends = RdmaEngine::Connect(GetGpu(rank),
                                              GetGpu((rank + m_drawn.perServer) % m_drawn.ranks),
                                              {{isPair ? 0U : 1U, 0}});
        ends.first->SetSettledCallback(MakeCallback(&MemoRun::Settled, this));
        ends.first->Post(RdmaVerb::WRITE, 200'000);
    }

    void NoteCounts()
    {
        for (uint32_t r = 0; r < m_drawn.ranks; ++r)
        {
            for (uint32_t p = 0; p < m_drawn.ports; ++p)
            {
                const Ptr<RailNetDevice> nic = GetNic(r, p);
                const auto& c = nic->GetCounters();
                const auto& f = nic->GetFiber()->GetCounters(PeekPointer(nic));
                Note("port", r, p, c.sent, c.received, c.forOffload, c.droppedIn);
                Note("fiber", r, p, f.sent, f.delivered, f.lost);
            }
            for (const Ptr<RdmaQueuePair>& pair : GetEngine(r)->GetQueuePairs())
            {
                const auto t = pair->GetTotals();
                const auto s = pair->GetSenderCounters();
                const auto i = pair->GetReceiverCounters();
                Note("pair", r, t.posted, t.settled, t.arrived, t.postedBytes, t.arrivedBytes);
                Note("frames", r, s.frames, s.acks, s.payload, s.retransmitted, s.timeouts);
                Note("received", r, i.frames, i.accepted, i.messages, i.payload, i.duplicates);
            }
            if (!m_domains.empty())
            {
                NoteInside("inside", r);
            }
        }
        // numbers of queue pairs, which frames have, go by the events of an instant
        const bool hasSends = std::any_of(m_drawn.steps.begin(),
                                          m_drawn.steps.end(),
                                          [](const MemoStep& step) { return !step.sends.empty(); });
        for (std::size_t d = 0; !hasSends && d < m_digests.size(); ++d)
        {
            const auto& digest = m_digests[d];
            Note("digest", digest->GetSent().value, digest->GetReceived().value);
        }
    }

    const MemoDraw& m_drawn;
    std::vector<Rail> m_rails;
    std::vector<Ptr<ScaleUpDomain>> m_domains; //!< none: servers of one GPU
    std::vector<std::shared_ptr<const CommunicationGroup>> m_serverGroups;
    std::vector<std::shared_ptr<FrameDigest>> m_digests;
    uint64_t m_ends{0}; //!< of ranks, in operations
};

/** @return the first line that only one of two runs has */
std::string
FindDifference(const std::vector<std::string>& one, const std::vector<std::string>& other)
{
    const std::vector<std::string> left = LinesOnlyIn(one, other);
    const std::vector<std::string> right = LinesOnlyIn(other, one);
    return left.empty() && right.empty() ? ""
                                         : (left.empty() ? "-" : left.front()) + " / " +
                                               (right.empty() ? "-" : right.front());
}

} // namespace

std::string
CompareMemo(const MemoDraw& drawn, bool events, MemoCounts& counts)
{
    const auto messages = MemoRun(drawn).Run({false, false}, counts);
    const auto memoized = MemoRun(drawn).Run({true, false}, counts);
    std::string difference = FindDifference(messages, memoized);
    if (difference.empty() && events)
    {
        MemoCounts none;
        difference = FindDifference(messages, MemoRun(drawn).Run({true, true}, none));
        difference += none.memoized > 0 ? "packet events are memoized" : "";
    }
    return difference;
}

} // namespace ns3
