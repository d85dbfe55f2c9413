/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-train.h"

#include "ns3/circuit-end.h"
#include "ns3/circuit-ingress.h"
#include "ns3/log.h"
#include "ns3/optical-fiber.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/train-segment.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CircuitTrain");

CircuitTrain::~CircuitTrain() = default;

// ------------------------------------------------------------------- entering

bool
CircuitTrain::Walk(BatchPort& from, std::vector<Hop>& hops, BatchPort*& to, std::string& why)
{
    constexpr std::size_t MOST_HOPS = 16; // a path through more switches is a loop
    FiberPort* port = &from;
    while (hops.size() < MOST_HOPS)
    {
        Ptr<OpticalFiber> fiber = port->GetFiber();
        if (!fiber || !fiber->IsIntact())
        {
            why = "there is no fiber, or it is cut";
            return false;
        }
        if (fiber->HasNewLossRate())
        {
            why = "the loss rate of a fiber has just changed";
            return false;
        }
        if (fiber->GetLoss(port) != nullptr && fiber->IsObserved())
        {
            why = "a trace of the frames that a fiber loses is connected";
            return false;
        }
        FiberEnd* other = fiber->PeekPeer(port);
        to = dynamic_cast<BatchPort*>(other);
        if (to != nullptr)
        {
            hops.push_back({fiber, port, nullptr});
            return true;
        }
        auto* ingress = dynamic_cast<CircuitIngress*>(other);
        if (ingress == nullptr)
        {
            why = "the fiber leads to a packet switch";
            return false;
        }
        if (!ingress->IsLit() || ingress->IsObserved())
        {
            why = ingress->IsLit() ? "a trace is connected to every frame of the switch"
                                   : "there is no circuit";
            return false;
        }
        hops.push_back({fiber, port, ingress});
        port = ingress->PeekEgress();
    }
    why = "the circuit leads round in a circle";
    return false;
}

std::vector<TrainLine::Stage>
CircuitTrain::StagesOf(const std::vector<Hop>& hops)
{
    std::vector<TrainLine::Stage> stages;
    Picoseconds end = 0;
    for (const Hop& hop : hops)
    {
        end += hop.fiber->GetDelay().GetTimeStep();
        stages.push_back({end, hop.fiber->GetLoss(hop.from), hop.fiber->PeekSent(hop.from)});
        if (hop.ingress != nullptr)
        {
            end += hop.ingress->GetPropagationDelay().GetTimeStep();
        }
    }
    return stages;
}

bool
CircuitTrain::FramesComeThrough(const std::vector<Hop>& hops, const BatchPort& to, std::string& why)
{
    const std::vector<TrainLine::Stage> stages = StagesOf(hops);
    for (std::size_t k = 0; k < hops.size(); ++k)
    {
        const auto& flying = hops[k].fiber->GetInFlight(hops[k].from);
        for (std::size_t f = 0; f < flying.size(); ++f)
        {
            const WireFrame& frame = flying[f];
            const Picoseconds sent = frame.first - stages[k].end;
            bool lit = sent + stages.back().end >= to.GetLockedSince();
            for (std::size_t j = k; j + 1 < hops.size(); ++j)
            {
                lit = lit && sent + stages[j].end >= hops[j].ingress->GetLitSince();
            }
            if (frame.packet || !lit || frame.destination != to.GetAddress() ||
                hops[k].fiber->IsLostOnItsWay(hops[k].from, frame))
            {
                why = "frames are on their way that are not the offload's or may be lost";
                return false;
            }
        }
    }
    return true;
}

