/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "message-poster.h"

#include "message-tag.h"

#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{

MessagePoster::MessagePoster() = default;

MessagePoster::~MessagePoster() = default;

void
MessagePoster::SetTimes(const CollectiveTimes& times)
{
    for (std::size_t kind = 0; kind < TRANSPORT_KINDS; ++kind)
    {
        const TransportTimes& its = times.Get(static_cast<TransportKind>(kind));
        m_threads[kind].SetTime(its.message.GetTimeStep());
    }
}

bool
MessagePoster::TakesTime() const
{
    for (const Thread& thread : m_threads)
    {
        if (thread.TakesTime())
        {
            return true;
        }
    }
    return false;
}

void
MessagePoster::Post(TransportKind kind, Ptr<Transport> transport, const TransportMessage& message)
{
    Thread& thread = m_threads[static_cast<std::size_t>(kind)];
    if (!thread.TakesTime())
    {
        transport->Send(message);
        return;
    }
    thread.Add({transport, message});
}

void
MessagePoster::Clear()
{
    for (Thread& thread : m_threads)
    {
        thread.Clear();
    }
}

// ------------------------------------------------------------------------ Thread

MessagePoster::Thread::~Thread()
{
    Clear();
}

void
MessagePoster::Thread::SetTime(Picoseconds time)
{
    m_time = time;
}

bool
MessagePoster::Thread::TakesTime() const
{
    return m_time > 0;
}

void
MessagePoster::Thread::Add(const Item& item)
{
    const TransportMessage& message = item.message;
    const uint32_t distance = message.to.Get() - message.from.Get();
    m_instant.Add({MessageTag::GetOrdinal(message.tag),
                   uint64_t{message.group.Get()} << 32 | distance,
                   uint64_t{message.channel} << 32 | message.tag},
                  [this, item]() { Begin(item); });
}

void
MessagePoster::Thread::Clear()
{
    m_instant.Clear();
    m_items.clear();
    Simulator::Remove(m_event);
    m_event = EventId();
}

void
MessagePoster::Thread::Begin(const Item& item)
{
    m_items.push_back(item);
    PostNext();
}

void
MessagePoster::Thread::PostNext()
{
    if (!m_items.empty() && !IsEventPending(m_event))
    {
        m_event = Simulator::Schedule(ToTime(m_time), &Thread::Posted, this);
    }
}

void
MessagePoster::Thread::Posted()
{
    const Item item = m_items.front();
    m_items.pop_front();
    PostNext();
    item.transport->Send(item.message);
}

} // namespace ns3
