/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CHANNEL_H
#define PHOTONIC_RAILS_OPUS_CHANNEL_H

#include "opus-incoming.h"
#include "opus-outgoing.h"

#include "ns3/callback.h"
#include "ns3/deadline-timer.h"
#include "ns3/event-id.h"
#include "ns3/instant-queue.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/socket.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/** Where an OpusChannel is: its node's address on the management network, and its UDP port. */
struct OpusPeer
{
    Ipv4Address address;
    uint16_t port{0};

    bool operator==(const OpusPeer& other) const
    {
        return address == other.address && port == other.port;
    }

    bool operator!=(const OpusPeer& other) const
    {
        return !(*this == other);
    }

    bool operator<(const OpusPeer& other) const
    {
        return address == other.address ? port < other.port : address < other.address;
    }

    friend std::ostream& operator<<(std::ostream& os, const OpusPeer& peer)
    {
        return os << peer.address << " port " << peer.port;
    }
};

/** How an OpusChannel sends. */
struct OpusChannelSettings
{
    /**
     * Before a datagram is sent again while no round trip to the peer is measured, and at least:
     * see RetransmissionTimeout. Longer than the round trip: twice the one-way latency, and what
     * queues ahead of a datagram there and of its acknowledgement back (all that many peers send
     * to one at once: 2.2 us for each datagram of a REQUEST at 1 Gb/s). Too short costs
     * duplicates until it has adapted, too long costs time where one is lost.
     */
    Time retransmitAfter{MilliSeconds(1)};

    /**
     * Transmissions of a datagram, 1 to 20. Its message is given up when
     * timeout * (2^MostAttempts - 1) have gone by: 1.023 s by default.
     */
    uint32_t mostAttempts{10};

    /** Of UDP payload at most, 128 to 65507: the MTU less 28 of IPv4 and UDP. */
    uint16_t datagramBytes{1472};
};

/** What an OpusChannel did. */
struct OpusChannelCounters
{
    uint64_t sent{0};                              //!< messages handed to it
    uint64_t received{0};                          //!< messages handed to its owner
    uint64_t acknowledged{0};                      //!< of those sent, by the peer
    uint64_t failed{0};                            //!< of those sent, given up
    uint64_t datagrams{0};                         //!< that left, all
    uint64_t retransmitted{0};                     //!< of them, those that had left before
    uint64_t bare{0};                              //!< of them, those that only acknowledge
    uint64_t duplicates{0};                        //!< datagrams that came in again
    std::array<uint64_t, OPUS_REFUSALS> refused{}; //!< datagrams and messages, by OpusRefusal

    /** @return how many were refused for a reason @param why it */
    uint64_t GetRefused(OpusRefusal why) const
    {
        return refused[static_cast<uint8_t>(why)];
    }
};

/**
 * @ingroup photonic-rails
 * @brief Carries OpusMessages between applications over UDP: each once, and in the order in which
 * it was sent to a peer, however datagrams are lost, doubled or overtaken.
 *
 * What comes at an instant, from peers or by timers, and what the owner wants sent at it, is dealt
 * with when the instant is over, a picosecond later (InstantQueue): by peer, and not in the order
 * of events. So a message leaves a picosecond after it was handed over, or at once if that is done
 * in answer to what came, in as many datagrams as it needs; where nothing is lost it is there after
 * one one-way latency, and handed to its owner a picosecond later. It is acknowledged with the next
 * datagram that goes the other way, or by one of its own in the same picosecond, after all that the
 * owner sends in answer. What is not acknowledged is sent again, first after a time that adapts to
 * the round trip, then at intervals that double; after MostAttempts the owner is told that the
 * message and all behind it failed, in order, and whether the peer got them is not known. Nothing
 * waits for ever, and peers do not wait for each other.
 *
 * What is no datagram of the protocol, or of another version, is refused, counted and not
 * acknowledged. A message of unknown type in a sound datagram is refused, counted and acknowledged,
 * so that others behind it get through.
 *
 * Left out: setting up and ending a channel. A peer's counting begins at 1 and goes on for
 * the whole run; one that begins anew with the same address and port is not understood.
 *
 * @code
 * m_channel.SetReceivedCallback(MakeCallback(&MyApplication::Received, this));
 * m_channel.SetFailedCallback(MakeCallback(&MyApplication::Failed, this));
 * m_channel.Open(GetNode(), 4791, OpusChannelSettings());
 * m_channel.Send(message, {controllerAddress, 4791});
 * @endcode
 *
 * A member of an Application, which opens it when it starts and closes it when it is disposed of.
 * Callbacks may send, and close; they must not destroy the channel.
 */
