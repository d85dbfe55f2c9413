/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "switch-train.h"

#include "electrical-switch-port.h"

#include "ns3/log.h"
#include "ns3/no-offload.h"
#include "ns3/node.h"
#include "ns3/optical-fiber.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/train-segment.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("SwitchTrain");

namespace
{

constexpr uint64_t POSTS = 4096;        // messages that are expected, at most
constexpr uint32_t MOST_RENEWALS = 255; // without a look at flows
constexpr uint64_t LONGER = 1024; // without growth the switch is calm so many times as long as
                                  // without knowledge; this is a limit of instants, not of bytes

/** @return the bytes of the largest frame of an offload, with preamble and gap */
uint32_t
LargestFrame()
{
    constexpr uint32_t LARGEST_PAYLOAD = 4096; // of InfiniBand and RoCE
    return RoceFrame::WireBytes(RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE, LARGEST_PAYLOAD);
}

} // namespace

SwitchTrain::~SwitchTrain() = default;

// ------------------------------------------------------------------- entering

bool
SwitchTrain::FindEnds(std::string& why)
{
    static NoOffload noOffload; // it has no state
    m_endOf.resize(m_parts.ports.size());
    for (uint32_t p = 0; p < m_parts.ports.size(); ++p)
    {
        OpticalFiber* fiber = PeekPointer(m_parts.fibers[p]);
        if (fiber == nullptr)
        {
            continue;
        }
        End end;
        end.port = p;
        end.fiber = fiber;
        end.egress = PeekPointer(m_parts.ports[p]);
        end.nic = dynamic_cast<BatchPort*>(fiber->PeekPeer(end.egress));
        if (end.nic == nullptr)
        {
            why = "a port of the switch leads to another switch";
            return false;
        }
        if (!end.nic->MayGoInTrains(why))
        {
            return false;
        }
        if (!fiber->IsIntact() || fiber->GetLoss(end.nic) != nullptr ||
            fiber->GetLoss(end.egress) != nullptr)
        {
            why = "a fiber of the switch is cut, or loses frames";
            return false;
        }
        const Mac48Address address = Mac48Address::ConvertFrom(end.nic->GetAddress());
        if (m_parts.core.FindPort(address) != p ||
            end.nic->GetNode()->GetSystemId() != end.egress->GetNode()->GetSystemId())
        {
            why = "the switch does not lead to a port, or not in this process";
            return false;
        }
        end.offload = end.nic->HasOffload() ? end.nic->GetBatchOffload() : &noOffload;
        m_calm.AddPort(m_parts.core.GetUnmarkedBytes(p));
        m_endOf[p] = m_ends.size();
        if (end.nic->HasOffload())
        {
            m_rates += end.nic->GetDataRate().GetBitRate();
            m_addresses.push_back(address); // frames to others do not go in trains
        }
        m_ends.push_back(end);
    }
    std::sort(m_addresses.begin(), m_addresses.end());
    for (const End& end : m_ends)
    {
        const char* reason = end.offload == nullptr
                                 ? "the offload does not say what its frames lead to"
                                 : end.offload->WhyNoTrains(m_addresses);
        if (reason != nullptr)
        {
            why = reason;
            return false;
        }
    }
    return true;
}

bool
SwitchTrain::FramesComeThrough(std::string& why) const
{
    for (const End& end : m_ends)
    {
        end.egress->Withdraw(); // frames that are announced to the switch are in fibers
    }
    why = "frames are on their way that are not the offload's or may be lost";
    for (const End& end : m_ends)
    {
        const FrameClock clock(end.nic->GetDataRate().GetBitRate());
        const auto& up = end.fiber->GetInFlight(end.nic);
        for (std::size_t i = 0; i < up.size(); ++i)
        {
            const bool known =
                std::binary_search(m_addresses.begin(), m_addresses.end(), up[i].destination) &&
                up[i].destination != Mac48Address::ConvertFrom(end.nic->GetAddress());
            // they come no faster than those of now, for HasRoom()
            const bool fast =
                up[i].last - up[i].first + 1 < clock.Span(up[i].wireBytes - FrameClock::GAP);
            if (up[i].packet || !known || fast || end.fiber->IsLostOnItsWay(end.nic, up[i]))
            {
                return false;
            }
        }
        const auto& down = end.fiber->GetInFlight(end.egress);
        for (std::size_t i = 0; i < down.size(); ++i)
        {
            if (down[i].packet || down[i].destination != end.nic->GetAddress() ||
                down[i].first < end.nic->GetLockedSince() ||
                end.fiber->IsLostOnItsWay(end.egress, down[i]))
            {
                return false;
            }
        }
    }
    return m_parts.core.HoldsOnlyFramesTo(m_addresses);
}

