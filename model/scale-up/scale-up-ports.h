/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCALE_UP_PORTS_H
#define PHOTONIC_RAILS_SCALE_UP_PORTS_H

#include "ns3/identifier.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{

/** A member of a fabric inside a server, counted from 0. */
using MemberId = Identifier<struct MemberIdTag>;

/** When a message is there. */
struct ScaleUpPassage
{
    uint64_t message;      //!< the number it was sent with
    Picoseconds delivered; //!< its last bit is in, rounded up
};

/**
 * @ingroup photonic-rails
 * @brief The rules of time of the fabric inside a server, message by message.
 *
 * Each member has a port with a way out and a way in, of the same rate. Nothing between them is
 * ever busy: the switches inside a server do not block.
 *
 * - A message occupies its sender's way out for 8 bytes / rate, after those that were sent before.
 * - Its first bit reaches the receiver's port one latency after it left (cut-through).
 * - It occupies the receiver's way in for 8 bytes / rate, after those whose first bit came before;
 *   of several that come at one instant, the lowest sender's first. It is delivered at the end.
 * - A message of 0 bytes takes its turn, and takes no time in it.
 *
 * Inside, time is counted in fractions of a picosecond in which every byte is a whole number, so
 * that nothing is ever rounded but what is reported, upwards: messages back to back since an
 * instant A, of C bytes together, end at A + ceil(8 C 10^12 / rate).
 *
 * Plain C++: no simulator, no floating point.
 *
 * @code
 * ScaleUpPorts ports(3'600'000'000'000, 500'000);
 * const MemberId a = ports.AddMember();
 * const MemberId b = ports.AddMember();
 * const Picoseconds reaches = ports.Send(1, a, b, 4096, now);
 * for (const ScaleUpPassage& one : ports.Receive(b, reaches)) { ... }
 * @endcode
 */
class ScaleUpPorts
{
  public:
    /** Ports of 1 b/s, until others are assigned. */
    ScaleUpPorts() = default;

    /**
     * @param bitsPerSecond rate of every port, each way, 1 or more
     * @param latency from a sender's port to a receiver's, 1 ps or more: so all that reaches a port
     *        at an instant is known before that instant
     */
    ScaleUpPorts(uint64_t bitsPerSecond, Picoseconds latency);

    /** @return a new member */
    MemberId AddMember();

    /** @return the number of members */
    uint32_t GetMembers() const;

    /** @return rate of a port, in bits a second */
    uint64_t GetRate() const;

    /** @return from port to port */
    Picoseconds GetLatency() const;

    /**
     * A member sends a message.
     * @param message a number of the caller's choice
     * @param from who
     * @param to whom: another
     * @param bytes how much
     * @param now the instant, not before that of an earlier call
     * @return when its first bit reaches the receiver's port, rounded up: when to call Receive()
     */
    Picoseconds Send(uint64_t message, MemberId from, MemberId to, uint64_t bytes, Picoseconds now);

    /**
     * Gives the messages their turns that have begun to reach a port. Call it by the instants that
     * Send() returned; more calls do no harm.
     * @param to whose port
     * @param now the instant
     * @return those that were given a turn by this call, in the order of delivery
     */
    std::vector<ScaleUpPassage> Receive(MemberId to, Picoseconds now);

  private:
    __extension__ typedef __int128 Fraction; //!< instants and spans, in fractions of a picosecond

    /** First bit at the port, sender, sequence. */
    typedef std::tuple<Fraction, uint32_t, uint64_t> Turn;

    /** A message that has not got its turn yet. */
    struct Waiting
    {
        uint64_t message;
        uint64_t bytes;
    };

    /** A member's port. */
    struct Port
    {
        Fraction outFree{0};             //!< the way out is free from here on
        Fraction inFree{0};              //!< and the way in
        std::map<Turn, Waiting> waiting; //!< on the way in
    };

    /** @return an instant in picoseconds, rounded up */
    Picoseconds Round(Fraction instant) const;

    uint64_t m_rate{1};
    Picoseconds m_latency{1};
    Fraction m_byte{8'000'000'000'000}; //!< a byte, in fractions
    Fraction m_picosecond{1};           //!< a picosecond, in fractions
    uint64_t m_sequence{0};
    std::vector<Port> m_ports;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_PORTS_H */
