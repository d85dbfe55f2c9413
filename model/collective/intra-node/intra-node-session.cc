/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "intra-node-session.h"

#include "operation-alone.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{

IntraNodeSession::IntraNodeSession(Ptr<const ScaleUpDomain> domain, Ptr<IntraNodeMemory> memory)
    : m_domain(std::move(domain)),
      m_memory(std::move(memory))
{
}

void
IntraNodeSession::AddMembers(const std::vector<MemberId>& members)
{
    for (const MemberId member : members)
    {
        if (std::find(m_members.begin(), m_members.end(), member) != m_members.end())
        {
            continue;
        }
        m_members.push_back(member);
        if (m_run)
        {
            m_run->SetBusy(member, m_domain->GetBusy(member));
        }
    }
}

void
IntraNodeSession::Merge(IntraNodeSession& other, Picoseconds now)
{
    Advance(now);
    other.Advance(now);
    const uint32_t first = m_run->Merge(*other.m_run, other.m_members);
    for (const std::shared_ptr<Operation>& operation : other.m_operations)
    {
        operation->index += first;
        operation->session = this;
        m_operations.push_back(operation);
    }
    m_members.insert(m_members.end(), other.m_members.begin(), other.m_members.end());
    committed.resize(std::max(committed.size(), other.committed.size()));
    for (std::size_t member = 0; member < other.committed.size(); ++member)
    {
        const ScaleUpCount& its = other.committed[member];
        if (its.messagesSent + its.messagesDelivered > 0)
        {
            committed[member] = its; // their members differ
        }
    }
    m_ahead.reset();
    m_result.reset();
    m_lastEnd = NEVER;
}

void
IntraNodeSession::Add(const std::shared_ptr<Operation>& operation, Picoseconds now)
{
    operation->session = this;
    if (!m_operations.empty() || m_run)
    {
        Advance(now);
        operation->index = m_run->Add(operation->plan, operation->ranks);
        m_ahead.reset();
        m_result.reset();
    }
    m_operations.push_back(operation);
    m_lastEnd = NEVER;
}

bool
IntraNodeSession::Call(Operation& operation, uint32_t place, Picoseconds now)
{
    Party& party = operation.parties[place];
    if (IsLazy())
    {
        party.state = Party::State::RUNNING;
        party.calledAt = now;
        if (operation.calls == operation.parties.size())
        {
            PlanLazily(now);
        }
        return true;
    }
    Advance(now);
    party.state = Party::State::RUNNING;
    party.calledAt = now;
    m_run->Call(operation.index, place, now);
    m_ahead.reset();
    m_result.reset();
    m_lastEnd = NEVER;
    party.end = m_run->GetEnd(operation.index, place);
    party.waited = m_run->GetEarly(operation.index, place);
    return false;
}

bool
IntraNodeSession::IsSettled(GroupId group) const
{
    return m_operations.size() == 1 && m_operations.front()->group == group &&
           m_operations.front()->calls == m_operations.front()->parties.size();
}

bool
IntraNodeSession::IsLazy() const
{
    return m_operations.size() == 1 && !m_run && m_operations.front()->plan->NeedsAll();
}

// -------------------------------------------------------------------------- runs

IntraNodeRun
IntraNodeSession::MakeFreshRun()
{
    IntraNodeRun run(m_domain->GetClock(),
                     m_domain->GetLatency().GetTimeStep(),
                     m_domain->GetMembers());
    for (const MemberId member : m_members)
    {
        run.SetBusy(member, m_domain->GetBusy(member));
    }
    for (const std::shared_ptr<Operation>& operation : m_operations)
    {
        operation->index = run.Add(operation->plan, operation->ranks);
        for (uint32_t place = 0; place < operation->parties.size(); ++place)
        {
            const Party& party = operation->parties[place];
            if (party.state != Party::State::NOT_CALLED)
            {
                run.Call(operation->index, place, party.calledAt);
            }
        }
    }
    return run;
}

void
IntraNodeSession::Advance(Picoseconds now)
{
    if (!m_run)
    {
        m_run = MakeFreshRun();
    }
    if (m_ahead && m_ahead->GetNow() <= now)
    {
        m_run = std::move(m_ahead);
        m_ahead.reset();
    }
    m_run->Advance(now);
    for (const std::shared_ptr<Operation>& operation : m_operations)
    {
        for (uint32_t place = 0; place < operation->parties.size(); ++place)
        {
            Party& party = operation->parties[place];
            const Picoseconds end = m_run->GetEnd(operation->index, place);
            if (party.state == Party::State::RUNNING)
            {
                party.waited = m_run->GetEarly(operation->index, place);
                party.end = end != NEVER ? end : party.end;
            }
        }
    }
}

