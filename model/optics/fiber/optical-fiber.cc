/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "optical-fiber.h"

#include "batch-mode.h"
#include "fiber-crossing.h"
#include "fiber-end.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/observed-trace.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulation-processes.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OpticalFiber");

NS_OBJECT_ENSURE_REGISTERED(OpticalFiber);

TypeId
OpticalFiber::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::OpticalFiber")
            .SetParent<Channel>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<OpticalFiber>()
            .AddAttribute("Delay",
                          "Time that light takes from end to end: 4.895 ns a metre in silica. "
                          "The default is 20 m. A change is refused while something is on its "
                          "way.",
                          TimeValue(NanoSeconds(98)),
                          MakeTimeAccessor(&OpticalFiber::SetDelay, &OpticalFiber::GetDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "FrameLossRate",
                "Share of the frames, in each direction, that are lost to bit errors, "
                "0 to 1. Which ones depends on the run's seed and number, the stream "
                "and the frame's ordinal only.",
                DoubleValue(0),
                MakeDoubleAccessor(&OpticalFiber::SetLossRate, &OpticalFiber::GetLossRate),
                MakeDoubleChecker<double>(0, 1))
            .AddTraceSource("FrameDropped",
                            "A frame was lost in the fiber, and why.",
                            MakeObservedTraceSourceAccessor(&OpticalFiber::m_frameDropped,
                                                            &OpticalFiber::NotifyObservers),
                            "ns3::OpticalFiber::FrameDroppedCallback")
            .AddTraceSource("Intact",
                            "The fiber was cut (false) or spliced (true).",
                            MakeTraceSourceAccessor(&OpticalFiber::m_intactTrace),
                            "ns3::OpticalFiber::IntactCallback");
    return tid;
}

OpticalFiber::OpticalFiber()
{
    NS_LOG_FUNCTION(this);
}

OpticalFiber::~OpticalFiber()
{
    NS_LOG_FUNCTION(this);
}

void
OpticalFiber::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    RequirePicoseconds("OpticalFiber");
    Channel::DoInitialize();
}

void
OpticalFiber::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_crossing.reset();
    for (Way& way : m_ways)
    {
        way.flying.clear();
        CancelArrival(way);
        way.from = nullptr;
        way.to = nullptr;
    }
    Channel::DoDispose();
}

void
OpticalFiber::Attach(Ptr<FiberEnd> one, Ptr<FiberEnd> other)
{
    NS_LOG_FUNCTION(this << one << other);
    NS_ABORT_MSG_IF(m_ways[0].from,
                    "OpticalFiber: both ends of this fiber are in use; create another fiber");
    NS_ABORT_MSG_IF(!one || !other || one == other,
                    "OpticalFiber: a fiber needs two ports, and they must differ");
    NS_ABORT_MSG_IF(one->GetChannel() || other->GetChannel(),
                    "OpticalFiber: a port has a fiber in it already; give each fiber ports of its "
                    "own");
    NS_ABORT_MSG_UNLESS(one->GetNode() && other->GetNode(),
                        "OpticalFiber: a port is on no node; call Node::AddDevice() first");
    m_ways[0].from = m_ways[1].to = one;
    m_ways[0].to = m_ways[1].from = other;
    one->SetFiber(this);
    other->SetFiber(this);
    for (Way& way : m_ways)
    {
        way.node = way.to->GetNode()->GetId();
        PresetLight(PeekPointer(way.from), way.from->EmitsLight());
    }
    if (SimulationProcesses::GetNumber() > 1 &&
        one->GetNode()->GetSystemId() != other->GetNode()->GetSystemId())
    {
        m_crossing = std::make_unique<FiberCrossing>(
            std::array<Ptr<FiberEnd>, 2>{one, other},
            m_delay.Get(),
            [this](uint32_t end, WireFrame&& frame) { ReceiveCrossing(end, std::move(frame)); });
    }
}

OpticalFiber::Way&
OpticalFiber::WayFrom(const FiberEnd* from)
{
    return from == PeekPointer(m_ways[0].from) ? m_ways[0] : m_ways[1];
}

const OpticalFiber::Way&
OpticalFiber::WayFrom(const FiberEnd* from) const
{
    return from == PeekPointer(m_ways[0].from) ? m_ways[0] : m_ways[1];
}

