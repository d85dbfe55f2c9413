/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "memoized-operation.h"

#include "circuit-messages.h"
#include "circuit-sends.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/log.h"
#include "ns3/past-events.h"
#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MemoizedOperation");

namespace
{

/**
 * Takes an event out of the simulation, at most one that is to come. To take it out of the queue
 * costs a look through all of it; but a cancelled one prolongs the simulation, unless something
 * comes later.
 * @param later the instant of another event that is to come
 */
void
DropBeside(const EventId& event, Picoseconds later)
{
    if (IsEventPending(event) && static_cast<Picoseconds>(event.GetTs()) <= later)
    {
        Simulator::Cancel(event);
        return;
    }
    Simulator::Remove(event);
}

} // namespace

MemoizedOperation::MemoizedOperation(const MemoStore::Kind& kind,
                                     const std::vector<RankId>& ranks,
                                     const Ptr<MemoStore>& memory,
                                     Ranks& job)
    : m_kind(kind),
      m_memory(memory),
      m_job(job),
      m_places(ranks.size()),
      m_ports(*this),
      m_followed(*this)
{
    for (std::size_t place = 0; place < ranks.size(); ++place)
    {
        m_places[place].rank = ranks[place];
    }
}

MemoizedOperation::MemoizedOperation(const Ptr<MemoStore>& memory, Ranks& job, bool mayWorkOut)
    : m_areSends(true),
      m_memory(memory),
      m_job(job),
      m_sends(mayWorkOut ? std::make_unique<SendsOnCircuits>() : nullptr),
      m_ports(*this),
      m_followed(*this)
{
}

MemoizedOperation::~MemoizedOperation()
{
    Simulator::Remove(m_watch);
    CloseRecording(false);
    Part();
}

void
MemoizedOperation::Add(MemoizedCall& call)
{
    m_places[call.m_place].call = &call;
}

void
MemoizedOperation::Remove(MemoizedCall& call)
{
    const Ptr<MemoizedOperation> self(this); // it may be forgotten
    Place& place = m_places[call.m_place];
    place.call = nullptr;
    if (!place.hasEnded)
    {
        GiveUp(); // the rank is gone, at the end of the simulation
        CountEnd(place);
    }
}

uint32_t
MemoizedOperation::Join(MemoizedCall& call)
{
    if (m_places.empty())
    {
        m_kind = call.m_send->kind;
    }
    Place& place = m_places.emplace_back();
    place.rank = call.m_rank;
    place.call = &call;
    place.isActive = true;
    place.active = NowPicoseconds();
    place.send = call.m_send;
    return m_places.size() - 1;
}

int64_t
MemoizedOperation::GetNumber(RankId rank) const
{
    if (m_areSends)
    {
        return rank == m_places.front().rank ? 0 : 1;
    }
    return std::find_if(m_places.begin(),
                        m_places.end(),
                        [rank](const Place& place) { return place.rank == rank; }) -
           m_places.begin();
}

MemoizedOperation::Place*
MemoizedOperation::FindHeld(RankId rank, const TransportMessage& message)
{
    for (const Held& held : m_order)
    {
        Place& place = m_places[held.place];
        if (place.rank == rank && place.past->Concerns(message))
        {
            return &place;
        }
    }
    return nullptr;
}

// ---------------------------------------------------------------------- beginning

void
MemoizedOperation::Activate(MemoizedCall& call, bool early)
{
    Place& place = m_places[call.m_place];
    place.isActive = true;
    place.active = NowPicoseconds();
    if (early)
    {
        Refuse(); // what came before the call counts, and is not memoized
        return;
    }
    if (m_recording)
    {
        m_recording->Activate(call.m_place, place.active - m_begin);
    }
    if (m_mode == Mode::HOLDS)
    {
        FollowActive(call.m_place, place.active);
    }
}

bool
MemoizedOperation::FollowActive(uint32_t place, Picoseconds at)
{
    m_candidates.Activate(place, at - m_begin);
    if (!MayBeLikeOne())
    {
        return false;
    }
    if (m_followed.AreAny())
    {
        AwaitNext(); // one that it waits for is to do the same in this instant
    }
    return true;
}

bool
MemoizedOperation::BeginInside(MemoizedCall& call,
                               const MemoizedInside& inside,
                               uint64_t early,
                               std::unique_ptr<MemoizedPast> past)
{
    Place& place = m_places[call.m_place];
    place.isActive = true;
    place.isInside = true;
    place.active = NowPicoseconds();
    CloseRecording(true);
    if (m_mode == Mode::MESSAGES)
    {
        return false;
    }
    const bool isFirst = m_mode == Mode::BEGINS;
    // what comes before the first is not of this operation, nor is what comes while it is held
    if ((early > 0 && m_mode != Mode::RECORDS) || !Take(place, inside))
    {
        Refuse();
        return false;
    }
    m_ports.Expect(inside.port, inside.count);
    place.past = std::move(past);
    if (isFirst)
    {
        m_begin = place.active;
    }
    if (!(isFirst ? Begin(place)
                  : m_mode == Mode::HOLDS && FollowActive(call.m_place, place.active)))
    {
        return false;
    }
    m_ports.Hold();
    m_order.push_back({call.m_place, true});
    AwaitNext();
    return true;
}