Ptr<CircuitTrain>
CircuitTrain::Enter(BatchPort& one, std::string& why)
{
    std::array<BatchPort*, 2> nics{&one, nullptr};
    std::array<std::vector<Hop>, 2> hops;
    BatchPort* back = nullptr;
    if (!one.MayGoInTrains(why) || !Walk(one, hops[0], nics[1], why) ||
        !nics[1]->MayGoInTrains(why) || !Walk(*nics[1], hops[1], back, why))
    {
        return nullptr;
    }
    if (back != &one || back == nics[1] ||
        one.GetNode()->GetSystemId() != nics[1]->GetNode()->GetSystemId())
    {
        why = "the circuit does not join two ports of this process";
        return nullptr;
    }
    for (const uint32_t end : {0, 1})
    {
        const BatchPort& other = *nics[1 - end];
        const BatchOffload* offload = nics[end]->GetBatchOffload();
        const char* reason =
            !nics[end]->HasOffload() ? "a port has no offload"
            : offload == nullptr
                ? "the offload does not say what its frames lead to"
                : offload->WhyNoTrains({Mac48Address::ConvertFrom(other.GetAddress())});
        why = reason != nullptr ? reason : "";
        if (reason != nullptr || !FramesComeThrough(hops[end], other, why))
        {
            return nullptr;
        }
    }
    const Picoseconds now = NowPicoseconds();
    Ptr<CircuitTrain> train(new CircuitTrain(), false);
    train->m_nics = nics;
    train->m_hops = hops;
    std::array<CircuitEnd, 2> ends;
    for (const uint32_t end : {0, 1})
    {
        train->m_offloads[end] = nics[end]->GetBatchOffload();
        train->m_addresses[end] = Mac48Address::ConvertFrom(nics[end]->GetAddress());
        ends[end] = {train->m_offloads[end],
                     train->m_addresses[end],
                     nics[end]->GetDataRate().GetBitRate(),
                     nics[end]->EnterBatchMode(train, end),
                     StagesOf(hops[end]),
                     &nics[end]->GetSinks()};
        train->m_counted[end].passed.resize(hops[end].size());
    }
    train->m_engine = std::make_unique<CircuitEngine>(ends, now);
    train->Absorb(0);
    train->Absorb(1);
    train->m_engine->Start();
    train->Reschedule(now);
    return train;
}

void
CircuitTrain::Absorb(uint32_t from)
{
    const std::vector<Hop>& hops = m_hops[from];
    const std::vector<TrainLine::Stage> stages = StagesOf(hops);
    // the oldest are the furthest
    for (std::size_t k = hops.size(); k-- > 0;)
    {
        RingQueue<WireFrame> flying = hops[k].fiber->TakeInFlight(hops[k].from);
        for (; !flying.empty(); flying.pop_front())
        {
            flying.front().Travel(-stages[k].end);
            m_engine->Absorb(from, std::move(flying.front()), k);
        }
        hops[k].fiber->SetBatchMode(this);
    }
}

// -------------------------------------------------------------------- leaving

void
CircuitTrain::Leave(const std::string& why)
{
    if (!m_over)
    {
        MakeUp();
    }
    if (m_over)
    {
        return;
    }
    NS_LOG_INFO("packet events from now on between " << m_nics[0]->GetAddress() << " and "
                                                     << m_nics[1]->GetAddress() << ": " << why);
    const Ptr<CircuitTrain> self(this); // keeps this object alive: the ports drop it
    const Picoseconds now = NowPicoseconds();
    CatchUpWholly();
    LetGo();
    for (const uint32_t end : {0, 1})
    {
        GiveBack(end, now);
        m_nics[end]->ResumeTransmitter(m_engine->GetSender(end).GetState(), why);
    }
}

void
CircuitTrain::GiveBack(uint32_t from, Picoseconds now)
{
    const std::vector<Hop>& hops = m_hops[from];
    const std::vector<TrainLine::Stage> stages = StagesOf(hops);
    const auto& segments = m_engine->GetLine(from).GetSegments();
    for (std::size_t s = 0; s < segments.size(); ++s)
    {
        const TrainSegment& segment = segments[s];
        for (uint64_t i = 0; i < segment.head.run.count; ++i)
        {
            WireFrame frame = MakeFrame(segment, i);
            std::size_t k = 0;
            while (frame.last + stages[k].end < now)
            {
                ++k; // it has passed the end of this one
            }
            if (segment.lostAt != 0 && segment.lostAt <= k)
            {
                continue; // and was lost there
            }
            frame.Travel(stages[k].end);
            frame.garbled = segment.lostAt == k + 1;
            hops[k].fiber->PutInFlight(hops[k].from, std::move(frame));
        }
    }
}

void
CircuitTrain::Abandon()
{
    if (m_over)
    {
        return;
    }
    const Ptr<CircuitTrain> self(this); // keeps this object alive: the ports drop it
    SetWatch(nullptr);
    LetGo();
    for (const uint32_t end : {0, 1})
    {
        m_hops[end].clear();
        m_nics[end]->ForgetBatchMode();
    }
}