bool
SwitchTrain::HasRoom(uint64_t waiting) const
{
    // a frame of each NIC may have come in part before
    const uint64_t used = waiting + m_ends.size() * LargestFrame();
    return used + m_calm.GetLeast() / 4 < m_calm.GetLeast();
}

bool
SwitchTrain::MayHaveRoom() const
{
    const SharedBuffer& buffer = m_parts.core.GetBuffer();
    if (HasRoom(2 * buffer.GetUsed()))
    {
        return true;
    }
    // known flows may leave each port room, where any flows would not
    SwitchCalm::Loads loads;
    for (const End& end : m_ends)
    {
        uint64_t waiting = 0;
        for (uint32_t c = 0; c < SharedBuffer::CLASSES; ++c)
        {
            waiting += buffer.GetQueue(end.port, c);
        }
        loads.ports.push_back({2 * waiting + LargestFrame(), 0});
    }
    if (!m_calm.HasRoom(loads))
    {
        return false; // as in congestion, whatever the flows
    }
    for (const End& end : m_ends)
    {
        BatchOffload::Prospect prospect;
        if (!end.offload->GetProspect(prospect))
        {
            return false;
        }
        for (const Mac48Address peer : prospect.peers)
        {
            if (!std::binary_search(m_addresses.begin(), m_addresses.end(), peer))
            {
                return false;
            }
            loads.ports[m_endOf[m_parts.core.FindPort(peer)]].bytes += LargestFrame();
        }
    }
    return m_calm.HasRoom(loads);
}

Ptr<SwitchTrain>
SwitchTrain::Enter(const Parts& parts, std::string& why)
{
    if (parts.largestFrame + FrameClock::PREAMBLE + FrameClock::GAP < LargestFrame())
    {
        why = "the Mtu of the switch is below that of RDMA";
        return nullptr;
    }
    const Picoseconds now = NowPicoseconds();
    parts.clock.CatchUp();
    if (const char* reason = parts.core.WhyNotTaken(now))
    {
        why = reason;
        return nullptr;
    }
    Ptr<SwitchTrain> train(new SwitchTrain(parts), false);
    train->m_calm = SwitchCalm(parts.core.GetCalmBytes());
    if (!train->FindEnds(why))
    {
        return nullptr;
    }
    if (!train->MayHaveRoom())
    {
        why = "frames wait in the switch, or few may";
        return nullptr;
    }
    if (!train->FramesComeThrough(why)) // looks at each frame
    {
        return nullptr;
    }
    train->TakeOver();
    train->Reschedule(now);
    return train;
}