bool
MemoizedOperation::Enter(MemoizedCall& call,
                         const MemoizedWays& ways,
                         std::unique_ptr<MemoizedPast> past)
{
    if (m_mode == Mode::MESSAGES)
    {
        return false;
    }
    Place& place = m_places[call.m_place];
    place.entered = NowPicoseconds();
    if (m_mode == Mode::BEGINS)
    {
        m_begin = place.entered;
    }
    place.past = past ? std::move(past) : std::move(place.past);
    place.past->SetWays(ways.out);
    if (!Take(place, ways))
    {
        Refuse(); // this rank sends for itself
        return false;
    }
    place.hasEntered = true;
    if (m_sends)
    {
        if (HoldSend(call.m_place))
        {
            return true;
        }
        m_sends = nullptr;
        Disturb();
    }
    FollowWays(call.m_place);
    const bool holds = m_mode == Mode::BEGINS ? Begin(place) : m_mode == Mode::HOLDS;
    if (!holds)
    {
        Disturb(); // it is known, and this is one more send
        Record(place);
        return false;
    }
    if (m_areSends)
    {
        m_candidates.Activate(call.m_place, place.entered - m_begin);
    }
    m_candidates.Enter(call.m_place, place.its.path, place.entered - m_begin);
    if (!MayBeLikeOne())
    {
        Record(place);
        return false;
    }
    m_order.push_back({call.m_place, false});
    AwaitNext();
    return true;
}

void
MemoizedOperation::Refuse()
{
    Disturb();
    DisturbEarlier();
    GiveUp();
}

bool
MemoizedOperation::Leave(MemoizedCall&)
{
    if (!m_sends || m_places.size() != 1 || !m_places.front().send->isSender)
    {
        return false; // a receive has sent its report
    }
    const Ptr<MemoizedOperation> self(this); // it is forgotten
    GiveUp();
    m_job.Forget(*this);
    return true;
}

bool
MemoizedOperation::Begin(Place& place)
{
    m_candidates = FindCandidates();
    if (m_candidates.AreNone())
    {
        TryToWorkOut();
    }
    m_mode = m_candidates.AreNone() && !m_workedOut ? Mode::RECORDS : Mode::HOLDS;
    NS_LOG_DEBUG("rank " << place.rank << " may send first");
    if (m_mode == Mode::RECORDS)
    {
        DisturbEarlier();
        OpenRecording();
    }
    return m_mode == Mode::HOLDS;
}

bool
MemoizedOperation::MayBeFollowed() const
{
    return !m_areSends && std::none_of(m_places.begin(), m_places.end(), [](const Place& place) {
        return place.isInside;
    });
}

MemoCandidates
MemoizedOperation::FindCandidates()
{
    MemoStore::Known known = m_memory->Find(m_kind);
    if (MayBeFollowed())
    {
        const MemoStore::Known now = m_followed.Follow(m_memory->FindRecordings(m_kind), m_begin);
        known.insert(known.end(), now.begin(), now.end());
    }
    MemoCandidates candidates(known);
    for (uint32_t p = 0; p < m_places.size(); ++p)
    {
        const Place& place = m_places[p];
        if (place.isActive)
        {
            candidates.Activate(p, std::max<Picoseconds>(0, place.active - m_begin));
        }
        if (place.hasEntered)
        {
            candidates.Enter(p, place.its.path, place.entered - m_begin);
        }
    }
    candidates.Drop(NowPicoseconds() - m_begin);
    return candidates;
}

bool
MemoizedOperation::MayBeLikeOne()
{
    m_candidates.Drop(NowPicoseconds() - m_begin);
    return !m_candidates.AreNone() || LookForOthers();
}

