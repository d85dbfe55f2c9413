/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OUTGOING_MESSAGES_H
#define PHOTONIC_RAILS_OUTGOING_MESSAGES_H

#include "message-frames.h"
#include "rdma-message.h"

#include "ns3/ring-queue.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/** A message of a queue pair, in the order of all its messages: its place among their frames. */
struct MessageInOrder
{
    RdmaMessage message;
    MessageFrames frames{RdmaVerb::WRITE, 0, 256};
    uint64_t begin{0}; //!< index of its first frame

    /** @return the index of the frame after its last */
    uint64_t End() const
    {
        return begin + frames.GetCount();
    }
};

/**
 * @ingroup photonic-rails
 * @brief The messages that a queue pair sends, in order: open ones, and settled ones for as long as
 * a frame of theirs may still be described.
 *
 * The frames of all messages are numbered through by one index. Each message begins where the one
 * before it ends.
 *
 * Plain C++: no simulator.
 */
class OutgoingMessages
{
  public:
    /**
     * Adds a message behind the others.
     * @param message its id is set here
     * @param mtu bytes of payload of a frame
     * @param begin the index of its first frame
     * @return the message with its place
     */
    const MessageInOrder& Add(RdmaMessage message, uint32_t mtu, uint64_t begin);

    /** @return the message that a frame belongs to */
    const MessageInOrder& Of(uint64_t frame) const
    {
        if (m_hint >= m_messages.size() || m_messages[m_hint].begin > frame)
        {
            m_hint = 0;
        }
        while (m_messages[m_hint].End() <= frame)
        {
            ++m_hint;
        }
        return m_messages[m_hint];
    }

    /** @return the number of messages that are not settled */
    std::size_t GetOpen() const
    {
        return m_messages.size() - m_settled;
    }

    /** @return the frames of each message that is open, at least; 0 if there was none */
    uint64_t GetLeastFrames() const
    {
        return m_leastFrames;
    }

    /**
     * @param frame all frames before it would be settled
     * @return whether a message that is open would be
     */
    bool WouldSettle(uint64_t frame) const
    {
        return m_settled < m_messages.size() && frame >= m_messages[m_settled].End();
    }

    /**
     * All frames before one are settled.
     * @param [out] settled the messages that this settles are appended, in order
     */
    void SettleUpTo(uint64_t frame, std::vector<RdmaMessage>& settled);

    /** Removes settled messages whose frames all lie before one. */
    void ForgetUpTo(uint64_t frame)
    {
        while (m_settled > 0 && m_messages.front().End() <= frame)
        {
            m_messages.pop_front();
            --m_settled;
            m_hint -= m_hint > 0 ? 1 : 0;
        }
    }

    /** Counts messages that were sent and settled without entries. There must be no entries. */
    void Skip(uint64_t messages)
    {
        m_ids += messages;
    }

    /** @return the messages that were open, in order; none is from now on */
    std::vector<RdmaMessage> CloseAll();

  private:
    RingQueue<MessageInOrder> m_messages;
    std::size_t m_settled{0};      //!< number of settled ones among them, which come first
    mutable std::size_t m_hint{0}; //!< the first entry that Of() checks
    uint64_t m_ids{0};             //!< messages so far
    uint64_t m_leastFrames{0};     //!< of a message since none was open
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OUTGOING_MESSAGES_H */