void
SwitchTrain::TakeOver()
{
    const Picoseconds now = NowPicoseconds();
    PacketSwitchState state = m_parts.core.TakeState();
    m_parts.train = this;
    std::vector<SwitchEnd> ends;
    for (uint32_t e = 0; e < m_ends.size(); ++e)
    {
        End& end = m_ends[e];
        SwitchEnd one;
        const Picoseconds way = end.fiber->GetDelay().GetTimeStep();
        one.port = end.port;
        one.nic = {end.offload,
                   Mac48Address::ConvertFrom(end.nic->GetAddress()),
                   end.nic->GetDataRate().GetBitRate(),
                   end.nic->EnterBatchMode(Ptr<BatchMode>(this), e),
                   {{way, nullptr, 0}},
                   &end.nic->GetSinks()};
        one.egress = state.wires[end.port];
        one.egressRate = end.egress->GetDataRate().GetBitRate();
        one.fiber = {way, nullptr, 0};
        ends.push_back(one);
    }
    m_engine = std::make_unique<SwitchEngine>(ends, m_parts.delay, now);
    for (SwitchedFrame& one : state.waiting)
    {
        ++m_ends[m_endOf[one.egress]].queued;
        m_engine->AbsorbInside(m_endOf[one.ingress], std::move(one.frame), now - 1);
    }
    for (SwitchedFrame& one : state.coming)
    {
        m_engine->AbsorbInside(m_endOf[one.ingress], std::move(one.frame), one.enters);
    }
    for (uint32_t e = 0; e < m_ends.size(); ++e)
    {
        End& end = m_ends[e];
        RingQueue<WireFrame> up = end.fiber->TakeInFlight(end.nic);
        for (; !up.empty(); up.pop_front())
        {
            m_engine->AbsorbComing(e, std::move(up.front()));
        }
        RingQueue<WireFrame> down = end.fiber->TakeInFlight(end.egress);
        for (; !down.empty(); down.pop_front())
        {
            down.front().Travel(-Picoseconds{end.fiber->GetDelay().GetTimeStep()});
            m_engine->AbsorbLeaving(e, std::move(down.front()));
        }
        end.fiber->SetBatchMode(this);
    }
    m_engine->Start();
}

// -------------------------------------------------------------------- leaving

void
SwitchTrain::Leave(const std::string& why)
{
    if (m_over)
    {
        return;
    }
    NS_LOG_INFO("packet events from now on around the switch of node "
                << m_ends[0].egress->GetNode()->GetId() << ": " << why);
    const Ptr<SwitchTrain> self(this); // keeps this object alive: the ports drop it
    const Picoseconds now = NowPicoseconds();
    CatchUpWholly();
    LetGo();
    GiveBack(now);
    for (uint32_t e = 0; e < m_ends.size(); ++e)
    {
        m_ends[e].nic->ResumeTransmitter(m_engine->GetSender(e).GetState(), why);
    }
    m_parts.clock.Arm();
}

void
SwitchTrain::GiveBackPart(const SwitchWire& wire,
                          const SwitchPart& part,
                          SwitchedFrame place,
                          Picoseconds now,
                          std::vector<SwitchedFrame>& comingToSwitch,
                          PacketSwitchState& state) const
{
    const TrainSegment& segment = part.segment;
    for (uint64_t i = 0; i < segment.head.run.count; ++i)
    {
        place.frame = MakeFrame(segment, i);
        place.enters = wire.GetEntry(part, i);
        if (part.enters == NEVER && place.frame.last >= now)
        {
            comingToSwitch.push_back(place);
        }
        else
        {
            (place.enters >= now ? state.coming : state.waiting).push_back(place);
        }
    }
}

void
SwitchTrain::GiveBack(Picoseconds now)
{
    PacketSwitchState state;
    state.wires.resize(m_parts.ports.size());
    std::vector<SwitchedFrame> up;
    for (uint32_t e = 0; e < m_ends.size(); ++e)
    {
        End& end = m_ends[e];
        const SwitchWire& wire = m_engine->GetWire(e);
        state.wires[end.port] = wire.GetState();
        for (const SwitchWire::Inflow& inflow : wire.GetInflows())
        {
            for (std::size_t i = 0; i < inflow.parts.size(); ++i)
            {
                SwitchedFrame place;
                place.ingress = inflow.ingress;
                place.egress = end.port;
                GiveBackPart(wire, inflow.parts[i], place, now, up, state);
            }
        }
        const auto& segments = m_engine->GetLine(e).GetSegments();
        for (std::size_t s = 0; s < segments.size(); ++s)
        {
            const TrainSegment& segment = segments[s];
            for (uint64_t i = 0; i < segment.head.run.count; ++i)
            {
                WireFrame frame = MakeFrame(segment, i);
                frame.Travel(end.fiber->GetDelay().GetTimeStep());
                end.fiber->PutInFlight(end.egress, std::move(frame));
            }
        }
    }
    const auto earlier = [](const SwitchedFrame& a, const SwitchedFrame& b) {
        return a.enters < b.enters;
    };
    std::stable_sort(state.coming.begin(), state.coming.end(), earlier);
    std::stable_sort(up.begin(), up.end(), earlier);
    for (SwitchedFrame& one : up)
    {
        const End& from = m_ends[m_endOf[one.ingress]];
        from.fiber->PutInFlight(from.nic, std::move(one.frame));
    }
    m_parts.core.PutState(std::move(state));
}

