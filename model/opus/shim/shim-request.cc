/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-request.h"

#include "ns3/opus-words.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

ShimRequest::ShimRequest(const OpusPhase& phase)
    : m_phase(phase)
{
}

void
ShimRequest::Open(const ShimCall& call, uint32_t links, uint64_t number)
{
    m_pairs = call.request.pairs;
    m_bytes = call.request.bytes;
    m_links = links;
    m_number = number;
    m_until = call.until;
    m_run = call.run;
    m_neededAt = call.due;
}

// ------------------------------------------------------------------------- identity

const OpusPhase&
ShimRequest::GetPhase() const
{
    return m_phase;
}

const CallPairs&
ShimRequest::GetPairs() const
{
    return m_pairs;
}

uint32_t
ShimRequest::GetLinks() const
{
    return m_links;
}

uint64_t
ShimRequest::GetNumber() const
{
    return m_number;
}

uint64_t
ShimRequest::GetUntil() const
{
    return m_until;
}

uint64_t
ShimRequest::GetRun() const
{
    return m_run;
}

// ---------------------------------------------------------------- calls of the rank

void
ShimRequest::SetAhead(bool ahead)
{
    m_isAhead = ahead;
}

bool
ShimRequest::IsAhead() const
{
    return m_isAhead;
}

void
ShimRequest::SetHinted()
{
    m_isHinted = true;
}

bool
ShimRequest::IsHinted() const
{
    return m_isHinted;
}

bool
ShimRequest::Covers(const ShimCall& call, const OpusPhase& wanted) const
{
    if (m_isEnding || !IsSamePairs(m_pairs, call.request.pairs))
    {
        return false;
    }
    if (m_phase == wanted || (m_isGranted && m_until == FOR_GOOD))
    {
        return true;
    }
    const bool isRange = m_phase.stage == 0 && wanted.stage == 0 && call.request.stages == 1;
    return isRange && (m_isGranted || !m_isAhead) && m_phase.operation < wanted.operation &&
           wanted.operation <= m_until;
}

void
ShimRequest::Reach(const ShimCall& call)
{
    // a hint knows better than the call how far it reaches
    if (m_isAhead && !m_isGranted && !m_isHinted)
    {
        m_until = call.until;
        m_run = call.run;
    }
}

ShimCall&
ShimRequest::Add(const ShimCall& call)
{
    return m_calls.emplace(GetPlace(call.request), call).first->second;
}

void
ShimRequest::SetAcquire(const ShimCall& call)
{
    m_acquire = call;
}

void
ShimRequest::Park(const ShimCall& call)
{
    m_parked.push_back(call);
}

bool
ShimRequest::Has(const Place& place) const
{
    return m_calls.count(place) != 0;
}

bool
ShimRequest::GiveBack(const Place& place)
{
    ShimCall& call = m_calls.at(place);
    const bool isWithdrawn = call.state == ShimCall::State::WITHDRAWN;
    call.state = isWithdrawn ? ShimCall::State::RETURNED : call.state;
    return isWithdrawn;
}

std::optional<ShimCall>
ShimRequest::TakeReturned(const Place& place, Picoseconds now)
{
    const auto found = m_calls.find(place);
    if (found == m_calls.end() || found->second.state != ShimCall::State::RETURNED)
    {
        return std::nullopt;
    }
    const ShimCall call = found->second;
    m_calls.erase(found);
    m_idleSince = now;
    return call;
}

void
ShimRequest::Finish(const Place& place, Picoseconds now)
{
    m_calls.erase(place);
    m_idleSince = now;
    m_through = std::max(m_through.value_or(0), place.first);
}

void
ShimRequest::EndWhenIdle()
{
    m_isEnding = true;
}

void
ShimRequest::EndProgram()
{
    m_isEnding = m_until != FOR_GOOD || !m_isGranted;
}

// --------------------------------------------------------- messages of the controller

std::optional<ShimCall>
ShimRequest::TakeFirst()
{
    const auto first = m_calls.find(GetPlace(m_phase));
    if (first == m_calls.end())
    {
        return std::nullopt;
    }
    const ShimCall call = first->second;
    m_calls.erase(first);
    return call;
}

std::optional<ShimCall>
ShimRequest::TakeAcquire()
{
    return std::exchange(m_acquire, std::nullopt);
}

void
ShimRequest::Grant(const OpusGrant& grant, const ShimSettings& settings, Picoseconds now)
{
    m_isGranted = true;
    m_until = std::max(grant.until, m_phase.operation);
    const auto circuits = std::make_shared<GrantedCircuits>(grant.circuits, settings.cabling);
    if (grant.isOverRings)
    {
        circuits->SetRings(settings.rings, {grant.gaps.begin(), grant.gaps.end()});
    }
    m_circuits = circuits;
    m_othersFrom = grant.isAhead ? m_foretold : m_requested;
    m_othersUntil = m_othersFrom == NEVER ? 0 : m_othersFrom + grant.others;
    m_reconfiguration = grant.reconfiguration;
    m_linkUp = grant.linkUp;
    m_idleSince = now;
}

std::vector<ShimCall>
ShimRequest::TakeBeyond()
{
    std::vector<ShimCall> beyond;
    for (auto entry = m_calls.begin(); entry != m_calls.end();)
    {
        const ShimCall& call = entry->second;
        if (call.state == ShimCall::State::WAITING && call.request.operation > m_until)
        {
            beyond.push_back(call);
            entry = m_calls.erase(entry);
            continue;
        }
        ++entry;
    }
    return beyond;
}

