/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host-queue.h"

namespace ns3
{

void
HostQueue::SetLimit(QueueSize limit)
{
    m_limit = limit;
    if (m_queue)
    {
        m_queue->SetMaxSize(limit);
    }
}

void
HostQueue::SetInterface(Ptr<NetDeviceQueue> shown)
{
    m_interface = shown;
    if (m_queue)
    {
        m_interface->ConnectQueueTraces(m_queue);
    }
}

Ptr<Queue<Packet>>
HostQueue::GetQueue()
{
    if (!m_queue)
    {
        m_queue = CreateObject<DropTailQueue<Packet>>();
        m_queue->SetMaxSize(m_limit);
        if (m_interface)
        {
            m_interface->ConnectQueueTraces(m_queue);
        }
    }
    return m_queue;
}

bool
HostQueue::Enqueue(Ptr<Packet> packet, Picoseconds now)
{
    // counted first: a callback of the queue's trace may read the count
    const uint32_t before = m_since == now ? m_newest : 0;
    m_since = now;
    m_newest = before + 1;
    if (GetQueue()->Enqueue(packet))
    {
        return true;
    }
    --m_newest;
    return false;
}

Ptr<Packet>
HostQueue::Dequeue()
{
    return m_queue ? m_queue->Dequeue() : nullptr;
}

bool
HostQueue::IsEmpty() const
{
    return !m_queue || m_queue->IsEmpty();
}

uint32_t
HostQueue::GetCount() const
{
    return m_queue ? m_queue->GetNPackets() : 0;
}

bool
HostQueue::WasReady(Picoseconds seen) const
{
    if (!m_queue)
    {
        return false;
    }
    return m_queue->GetNPackets() > (m_since > seen ? m_newest : 0);
}

void
HostQueue::Dispose()
{
    m_queue = nullptr;
    m_interface = nullptr;
}

} // namespace ns3
