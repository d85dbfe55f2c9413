/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_QUEUE_PAIR_OWNER_H
#define PHOTONIC_RAILS_RDMA_QUEUE_PAIR_OWNER_H

#include "rdma-message.h"

#include "ns3/batch-mode.h"

#include <cstdint>
#include <string>

namespace ns3
{

class RdmaPort;
class RdmaQueuePair;

/**
 * @ingroup photonic-rails
 * @brief The interface of an RdmaQueuePair to the engine that owns it.
 *
 * The queue pair runs over ports of the owner, which are counted from 0.
 */
class RdmaQueuePairOwner
{
  public:
    virtual ~RdmaQueuePairOwner() = default;

    /** @return largest payload of a frame, in bytes */
    virtual uint32_t GetMtu() const = 0;

    /** @return the transport behind a port, with complete counts of the past */
    virtual const RdmaPort& GetPort(uint32_t port) const = 0;

    /** @return the same, which may be behind: for what does not change while messages skip */
    virtual RdmaPort& PeekPort(uint32_t port) = 0;

    /** What a port has carried without frames is to be in its counts. */
    virtual void MakeUp(uint32_t port) = 0;

    /**
     * Sends a piece of a message over one port.
     * @param queuePair its number on that port
     * @param watch as RdmaQueuePair::SetWatch()
     */
    virtual void PostPiece(uint32_t port,
                           uint32_t queuePair,
                           const RdmaMessage& piece,
                           const BatchWatch* watch) = 0;

    /** Makes a queue pair fail on one port. @param queuePair its number on that port */
    virtual void FailSubQueuePair(uint32_t port, uint32_t queuePair, const std::string& why) = 0;

    /** A message is settled. */
    virtual void NotifyMessageSettled(const RdmaQueuePair& queuePair,
                                      const RdmaMessage& message) = 0;

    /** A message has arrived. */
    virtual void NotifyMessageArrived(const RdmaQueuePair& queuePair,
                                      const RdmaMessage& message) = 0;

    /** A message failed. */
    virtual void NotifyMessageFailed(const RdmaQueuePair& queuePair,
                                     const RdmaMessage& message,
                                     const std::string& why) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RDMA_QUEUE_PAIR_OWNER_H */