bool
ShimRequest::Shorten(uint64_t until)
{
    if (until >= m_until)
    {
        return false;
    }
    m_until = until;
    m_isEnding = m_isEnding || until < m_phase.operation;
    return true;
}

void
ShimRequest::CountUp()
{
    ++m_number;
    m_requested = NEVER;
}

// --------------------------------------------------------- messages to the controller

bool
ShimRequest::SetDue()
{
    return !std::exchange(m_isDue, true);
}

bool
ShimRequest::TakeDue()
{
    return std::exchange(m_isDue, false);
}

void
ShimRequest::Send(OpusRequest& request, uint32_t term, Picoseconds now)
{
    Picoseconds& sent = m_isAhead ? m_foretold : m_requested;
    sent = std::min(sent, now); // a REQUEST that is repeated in a new term counts from the first
    request.isAhead = m_isAhead;
    request.bytes = m_bytes;
    request.number = m_number;
    request.until = m_until;
    request.due = m_isAhead ? std::max<Picoseconds>(0, m_neededAt - now) : 0;
    request.links = m_links;
    m_isSent = true;
    m_sentIn = term;
}

bool
ShimRequest::IsSent() const
{
    return m_isSent;
}

bool
ShimRequest::IsSentBefore(uint32_t term) const
{
    return m_isSent && m_sentIn != term;
}

// ----------------------------------------------------------------------------- state

bool
ShimRequest::IsGranted() const
{
    return m_isGranted;
}

const std::shared_ptr<const GrantedCircuits>&
ShimRequest::GetCircuits() const
{
    return m_circuits;
}

bool
ShimRequest::IsEnding() const
{
    return m_isEnding;
}

bool
ShimRequest::IsWaiting() const
{
    return GetWaitingSince() != NEVER;
}

Picoseconds
ShimRequest::GetWaitingSince() const
{
    Picoseconds since = m_acquire ? m_acquire->requested : NEVER;
    for (const auto& [place, call] : m_calls)
    {
        since = call.state == ShimCall::State::WAITING ? std::min(since, call.requested) : since;
    }
    return since;
}

bool
ShimRequest::IsUnderWay() const
{
    return std::any_of(m_calls.begin(), m_calls.end(), [](const auto& call) {
        return call.second.state != ShimCall::State::WAITING;
    });
}

bool
ShimRequest::IsSpare() const
{
    return m_isGranted && m_until != FOR_GOOD && m_calls.empty();
}

bool
ShimRequest::IsOver() const
{
    if (IsUnderWay())
    {
        return false;
    }
    if (!m_isGranted)
    {
        // no answer came, and the rank finished without it; or none of its calls has been made
        return m_through || (m_isEnding && m_isAhead);
    }
    return m_isEnding || (m_through && *m_through >= m_until);
}

Picoseconds
ShimRequest::GetIdleSince() const
{
    return m_idleSince;
}

const std::optional<uint64_t>&
ShimRequest::GetThrough() const
{
    return m_through;
}

std::map<ShimRequest::Place, ShimCall>&
ShimRequest::GetCalls()
{
    return m_calls;
}

const std::map<ShimRequest::Place, ShimCall>&
ShimRequest::GetCalls() const
{
    return m_calls;
}

std::optional<ShimCall>&
ShimRequest::GetAcquire()
{
    return m_acquire;
}

const std::vector<ShimCall>&
ShimRequest::GetParked() const
{
    return m_parked;
}

std::vector<ShimCall>
ShimRequest::GetUnanswered() const
{
    std::vector<ShimCall> calls;
    for (const auto& [place, call] : m_calls)
    {
        if (call.state == ShimCall::State::WAITING)
        {
            calls.push_back(call);
        }
    }
    calls.insert(calls.end(), m_parked.begin(), m_parked.end());
    return calls;
}

// ----------------------------------------------------------------- times of the grant

Picoseconds
ShimRequest::GetOthers(Picoseconds from, Picoseconds to) const
{
    return std::max<Picoseconds>(0, std::min(m_othersUntil, to) - std::max(m_othersFrom, from));
}

Picoseconds
ShimRequest::TakeReconfiguration()
{
    return std::exchange(m_reconfiguration, 0);
}

Picoseconds
ShimRequest::TakeLinkUp()
{
    return std::exchange(m_linkUp, 0);
}

std::string
ShimRequest::Describe() const
{
    std::ostringstream words;
    words << ToWords(m_phase) << " until " << m_until << ", request " << m_number << ": "
          << (m_isGranted ? "held" : (m_isAhead ? "guessed" : "requested"))
          << (m_isEnding ? ", to be given back" : "");
    if (m_through)
    {
        words << ", through with " << *m_through;
    }
    for (const auto& [place, call] : m_calls)
    {
        static constexpr const char* STATES[] = {"waits",
                                                 "is under way",
                                                 "is withdrawn",
                                                 "is given back"};
        words << "; operation " << place.first << ", stage " << place.second << " "
              << STATES[static_cast<std::size_t>(call.state)];
    }
    words << (m_acquire ? "; an acquire waits" : "");
    return words.str();
}

} // namespace ns3