void
IntraNodeSession::Prune()
{
    const auto isOver = [this](const std::shared_ptr<Operation>& operation) {
        for (const Party& party : operation->parties)
        {
            if (party.state == Party::State::NOT_CALLED || party.state == Party::State::RUNNING)
            {
                return false;
            }
        }
        m_run->Remove(operation->index);
        if (m_ahead)
        {
            m_ahead->Remove(operation->index);
        }
        operation->session = nullptr;
        return true;
    };
    m_operations.erase(std::remove_if(m_operations.begin(), m_operations.end(), isOver),
                       m_operations.end());
}

void
IntraNodeSession::Plan()
{
    std::vector<uint32_t> ending; // the others are over nowhere before all ranks have called them
    for (const std::shared_ptr<Operation>& operation : m_operations)
    {
        if (!operation->plan->NeedsAll() || operation->calls == operation->parties.size())
        {
            ending.push_back(operation->index);
        }
    }
    m_ahead.reset();
    if (ending.empty())
    {
        SetEnds(*m_run);
        return;
    }
    m_ahead = m_run;
    m_ahead->FinishThose(ending);
    SetEnds(*m_ahead);
}

void
IntraNodeSession::SetEnds(const IntraNodeRun& run)
{
    m_lastEnd = 0;
    for (const std::shared_ptr<Operation>& operation : m_operations)
    {
        for (uint32_t place = 0; place < operation->parties.size(); ++place)
        {
            Party& party = operation->parties[place];
            if (party.state == Party::State::RUNNING)
            {
                party.end = run.GetEnd(operation->index, place);
            }
            m_lastEnd = std::max(m_lastEnd, party.end); // not called: NEVER
        }
    }
}

// ------------------------------------------------------------- an operation alone

void
IntraNodeSession::PlanLazily(Picoseconds now)
{
    Operation& operation = *m_operations.front();
    Picoseconds from = NEVER;
    for (const Party& party : operation.parties)
    {
        from = std::min(from, party.calledAt);
    }
    if (!AreIdle(from))
    {
        Advance(now);
        Plan();
        return;
    }
    std::vector<Picoseconds> calls;
    for (const Party& party : operation.parties)
    {
        calls.push_back(party.calledAt - from);
    }
    m_from = from;
    m_result = WorkOutAlone(*m_memory, *m_domain, operation.plan, operation.ranks, calls);
    m_lastEnd = 0;
    for (uint32_t place = 0; place < operation.parties.size(); ++place)
    {
        Party& party = operation.parties[place];
        party.end = from + m_result->ends[place];
        party.waited = m_result->waited[place];
        m_lastEnd = std::max(m_lastEnd, party.end);
    }
}

bool
IntraNodeSession::AreIdle(Picoseconds from) const
{
    const ScaleUpClock::Fraction since = m_domain->GetClock().FromPicoseconds(from);
    return std::all_of(m_members.begin(), m_members.end(), [&](MemberId member) {
        const ScaleUpBusy busy = m_domain->GetBusy(member);
        return busy.out <= since && busy.in <= since;
    });
}

// ----------------------------------------------------------------------- results

Picoseconds
IntraNodeSession::GetNextEnd() const
{
    Picoseconds next = NEVER;
    for (const std::shared_ptr<Operation>& operation : m_operations)
    {
        for (const Party& party : operation->parties)
        {
            if (party.state == Party::State::RUNNING)
            {
                next = std::min(next, party.end);
            }
        }
    }
    return next;
}

ScaleUpBusy
IntraNodeSession::GetLastBusy(MemberId member) const
{
    if (!m_result)
    {
        return (m_ahead ? *m_ahead : *m_run).GetBusy(member);
    }
    const std::vector<MemberId>& members = m_operations.front()->ranks->members;
    const std::size_t place = std::find(members.begin(), members.end(), member) - members.begin();
    const ScaleUpClock::Fraction since = m_domain->GetClock().FromPicoseconds(m_from);
    const ScaleUpBusy& busy = m_result->busy[place];
    return {busy.out + since, busy.in + since};
}

ScaleUpCount
IntraNodeSession::GetLastCount(MemberId member) const
{
    if (!m_result)
    {
        return (m_ahead ? *m_ahead : *m_run).GetCount(member);
    }
    const Operation& operation = *m_operations.front();
    const std::vector<MemberId>& members = operation.ranks->members;
    const std::size_t place = std::find(members.begin(), members.end(), member) - members.begin();
    const IntraNodePlan::Place& its = operation.plan->GetPlaces()[place];
    return {its.messagesOut, its.bytesOut, its.messagesIn, its.bytesIn};
}

} // namespace ns3