const OpticalFiber::Counters&
OpticalFiber::GetCounters(const FiberEnd* from) const
{
    CatchUp();
    return WayFrom(from).counters;
}

void
OpticalFiber::Transmit(const FiberEnd* from, WireFrame&& frame)
{
    Way& way = WayFrom(from);
    NS_ASSERT_MSG(PeekPointer(way.from) == from, "a port that is not at an end of this fiber");
    Begin(way, frame);
    if (m_crossing && m_crossing->LeavesAt(DirectionOf(way)))
    {
        m_crossing->Send(DirectionOf(way), frame);
        return;
    }
    way.emptyFrom = std::max(way.emptyFrom, frame.last);
    way.ahead = 0; // what was to go in before this one has done so
    Fly(way, std::move(frame));
}

void
OpticalFiber::Begin(Way& way, WireFrame& frame)
{
    const FrameLoss* loss = GetLoss(way);
    if (frame.first <= m_lossSince)
    {
        loss = way.before ? &*way.before : nullptr; // a change affects later frames
    }
    frame.Travel(m_delay.Get().GetTimeStep());
    // a lost frame continues to its end, where it is dropped
    frame.garbled = loss != nullptr && loss->IsLost(way.counters.sent);
    ++way.counters.sent;
}

void
OpticalFiber::Fly(Way& way, WireFrame&& frame)
{
    if (way.flying.empty() && Announce(way, frame))
    {
        return;
    }
    way.flying.push_back(std::move(frame));
    if (!way.isArmed)
    {
        ScheduleArrival(way, NowPicoseconds());
    }
}

bool
OpticalFiber::Announce(Way& way, WireFrame& frame)
{
    if (Check(way, frame) || !way.to->Announce(frame))
    {
        return false;
    }
    ++way.counters.delivered;
    return true;
}

bool
OpticalFiber::TransmitAhead(const FiberEnd* from, Picoseconds wait, WireFrame& frame)
{
    Way& way = WayFrom(from);
    if (way.to->TakesAnnouncements())
    {
        return false; // a frame that is announced twice would be in another fiber
    }
    frame.Travel(wait);
    Begin(way, frame);
    ++way.ahead;
    way.flying.push_back(std::move(frame));
    if (!way.isArmed)
    {
        ScheduleArrival(way, NowPicoseconds());
    }
    return true;
}

RingQueue<WireFrame>
OpticalFiber::TakeBack(const FiberEnd* from, Picoseconds wait)
{
    Way& way = WayFrom(from);
    const Picoseconds back = wait + m_delay.Get().GetTimeStep();
    const Picoseconds now = NowPicoseconds();
    std::size_t count = 0;
    while (count < way.ahead && way.flying[way.flying.size() - 1 - count].last - back >= now)
    {
        ++count;
    }
    RingQueue<WireFrame> taken;
    for (std::size_t i = way.flying.size() - count; i < way.flying.size(); ++i)
    {
        WireFrame& frame = way.flying[i];
        frame.Travel(-back);
        frame.garbled = false; // else it would not have come to the switch
        taken.push_back(std::move(frame));
    }
    for (std::size_t i = 0; i < count; ++i)
    {
        way.flying.pop_back();
    }
    way.ahead = 0; // the others have gone in
    way.counters.sent -= count;
    if (way.flying.empty())
    {
        CancelArrival(way);
    }
    return taken;
}

void
OpticalFiber::Withdraw(const FiberEnd* to, RingQueue<WireFrame>&& frames)
{
    if (frames.empty())
    {
        return;
    }
    Way& way = to == PeekPointer(m_ways[0].to) ? m_ways[0] : m_ways[1];
    way.counters.delivered -= frames.size();
    for (; !way.flying.empty(); way.flying.pop_front())
    {
        frames.push_back(std::move(way.flying.front()));
    }
    way.flying = std::move(frames);
    CancelArrival(way);
    ScheduleArrival(way, NowPicoseconds());
}

void
OpticalFiber::Withdraw() const
{
    for (const Way& way : m_ways)
    {
        if (way.to)
        {
            way.to->Withdraw();
        }
    }
}

void
OpticalFiber::ReceiveCrossing(uint32_t end, WireFrame&& frame)
{
    m_ways[end].emptyFrom = std::max(m_ways[end].emptyFrom, frame.last);
    Fly(m_ways[end], std::move(frame));
}

