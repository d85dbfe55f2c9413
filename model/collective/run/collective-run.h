/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_RUN_H
#define PHOTONIC_RAILS_COLLECTIVE_RUN_H

#include "ns3/collective-protocol.h"
#include "ns3/message-totals.h"
#include "ns3/rank-schedule.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One operation as it runs at one rank. It decides which messages may go, by the messages
 * that have come.
 *
 * A chunk goes in messages of the message size, of which the last may be shorter. Each message is
 * forwarded by itself. Stages are closed until OpenStage(); messages of a closed stage wait. The
 * protocol adds flags to the data of each message; counts of bytes are of data.
 *
 * Plain C++: no simulator. It calls its owner for each message to send; the owner reports arrivals
 * and settled messages, in any order.
 */
class CollectiveRun
{
  public:
    using Wires = CollectiveTransfer::Wires;

    /**
     * The most messages of an operation from one rank to another on a channel that a tag can
     * distinguish.
     */
    static constexpr uint64_t MOST_MESSAGES = uint64_t{1} << 18;

    /** A message to send. */
    struct Message
    {
        uint32_t peer{0}; //!< the destination: a place in the group
        uint16_t channel{0};
        Wires wires{Wires::RAIL};
        uint32_t ordinal{0}; //!< among the operation's messages to that rank on that channel
        uint32_t place{0};   //!< of its transfer among those that the rank sends
        uint64_t bytes{0};   //!< on wires: of data, and of the protocol's flags
        uint32_t stage{0};
    };

    /** Sends the messages. */
    class Owner
    {
      public:
        virtual ~Owner() = default;
        /** Sends a message, which may go now. */
        virtual void SendMessage(CollectiveRun& run, const Message& message) = 0;
    };

    /**
     * Aborts if there are more than MOST_MESSAGES.
     * @param part of the schedule: the rank's own
     * @param buffer size in bytes
     * @param messageSize the largest size of a message, in bytes of data
     * @param owner that sends the messages
     * @param protocol of the messages
     */
    CollectiveRun(std::shared_ptr<const RankSchedule> part,
                  uint64_t buffer,
                  uint64_t messageSize,
                  Owner& owner,
                  CollectiveProtocol protocol = CollectiveProtocol::SIMPLE);

    /** Sends the messages that depend on no arrival, as far as their stages are open. */
    void Start();

    /** Opens a stage, which has circuits now. @param stage of the schedule */
    void OpenStage(uint32_t stage);
    /**
     * Closes a stage, which has no circuits any more: its messages wait.
     * @param stage of the schedule
     */
    void CloseStage(uint32_t stage);

    /**
     * Takes a message that has come.
     * @param peer that sent it: a place in the group
     * @param ordinal of the message among those of that rank on that channel
     * @param bytes of the message, on wires
     * @return the mistake in it; empty if there is none
     */
    std::string Arrived(uint32_t peer, uint16_t channel, uint32_t ordinal, uint64_t bytes);

    /**
     * Notes that the other end has a message.
     * @param peer the receiver: a place in the group
     * @param ordinal of the message among those to that rank on that channel
     */
    void Settled(uint32_t peer, uint16_t channel, uint32_t ordinal);

    /**
     * Notes that a message has failed, and has not arrived: it counts as not sent, and goes when
     * its stage, which is closed now, is open again.
     * @param peer the receiver: a place in the group
     * @param ordinal of the message among those to that rank on that channel
     */
    void Failed(uint32_t peer, uint16_t channel, uint32_t ordinal);

    /** @return the stage of a message for a rank, as Failed() and Settled() name it */
    uint32_t GetStageOf(uint32_t peer, uint16_t channel, uint32_t ordinal) const;

    /**
     * Notes a message that is there, and that Arrived() takes later, after Release().
     * @param peer that sent it: a place in the group
     */
    void Hold(uint32_t peer, uint16_t channel);
    /** Ends a Hold(). */
    void Release(uint32_t peer, uint16_t channel);

    /**
     * @param peer a place in the group
     * @return whether messages from it on a channel are still to come
     */
    bool Awaits(uint32_t peer, uint16_t channel) const;

    /** @return whether all messages for this rank have come */
    bool HasReceivedAll() const
    {
        return m_toReceive == 0;
    }

    /**
     * @return whether all messages are sent and settled, and all messages for this rank have come
     */
    bool IsOver() const
    {
        return m_toReceive == 0 && m_toSettle == 0;
    }

    /**
     * @param stage of the schedule
     * @return whether all its messages are settled or have come
     */
    bool IsStageOver(uint32_t stage) const
    {
        return m_openOfStage[stage] == 0;
    }

    /**
     * @param stage of the schedule
     * @return bytes that this rank sends in it on the rail
     */
    uint64_t GetBytesOut(uint32_t stage) const;

    /**
     * @param stage of the schedule
     * @return its messages on the rail that are not settled
     */
    uint64_t GetUnsettledOf(uint32_t stage) const
    {
        return m_unsettledOfStage[stage];
    }

