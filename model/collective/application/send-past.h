/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SEND_PAST_H
#define PHOTONIC_RAILS_SEND_PAST_H

#include "operation-past.h"

#include "ns3/collective-transport.h"
#include "ns3/memoized-call.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The messages of one end of a send by rendezvous that was to need none, as they are made up
 * for: the receiver reports its call, and the sender sends when it has that report.
 */
class SendPast : public MemoizedPast
{
  public:
    /**
     * @param operation whose ranks are the sender and the receiver
     * @param send which of them calls it
     * @param rail sends them
     * @param isReady of a sender: it has the report already
     */
    SendPast(const OperationPast::Operation& operation,
             const MemoizedSend& send,
             Ptr<Transport> rail,
             bool isReady);

    // MemoizedPast
    bool Concerns(const TransportMessage& message) const override;
    std::map<uint64_t, uint64_t> ListSizes(uint32_t way) const override;
    uint64_t BeginInside() override;
    void SetWays(const std::vector<TransportMessage>& out) override;
    void Begin() override;
    MemoizedMessage Arrived(const TransportMessage& message) override;
    MemoizedMessage Settled(const TransportMessage& message) override;

    bool HasReport() const override
    {
        return m_send.isSender && m_isReady;
    }

  private:
    /** @return the place of the rank at the other end */
    uint32_t GetPeer() const
    {
        return m_send.isSender ? 1 : 0;
    }

    OperationPast m_data; //!< of a sender
    MemoizedSend m_send;
    uint64_t m_number;
    std::vector<TransportMessage> m_out;
    Ptr<Transport> m_rail;
    bool m_isReady;
    bool m_hasBegun{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SEND_PAST_H */