bool
OpticalFiber::IsCrossing() const
{
    return m_crossing != nullptr;
}

void
OpticalFiber::ScheduleArrival(Way& way, Picoseconds now)
{
    way.isArmed = true;
    const Picoseconds wait = way.to->GetHandOver(way.flying.front()) - now;
    way.arrival.Schedule(way.node, ToTime(wait), [this, &way] { Arrive(way); });
}

void
OpticalFiber::CancelArrival(Way& way)
{
    if (way.isArmed)
    {
        way.isArmed = false;
        way.arrival.Cancel();
    }
}

void
OpticalFiber::Arrive(Way& way)
{
    const Picoseconds now = NowPicoseconds();
    way.isArmed = false;
    WireFrame frame = std::move(way.flying.front());
    way.flying.pop_front();
    way.ahead = std::min(way.ahead, way.flying.size());
    const bool isAnnounced = way.to->TakesAnnouncements();
    if (!isAnnounced && !way.flying.empty())
    {
        ScheduleArrival(way, now);
    }
    Deliver(way, std::move(frame));
    // behind a frame that needs an event the next ones may need none
    while (isAnnounced && !way.isArmed && !way.flying.empty())
    {
        if (!Announce(way, way.flying.front()))
        {
            ScheduleArrival(way, now);
            return;
        }
        way.flying.pop_front();
    }
}

void
OpticalFiber::Deliver(Way& way, WireFrame&& frame)
{
    if (const auto reason = Check(way, frame))
    {
        NS_LOG_LOGIC("lost a frame: " << *reason);
        ++way.counters.lost;
        m_frameDropped(frame, *reason);
        return;
    }
    ++way.counters.delivered;
    way.to->ReceiveFrame(std::move(frame));
}

std::optional<FrameDropReason>
OpticalFiber::Check(const Way& way, const WireFrame& frame) const
{
    if (m_breaks.IsEmpty() && !frame.garbled)
    {
        return std::nullopt; // as nearly always
    }
    // of the instant before: a change at the last bit does not affect this frame
    const Picoseconds delay = m_delay.At(frame.last - 1).GetTimeStep();
    if (m_breaks.Cuts(DirectionOf(way), frame.first, frame.last, delay))
    {
        return FrameDropReason::FIBER_CUT;
    }
    if (frame.garbled)
    {
        return FrameDropReason::TRANSMISSION_ERROR;
    }
    return std::nullopt;
}

void
OpticalFiber::SendLight(const FiberEnd* from, bool light, Time after)
{
    NS_LOG_FUNCTION(this << from << light << after);
    Way& way = WayFrom(from);
    if (way.lightSent == light)
    {
        return;
    }
    way.lightSent = light;
    const Time wait = after + m_delay.Get();
    way.emptyFrom = std::max(way.emptyFrom, NowPicoseconds() + wait.GetTimeStep());
    Simulator::ScheduleWithContext(way.node, wait, &OpticalFiber::ToggleComing, this, &way);
}

void
OpticalFiber::PresetLight(const FiberEnd* from, bool light)
{
    Way& way = WayFrom(from);
    way.lightSent = light;
    way.lightComing = light;
    way.to->PresetLight(light);
}

void
OpticalFiber::ToggleComing(Way* way)
{
    way->lightComing = !way->lightComing;
    if (way->intactSeen && way->to)
    {
        way->to->ReceiveLight(way->lightComing);
    }
}

void
OpticalFiber::UpdateIntact(Way* way, bool intact)
{
    way->intactSeen = intact;
    if (way->lightComing && way->to)
    {
        way->to->ReceiveLight(intact);
    }
}

void
OpticalFiber::SpreadIntact(bool intact)
{
    for (Way& way : m_ways)
    {
        const Picoseconds rest =
            m_breaks.GetDelayFromBreak(DirectionOf(way), m_delay.Get().GetTimeStep());
        way.emptyFrom = std::max(way.emptyFrom, NowPicoseconds() + rest);
        Simulator::ScheduleWithContext(way.node,
                                       ToTime(rest),
                                       &OpticalFiber::UpdateIntact,
                                       this,
                                       &way,
                                       intact);
    }
    NS_LOG_INFO("fiber " << GetId() << (intact ? " is spliced" : " is cut"));
    m_intactTrace(intact);
}