    /** Messages that have not come. */
    struct Missing
    {
        uint32_t peer{0};
        uint16_t channel{0};
        uint32_t ordinal{0};
        uint32_t chunk{0};
        uint64_t messages{0}; //!< of that rank that have not come
    };

    /** @return the messages that have not come, the first from each rank and channel */
    std::vector<Missing> GetMissing() const;

    /** @return messages that are sent and not settled */
    uint64_t GetUnsettled() const
    {
        return m_sent - m_settled;
    }

    /** @return messages that wait until their stage is open */
    uint64_t GetWaiting() const;

    /** @return what was sent, and what came */
    MessageTotals GetTotals() const
    {
        return {m_sent, m_bytesSent, m_come, m_bytesReceived};
    }

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

    /** @return the rank's part of the schedule */
    const RankSchedule& GetPart() const
    {
        return *m_part;
    }

  private:
    /**
     * @param first message's ordinal, by transfer
     * @return the transfer of a way that a message belongs to
     */
    static uint32_t Find(const RankSchedule::Way& way,
                         const std::vector<uint32_t>& first,
                         uint32_t ordinal);
    /**
     * @param ordinal of the chunk's first message
     * @return the ordinal behind the chunk's last message
     */
    uint32_t Behind(uint64_t ordinal, uint32_t chunk) const;
    /** @return the number of messages of a chunk */
    uint64_t PiecesOf(uint32_t chunk) const;
    /** @return bytes of data in one message of a chunk */
    uint64_t BytesOf(uint32_t chunk, uint32_t piece) const;
    /** @return the outgoing transfer of a message for a rank */
    uint32_t FindOutgoing(uint32_t peer, uint16_t channel, uint32_t ordinal) const;
    /** @return the way from a rank on a channel, of those for incoming messages; or null */
    const RankSchedule::Way* FindWayIn(uint32_t peer, uint16_t channel) const;
    /**
     * @param bytes of the message, on wires
     * @return the transfer of a way that awaits a message, if it is awaited
     */
    std::optional<uint32_t> FindAwaited(const RankSchedule::Way& way,
                                        uint32_t ordinal,
                                        uint64_t bytes) const;
    /** Takes a message of an incoming transfer, and sends what depends on it. */
    void Take(uint32_t incoming, uint32_t piece);

    /** What is done of the transfers of a turn, in a row from the first. */
    struct Row
    {
        uint32_t transfers{0};
        uint64_t pieces{0}; //!< of the next one
    };

    /** What is done of a turn. */
    struct Progress
    {
        Row in;  //!< that has come
        Row out; //!< that is settled
    };

    /** Something of a turn has come, or is settled: sends what waited for that. */
    void GoOn(uint32_t turn);
    /** @return whether all is done that a transfer waits for because of its round */
    bool IsItsTurn(const RankSchedule::Transfer& transfer) const;
    /**
     * Sends a message, or keeps it until its stage is open. The messages that it depends on have
     * come.
     */
    void Ready(uint32_t outgoing, uint32_t piece);
    /** Sends a message. */
    void Send(uint32_t outgoing, uint32_t piece);
    /** Makes room for the state of each message. An operation without messages needs none. */
    void KeepTrack();
    /** @return whether a message of an incoming transfer has come */
    bool HasCome(uint32_t incoming, uint32_t piece) const;

    /** The lengths of what has an entry for each message. */
    struct Sizes
    {
        uint64_t flags{0};
        uint64_t counts{0};
        uint64_t done{0};
    };

    std::shared_ptr<const RankSchedule> m_part;
    uint64_t m_buffer;
    uint64_t m_messageSize;
    Owner& m_owner;
    CollectiveProtocol m_protocol;

    std::vector<uint32_t> m_firstOut;    //!< by outgoing transfer: ordinal of its first message
    std::vector<uint32_t> m_firstIn;     //!< by incoming transfer: ordinal of its first message
    std::vector<uint64_t> m_flagsOf;     //!< by incoming transfer: where its flags begin
    Sizes m_sizes;                       //!< of the following, which KeepTrack() makes
    std::vector<bool> m_flags;           //!< by incoming transfer and message: whether it has come
    std::vector<uint64_t> m_countsOf;    //!< by slot: where its counts begin
    std::vector<Progress> m_progress;    //!< by turn, if ranks keep to rounds
    std::vector<uint64_t> m_doneOf;      //!< by outgoing transfer: where its messages begin, if so
    std::vector<bool> m_done;            //!< of these: whether a message is settled
    std::vector<bool> m_hasTurn;         //!< by outgoing transfer, if so
    std::vector<uint16_t> m_counts;      //!< by slot and message: arrivals in a row from the first
    std::vector<uint64_t> m_toReceiveOf; //!< by way: messages to come, those on hold too
    std::vector<uint64_t> m_onHoldOf;    //!< by way: messages on hold
    std::vector<bool> m_open;            //!< by stage
    std::vector<std::vector<std::pair<uint32_t, uint32_t>>> m_waiting; //!< by stage
    /** By stage, of those that have any: pieces of outgoing transfers that have failed. */
    std::map<uint32_t, std::set<std::pair<uint32_t, uint32_t>>> m_failed;
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
