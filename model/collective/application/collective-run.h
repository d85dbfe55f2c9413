/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_RUN_H
#define PHOTONIC_RAILS_COLLECTIVE_RUN_H

#include "ns3/rank-schedule.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One operation as it runs at one rank: which messages may go, given what has come.
 *
 * A chunk goes in messages of the message size, the last of them shorter, and each message goes on
 * by itself. Stages are closed until OpenStage(); messages of a closed stage wait.
 *
 * Plain C++: no simulator. It calls its owner for each message to send; it is told of what arrives
 * and what is settled, in any order.
 */
class CollectiveRun
{
  public:
    using Wires = CollectiveTransfer::Wires;

    /** Messages of an operation from a rank to another on a channel: a tag tells no more apart. */
    static constexpr uint64_t MOST_MESSAGES = uint64_t{1} << 18;

    /** A message to send. */
    struct Message
    {
        uint32_t peer{0}; //!< its place in the group
        uint16_t channel{0};
        Wires wires{Wires::RAIL};
        uint32_t ordinal{0}; //!< among the operation's messages to that rank on that channel
        uint64_t bytes{0};
        uint32_t stage{0};
    };

    /** Sends the messages. */
    class Owner
    {
      public:
        virtual ~Owner() = default;
        /** A message may go, now. @param run whose @param message it */
        virtual void SendMessage(CollectiveRun& run, const Message& message) = 0;
    };

    /**
     * Aborts if there are more than MOST_MESSAGES.
     * @param part what the rank does
     * @param buffer bytes of the buffer
     * @param messageSize bytes of a message at most
     * @param owner sends
     */
    CollectiveRun(std::shared_ptr<const RankSchedule> part,
                  uint64_t buffer,
                  uint64_t messageSize,
                  Owner& owner);

    /** Sends what depends on nothing, once its stages are open. */
    void Start();

    /** There are circuits for a stage. @param stage of the schedule */
    void OpenStage(uint32_t stage);
    /** There are none any more: what would go in the stage waits. @param stage of the schedule */
    void CloseStage(uint32_t stage);

    /**
     * A message is there.
     * @param peer where it comes from, a place in the group
     * @param channel on which
     * @param ordinal which
     * @param bytes how much
     * @return why it can't be, or nothing
     */
    std::string Arrived(uint32_t peer, uint16_t channel, uint32_t ordinal, uint64_t bytes);

    /**
     * The other end has a message.
     * @param peer the other end, a place in the group
     * @param channel on which it went
     * @param ordinal which it was
     */
    void Settled(uint32_t peer, uint16_t channel, uint32_t ordinal);

    /** @return whether messages are still to come @param peer from there @param channel on which */
    bool Awaits(uint32_t peer, uint16_t channel) const;

    /** @return whether all messages for this rank have come */
    bool HasReceivedAll() const
    {
        return m_toReceive == 0;
    }

    /** @return whether all has been sent and settled, and all has come */
    bool IsOver() const
    {
        return m_toReceive == 0 && m_toSettle == 0;
    }

    /** @return whether that is so of one stage @param stage of the schedule */
    bool IsStageOver(uint32_t stage) const
    {
        return m_openOfStage[stage] == 0;
    }

    /** @return bytes that go out in a stage, on the rail @param stage of the schedule */
    uint64_t GetBytesOut(uint32_t stage) const;

    /** @return messages on the rail that are not settled @param stage of the schedule */
    uint64_t GetUnsettledOf(uint32_t stage) const
    {
        return m_unsettledOfStage[stage];
    }

    /** A message that has not come. */
    struct Missing
    {
        uint32_t peer{0};
        uint16_t channel{0};
        uint32_t ordinal{0};
        uint32_t chunk{0};
        uint64_t messages{0}; //!< from there that have not come
    };

    /** @return what has not come, the first from each rank and channel */
    std::vector<Missing> GetMissing() const;

    /** @return messages that are sent and not settled */
    uint64_t GetUnsettled() const
    {
        return m_sent - m_settled;
    }

    /** @return messages that wait until their stage is open */
    uint64_t GetWaiting() const;

    /** @return messages sent */
    uint64_t GetMessagesSent() const
    {
        return m_sent;
    }

    /** @return bytes sent */
    uint64_t GetBytesSent() const
    {
        return m_bytesSent;
    }

    /** @return messages that came */
    uint64_t GetMessagesReceived() const
    {
        return m_come;
    }

    /** @return bytes that came */
    uint64_t GetBytesReceived() const
    {
        return m_bytesReceived;
    }

    /** @return what the rank does */
    const RankSchedule& GetPart() const
    {
        return *m_part;
    }

  private:
    /** @return the transfer of a way that a message belongs to @param first by transfer */
    static uint32_t Find(const RankSchedule::Way& way,
                         const std::vector<uint32_t>& first,
                         uint32_t ordinal);
    /** @return the ordinal behind a chunk's messages on a way @param ordinal of their first */
    uint32_t Behind(uint64_t ordinal, uint32_t chunk) const;
    /** @return the number of messages of a chunk */
    uint64_t PiecesOf(uint32_t chunk) const;
    /** @return bytes of one of them */
    uint64_t BytesOf(uint32_t chunk, uint32_t piece) const;
    /** A message may go as far as other messages are concerned. */
    void Ready(uint32_t outgoing, uint32_t piece);
    /** Sends a message. */
    void Send(uint32_t outgoing, uint32_t piece);

    std::shared_ptr<const RankSchedule> m_part;
    uint64_t m_buffer;
    uint64_t m_messageSize;
    Owner& m_owner;

    std::vector<uint32_t> m_firstOut;    //!< by outgoing transfer: ordinal of its first message
    std::vector<uint32_t> m_firstIn;     //!< by incoming transfer: ordinal of its first message
    std::vector<uint64_t> m_flagsOf;     //!< by incoming transfer: where its flags begin
    std::vector<bool> m_flags;           //!< by incoming transfer and message: whether it has come
    std::vector<uint64_t> m_countsOf;    //!< by slot: where its counts begin
    std::vector<uint16_t> m_counts;      //!< by slot and message: arrivals in a row from the first
    std::vector<uint64_t> m_toReceiveOf; //!< by way: messages
    std::vector<bool> m_open;            //!< by stage
    std::vector<std::vector<std::pair<uint32_t, uint32_t>>> m_waiting; //!< by stage
    std::vector<uint64_t> m_openOfStage;      //!< by stage: messages to come or to be settled
    std::vector<uint64_t> m_unsettledOfStage; //!< by stage: messages on the rail
    uint64_t m_toReceive{0};
    uint64_t m_toSettle{0};
    uint64_t m_sent{0};
    uint64_t m_settled{0};
    uint64_t m_come{0};
    uint64_t m_bytesSent{0};
    uint64_t m_bytesReceived{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_RUN_H */