void
OpticalFiber::Cut(double position)
{
    NS_LOG_FUNCTION(this << position);
    NS_ABORT_MSG_UNLESS(position >= 0 && position <= 1,
                        "OpticalFiber: cannot cut at " << position
                                                       << " of the length; give 0 to 1");
    NS_ABORT_MSG_UNLESS(m_ways[0].from, "OpticalFiber: attach a fiber before cutting it");
    if (!IsIntact())
    {
        return;
    }
    LeaveTrain("the fiber is cut");
    Withdraw();
    m_breaks.Cut(NowPicoseconds(), position, m_delay.Get().GetTimeStep());
    SpreadIntact(false);
}

void
OpticalFiber::Splice()
{
    NS_LOG_FUNCTION(this);
    if (IsIntact())
    {
        return;
    }
    m_breaks.Splice(NowPicoseconds());
    SpreadIntact(true);
}

void
OpticalFiber::CutShort(const FiberEnd* from)
{
    NS_LOG_FUNCTION(this);
    Withdraw();
    Way& way = WayFrom(from);
    if (way.flying.empty())
    {
        return;
    }
    WireFrame& frame = way.flying.back(); // earlier ones are in the fiber wholly
    // of the instant before, as in Check()
    const Picoseconds delay = m_delay.At(frame.last - 1).GetTimeStep();
    if (frame.last - delay > NowPicoseconds())
    {
        frame.garbled = true;
    }
}

bool
OpticalFiber::IsIntact() const
{
    return m_breaks.IsIntact();
}

void
OpticalFiber::SetDelay(Time delay)
{
    NS_LOG_FUNCTION(this << delay);
    NS_ABORT_MSG_IF(m_crossing && delay != m_delay.Get(),
                    "OpticalFiber: the Delay of a fiber from a process to another can't change "
                    "from "
                        << m_delay.Get().GetTimeStep() << " to " << delay.GetTimeStep()
                        << " ps; set it before Attach()");
    // its ports call this: ns-3 does not initialize channels
    const auto hasBegun = [](const Way& way) { return way.from && way.from->IsInitialized(); };
    if (!hasBegun(m_ways[0]) && !hasBegun(m_ways[1]))
    {
        m_delay = AsOf<Time>(delay);
        return;
    }
    if (delay == m_delay.Get())
    {
        return;
    }
    LeaveTrain("the delay of a fiber changes");
    const Picoseconds now = NowPicoseconds();
    NS_ABORT_MSG_IF(
        GetEmptyFrom() > now,
        "OpticalFiber: the Delay cannot change from "
            << m_delay.Get().GetTimeStep() << " to " << delay.GetTimeStep() << " ps at " << now
            << " ps: what is on its way, a frame or light that comes or goes, comes out "
               "at "
            << GetEmptyFrom() << " ps. Change it when the fiber is empty, then or later.");
    for (const Way& way : m_ways)
    {
        if (way.from)
        {
            way.from->CheckDelayChange(delay);
        }
    }
    m_delay.Set(now, delay);
}

Picoseconds
OpticalFiber::GetEmptyFrom() const
{
    Withdraw(); // what will go in is not there yet
    Picoseconds from = ALWAYS_BEFORE;
    for (const Way& way : m_ways)
    {
        from = std::max(from, way.emptyFrom);
        from = way.flying.empty() ? from : std::max(from, way.flying[way.flying.size() - 1].last);
    }
    return from;
}

void
OpticalFiber::SetLossRate(double rate)
{
    NS_LOG_FUNCTION(this << rate);
    LeaveTrain("the loss rate of a fiber changes");
    PutPending();
    Withdraw(); // frames that go in later are lost at the new rate
    const bool hasBegun = m_ways[0].from && m_ways[0].from->IsInitialized();
    const bool isFirst = hasBegun && m_lossSince != NowPicoseconds();
    for (Way& way : m_ways)
    {
        if (isFirst)
        {
            way.before = MakeLoss(way);
        }
        way.loss.reset();
    }
    m_lossSince = hasBegun ? NowPicoseconds() : ALWAYS_BEFORE;
    m_lossRate = rate;
}

bool
OpticalFiber::HasNewLossRate() const
{
    constexpr Picoseconds LONGEST_FRAME = 1'000'000'000;
    return m_lossSince != ALWAYS_BEFORE && NowPicoseconds() - LONGEST_FRAME <= m_lossSince;
}

