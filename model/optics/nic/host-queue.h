/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_QUEUE_H
#define PHOTONIC_RAILS_HOST_QUEUE_H

#include "ns3/drop-tail-queue.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/packet.h"
#include "ns3/picoseconds.h"
#include "ns3/queue-size.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The host stack's packets of one traffic class, in a NIC port: an ns-3 queue that also has
 * its state before the present instant.
 */
class HostQueue
{
  public:
    /**
     * @param limit its capacity
     */
    void SetLimit(QueueSize limit);

    /** @param shown shows the fill of the queue to the host stack, from the first packet on */
    void SetInterface(Ptr<NetDeviceQueue> shown);

    /** @return the ns-3 queue, which is created when it is first needed */
    Ptr<Queue<Packet>> GetQueue();

    /**
     * @param now the present instant
     * @return false if the queue is full
     */
    bool Enqueue(Ptr<Packet> packet, Picoseconds now);

    /** @return the oldest packet, or null */
    Ptr<Packet> Dequeue();

    /** @return whether the queue is empty */
    bool IsEmpty() const;

    /** @return the number of packets */
    uint32_t GetCount() const;

    /**
     * @param seen an instant, the present one or the one before
     * @return whether a packet that is still in the queue was there at the end of that instant
     */
    bool WasReady(Picoseconds seen) const;

    /** Drops the queue. */
    void Dispose();

  private:
    QueueSize m_limit{QueueSizeUnit::PACKETS, 1};
    Ptr<Queue<Packet>> m_queue;
    Ptr<NetDeviceQueue> m_interface;    //!< null: the host stack does not look at the fill
    uint32_t m_newest{0};               //!< packets that came at the latest instant of arrival
    Picoseconds m_since{ALWAYS_BEFORE}; //!< that instant
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_QUEUE_H */