void
CircuitTrain::LetGo()
{
    Retire();
    m_ahead = nullptr;
    for (const std::vector<Hop>& hops : m_hops)
    {
        for (const Hop& hop : hops)
        {
            hop.fiber->SetBatchMode(nullptr);
        }
    }
}

// ----------------------------------------------------------------- in operation

void
CircuitTrain::Count(Picoseconds now)
{
    for (const uint32_t end : {0, 1})
    {
        const TrainLine& line = m_engine->GetLine(end);
        const std::vector<Hop>& hops = m_hops[end];
        Counted& counted = m_counted[end];
        const uint64_t begun = line.GetBegun() - counted.begun;
        counted.begun += begun;
        CountSent(end, begun);
        for (std::size_t k = 0; k < hops.size(); ++k)
        {
            const TrainLine::Passed passed = line.GetPassed(k, now);
            const uint64_t whole = passed.whole - counted.passed[k].whole;
            const uint64_t lost = passed.lost - counted.passed[k].lost;
            counted.passed[k] = passed;
            CountPassed(end, k, whole, lost);
        }
    }
}

void
CircuitTrain::CountSent(uint32_t end, uint64_t frames)
{
    const Hop& first = m_hops[end].front();
    m_nics[end]->CountSentInTrain(frames);
    first.fiber->Count(first.from, frames, 0, 0);
}

void
CircuitTrain::CountPassed(uint32_t end, std::size_t stage, uint64_t whole, uint64_t lost)
{
    const Hop& hop = m_hops[end][stage];
    hop.fiber->Count(hop.from, 0, whole, lost);
    if (stage + 1 < m_hops[end].size())
    {
        const Hop& next = m_hops[end][stage + 1];
        hop.ingress->CountRelayed(whole);
        next.fiber->Count(next.from, whole, 0, 0);
    }
    else
    {
        m_nics[1 - end]->CountReceivedInTrain(whole);
    }
}

// --------------------------------------------------------------------- reserved

bool
CircuitTrain::Reserve(BatchAhead& ahead)
{
    if (m_ahead != nullptr || m_over)
    {
        return false;
    }
    CatchUpWholly();
    if (!m_engine->IsQuiet(NowPicoseconds()))
    {
        return false;
    }
    m_ahead = &ahead;
    return true;
}

void
CircuitTrain::Release()
{
    m_ahead = nullptr;
}

void
CircuitTrain::CountAhead(uint32_t end, uint64_t frames)
{
    CountSent(end, frames);
    for (std::size_t stage = 0; stage < m_hops[end].size(); ++stage)
    {
        CountPassed(end, stage, frames, 0);
    }
}

BatchShape
CircuitTrain::GetShape() const
{
    BatchShape shape;
    for (const uint32_t end : {0, 1})
    {
        shape.rates[end] = m_engine->GetSender(end).GetRate();
        shape.ways[end] = m_engine->GetLine(end).GetWay();
    }
    return shape;
}

void
CircuitTrain::Kick(uint32_t end)
{
    MakeUp();
    const Picoseconds now = NowPicoseconds();
    m_engine->Kick(end, now);
    if (m_engine->IsInThePast())
    {
        return; // existing state continues
    }
    m_kicked[end] = true;
    RescheduleFromOutside(now);
}

void
CircuitTrain::Reschedule(Picoseconds now)
{
    for (const uint32_t end : {0, 1})
    {
        const char* why = std::exchange(m_kicked[end], false)
                              ? m_offloads[end]->WhyNoTrains({m_addresses[1 - end]})
                              : nullptr;
        if (why != nullptr)
        {
            Leave(why);
            return;
        }
    }
    const CircuitEngine::Horizon horizon = m_engine->GetHorizon();
    ScheduleAt(horizon.at, now, m_nics[horizon.end]->GetNode(), horizon.end);
}

void
CircuitTrain::Gather()
{
    if (!(m_nics[0]->GetSinks().empty() && m_nics[1]->GetSinks().empty()))
    {
        CatchUpWholly();
    }
}

} // namespace ns3
