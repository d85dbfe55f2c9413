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
#include "ns3/transmitter-state.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The egress of one port of a packet switch: the waiting frames and their order.
 *
 * When the wire is free, pause frames go first, then traffic classes from 7 down to 0, and within a
 * class ingress ports in turn by number, one frame each; frames of one ingress port keep their
 * order. A wire that was idle begins with the lowest number. A class that the peer has paused
 * waits. These are the rules of a NIC port (RailTransmitter), with ingress ports in place of queue
 * pairs.
 *
 * A choice has an instant `seen`: a class that the peer pauses beyond that instant waits, and only
 * pause frames that were due at it count. Frames count as soon as they are pushed.
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
        Picoseconds since;     //!< the instant at which it became due
    };

    /** The next frame. */
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
     * @param bitsPerSecond holds from the next frame on
     * @param now the present instant, or ALWAYS_BEFORE before the simulation
     */
    void SetRate(uint64_t bitsPerSecond, Picoseconds now);

    /** @return the rate of the wire, by the latest SetRate() */
    uint64_t GetRate() const;

    /**
     * @param wireBytes size of a frame with preamble and gap
     * @param seen an instant: the present one, or the one before
     * @return the time from its first bit to its last, at the rate of that instant
     */
    Picoseconds GetLength(uint32_t wireBytes, Picoseconds seen) const;

    /**
     * Adds a frame to its queue.
     * @param store holds the frame
     * @param number of the frame in the store
     */
    void Push(FrameStore& store, uint32_t number);

    /**
     * Adds a pause frame. It replaces a waiting one for the same class.
     * @param trafficClass 0 to 7
     * @param quanta of 512 bit times
     * @param now the instant at which it becomes due
     */
    void PushPause(uint32_t trafficClass, uint16_t quanta, Picoseconds now);

    /**
     * The peer pauses a class, or lets it go on.
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

    /** @return whether a frame waits, paused or not */
    bool HasWork() const
    {
        return m_waiting != 0 || !m_pauses.empty();
    }

    /**
     * @param wireWasIdle the search begins with the lowest number
     * @return the next frame, by the state at that instant
     */
    Choice Choose(Picoseconds seen, bool wireWasIdle) const;

    /** @return the next instant after `seen` at which a waiting frame may be sent, or NEVER */
    Picoseconds GetNextChance(Picoseconds seen) const;

    /** @return the pause frame that was chosen, which is removed */
    Pause TakePause();

    /** @return the number of the frame that was chosen */
    uint32_t Peek(const Choice& choice) const
    {
        return m_ingressQueues[choice.trafficClass][choice.queue].head;
    }

    /**
     * @param store holds the frames
     * @return the number of the frame that was chosen, which is removed
     */
    uint32_t Take(const Choice& choice, FrameStore& store);

    /** The service order begins with the lowest number again. */
    void ResetTurns()
    {
        m_turns.Restart();
    }

    /**
     * Puts a frame on the wire.
     * @param start its first bit
     * @param wireWasIdle the wire becomes busy with this frame
     * @param wireBytes its size with preamble and gap
     * @return its instants on the wire
     */
    FrameTimes Occupy(Picoseconds start, bool wireWasIdle, uint32_t wireBytes);

    /**
     * @param now the present instant
     * @return whether nothing but waiting frames determines what is sent: no pause, one rate
     */
    bool IsPlain(Picoseconds now) const;

    /** @return the progress of the wire */
    TransmitterState GetState() const;

    /** Continues from the progress of another. */
    void PutState(const TransmitterState& state);

    /** @param visit gets the number of each waiting frame, those of a queue in order */
    void Visit(FrameStore& store, const std::function<void(uint32_t)>& visit) const;

    /** Removes all waiting frames. */
    void RemoveAll();

    /** @return the earliest first bit of the next frame */
    Picoseconds GetBusyUntil() const
    {
        return m_busyUntil;
    }

  private:
    /** Frames of one class from one ingress port, in order. */
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
