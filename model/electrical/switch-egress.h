/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SWITCH_EGRESS_H
#define PHOTONIC_RAILS_SWITCH_EGRESS_H

#include "frame-store.h"

#include "ns3/as-of.h"
#include "ns3/egress-turns.h"
#include "ns3/frame-clock.h"
#include "ns3/picoseconds.h"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What waits at one port of a packet switch to leave it, and in which order it goes.
 *
 * When the wire is free, pause frames go first, then traffic classes from 7 down to 0, and within a
 * class ingress ports in turn by number, one frame each; what came by one ingress port keeps its
 * order. A wire that was idle begins with the lowest number. A class that the peer has paused
 * waits. Those are the rules of a NIC port (RailTransmitter), with ingress ports in place of queue
 * pairs.
 *
 * A choice is asked for an instant `seen`: what the peer paused until after that instant waits, and
 * only pause frames that were due at it count. Frames count as soon as they are pushed.
 *
 * Plain C++: no simulator.
 */
class SwitchEgress
{
  public:
    static constexpr uint32_t CLASSES = EgressTurns::CLASSES; //!< traffic classes

    /** A pause frame that is to be sent. */
    struct Pause
    {
        uint32_t trafficClass; //!< 0 to 7
        uint16_t quanta;       //!< of 512 bit times; 0 lets the class go on
        Picoseconds since;     //!< when it became due
    };

    /** What goes next. */
    struct Choice
    {
        enum Kind
        {
            NOTHING,
            PAUSE,
            FRAME
        } kind{NOTHING};

        uint32_t trafficClass{0}; //!< of a frame
        uint32_t queue{0};        //!< of a frame
    };

    /** @param bitsPerSecond rate of the wire */
    explicit SwitchEgress(uint64_t bitsPerSecond);

    /**
     * @param bitsPerSecond from the next frame on
     * @param now the present instant, or ALWAYS_BEFORE while nothing runs yet
     */
    void SetRate(uint64_t bitsPerSecond, Picoseconds now);

    /** @return the rate of the wire, as set last */
    uint64_t GetRate() const;

    /**
     * @param wireBytes size of a frame with preamble and gap
     * @param seen an instant: the present one, or the one before
     * @return how long it lasts from its first bit to its last, at the rate of that instant
     */
    Picoseconds GetLength(uint32_t wireBytes, Picoseconds seen) const;

    /**
     * A frame waits to leave.
     * @param store where it is
     * @param number its number there
     */
    void Push(FrameStore& store, uint32_t number);

    /**
     * A pause frame waits to leave. It takes the place of one for the same class that waits.
     * @param trafficClass 0 to 7
     * @param quanta of 512 bit times
     * @param now since when
     */
    void PushPause(uint32_t trafficClass, uint16_t quanta, Picoseconds now);

    /**
     * The peer holds a class, or lets it go on.
     * @param trafficClass 0 to 7
     * @param until the first instant at which it may begin a frame
     */
    void Hold(uint32_t trafficClass, Picoseconds until)
    {
        m_heldUntil[trafficClass] = until;
    }

    /**
     * @param trafficClass 0 to 7
     * @return the first instant at which it may begin a frame
     */
    Picoseconds GetHeldUntil(uint32_t trafficClass) const
    {
        return m_heldUntil[trafficClass];
    }

    /** @return whether anything waits, held or not */
    bool HasWork() const
    {
        return m_waiting != 0 || !m_pauses.empty();
    }

    /**
     * @param wireWasIdle whether turns begin with the lowest number
     * @return what goes next, by what was the case at that instant
     */
    Choice Choose(Picoseconds seen, bool wireWasIdle) const;

    /** @return when something of what waits may go next after that instant, or NEVER */
    Picoseconds GetNextChance(Picoseconds seen) const;

    /** @return the pause frame that was chosen, which waits no longer */
    Pause TakePause();

    /** @param choice of a frame @return the number of the frame that was chosen */
    uint32_t Peek(const Choice& choice) const
    {
        return m_ingressQueues[choice.trafficClass][choice.queue].head;
    }

    /**
     * @param choice of a frame
     * @param store where the frames are
     * @return the number of the frame that was chosen, which waits no longer
     */
    uint32_t Take(const Choice& choice, FrameStore& store);

    /** Turns begin with the lowest number again. */
    void ResetTurns()
    {
        m_turns.Restart();
    }

    /**
     * Puts a frame on the wire.
     * @param start its first bit
     * @param wireWasIdle whether the wire turns busy with it
     * @param wireBytes its size with preamble and gap
     * @return when it is on the wire
     */
    FrameTimes Occupy(Picoseconds start, bool wireWasIdle, uint32_t wireBytes);

    /** @return the next frame may start then */
    Picoseconds GetBusyUntil() const
    {
        return m_busyUntil;
    }

  private:
    /** Frames of one class that came by one ingress port, in order. */
    struct IngressQueue
    {
        uint32_t ingress;
        uint32_t head;
        uint32_t tail;
    };

    std::array<std::vector<IngressQueue>, CLASSES>
        m_ingressQueues;                          //!< by class; none empty, by ingress port
    uint32_t m_waiting{0};                        //!< a bit for each class that has a queue
    EgressTurns m_turns;                          //!< of ingress ports
    std::array<Picoseconds, CLASSES> m_heldUntil; //!< by class
    std::deque<Pause> m_pauses;                   //!< at most one for each class
    AsOf<uint64_t> m_rate;
    FrameClock m_clock;
    Picoseconds m_busyUntil{ALWAYS_BEFORE};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SWITCH_EGRESS_H */
