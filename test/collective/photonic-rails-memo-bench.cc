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
#include "ns3/optical-fiber.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-links.h"
#include "ns3/rank-program.h"
#include "ns3/rdma-engine.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <random>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

constexpr Picoseconds MICROSECOND = 1'000'000;

/** How a program is run. */
struct MemoMode
{
    bool memoizes{false};
    bool events{false};
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
        CollectiveCase one;
        one.ranks = m_drawn.ranks;
        one.ports = m_drawn.ports;
        one.fidelity = mode.events ? "events" : "trains";
        one.railSwitch =
            m_drawn.reconfigures ? CollectiveCase::RECONFIGURING : CollectiveCase::RING;
        Config::SetDefault("ns3::RdmaEngine::AckEvery", UintegerValue(m_drawn.ackEvery));
        const Rail rail = MakeCollectiveRail(one);
        m_rail = &rail;
        CollectiveHelper helper;
        helper.SetAttribute("MessageSize", UintegerValue(m_drawn.messageSize));
        helper.SetAttribute("MemoizeOperations", BooleanValue(mode.memoizes));
        if (m_drawn.reconfigures)
        {
            helper.SetBroker(CreateObject<InstantCircuits>(
                std::make_shared<const RailLinks>(std::vector<Rail>{rail})));
        }
        const Ptr<CollectiveJob> job = helper.Install(rail);
        const auto group = job->MakeGroup("all", FirstRanks(m_drawn.ranks));
        for (uint32_t r = 0; r < m_drawn.ranks; ++r)
        {
            auto program = std::make_shared<RankProgram>();
            for (const MemoStep& step : m_drawn.steps)
            {
                program->Compute(0, ToTime(step.compute[r]));
                if (step.sends.empty())
                {
                    program->Collective(0, 0, step.kind, step.bytes, step.algorithm);
                }
                else
                {
                    AddSends(*program, step, r);
                }
            }
            job->SetProgram(r, program, {group});
        }
        job->TraceConnect("OperationEnded", MakeCallback(&MemoRun::Ended, this));
        for (std::size_t d = 0; d < m_drawn.disturbances.size(); ++d)
        {
            Simulator::Schedule(ToTime(m_drawn.disturbances[d].at), &MemoRun::Disturb, this, d);
        }
        Simulator::Run();
        NoteCounts();
        for (uint32_t r = 0; r < m_drawn.ranks; ++r)
        {
            const auto& its = job->Get(r)->GetCounters();
            Note("rank", r, its.messagesSent, its.bytesReceived, its.mostEarly);
        }
        counts.operations += mode.memoizes ? m_drawn.steps.size() : 0;
        counts.memoized += job->GetMemoCounters().memoized;
        counts.madeUp += job->GetMemoCounters().madeUp;
        Simulator::Destroy();
        Config::Reset();
        return TakeSorted();
    }

  private:
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
        return m_rail->GetGpu(rank)->GetObject<RdmaEngine>();
    }

    void Disturb(std::size_t number)
    {
        const MemoDisturbance& its = m_drawn.disturbances[number];
        const Ptr<RailNetDevice> nic = m_rail->GetNic(its.rank, its.port);
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
        }
    }

    /** Sends a message of its own over the circuit of a ring from a rank to the next. */
    void Post(uint32_t rank)
    {
        if (m_drawn.reconfigures)
        {
            return; // the circuit may be another one
        }
        const bool isPair = m_drawn.ranks == 2;
        const auto ends = RdmaEngine::Connect(m_rail->GetGpu(rank),
                                              m_rail->GetGpu((rank + 1) % m_drawn.ranks),
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
                const Ptr<RailNetDevice> nic = m_rail->GetNic(r, p);
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
    const Rail* m_rail{nullptr};
    std::vector<std::shared_ptr<FrameDigest>> m_digests;
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

MemoDraw::MemoDraw(uint64_t theSeed)
    : seed(theSeed)
{
    std::mt19937_64 random(theSeed);
    const auto draw = [&random](uint64_t below) { return random() % below; };
    const auto drawOf = [&draw](auto... values) {
        const std::vector<uint64_t> all{static_cast<uint64_t>(values)...};
        return all[draw(all.size())];
    };
    ranks = 2 + draw(5);
    ports = drawOf(2, 2, 4);
    messageSize = drawOf(16384, 65536, 1 << 20);
    ackEvery = drawOf(1, 8, 64, 64);
    reconfigures = draw(4) == 0;
    const CollectiveKind kinds[]{CollectiveKind::ALL_REDUCE,
                                 CollectiveKind::ALL_GATHER,
                                 CollectiveKind::REDUCE_SCATTER,
                                 CollectiveKind::BROADCAST};
    const auto drawSends = [&](MemoStep& step) {
        for (uint32_t r = 0; r < ranks; ++r)
        {
            const uint32_t next = (r + 1) % ranks;
            const uint64_t bytes = drawOf(100, 16 << 10, 20'000, 1 << 20, 3'000'007);
            const auto wait = [&drawOf]() -> Picoseconds {
                return drawOf(0, 0, 1, 700'000, 2 * MICROSECOND, 30 * MICROSECOND);
            };
            const uint64_t ways = r > next && ranks == 2 ? 0 : draw(5);
            if (ways == 1 || ways > 2)
            {
                step.sends.push_back({r, next, bytes, wait(), wait()});
            }
            if (ways >= 2)
            {
                step.sends.push_back({next, r, draw(2) == 0 ? bytes : 50'000, wait(), wait()});
            }
        }
    };
    std::vector<MemoStep> variants(1 + draw(3));
    for (MemoStep& step : variants)
    {
        // the first request of an instant gets circuits first, so the order of events counts
        if (draw(2) == 0 && !reconfigures)
        {
            drawSends(step);
        }
        step.kind = kinds[draw(4)];
        step.bytes = drawOf(4, 100'000, 1 << 20, 3'000'007);
        const Picoseconds apart = drawOf(0, 1, 700, MICROSECOND, 10 * MICROSECOND);
        for (uint32_t r = 0; r < ranks; ++r)
        {
            step.compute.push_back(200 * MICROSECOND + draw(3) * apart);
        }
    }
    const uint64_t count = 6 + draw(10);
    for (uint64_t i = 0; i < count; ++i)
    {
        MemoStep step = variants[draw(variants.size())];
        if (draw(4) == 0)
        {
            step.compute[draw(ranks)] += drawOf(1, 1000, MICROSECOND, 20 * MICROSECOND, 0);
        }
        if (!step.sends.empty() && draw(8) == 0)
        {
            step.sends.erase(step.sends.begin() + draw(step.sends.size()));
        }
        if (draw(8) == 0)
        {
            std::fill(step.compute.begin(), step.compute.end(), 0); // it follows at once
        }
        steps.push_back(step);
    }
    for (uint64_t d = draw(4); d > 0; --d)
    {
        MemoDisturbance its;
        its.what = static_cast<MemoDisturbance::What>(draw(7));
        its.at = draw(count * 400) * MICROSECOND + draw(MICROSECOND);
        its.rank = draw(ranks);
        its.port = draw(ports);
        disturbances.push_back(its);
    }
}

std::string
MemoDraw::Describe() const
{
    std::ostringstream words;
    words << "program " << seed << ": " << ranks << " ranks, " << ports << " ports, messages of "
          << messageSize << ", acknowledgements every " << ackEvery
          << (reconfigures ? ", reconfiguring" : "") << "\n";
    for (const MemoStep& step : steps)
    {
        if (step.sends.empty())
        {
            words << "  " << ToString(step.kind) << " " << step.bytes << ":";
        }
        for (const MemoSend& send : step.sends)
        {
            words << "  " << send.from << " to " << send.to << ": " << send.bytes << " at "
                  << send.sends << ", " << send.receives << "\n";
        }
        for (const Picoseconds time : step.compute)
        {
            words << " " << time;
        }
        words << "\n";
    }
    for (const MemoDisturbance& its : disturbances)
    {
        words << "  disturbance " << its.what << " at " << its.at << ", rank " << its.rank
              << ", port " << its.port << "\n";
    }
    return words.str();
}

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