class OpusChannel
{
  public:
    /** Signature: a message of a peer is here, or one to it is acknowledged. */
    typedef Callback<void, const OpusMessage&, const OpusPeer&> MessageCallback;
    /** Signature: a message to a peer is given up, and why. */
    typedef Callback<void, const OpusMessage&, const OpusPeer&, const std::string&> FailedCallback;
    /** Signature: something from a peer is refused. */
    typedef Callback<void, OpusRefusal, const OpusPeer&> RefusedCallback;

    OpusChannel() = default;
    ~OpusChannel();
    OpusChannel(const OpusChannel&) = delete;
    OpusChannel& operator=(const OpusChannel&) = delete;

    /** @param callback for each message that comes in, in order */
    void SetReceivedCallback(MessageCallback callback);

    /** @param callback for each message that its peer has acknowledged */
    void SetAcknowledgedCallback(MessageCallback callback);

    /** @param callback for each message that is given up */
    void SetFailedCallback(FailedCallback callback);

    /** @param callback for what is refused */
    void SetRefusedCallback(RefusedCallback callback);

    /**
     * Begins to listen. Aborts if the port is taken or a setting is out of its range.
     * @param node with an internet stack
     * @param port UDP port, the peers' way to it
     * @param settings how it sends
     */
    void Open(Ptr<Node> node, uint16_t port, const OpusChannelSettings& settings);

    /** Drops everything, without a word. */
    void Close();

    /** @return whether it listens */
    bool IsOpen() const;

    /**
     * Sends a message. Aborts if the channel is not open or the message is too large, see
     * OpusEncoding.
     * @param message it
     * @param peer to whom
     */
    void Send(const OpusMessage& message, const OpusPeer& peer);

    /**
     * What else an instant brings its owner is put here too, with KEY_OWNER or a greater number in
     * front: it is done after what peers sent.
     * @return the queue
     */
    InstantQueue& GetInstant();

    /** @param over is called when all that came at an instant has been done; may send */
    void SetInstantOverCallback(Callback<void> over);

    /** What the owner's keys begin with. */
    static constexpr uint64_t KEY_OWNER = 8;

    /** @return what it did so far */
    const OpusChannelCounters& GetCounters() const;

    /** @return the peers that have not acknowledged everything yet */
    std::vector<OpusPeer> GetBusyPeers() const;

  private:
    /** All that is known of a peer. */
    struct ChannelState
    {
        OpusOutgoing outgoing;
        OpusIncoming incoming;
        bool owed{false};                     //!< an acknowledgement
        std::unique_ptr<DeadlineTimer> timer; //!< of the outgoing
    };

    /** @return what is known of a peer; new if there is nothing */
    ChannelState& With(const OpusPeer& peer);

    /** What an instant brings, in the order in which it is dealt with. */
    enum Brought : uint64_t
    {
        DATAGRAM,
        DUE,
        SENT,
    };

    /** @return what something of a peer is sorted by @param what it is @param peer which */
    static InstantQueue::Key KeyOf(Brought what, const OpusPeer& peer);
    /** An instant is over. */
    void InstantOver();
    /** Hands a message to its peer's datagrams. */
    void Put(const OpusMessage& message, const OpusPeer& peer);
    /** Datagrams are here. */
    void Readable(Ptr<Socket> socket);
    /** Takes one. */
    void Take(Ptr<Packet> packet, const OpusPeer& peer);
    /** Takes its piece. */
    void TakePiece(const OpusDatagram& head, Ptr<Packet> packet, const OpusPeer& peer);
    /** Counts a refusal and tells of it. */
    void Refuse(OpusRefusal why, const OpusPeer& peer);
    /** Sends what is due, and sees to what will be. */
    void Pump(const OpusPeer& peer, ChannelState& channel);
    /** Sends one datagram. */
    void Transmit(const OpusPeer& peer,
                  ChannelState& channel,
                  const OpusOutgoing::Datagram& datagram);
    /** A timer of a peer may be over. */
    void TimerOver(OpusPeer peer);
    /** Something is due, or given up. */
    void Expire(const OpusPeer& peer);
    /** Acknowledges what no datagram has in this instant. */
    void SendAcknowledgements();
    /** Sends a datagram. */
    void SendDatagram(const OpusPeer& peer, const OpusDatagram& head, Ptr<Packet> packet);

    OpusChannelSettings m_settings;
    Ptr<Socket> m_socket;
    std::map<OpusPeer, ChannelState> m_channels;
    std::vector<OpusPeer> m_owed; //!< acknowledgements, in the order of arrival
    InstantQueue m_instant;
    Callback<void> m_over;
    OpusChannelCounters m_counters;
    MessageCallback m_received;
    MessageCallback m_acknowledged;
    FailedCallback m_failed;
    RefusedCallback m_refused;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CHANNEL_H */