bool
MemoizedOperation::LookForOthers()
{
    if (!m_memory->FindRecordings(m_kind).empty())
    {
        m_candidates = FindCandidates();
    }
    if (m_candidates.AreNone())
    {
        TryToWorkOut();
    }
    if (m_candidates.AreNone() && !m_workedOut)
    {
        Disturb();
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------- working out

void
MemoizedOperation::TryToWorkOut()
{
    if (std::exchange(m_hasTried, true) || m_areSends ||
        std::any_of(m_places.begin(), m_places.end(), [](const Place& one) {
            return one.isInside;
        }))
    {
        return;
    }
    m_workedOut = OperationOnCircuits::Make(m_kind);
    for (uint32_t p = 0; p < m_places.size(); ++p)
    {
        if (m_places[p].hasEntered)
        {
            FollowWays(p);
        }
    }
}

void
MemoizedOperation::FollowWays(uint32_t number)
{
    const Place& place = m_places[number];
    if (!m_workedOut)
    {
        return;
    }
    const auto ways = ListWays(place);
    if (!ways || !m_workedOut->Enter(number,
                                     *ways,
                                     place.entered - m_begin,
                                     std::max<Picoseconds>(0, place.active - m_begin)))
    {
        m_workedOut = nullptr;
    }
}

std::optional<std::vector<WayOnCircuit>>
MemoizedOperation::ListWays(const Place& place) const
{
    std::vector<WayOnCircuit> ways;
    for (std::size_t w = 0; w < place.ways.size(); ++w)
    {
        const Way& way = place.ways[w];
        const BatchShape shape = m_circuits.GetShape(way.from);
        const QueuePairSettings& settings = way.ends.first->GetSettings();
        const uint32_t end = way.from.end;
        if (settings.ackClass <= settings.dataClass)
        {
            return std::nullopt;
        }
        ways.push_back({way.from.circuit,
                        end,
                        {shape.rates[end], shape.ways[end]},
                        {shape.rates[1 - end], shape.ways[1 - end]},
                        settings.mtu,
                        settings.ackEvery,
                        settings.GetTimeout(),
                        place.turns[w].second}); // ways out are first
    }
    return ways;
}

std::shared_ptr<const MemoizedRanks>
MemoizedOperation::WorkOut()
{
    MemoizedRanks ranks;
    for (const Place& place : m_places)
    {
        MemoizedRank& rank = ranks.emplace_back();
        rank.path = place.its.path;
        rank.active = std::max<Picoseconds>(0, place.active - m_begin);
        rank.entered = place.entered - m_begin;
    }
    if (const auto alike = m_memory->FindAlike(m_kind, ranks))
    {
        return alike; // one that has become known since this one began
    }
    const std::vector<OperationOnCircuits::Outcome> outcomes = CircuitMessages(*m_workedOut).Run();
    for (std::size_t p = 0; p < m_places.size(); ++p)
    {
        const Place& place = m_places[p];
        MemoizedRank& rank = ranks[p];
        rank.ended = outcomes[p].ended;
        rank.totals = outcomes[p].totals;
        rank.mostEarly = outcomes[p].early;
        for (std::size_t w = 0; w < place.ways.size(); ++w)
        {
            rank.sent.push_back({outcomes[p].sent[w],
                                 ListFrames(place.ways[w], w, *place.past),
                                 outcomes[p].quiet[w]});
        }
    }
    m_job.CountWorkedOut();
    const auto known = std::make_shared<const MemoizedRanks>(std::move(ranks));
    if (m_memory->MayAdd(m_kind))
    {
        m_memory->Add(m_kind, known);
    }
    return known;
}

bool
MemoizedOperation::HoldSend(uint32_t number)
{
    const Place& place = m_places[number];
    const auto ways = ListWays(place);
    if (place.past->HasReport() || !ways ||
        !m_sends->Enter(*place.send, *ways, place.entered - m_begin))
    {
        return false;
    }
    if (m_mode == Mode::BEGINS)
    {
        m_mode = Mode::HOLDS;
    }
    m_order.push_back({number, false});
    if (!std::exchange(m_looks, true))
    {
        Simulator::ScheduleNow(&MemoizedOperation::WorkOutSends, Ptr<MemoizedOperation>(this));
    }
    return true;
}

void
MemoizedOperation::WorkOutSends()
{
    m_looks = false;
    if (!m_sends || !m_sends->AreAny())
    {
        return; // they go by messages, or wait
    }
    m_known = FindOutcome();
    m_mode = Mode::KNOWN;
    for (uint32_t place = 0; place < m_places.size(); ++place)
    {
        if (!m_places[place].hasEnded)
        {
            m_places[place].isArmed = false; // one more may have changed its end
            ArmLater(place);
        }
    }
}

std::shared_ptr<const MemoizedRanks>
MemoizedOperation::FindOutcome()
{
    const SendsOnCircuits::Key key = m_sends->GetKey();
    if (const auto known = m_memory->FindSends(key))
    {
        return known;
    }
    const std::vector<SendsOnCircuits::Outcome> outcomes = CircuitSends(*m_sends).Run();
    MemoizedRanks ranks;
    for (std::size_t p = 0; p < m_places.size(); ++p)
    {
        const Place& place = m_places[p];
        MemoizedRank& rank = ranks.emplace_back();
        rank.schedule = place.send->kind.schedule;
        rank.ended = outcomes[p].ended;
        rank.totals = outcomes[p].totals;
        for (std::size_t w = 0; w < place.ways.size(); ++w)
        {
            rank.sent.push_back({outcomes[p].sent[w], ListFrames(place.ways[w], w, *place.past)});
        }
    }
    m_areNew = true;
    const auto known = std::make_shared<const MemoizedRanks>(std::move(ranks));
    m_memory->AddSends(key, known);
    return known;
}

bool
MemoizedOperation::Take(Place& place, const MemoizedInside& inside)
{
    MemoPath& path = place.its.path;
    const ScaleUpDomain& domain = *inside.port.domain;
    path.insert(path.end(),
                {static_cast<int64_t>(domain.GetClock().GetRate()),
                 domain.GetLatency().GetTimeStep(),
                 inside.port.member.Get()});
    if (!m_ports.Take(inside.port))
    {
        return false;
    }
    for (const MemoizedInsideWay& way : inside.ways)
    {
        if (way.port.domain != inside.port.domain || !m_ports.Take(way.port))
        {
            return false;
        }
        path.insert(path.end(),
                    {way.isOut, GetNumber(way.peer), way.channel, way.port.member.Get()});
    }
    return true;
}

bool
MemoizedOperation::Take(Place& place, const MemoizedWays& ways)
{
    if (m_areSends)
    {
        place.its.path = Describe(place);
        place.its.schedule = place.send->kind.schedule;
    }
    for (const TransportMessage& way : ways.out)
    {
        if (!Take(place, way, true))
        {
            return false;
        }
    }
    for (const TransportMessage& way : ways.in)
    {
        if (!Take(place, way, false))
        {
            return false;
        }
    }
    AddOrder(place);
    return true;
}

MemoPath
MemoizedOperation::Describe(const Place& place) const
{
    const MemoStore::Kind& kind = place.send->kind;
    return {place.send->isSender,
            GetNumber(place.rank),
            static_cast<int64_t>(reinterpret_cast<intptr_t>(kind.schedule.get())),
            static_cast<int64_t>(kind.bytes),
            static_cast<int64_t>(kind.messageSize),
            static_cast<int64_t>(kind.protocol)};
}

bool
MemoizedOperation::Take(Place& place, const TransportMessage& way, bool isOut)
{
    const RankId there = isOut ? way.to : way.from;
    RdmaEngine& mine = m_job.GetEngine(place.rank);
    RdmaEngine& other = m_job.GetEngine(there);
    MemoizedCircuits::End end;
    if (mine.IsObserved() || other.IsObserved() ||
        !m_circuits.Take(mine.PeekDevice(isOut ? way.link.here : way.link.there),
                         other.PeekDevice(isOut ? way.link.there : way.link.here),
                         isOut,
                         *this,
                         end))
    {
        return false;
    }
    const BatchShape shape = m_circuits.GetShape(end);
    m_nicPorts.emplace_back(&mine, isOut ? way.link.here : way.link.there);
    m_nicPorts.emplace_back(&other, isOut ? way.link.there : way.link.here);
    MemoPath& path = place.its.path;
    path.insert(path.end(),
                {isOut,
                 GetNumber(there),
                 way.channel,
                 way.link.here,
                 way.link.there,
                 static_cast<int64_t>(shape.rates[end.end]),
                 static_cast<int64_t>(shape.rates[1 - end.end]),
                 shape.ways[end.end],
                 shape.ways[1 - end.end]});
    place.turns.emplace_back(isOut ? way.link.here : way.link.there, RdmaTransport::OrderOf(way));
    return !isOut || TakeOut(place, way, end);
}

bool
MemoizedOperation::TakeOut(Place& place,
                           const TransportMessage& way,
                           const MemoizedCircuits::End& end)
{
    const RdmaEngine::Ends ends = m_job.GetEnds(way);
    if (!ends.first->MaySkip(true) || !ends.second->MaySkip(false))
    {
        return false;
    }
    MemoPath& path = place.its.path;
    for (const QueuePairSettings* its : {&ends.first->GetSettings(), &ends.second->GetSettings()})
    {
        path.insert(path.end(),
                    {its->mtu,
                     its->ackEvery,
                     its->timeoutExponent,
                     its->selectiveRepeat,
                     its->dataClass,
                     its->ackClass});
    }
    place.ways.push_back({ends, end, ends.first->GetProgress(*ends.second)});
    return true;
}

void
MemoizedOperation::AddOrder(Place& place)
{
    for (const auto& [port, turn] : place.turns)
    {
        uint32_t before = 0;
        for (const Place& other : m_places)
        {
            const bool isNear = other.rank == place.rank && !other.hasEnded;
            for (const auto& [itsPort, itsTurn] : other.turns)
            {
                before += isNear && itsPort == port && itsTurn < turn ? 1 : 0;
            }
        }
        place.its.path.push_back(before);
    }
}

// ---------------------------------------------------------------------- recording

void
MemoizedOperation::Record(Place& place)
{
    m_circuits.Release();
    if (m_memory->MayAdd(m_kind))
    {
        Expect(place, *place.past);
        if (m_recording)
        {
            Watch(place);
            m_recording->Enter(GetNumber(place.rank), place.its.path, place.entered - m_begin);
        }
    }
    else
    {
        GiveUp();
    }
    place.past = nullptr; // it sends for itself
}

void
MemoizedOperation::Expect(Place& place, const MemoizedPast& past)
{
    ++m_entered;
    for (std::size_t w = 0; w < place.ways.size(); ++w)
    {
        place.ways[w].frames = ListFrames(place.ways[w], w, past);
    }
}

FrameTotals
MemoizedOperation::ListFrames(const Way& way, uint32_t number, const MemoizedPast& past)
{
    FrameTotals frames;
    for (const auto& [bytes, messages] : past.ListSizes(number))
    {
        frames.AddMessages(RdmaVerb::WRITE_WITH_IMMEDIATE,
                           bytes,
                           way.ends.first->GetSettings().mtu,
                           messages);
    }
    return frames;
}

void
MemoizedOperation::End(MemoizedCall& call, const MessageTotals& totals, uint64_t mostEarly)
{
    const Ptr<MemoizedOperation> self(this); // it may be forgotten
    Place& place = m_places[call.m_place];
    if (place.hasEnded)
    {
        return; // it was held to its end
    }
    place.its.totals = totals;
    place.its.mostEarly = mostEarly;
    place.its.ended = NowPicoseconds() - m_begin;
    RecordEnd(place);
    CountEnd(place);
}

void
MemoizedOperation::OpenRecording()
{
    if (!MayBeFollowed() || m_hadEarly || m_ended > 0 || !m_memory->MayAdd(m_kind))
    {
        return;
    }
    NS_ASSERT_MSG(!m_recording, "nobody would end the first one");
    m_recording = Create<MemoRecording>(m_begin, m_places.size());
    for (uint32_t p = 0; p < m_places.size(); ++p)
    {
        const Place& place = m_places[p];
        if (place.isActive)
        {
            m_recording->Activate(p, std::max<Picoseconds>(0, place.active - m_begin));
        }
        if (place.hasEntered)
        {
            Watch(place);
            m_recording->Enter(p, place.its.path, place.entered - m_begin);
        }
    }
    m_memory->AddRecording(m_kind, m_recording);
}

void
MemoizedOperation::CloseRecording(bool isBroken)
{
    if (!m_recording)
    {
        return;
    }
    const Ptr<MemoRecording> recording = std::exchange(m_recording, nullptr);
    m_memory->RemoveRecording(m_kind, recording);
    m_circuits.EndWatch(*this);
    for (const auto& [engine, port] : m_nicPorts)
    {
        engine->EndWatch(port, *this);
    }
    for (const Place& place : m_places)
    {
        for (const Way& way : place.ways)
        {
            way.ends.first->SetWatch(nullptr);
        }
    }
    if (isBroken)
    {
        recording->Break();
    }
}

void
MemoizedOperation::MessageIsEarly()
{
    m_hadEarly = true;
    CloseRecording(true);
}

void
MemoizedOperation::RecordEnd(const Place& place)
{
    if (!m_recording)
    {
        return;
    }
    const bool dependsOnAll =
        std::all_of(m_places.begin(), m_places.end(), [this, &place](const Place& other) {
            return other.hasEntered && other.entered - m_begin < place.its.ended;
        });
    if (!m_recording->HasListeners() || !dependsOnAll)
    {
        CloseRecording(true);
    }
    else if (m_ended + 1 < m_places.size())
    {
        m_recording->End(GetNumber(place.rank), place.its);
    } // else it is complete, if it can be kept
}

void
MemoizedOperation::Watch(const Place& place)
{
    m_circuits.SetWatch(*this);
    for (const auto& [engine, port] : m_nicPorts)
    {
        engine->SetWatch(port, this);
    }
    for (const Way& way : place.ways)
    {
        way.ends.first->SetWatch(this);
    }
}

void
MemoizedOperation::Interfere()
{
    CloseRecording(true);
}

void
MemoizedOperation::CountEnd(Place& place)
{
    place.hasEnded = true;
    if (++m_ended < m_places.size())
    {
        return;
    }
    if (m_mode == Mode::RECORDS)
    {
        Keep();
    }
    CloseRecording(true);
    m_followed.Clear();
    Part();
    m_job.Forget(*this);
}

bool
MemoizedOperation::AreWhole() const
{
    return std::all_of(m_places.begin(), m_places.end(), [this](const Place& one) {
        return std::count_if(m_places.begin(), m_places.end(), [&one](const Place& other) {
                   return other.send->isSender != one.send->isSender &&
                          other.send->from == one.send->from &&
                          other.send->group == one.send->group;
               }) == 1;
    });
}

void
MemoizedOperation::Keep()
{
    if (m_entered < m_places.size())
    {
        return;
    }
    if (m_areSends && !AreWhole())
    {
        return;
    }
    m_circuits.CatchUp();
    MemoizedRanks ranks;
    Picoseconds entered = 0;
    Picoseconds ended = NEVER;
    for (Place& place : m_places)
    {
        for (const Way& way : place.ways)
        {
            const QueuePairProgress sent =
                way.ends.first->GetProgress(*way.ends.second).Since(way.before);
            if (sent.troubles != 0 || sent.frames != way.frames.GetFrames() ||
                !way.ends.first->MaySkip(true) || !way.ends.second->MaySkip(false))
            {
                return;
            }
            AddFrames(way, sent);
            place.its.sent.push_back({sent, way.frames});
        }
        place.its.active = std::max<Picoseconds>(0, place.active - m_begin);
        place.its.entered = place.entered - m_begin;
        entered = std::max(entered, place.its.entered);
        ended = std::min(ended, place.its.ended);
        ranks.push_back(std::move(place.its));
    }
    if (ended <= entered || !m_circuits.HaveSentAdded(*this) || !m_ports.HaveSentExpected())
    {
        return; // an end may not depend on all entries; or something else was on the circuits
    }
    m_job.CountRecorded();
    const bool isAsBefore = m_memory->Add(m_kind, Share(std::move(ranks)));
    NS_ABORT_MSG_UNLESS(isAsBefore,
                        "MemoizedOperation: two operations that began alike ended differently; "
                        "please report it, and set CollectiveApplication::MemoizeOperations to "
                        "false");
}

std::shared_ptr<const MemoizedRanks>
MemoizedOperation::Share(MemoizedRanks ranks)
{
    if (!m_recording)
    {
        return std::make_shared<const MemoizedRanks>(std::move(ranks));
    }
    const Ptr<MemoRecording> recording = m_recording;
    recording->Complete(std::move(ranks));
    CloseRecording(false);
    return recording->GetRanks();
}

void
MemoizedOperation::AddFrames(const Way& way, const QueuePairProgress& sent)
{
    m_circuits.AddFrames(way.from, sent.frames);
    m_circuits.AddFrames({way.from.circuit, 1 - way.from.end}, sent.acknowledgements);
}

void
MemoizedOperation::ShowToSinks(const Way& way, const MemoizedTraffic& sent) const
{
    m_circuits.ShowToSinks(way.from, sent.frames);
    FrameTotals answers;
    answers.AddAcknowledgements(sent.progress.acknowledgements);
    m_circuits.ShowToSinks({way.from.circuit, 1 - way.from.end}, answers);
}

// ------------------------------------------------------------------------- memoizing

void
MemoizedOperation::AwaitNext()
{
    Picoseconds timeout = m_candidates.GetTimeout();
    const bool hasAll = m_workedOut && m_workedOut->HaveAllEntered();
    if (timeout == NEVER || hasAll)
    {
        auto known = timeout == NEVER ? m_candidates.GetKnown() : nullptr;
        if (!known && hasAll)
        {
            known = WorkOut();
        }
        if (known)
        {
            const Picoseconds ended = known->front().ended; // NEVER: it follows one under way
            DropBeside(m_watch, ended == NEVER ? ALWAYS_BEFORE : m_begin + ended);
            Know(known);
            return;
        }
    }
    if (timeout == NEVER)
    {
        Simulator::Remove(m_watch);
        return; // more ranks enter, or more becomes known of an operation that it waits for
    }
    const Picoseconds due = m_begin + timeout;
    if (IsEventPending(m_watch) && static_cast<Picoseconds>(m_watch.GetTs()) <= due)
    {
        return; // it looks again: to take it out of a queue of events costs more
    }
    Simulator::Remove(m_watch);
    m_watch =
        Simulator::Schedule(ToTime(due - NowPicoseconds()), &MemoizedOperation::TimeOut, this);
}

void
MemoizedOperation::TimeOut()
{
    if (MayBeLikeOne())
    {
        AwaitNext();
    }
}

void
MemoizedOperation::Know(std::shared_ptr<const MemoizedRanks> known)
{
    m_known = std::move(known);
    m_mode = Mode::KNOWN;
    m_followed.KeepOnly(m_known);
    for (uint32_t place = 0; place < m_places.size(); ++place)
    {
        ArmLater(place);
    }
}

void
MemoizedOperation::ArmLater(uint32_t place)
{
    if ((*m_known)[place].ended != NEVER && !std::exchange(m_places[place].isArmed, true))
    {
        Simulator::ScheduleWithContext(m_job.GetContext(m_places[place].rank),
                                       Time(0),
                                       &MemoizedOperation::Arm,
                                       Ptr<MemoizedOperation>(this),
                                       place);
    }
}

void
MemoizedOperation::Arm(uint32_t place)
{
    if (m_mode == Mode::KNOWN)
    {
        const Picoseconds ended = m_begin + (*m_known)[place].ended;
        DropBeside(m_places[place].due, ended);
        m_places[place].due = Simulator::Schedule(ToTime(ended - NowPicoseconds()),
                                                  &MemoizedOperation::Deliver,
                                                  this,
                                                  place);
    }
}

void
MemoizedOperation::RecordingChanged()
{
    if (!std::exchange(m_looks, true))
    {
        Simulator::ScheduleNow(&MemoizedOperation::LookAtRecordings, Ptr<MemoizedOperation>(this));
    }
}

void
MemoizedOperation::LookAtRecordings()
{
    m_looks = false;
    const MemoStore::Known broken = m_followed.TakeBroken();
    if (m_mode == Mode::KNOWN)
    {
        if (std::find(broken.begin(), broken.end(), m_known) != broken.end())
        {
            Disturb();
            return;
        }
        for (uint32_t place = 0; place < m_places.size(); ++place)
        {
            ArmLater(place);
        }
    }
    if (m_mode != Mode::HOLDS)
    {
        return;
    }
    for (const auto& one : broken)
    {
        m_candidates.Remove(one);
    }
    m_candidates.Compare();
    if (MayBeLikeOne())
    {
        AwaitNext();
    }
}

void
MemoizedOperation::Deliver(uint32_t place)
{
    const Ptr<MemoizedOperation> self(this); // it may be forgotten
    MemoizedCall& call = *m_places[place].call;
    m_places[place].its.ended = (*m_known)[place].ended;
    m_places[place].its.totals = (*m_known)[place].totals;
    m_places[place].its.mostEarly = (*m_known)[place].mostEarly;
    call.m_mostEarly = m_places[place].its.mostEarly;
    if (m_ended + 1 == m_places.size())
    {
        Settle();
    }
    call.m_totals = m_places[place].its.totals;
    call.m_isOver = true;
    if (m_sends)
    {
        m_sends->End(place);
    }
    CountEnd(m_places[place]);
    call.m_owner.EndMemoized();
}

void
MemoizedOperation::Settle()
{
    m_circuits.Release();
    m_ports.Release();
    for (std::size_t p = 0; p < m_places.size(); ++p)
    {
        const Place& place = m_places[p];
        for (std::size_t w = 0; w < place.ways.size(); ++w)
        {
            const MemoizedTraffic& sent = (*m_known)[p].sent[w];
            const Way& way = place.ways[w];
            way.ends.first->Skip(*way.ends.second, sent.progress);
            AddFrames(way, sent.progress);
            ShowToSinks(way, sent);
        }
    }
    m_circuits.CountAdded();
    m_ports.CountExpected();
    m_job.CountMemoized();
    if (m_areNew)
    {
        m_job.CountWorkedOut();
    }
}

// --------------------------------------------------------------------- making up for

void
MemoizedOperation::GiveUp()
{
    m_mode = Mode::MESSAGES;
    m_workedOut = nullptr;
    m_sends = nullptr;
    Part();
    CloseRecording(true);
    m_followed.Clear();
    Simulator::Remove(m_watch);
    for (Place& place : m_places)
    {
        Simulator::Remove(place.due);
    }
    m_circuits.Release();
    m_ports.Release();
}

void
MemoizedOperation::Disturb()
{
    if (m_mode != Mode::HOLDS && m_mode != Mode::KNOWN)
    {
        return;
    }
    const Sharing all = FindSharing();
    for (const Ptr<MemoizedOperation>& one : all)
    {
        one->StopHolding();
    }
    SendPast(all, NowPicoseconds());
    for (const Ptr<MemoizedOperation>& one : all)
    {
        one->GoOn();
    }
}

MemoizedOperation::Sharing
MemoizedOperation::FindSharing()
{
    Sharing all{Ptr<MemoizedOperation>(this)};
    for (std::size_t next = 0; next < all.size(); ++next)
    {
        for (const auto* others : {&all[next]->m_earlier, &all[next]->m_later})
        {
            for (MemoizedOperation* other : *others)
            {
                if (std::find(all.begin(), all.end(), other) == all.end())
                {
                    all.emplace_back(other);
                }
            }
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& one, const auto& other) {
        return one->m_begin < other->m_begin;
    });
    return all;
}

void
MemoizedOperation::Part()
{
    const auto remove = [this](std::vector<MemoizedOperation*>& others) {
        others.erase(std::remove(others.begin(), others.end(), this), others.end());
    };
    for (MemoizedOperation* other : std::exchange(m_earlier, {}))
    {
        remove(other->m_later);
    }
    for (MemoizedOperation* other : std::exchange(m_later, {}))
    {
        remove(other->m_earlier);
    }
}

void
MemoizedOperation::DisturbEarlier()
{
    if (m_earlier.empty())
    {
        return;
    }
    const Sharing earlier(m_earlier.begin(), m_earlier.end());
    Part();
    m_circuits.Release(); // they send on them
    for (const Ptr<MemoizedOperation>& one : earlier)
    {
        one->Disturb();
    }
}

bool
MemoizedOperation::HandOver(const BatchMode& mode,
                            const std::array<Picoseconds, 2>& from,
                            BatchAhead& to)
{
    auto* const other = dynamic_cast<MemoizedOperation*>(&to);
    const std::optional<std::size_t> circuit = m_circuits.Find(mode);
    if (m_mode != Mode::KNOWN || other == nullptr || !circuit)
    {
        return false;
    }
    for (std::size_t p = 0; p < m_places.size(); ++p)
    {
        const MemoizedRank& its = (*m_known)[p];
        for (std::size_t w = 0; w < m_places[p].ways.size(); ++w)
        {
            if (m_places[p].ways[w].from.circuit == *circuit &&
                (w >= its.sent.size() || its.sent[w].quiet[0] > from[0] - m_begin ||
                 its.sent[w].quiet[1] > from[1] - m_begin))
            {
                return false; // it sends, or may
            }
        }
    }
    m_circuits.HandOver(*circuit, to);
    if (std::find(m_later.begin(), m_later.end(), other) == m_later.end())
    {
        m_later.push_back(other);
        other->m_earlier.push_back(this);
    }
    return true;
}

void
MemoizedOperation::StopHolding()
{
    GiveUp();
    m_mode = Mode::RECORDS; // it may be kept, if nothing but entries was different
    for (const Held& held : m_order)
    {
        Place& place = m_places[held.place];
        if (!held.isInside)
        {
            place.history.hasEntered = true;
            Expect(place, *place.past);
        }
    }
}

void
MemoizedOperation::GoOn()
{
    if (!m_order.empty())
    {
        NS_LOG_INFO("the messages of an operation since " << m_begin
                                                          << " ps have been made up for");
        m_job.CountMadeUp();
    }
    const Ptr<MemoizedOperation> self(this);
    OpenRecording();
    for (const Held& held : m_order)
    {
        const uint32_t p = held.place;
        Place& place = m_places[p];
        if (place.isInside && !held.isInside)
        {
            continue; // it stands before
        }
        if (place.history.hasEntered)
        {
            place.past = nullptr;
        }
        if (!place.hasEnded && place.call != nullptr)
        {
            place.call->m_isHeld = false;
            place.call->m_owner.GoOnByMessages(place.history);
            Simulator::ScheduleWithContext(m_job.GetContext(place.rank),
                                           Time(0),
                                           &MemoizedOperation::Proceed,
                                           self,
                                           p);
        }
        place.history = {};
    }
}

void
MemoizedOperation::Proceed(uint32_t place)
{
    if (m_places[place].call != nullptr && !m_places[place].hasEnded)
    {
        m_places[place].call->m_owner.EndMemoized();
    }
}

void
MemoizedOperation::SendPast(const Sharing& all, Picoseconds now)
{
    /** A rank that sends. */
    struct Begin
    {
        Picoseconds at;
        Place* place;
        bool isInside;
    };

    std::vector<Begin> order;
    for (const Ptr<MemoizedOperation>& one : all)
    {
        for (const Held& held : one->m_order)
        {
            Place& place = one->m_places[held.place];
            order.push_back({held.isInside ? place.active : place.entered, &place, held.isInside});
        }
    }
    if (order.empty())
    {
        return; // no rank is held
    }
    std::stable_sort(order.begin(), order.end(), [](const Begin& one, const Begin& other) {
        return one.at < other.at;
    });
    Ranks& job = all.front()->m_job;
    PastEvents past;
    job.SetMakingUp(all);
    for (const Begin& begin : order)
    {
        Place& place = *begin.place;
        past.AdvanceTo(begin.at);
        if (begin.isInside)
        {
            place.history.mostEarly = place.past->BeginInside();
        }
        else
        {
            place.past->Begin();
        }
    }
    past.AdvanceTo(now);
    past.Finish(); // a rank that has ended in this instant has had what came in it
    job.SetMakingUp({});
}

bool
MemoizedOperation::TakeArrived(RankId rank, const TransportMessage& message)
{
    Place* place = FindHeld(rank, message);
    if (place == nullptr)
    {
        return false;
    }
    if (!m_areSends && !place->isInside && NowPicoseconds() < place->active)
    {
        ++place->history.mostEarly;
    }
    place->history.arrived.push_back(place->past->Arrived(message));
    place->history.latest = NowPicoseconds();
    return true;
}

bool
MemoizedOperation::TakeSettled(RankId rank, const TransportMessage& message)
{
    Place* place = FindHeld(rank, message);
    if (place == nullptr)
    {
        return false;
    }
    place->history.settled.push_back(place->past->Settled(message));
    place->history.latest = NowPicoseconds();
    return true;
}

} // namespace ns3
