/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "intra-node-run.h"

#include "ns3/assert.h"
#include "ns3/scale-up-transport.h"

#include <algorithm>
#include <utility>

namespace ns3
{

IntraNodeRun::IntraNodeRun(const ScaleUpClock& clock, Picoseconds latency, uint32_t members)
    : m_clock(clock),
      m_latency(latency),
      m_ports(members),
      m_inputs(members),
      m_counts(members)
{
}

void
IntraNodeRun::SetBusy(MemberId member, const ScaleUpBusy& busy)
{
    m_ports[member.Get()].busy = busy;
}

ScaleUpBusy
IntraNodeRun::GetBusy(MemberId member) const
{
    return m_ports[member.Get()].busy;
}

uint32_t
IntraNodeRun::Add(std::shared_ptr<const IntraNodePlan> plan,
                  std::shared_ptr<const IntraNodeRanks> ranks)
{
    Operation operation;
    for (const IntraNodePlan::Place& its : plan->GetPlaces())
    {
        Place place;
        place.toReceive = its.messagesIn;
        place.toDeliver = its.messagesOut;
        operation.places.push_back(place);
    }
    operation.delivered.assign(plan->GetMessages().size(), NEVER);
    operation.taken.resize(plan->GetMessages().size());
    operation.order.reserve(plan->GetMessages().size());
    operation.rows.assign(plan->GetCells().size(), 0);
    if (plan->KeepsRounds())
    {
        for (const IntraNodePlan::Message& message : plan->GetMessages())
        {
            operation.waits.push_back(message.waits);
        }
        operation.settled.resize(operation.waits.size());
    }
    operation.plan = std::move(plan);
    operation.ranks = std::move(ranks);
    if (m_free.empty())
    {
        m_operations.push_back(std::move(operation));
        return m_operations.size() - 1;
    }
    const uint32_t number = m_free.back();
    m_free.pop_back();
    m_operations[number] = std::move(operation);
    return number;
}

void
IntraNodeRun::Remove(uint32_t operation)
{
    m_operations[operation] = Operation();
    m_free.push_back(operation);
}

void
IntraNodeRun::Call(uint32_t operation, uint32_t place, Picoseconds at)
{
    NS_ASSERT_MSG(at >= m_now, "a call at " << at << " ps comes after " << m_now << " ps");
    if (at > m_now)
    {
        Push({at, What::CALL, operation, place});
        return;
    }
    CallNow(operation, place);
}

// ------------------------------------------------------------------------- time

void
IntraNodeRun::Push(const Event& event)
{
    m_events.push_back(event);
    std::push_heap(m_events.begin(), m_events.end());
}

void
IntraNodeRun::Advance(Picoseconds until)
{
    while (GoOn(until))
    {
    }
    m_now = until == NEVER ? m_now : until;
}

Picoseconds
IntraNodeRun::GetNext() const
{
    return std::min(m_inputs.Get(m_inputs.GetFirst()),
                    m_events.empty() ? NEVER : m_events.front().at);
}

bool
IntraNodeRun::GoOn(Picoseconds until)
{
    const Picoseconds next = GetNext();
    if (!m_posting.empty() && m_posted < std::min(next, until))
    {
        LeaveAll();
        return true;
    }
    if (next == NEVER || next > until)
    {
        return false;
    }
    Step();
    return true;
}

void
IntraNodeRun::Finish()
{
    Advance(NEVER);
}

void
IntraNodeRun::FinishThose(const std::vector<uint32_t>& operations)
{
    for (const uint32_t operation : operations)
    {
        const Operation& its = m_operations[operation];
        while (its.known < its.places.size() && GoOn(NEVER))
        {
        }
    }
}

void
IntraNodeRun::Step()
{
    m_now = GetNext();
    if (const std::size_t member = m_inputs.GetFirst(); m_inputs.Get(member) == m_now)
    {
        Reach(member);
        return;
    }
    const Event event = m_events.front();
    std::pop_heap(m_events.begin(), m_events.end());
    m_events.pop_back();
    if (event.what == What::CALL)
    {
        CallNow(event.operation, event.place);
    }
    else
    {
        Settle(event.operation, event.place);
    }
}

// ------------------------------------------------------------------------- ports

void
IntraNodeRun::LeaveAll()
{
    for (const uint32_t member : m_posting)
    {
        Leave(member);
    }
    m_posting.clear();
}

void
IntraNodeRun::Leave(uint32_t member)
{
    Port& sender = m_ports[member];
    const auto before = [](const Post& a, const Post& b) { return a.order < b.order; };
    if (!std::is_sorted(sender.posts.begin(), sender.posts.end(), before))
    {
        std::stable_sort(sender.posts.begin(), sender.posts.end(), before);
    }
    for (const Post& post : sender.posts)
    {
        const Operation& operation = m_operations[post.operation];
        const IntraNodePlan::Message& message = operation.plan->GetMessages()[post.message];
        const Fraction first = std::max(sender.busy.out, m_clock.FromPicoseconds(m_posted));
        sender.busy.out = first + m_clock.GetSpan(message.bytes);
        const Fraction reaches = first + m_clock.FromPicoseconds(m_latency);
        const uint32_t to = operation.ranks->members[message.to].Get();
        std::vector<Waiting>& waiting = m_ports[to].waiting;
        const Picoseconds at = m_clock.Round(reaches);
        waiting.push_back({reaches, at, member, m_sequence++, post.operation, post.message});
        std::push_heap(waiting.begin(), waiting.end());
        m_inputs.Set(to, std::min(m_inputs.Get(to), at));
    }
    sender.posts.clear();
}

void
IntraNodeRun::Reach(uint32_t member)
{
    Port& port = m_ports[member];
    while (!port.waiting.empty() && port.waiting.front().at <= m_now)
    {
        std::pop_heap(port.waiting.begin(), port.waiting.end());
        const Waiting next = port.waiting.back();
        port.waiting.pop_back();
        const uint64_t bytes = m_operations[next.operation].plan->GetMessages()[next.message].bytes;
        port.busy.in = std::max(port.busy.in, next.reaches) + m_clock.GetSpan(bytes);
        port.due.push_back({m_clock.Round(port.busy.in), next.operation, next.message});
    }
    while (!port.due.empty() && port.due.front().at <= m_now)
    {
        const Due due = port.due.front();
        port.due.pop_front();
        Deliver(due.operation, due.message);
    }
    FindNext(member);
}

void
IntraNodeRun::FindNext(uint32_t member)
{
    const Port& port = m_ports[member];
    m_inputs.Set(member,
                 std::min(port.waiting.empty() ? NEVER : port.waiting.front().at,
                          port.due.empty() ? NEVER : port.due.front().at));
}

void
IntraNodeRun::Send(uint32_t operation, uint32_t message)
{
    const Operation& its = m_operations[operation];
    const IntraNodePlan::Message& one = its.plan->GetMessages()[message];
    const uint32_t member = its.ranks->members[one.from].Get();
    ++m_counts[member].messagesSent;
    m_counts[member].bytesSent += one.bytes;
    Port& port = m_ports[member];
    if (port.posts.empty())
    {
        m_posting.push_back(member);
        m_posted = m_now;
    }
    port.posts.push_back({ScaleUpTransport::GetOrder(ScaleUpParcel::PLAIN,
                                                     its.ranks->ranks[one.from],
                                                     its.ranks->ranks[one.to],
                                                     its.ranks->group,
                                                     one.channel,
                                                     one.place),
                          operation,
                          message});
}

// ------------------------------------------------------------------------- ranks

void
IntraNodeRun::CallNow(uint32_t operation, uint32_t place)
{
    Operation& its = m_operations[operation];
    its.places[place].waited = CountEarly(its.ranks->group, its.ranks->members[place].Get());
    its.places[place].called = true;
    its.places[place].last = m_now;
    for (const uint32_t message : its.plan->GetPlaces()[place].starts)
    {
        Send(operation, message);
    }
    std::vector<uint32_t> early;
    std::vector<uint32_t> others;
    for (const uint32_t message : its.early)
    {
        (its.plan->GetMessages()[message].to == place ? early : others).push_back(message);
    }
    its.early.swap(others);
    for (const uint32_t message : early)
    {
        Take(operation, message);
    }
    FindEnd(operation, place);
}

void
IntraNodeRun::Deliver(uint32_t operation, uint32_t message)
{
    Operation& its = m_operations[operation];
    const IntraNodePlan::Message& one = its.plan->GetMessages()[message];
    const uint32_t member = its.ranks->members[one.to].Get();
    ++m_counts[member].messagesDelivered;
    m_counts[member].bytesDelivered += one.bytes;
    its.delivered[message] = m_now;
    its.order.push_back(message);
    Place& from = its.places[one.from];
    --from.toDeliver;
    from.lastOut = m_now;
    if (one.isAwaited)
    {
        Push({m_now + m_latency, What::SETTLE, operation, message});
    }
    if (its.places[one.to].called)
    {
        Take(operation, message);
        FindEnd(operation, one.to);
    }
    else
    {
        its.early.push_back(message);
    }
    FindEnd(operation, one.from);
}

void
IntraNodeRun::Take(uint32_t operation, uint32_t message)
{
    Operation& its = m_operations[operation];
    const IntraNodePlan::Message& one = its.plan->GetMessages()[message];
    Place& place = its.places[one.to];
    --place.toReceive;
    place.last = m_now;
    its.taken[message] = true;
    TakeIn(operation, one.cell, its.taken);
    if (its.plan->KeepsRounds())
    {
        TakeIn(operation, one.turnIn, its.taken);
    }
}

void
IntraNodeRun::Settle(uint32_t operation, uint32_t message)
{
    Operation& its = m_operations[operation];
    its.settled[message] = true;
    TakeIn(operation, its.plan->GetMessages()[message].turnOut, its.settled);
}

void
IntraNodeRun::TakeIn(uint32_t operation, uint32_t cellOf, const std::vector<bool>& done)
{
    Operation& its = m_operations[operation];
    const IntraNodePlan::Cell& cell = its.plan->GetCells()[cellOf];
    if (cell.outgoing.empty())
    {
        return;
    }
    uint32_t& row = its.rows[cellOf];
    const uint32_t before = row;
    while (row < cell.incoming.size() && done[cell.incoming[row]])
    {
        ++row;
    }
    for (const IntraNodePlan::Release& release : cell.outgoing)
    {
        const bool isNew = release.needs > before && release.needs <= row;
        if (isNew && (its.waits.empty() || --its.waits[release.message] == 0))
        {
            Send(operation, release.message);
        }
    }
}

void
IntraNodeRun::FindEnd(uint32_t operation, uint32_t place)
{
    Place& its = m_operations[operation].places[place];
    if (its.called && its.toReceive == 0 && its.toDeliver == 0 && its.end == NEVER)
    {
        const bool sends = m_operations[operation].plan->GetPlaces()[place].messagesOut > 0;
        its.end = sends ? std::max(its.last, its.lastOut + m_latency) : its.last;
        ++m_operations[operation].known;
        ++m_ends;
    }
}

uint64_t
IntraNodeRun::CountEarly(GroupId group, uint32_t member) const
{
    uint64_t count = 0;
    for (const Operation& operation : m_operations)
    {
        if (!operation.ranks || operation.ranks->group != group)
        {
            continue;
        }
        for (const uint32_t message : operation.early)
        {
            const uint32_t to = operation.plan->GetMessages()[message].to;
            const bool its = operation.ranks->members[to].Get() == member;
            count += its && operation.delivered[message] < m_now ? 1 : 0;
        }
    }
    return count;
}

// ----------------------------------------------------------------------- reports

std::vector<IntraNodeRun::Delivery>
IntraNodeRun::GetDeliveries(uint32_t operation) const
{
    const Operation& its = m_operations[operation];
    std::vector<Delivery> deliveries;
    for (const uint32_t message : its.order)
    {
        deliveries.push_back({operation, message, its.delivered[message]});
    }
    return deliveries;
}

std::vector<IntraNodeRun::UnderWay>
IntraNodeRun::GetSent() const
{
    std::vector<UnderWay> sent;
    for (const uint32_t member : m_posting)
    {
        for (const Post& post : m_ports[member].posts)
        {
            sent.push_back({post.operation, post.message, 0, NEVER});
        }
    }
    return sent;
}

std::vector<IntraNodeRun::UnderWay>
IntraNodeRun::GetUnderWay() const
{
    std::vector<UnderWay> underWay;
    for (const Port& port : m_ports)
    {
        for (std::size_t d = 0; d < port.due.size(); ++d)
        {
            underWay.push_back({port.due[d].operation, port.due[d].message, 0, port.due[d].at});
        }
        std::vector<Waiting> waiting = port.waiting;
        std::sort(waiting.rbegin(), waiting.rend()); // the first one is the greatest
        for (const Waiting& one : waiting)
        {
            underWay.push_back({one.operation, one.message, one.reaches, NEVER});
        }
    }
    return underWay;
}

Picoseconds
IntraNodeRun::GetLastActivity(MemberId member) const
{
    Picoseconds last = 0;
    for (const Operation& operation : m_operations)
    {
        for (const uint32_t message : operation.order)
        {
            const IntraNodePlan::Message& one = operation.plan->GetMessages()[message];
            const Picoseconds delivered = operation.delivered[message];
            if (operation.ranks->members[one.to] == member)
            {
                last = std::max(last, delivered);
            }
            if (operation.ranks->members[one.from] == member && delivered + m_latency <= m_now)
            {
                last = std::max(last, delivered + m_latency);
            }
        }
    }
    return last;
}

uint32_t
IntraNodeRun::Merge(const IntraNodeRun& other, const std::vector<MemberId>& members)
{
    NS_ASSERT_MSG(m_now == other.m_now, "runs at different instants");
    const uint32_t first = m_operations.size();
    m_operations.insert(m_operations.end(), other.m_operations.begin(), other.m_operations.end());
    for (const uint32_t number : other.m_free)
    {
        m_free.push_back(first + number);
    }
    for (const MemberId member : members)
    {
        m_counts[member.Get()] = other.m_counts[member.Get()];
        Port& port = m_ports[member.Get()];
        port = other.m_ports[member.Get()];
        for (Post& post : port.posts)
        {
            post.operation += first;
        }
        for (Waiting& waiting : port.waiting)
        {
            waiting.operation += first;
        }
        for (std::size_t d = 0; d < port.due.size(); ++d)
        {
            port.due[d].operation += first;
        }
        FindNext(member.Get());
    }
    for (Event event : other.m_events)
    {
        event.operation += first;
        Push(event);
    }
    m_posting.insert(m_posting.end(), other.m_posting.begin(), other.m_posting.end());
    m_posted = other.m_posting.empty() ? m_posted : other.m_posted;
    m_sequence = std::max(m_sequence, other.m_sequence);
    m_ends += other.m_ends;
    return first;
}

} // namespace ns3