void
SwitchTrain::Abandon()
{
    if (m_over)
    {
        return;
    }
    const Ptr<SwitchTrain> self(this); // keeps this object alive: the ports drop it
    LetGo();
    for (const End& end : m_ends)
    {
        end.nic->ForgetBatchMode();
    }
    m_ends.clear();
}

void
SwitchTrain::LetGo()
{
    Retire();
    m_parts.train = nullptr;
    for (const End& end : m_ends)
    {
        end.fiber->SetBatchMode(nullptr);
    }
}

// ----------------------------------------------------------------- in operation

void
SwitchTrain::Advance()
{
    EngineTrain::Advance();
    const bool counts = m_calmWhile == CalmWhile::FLOWS_FORESEEN;
    if (counts && m_posts > 0)
    {
        --m_posts;
    }
    else if (counts && !m_engine->IsInThePast())
    {
        m_calmUntil = NowPicoseconds(); // more short frames and answers than were expected
        RescheduleFromOutside(m_calmUntil);
    }
}

void
SwitchTrain::Count(Picoseconds now)
{
    std::vector<SwitchWire::Counts> coming(m_parts.ports.size()); // to the switch, by ingress
    for (uint32_t e = 0; e < m_ends.size(); ++e)
    {
        for (const SwitchWire::Inflow& inflow : m_engine->GetWire(e).GetInflows())
        {
            for (std::size_t i = inflow.parts.size(); i-- > 0;)
            {
                const SwitchPart& part = inflow.parts[i];
                FrameRun rest = part.segment.head.run;
                rest.count -=
                    part.enters == NEVER ? part.segment.times.LastsBy(now - 1) : rest.count;
                if (rest.count == 0)
                {
                    break;
                }
                coming[inflow.ingress].Add(rest);
            }
        }
    }
    for (uint32_t e = 0; e < m_ends.size(); ++e)
    {
        End& end = m_ends[e];
        const SwitchWire& wire = m_engine->GetWire(e);
        const uint64_t sent = m_engine->GetSent(e) - end.sent;
        SwitchWire::Counts received = m_engine->GetToSwitch(e);
        received.frames -= coming[end.port].frames;
        received.bytes -= coming[end.port].bytes;
        const SwitchWire::Counts& forwarded = wire.GetCounts();
        const uint64_t queued = forwarded.frames + wire.GetWaiting(now).frames;
        const uint64_t arrived = m_engine->GetLine(e).GetPassed(0, now).whole;
        PacketSwitchCounters more;
        more.received = received.frames - end.received.frames;
        more.receivedBytes = received.bytes - end.received.bytes;
        more.forwarded = forwarded.frames - end.forwarded.frames;
        more.forwardedBytes = forwarded.bytes - end.forwarded.bytes;
        m_parts.core.Count(end.port, more, queued - end.queued);
        end.nic->CountSentInTrain(sent);
        end.nic->CountReceivedInTrain(arrived - end.arrived);
        end.fiber->Count(end.nic, sent, more.received, 0);
        end.fiber->Count(end.egress, more.forwarded, arrived - end.arrived, 0);
        end.sent += sent;
        end.received = received;
        end.forwarded = forwarded;
        end.queued = queued;
        end.arrived = arrived;
    }
}

void
SwitchTrain::Kick(uint32_t end)
{
    const Picoseconds now = NowPicoseconds();
    m_engine->Kick(end, now);
    if (m_engine->IsInThePast())
    {
        return; // existing state continues
    }
    m_ends[end].kicked = true;
    if (m_calmWhile == CalmWhile::NO_POSTS ||
        (m_calmWhile == CalmWhile::FLOWS_FORESEEN && !m_engine->IsForeseen(end)))
    {
        m_calmUntil = now; // a NIC sends before its time, or to another
    }
    RescheduleFromOutside(now);
}

