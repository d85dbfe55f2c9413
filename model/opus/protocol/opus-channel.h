/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CHANNEL_H
#define PHOTONIC_RAILS_OPUS_CHANNEL_H

#include "opus-incoming.h"
#include "opus-outgoing.h"

#include "ns3/as-of.h"
#include "ns3/callback.h"
#include "ns3/deadline-timer.h"
#include "ns3/event-id.h"
#include "ns3/instant-queue.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/socket.h"
#include "ns3/star-host.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * The address of an OpusChannel: its node's address on the management network, and its UDP port.
 */
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

/** The settings of an OpusChannel. */
struct OpusChannelSettings
{
    /**
     * Time until a datagram is sent again while no round trip to the peer is measured, and the
     * least such time: see RetransmissionTimeout. It must be longer than the round trip: twice the
     * one-way latency, and the queueing of a datagram there and of its acknowledgement back (of all
     * datagrams that many peers send to one at once: 2.2 us for each datagram of a REQUEST at 1
     * Gb/s). Too short a time costs duplicates until it has adapted, too long a time costs delay
     * after a loss.
     */
    Time retransmitAfter{MilliSeconds(1)};

    /**
     * Transmissions of a datagram, 1 to 20. Its message fails after timeout * (2^MostAttempts - 1):
     * 1.023 s by default.
     */
    uint32_t mostAttempts{10};

    /** The largest UDP payload, 128 to 65507: the MTU less 28 of IPv4 and UDP. */
    uint16_t datagramBytes{1472};
};

/** The counters of an OpusChannel. */
struct OpusChannelCounters
{
    uint64_t sent{0};                              //!< messages from its owner
    uint64_t received{0};                          //!< messages to its owner
    uint64_t acknowledged{0};                      //!< sent messages that the peer has acknowledged
    uint64_t failed{0};                            //!< sent messages that failed
    uint64_t datagrams{0};                         //!< all that were sent
    uint64_t retransmitted{0};                     //!< of them, repetitions
    uint64_t bare{0};                              //!< of them, those with an acknowledgement only
    uint64_t duplicates{0};                        //!< datagrams that came again
    std::array<uint64_t, OPUS_REFUSALS> refused{}; //!< datagrams and messages, by OpusRefusal

    /** @return the number of refusals for a reason */
    uint64_t GetRefused(OpusRefusal why) const
    {
        return refused[static_cast<uint8_t>(why)];
    }
};