double
OpticalFiber::GetLossRate() const
{
    return m_lossRate;
}

void
OpticalFiber::NotifyObservers()
{
    if (m_lossRate > 0)
    {
        LeaveTrain("a trace of the frames that a fiber loses is connected");
    }
}

bool
OpticalFiber::IsObserved() const
{
    return !m_frameDropped.IsEmpty();
}

// ---------------------------------------------------------------------- trains

void
OpticalFiber::LeaveTrain(const char* why)
{
    if (m_batchMode != nullptr)
    {
        m_batchMode->Leave(why);
    }
}

void
OpticalFiber::PutPending() const
{
    for (const Way& way : m_ways)
    {
        if (way.from)
        {
            way.from->PutPending();
        }
    }
}

void
OpticalFiber::CatchUp() const
{
    PutPending();
    Withdraw();
    if (m_batchMode != nullptr)
    {
        m_batchMode->CatchUpWholly();
    }
}

void
OpticalFiber::SetBatchMode(BatchMode* mode)
{
    m_batchMode = mode;
}

FiberEnd*
OpticalFiber::PeekPeer(const FiberEnd* port) const
{
    return PeekPointer(WayFrom(port).to);
}

const FrameLoss*
OpticalFiber::GetLoss(const FiberEnd* from)
{
    return GetLoss(WayFrom(from));
}

const FrameLoss*
OpticalFiber::GetLoss(Way& way)
{
    if (m_lossRate > 0 && !way.loss)
    {
        way.loss = MakeLoss(way);
    }
    return way.loss ? &*way.loss : nullptr;
}

std::optional<FrameLoss>
OpticalFiber::MakeLoss(const Way& way) const
{
    if (m_lossRate <= 0)
    {
        return std::nullopt;
    }
    // seed, run number and the number of the wire are fixed by now
    const uint64_t seed =
        (static_cast<uint64_t>(RngSeedManager::GetSeed()) << 32) ^ RngSeedManager::GetRun();
    const uint64_t base = m_stream >= 0 ? m_stream : (1ULL << 63) + 2ULL * GetId();
    return FrameLoss(seed, base + (&way - m_ways.data()), m_lossRate);
}

uint64_t
OpticalFiber::PeekSent(const FiberEnd* from) const
{
    Withdraw();
    return WayFrom(from).counters.sent;
}

const RingQueue<WireFrame>&
OpticalFiber::GetInFlight(const FiberEnd* from) const
{
    Withdraw();
    return WayFrom(from).flying;
}

RingQueue<WireFrame>
OpticalFiber::TakeInFlight(const FiberEnd* from)
{
    Withdraw();
    Way& way = WayFrom(from);
    CancelArrival(way);
    return std::exchange(way.flying, {});
}

void
OpticalFiber::PutInFlight(const FiberEnd* from, WireFrame&& frame)
{
    Way& way = WayFrom(from);
    way.emptyFrom = std::max(way.emptyFrom, frame.last);
    way.flying.push_back(std::move(frame));
    if (!way.isArmed)
    {
        ScheduleArrival(way, NowPicoseconds());
    }
}

bool
OpticalFiber::IsLostOnItsWay(const FiberEnd* from, const WireFrame& frame) const
{
    return Check(WayFrom(from), frame).has_value();
}

void
OpticalFiber::Count(const FiberEnd* from, uint64_t sent, uint64_t delivered, uint64_t lost)
{
    Counters& counters = WayFrom(from).counters;
    counters.sent += sent;
    counters.delivered += delivered;
    counters.lost += lost;
}

Time
OpticalFiber::GetDelay() const
{
    return m_delay.Get();
}

Ptr<FiberEnd>
OpticalFiber::GetPeer(const FiberEnd* port) const
{
    return port == PeekPointer(m_ways[0].from) ? m_ways[0].to : m_ways[1].to;
}

int64_t
OpticalFiber::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_stream = stream;
    return 2;
}

std::size_t
OpticalFiber::GetNDevices() const
{
    return m_ways[0].from ? 2 : 0;
}

Ptr<NetDevice>
OpticalFiber::GetDevice(std::size_t i) const
{
    NS_ABORT_MSG_UNLESS(i < GetNDevices(),
                        "OpticalFiber: there is no device " << i << "; a fiber has ends 0 and 1");
    return m_ways[i].from;
}

} // namespace ns3