bool
SwitchTrain::Renew(Picoseconds now)
{
    const uint64_t waiting = m_engine->GetWaitingBytes(now);
    m_calmUntil = now;
    m_calmWhile = CalmWhile::ANYTHING;
    if (HasRoom(waiting))
    {
        RenewByRates(now, waiting);
        // where many flows meet their bound is no later, for long; and it takes a look at all of
        // them
        if (m_renewalsToFlows > 0)
        {
            --m_renewalsToFlows;
            return true;
        }
    }
    RenewByFlows(now);
    m_renewalsWithout = m_calmWhile == CalmWhile::FLOWS_FORESEEN
                            ? 0
                            : std::min(2 * m_renewalsWithout + 1, MOST_RENEWALS);
    m_renewalsToFlows = m_renewalsWithout;
    return m_calmUntil > now;
}

void
SwitchTrain::RenewByRates(Picoseconds now, uint64_t waiting)
{
    const FrameClock all(m_rates);
    const uint64_t most = m_calm.GetLeast() - m_ends.size() * LargestFrame();
    m_calmUntil = now + all.Span(most - waiting) - 1;
    const uint64_t coming = m_engine->GetBytesToLeave();
    const Picoseconds more = m_engine->GetEarliestSend();
    if (coming < most && more != NEVER)
    {
        // as long as no NIC sends there is no more than what comes now
        m_calmWhile = CalmWhile::NO_POSTS;
        m_calmUntil = std::max(m_calmUntil, more + all.Span(most - coming) - 1);
    }
}

void
SwitchTrain::RenewByFlows(Picoseconds now)
{
    SwitchEngine::Growth growth;
    if (!m_engine->FindGrowth(LargestFrame(), growth))
    {
        return;
    }
    SwitchCalm::Loads loads;
    loads.anywhere = growth.anywhere;
    for (uint32_t e = 0; e < m_ends.size(); ++e)
    {
        // on the wire a frame of 64 bytes has 84
        const uint64_t waiting = m_engine->GetWaitingBytes(e, now);
        loads.ports.push_back(
            {waiting + waiting / 3 + growth.ports[e].bytes, growth.ports[e].bitsPerSecond});
    }
    const bool hasOther = m_calmUntil > now; // else it must be worth staying
    if (!hasOther && !m_calm.HasRoom(loads))
    {
        return;
    }
    constexpr uint64_t A_POST = 2 * BatchOffload::Outlook::ANSWER;
    const SwitchCalm::Forecast forecast =
        m_calm.Foresee(now, loads, A_POST, POSTS, m_rates / LONGER + 1);
    if (forecast.until > m_calmUntil)
    {
        m_calmUntil = forecast.until;
        m_calmWhile = CalmWhile::FLOWS_FORESEEN;
        m_posts = forecast.posts;
    }
}

bool
SwitchTrain::HasSinks() const
{
    return std::any_of(m_ends.begin(), m_ends.end(), [](const End& end) {
        return !end.nic->GetSinks().empty();
    });
}

void
SwitchTrain::Reschedule(Picoseconds now)
{
    for (End& end : m_ends)
    {
        const char* why = std::exchange(end.kicked, false)
                              ? end.offload->WhyNoTrainsAnyMore(m_addresses)
                              : nullptr;
        if (why != nullptr)
        {
            Leave(why);
            return;
        }
    }
    if (m_calmUntil <= now && !Renew(now))
    {
        Leave("many frames wait in the switch");
        return;
    }
    const SwitchEngine::Horizon horizon = m_engine->GetHorizon();
    if (horizon.at == NEVER)
    {
        if (HasSinks())
        {
            CatchUpWholly(); // the last event for now
        }
        return;
    }
    ScheduleAt(std::max(std::min(horizon.at, m_calmUntil), now),
               now,
               m_ends[horizon.end].nic->GetNode(),
               horizon.end);
}

void
SwitchTrain::Gather()
{
    constexpr uint32_t WAKES = 64; // events in which frames for sinks gather
    if (++m_wakes % WAKES == 0 && HasSinks())
    {
        CatchUpWholly();
    }
}

} // namespace ns3