/**
 * @ingroup photonic-rails
 * @brief Carries OpusMessages between applications over UDP: each once, and in the order of sending
 * to a peer, even if datagrams are lost, duplicated or reordered.
 *
 * The channel handles the inputs of an instant, from peers, from timers and from its owner, when
 * the instant is over, a picosecond later (InstantQueue): by peer, and not in the order of events.
 * So a message leaves a picosecond after the owner has sent it, or at once if the owner sends it in
 * answer to an input. All messages to a peer that leave at one instant are a bundle, in as few
 * datagrams as their bytes need. Without a loss a message arrives after the one-way latency, and
 * reaches the owner a picosecond later. It is acknowledged with the next datagram in the other
 * direction, or by a separate one in the same picosecond, after all messages that the owner sends
 * in answer. A datagram that is not acknowledged is sent again, first after a time that
 * adapts to the round trip, then at intervals that double. After MostAttempts the message and all
 * messages behind it fail, in order; it is not known whether the peer has them. No wait is
 * unlimited, and peers do not wait for each other.
 *
 * A packet that is no datagram of the protocol, or has another version, is refused, counted and not
 * acknowledged. A message of unknown type in a sound datagram is refused, counted and acknowledged,
 * so that later messages arrive.
 *
 * Not modelled: set-up and end of a channel. A peer's sequence numbers begin at 1 and continue for
 * the whole run; the datagrams of a peer that begins anew with the same address and port are not
 * understood.
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
    /** Signature: a message from a peer has arrived, or a message to it is acknowledged. */
    typedef Callback<void, const OpusMessage&, const OpusPeer&> MessageCallback;
    /** Signature: a message to a peer has failed, with the reason. */
    typedef Callback<void, const OpusMessage&, const OpusPeer&, const std::string&> FailedCallback;
    /** Signature: a packet or a message from a peer is refused. */
    typedef Callback<void, OpusRefusal, const OpusPeer&> RefusedCallback;

    OpusChannel() = default;
    ~OpusChannel();
    OpusChannel(const OpusChannel&) = delete;
    OpusChannel& operator=(const OpusChannel&) = delete;

    /** @param callback for each message that arrives, in order */
    void SetReceivedCallback(MessageCallback callback);

    /** @param callback for each message that its peer has acknowledged */
    void SetAcknowledgedCallback(MessageCallback callback);

    /** @param callback for each message that fails */
    void SetFailedCallback(FailedCallback callback);

    /** @param callback for each refusal */
    void SetRefusedCallback(RefusedCallback callback);

    /**
     * Begins to listen. Aborts if the port is taken or a setting is out of its range.
     * @param node with an internet stack
     * @param port UDP port to which peers send
     */
    void Open(Ptr<Node> node, uint16_t port, const OpusChannelSettings& settings);

    /** Drops all messages without a report. */
    void Close();

    /**
     * Ceases to receive and to send, without a report. The numbers of datagrams and the messages
     * that are not acknowledged are kept; the inputs of the present instant are lost, and so is
     * what comes until Resume().
     */
    void Suspend();

    /** Receives again after Suspend(), at the same port, and repeats what is due. */
    void Resume();

    /** @return whether it listens */
    bool IsOpen() const;

    /**
     * Sends a message. Aborts if the channel is not open or the message is too large, see
     * OpusEncoding.
     */
    void Send(const OpusMessage& message, const OpusPeer& peer);

    /**
     * The owner's other inputs of an instant go here too, with KEY_OWNER or a greater number as the
     * first key: they follow the messages of peers.
     * @return the queue
     */
    InstantQueue& GetInstant();

    /** @param over is called when all inputs of an instant have been handled; it may send */
    void SetInstantOverCallback(Callback<void> over);
    /** @param callback is called for each message that its owner sends */
    void SetSentCallback(Callback<void> callback);

    /** The smallest first key of the owner, but for ends of processing. */
    static constexpr uint64_t KEY_OWNER = 8;
    /** The first key of the ends of processing: they follow the messages of peers. */
    static constexpr uint64_t KEY_PROCESSED = KEY_OWNER - 1;

    /** @return the counters so far */
    const OpusChannelCounters& GetCounters() const;
    /** @return the messages from its owner at earlier instants, whatever the order of events */
    uint64_t GetSentBefore() const;

    /** @return the peers with messages that are not acknowledged yet */
    std::vector<OpusPeer> GetBusyPeers() const;

  private:
    /** The state of the channel to a peer. */
    struct ChannelState
    {
        OpusOutgoing outgoing;
        OpusIncoming incoming;
        bool owed{false};                     //!< an acknowledgement is due
        bool isToPump{false};                 //!< datagrams may be due when the instant is over
        std::unique_ptr<DeadlineTimer> timer; //!< of the outgoing datagrams
    };

    /** A peer, and the state of the channel to it. */
    using Known = std::map<OpusPeer, ChannelState>::value_type;

    /** @return a peer with its state, which is created if it is new */
    Known& With(const OpusPeer& peer);

    /** The kinds of inputs of an instant, in the order in which they are handled. */
    enum Brought : uint64_t
    {
        DATAGRAM,
        DUE,
        SENT,
    };

    /** @return the key of a peer's input of a kind */
    static InstantQueue::Key KeyOf(Brought what, const OpusPeer& peer);
    /** Handles the inputs of an instant that is over. */
    void InstantOver();
    /** Puts a message into its peer's next bundle. */
    void Put(const OpusMessage& message, const OpusPeer& peer);
    /** Listens to the port, without the node's stack where that can be. */
    void Listen();
    /** Ceases to listen, @param drop for what comes to the socket nevertheless; null: nothing does
     */
    void Ignore(Callback<void, Ptr<Socket>> drop);
    /** Reads the datagrams that have arrived. */
    void Readable(Ptr<Socket> socket);
    /** A datagram has arrived. */
    void Arrive(Ptr<Packet> packet, const OpusPeer& peer);
    /** Takes one datagram. */
    void Take(Ptr<Packet> packet, const OpusPeer& peer);
    /** Takes the piece of a datagram. */
    void TakePiece(const OpusDatagram& head, const uint8_t* piece, Known& from);
    /** Counts and reports a refusal. */
    void Refuse(OpusRefusal why, const OpusPeer& peer);
    /** Has datagrams that are due sent when the instant is over. */
    void PumpLater(Known& to);
    /** Sends what is due to all peers that had an input. */
    void PumpAll();
    /** Sends the datagrams that are due, and sets the timer for the others. */
    void Pump(const OpusPeer& peer, ChannelState& channel);
    /** Sends one datagram. */
    void Transmit(const OpusPeer& peer,
                  ChannelState& channel,
                  const OpusOutgoing::Datagram& datagram);
    /** Handles a timer of a peer, which may be over. */
    void TimerOver(OpusPeer peer);
    /** Handles a datagram that is due or has failed. */
    void Expire(const OpusPeer& peer);
    /** Sends the acknowledgements that no datagram of this instant has carried. */
    void SendAcknowledgements();
    /** Sends a datagram. */
    void SendDatagram(const OpusPeer& peer, const OpusDatagram& head, Ptr<Packet> packet);

    OpusChannelSettings m_settings;
    uint16_t m_port{0};
    Ptr<Socket> m_socket;
    Ptr<StarHost> m_host; //!< the node's ends of star networks; null: it has none
    std::map<OpusPeer, ChannelState> m_channels;
    uint64_t m_closed{0}; //!< how often it was, with which its peers are gone
    std::vector<Known*> m_toPump; //!< to whom datagrams may be due, in the order of the inputs
    std::vector<Known*> m_owed;   //!< due acknowledgements, in the order of arrival
    InstantQueue m_instant;
    Callback<void> m_over;
    OpusChannelCounters m_counters;
    Callback<void> m_sent;
    AsOf<uint64_t> m_sentBy{0}; //!< the messages from its owner, by instant
    MessageCallback m_received;
    MessageCallback m_acknowledged;
    FailedCallback m_failed;
    RefusedCallback m_refused;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CHANNEL_H */
