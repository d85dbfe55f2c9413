/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCALE_UP_PORTS_H
#define PHOTONIC_RAILS_SCALE_UP_PORTS_H

#include "scale-up-clock.h"

#include "ns3/identifier.h"
#include "ns3/picoseconds.h"

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{

/** A member of a fabric inside a server, counted from 0. */
using MemberId = Identifier<struct MemberIdTag>;

/** The place of a message among those that its sender sends at the same instant: lowest first. */
using ScaleUpOrder = std::array<uint64_t, 3>;

/** A message that is sent. */
struct ScaleUpPost
{
    uint64_t message; //!< a number of the caller's choice
    MemberId from;
    MemberId to; //!< another member
    uint64_t bytes;
    ScaleUpOrder order; //!< messages of equal order leave in the order of calls
};

/** ScaleUpPorts::Receive() is to be called. */
struct ScaleUpCall
{
    MemberId member;
    Picoseconds when;
};

/** The instants from which a member's port is free, in fractions of a ScaleUpClock. */
struct ScaleUpBusy
{
    ScaleUpClock::Fraction out{0}; //!< its output
    ScaleUpClock::Fraction in{0};  //!< its input
};

/** The delivery of a message. */
struct ScaleUpPassage
{
    uint64_t message;      //!< the number with which it was sent
    Picoseconds delivered; //!< arrival of its last bit, rounded up
};

/** A message that has left its sender for a member of another process. */
struct ScaleUpDeparture
{
    ScaleUpPost post;
    uint64_t sequence;              //!< among those of the sender
    ScaleUpClock::Fraction reaches; //!< the instant at which its first bit reaches the receiver
};

/**
 * @ingroup photonic-rails
 * @brief The timing of the scale-up fabric of a server, message by message.
 *
 * Each member has a port with an output and an input of the same rate. The fabric between them is
 * never busy: the switches of a server do not block.
 *
 * - A message occupies its sender's output for 8 bytes / rate, after the messages sent before; of
 *   those sent at one instant, the lowest order is first, whichever was called first.
 * - Its first bit reaches the receiver's port one latency after it left (cut-through).
 * - It occupies the receiver's input for 8 bytes / rate, after the messages whose first bit came
 *   before; of several that come at one instant, the lowest sender's is first. It is delivered at
 *   the end.
 * - A message of 0 bytes waits for its turn, and occupies the ports for no time.
 *
 * Internal times are in fractions of a picosecond, of which every byte takes a whole number, so
 * that only reported times are rounded, upwards: messages back to back since an instant A, of C
 * bytes together, end at A + ceil(8 C 10^12 / rate).
 *
 * Plain C++: no simulator, no floating point.
 *
 * @code
 * ScaleUpPorts ports(3'600'000'000'000, 500'000);
 * const MemberId a = ports.AddMember();
 * const MemberId b = ports.AddMember();
 * ports.Send({1, a, b, 4096, {}}, now);
 * for (const ScaleUpCall& call : ports.TakeCalls()) { ... at call.when: Receive(call.member, when)
 * }
 * @endcode
 */
class ScaleUpPorts
{
  public:
    /** Ports of 1 b/s, until others are assigned. */
    ScaleUpPorts() = default;

    /**
     * @param bitsPerSecond rate of every port in each direction, 1 or more
     * @param latency from a sender's port to a receiver's, 1 ps or more, so that all arrivals at a
     * port at an instant are known before that instant
     */
    ScaleUpPorts(uint64_t bitsPerSecond, Picoseconds latency);

    /** @return a new member */
    MemberId AddMember();

    /** @return the number of members */
    uint32_t GetMembers() const;

    /** @return the clock of the ports */
    const ScaleUpClock& GetClock() const;

    /** @return the latency from port to port */
    Picoseconds GetLatency() const;

    /**
     * Sends a message. It leaves when the instant is over.
     * @param now the instant, not before that of an earlier call
     */
    void Send(const ScaleUpPost& post, Picoseconds now);

    /**
     * Schedules the messages that have begun to reach a member's port. Call it at the instants of
     * TakeCalls(); additional calls have no effect.
     * @return the messages that this call has scheduled, in the order of delivery
     */
    std::vector<ScaleUpPassage> Receive(MemberId to, Picoseconds now);

    /** @return the calls of Receive() that have become known since; take them after every call */
    std::vector<ScaleUpCall> TakeCalls();

    /** @return how busy a member's port is, as far as its messages are ordered */
    ScaleUpBusy GetBusy(MemberId member) const;

    /** Sets how busy a member's port is, which has no messages of its own here. */
    void SetBusy(MemberId member, const ScaleUpBusy& busy);

    /**
     * Adds a message that has left its sender's output, which is counted in SetBusy().
     * @param reaches the instant at which its first bit reaches the receiver's port; messages of
     * one sender are added in the order of this
     */
    void AddUnderWay(const ScaleUpPost& post, ScaleUpClock::Fraction reaches);

    // For a fabric whose members are in several processes
    /** A member's input is in another process: messages for it depart (TakeDepartures()). */
    void SetElsewhere(MemberId member);

    /** @return the messages that have departed since, in the order in which they left */
    std::vector<ScaleUpDeparture> TakeDepartures();

    /** Adds a message that has departed in another process, before its first bit is here. */
    void AddDeparted(const ScaleUpDeparture& departure);

  private:
    using Fraction = ScaleUpClock::Fraction;

    /** First bit at the port, sender, sequence. */
    typedef std::tuple<Fraction, uint32_t, uint64_t> Turn;

    /** A message that is not scheduled yet. */
    struct Waiting
    {
        uint64_t message;
        uint64_t bytes;
    };

    /** A member's port. */
    struct Port
    {
        ScaleUpBusy busy;
        std::map<Turn, Waiting> waiting; //!< for the input
        std::vector<ScaleUpPost> posts;  //!< sent at the instant `posted`, and not ordered yet
        Picoseconds posted{0};
        Picoseconds called{0}; //!< the call that is known for the first of them
        bool isElsewhere{false};
    };

    /** Orders the messages that a member sent at one instant. */
    void Leave(Port& sender);
    /** Orders the messages of all instants that are over. */
    void LeaveUntil(Picoseconds now);

    ScaleUpClock m_clock;
    Picoseconds m_latency{1};
    uint64_t m_sequence{0};
    std::vector<Port> m_ports;
    std::vector<uint32_t> m_posting; //!< members whose messages are not ordered yet
    std::vector<ScaleUpCall> m_calls;
    std::vector<ScaleUpDeparture> m_departures;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_PORTS_H */
