/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_TRANSMITTER_H
#define PHOTONIC_RAILS_RAIL_TRANSMITTER_H

#include "host-queue.h"

#include "ns3/as-of.h"
#include "ns3/deadline-timer.h"
#include "ns3/egress-turns.h"
#include "ns3/event-id.h"
#include "ns3/nic-offload.h"
#include "ns3/ring-queue.h"
#include "ns3/transmitter-state.h"
#include "ns3/wire-frame.h"

#include <array>
#include <functional>
#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The sending half of a NIC port: what goes on the wire next, and when.
 *
 * Frames leave back to back at the instants that a FrameClock gives. When the wire is free, control
 * frames go first, then traffic classes from 7 down to 0, and within a class in turn by number: the
 * host stack's queue is number 0, queue pairs are 1 and up. A wire that was idle begins with the
 * lowest number.
 *
 * A choice sees what was the case at the end of an instant that is over: on a busy wire the one
 * before the frame boundary, on an idle wire the one at which something became ready, decided a
 * picosecond later. So it cannot depend on the order in which the events of an instant run.
 */
class RailTransmitter
{
  public:
    static constexpr uint32_t CLASSES = EgressTurns::CLASSES; //!< traffic classes

    /** @param put takes each frame at its first bit, or a picosecond later, with its times set */
    explicit RailTransmitter(std::function<void(WireFrame&&)> put);

    /**
     * @param enter is asked now and then, when the offload has something to send and the host stack
     *        has not, whether trains take over; if they do, it has called EnterBatchMode()
     */
    void SetEntering(std::function<bool()> enter);

    /**
     * @return whether nothing but the offload's runs is or was in the last picosecond to be sent,
     *         at a rate that stays
     */
    bool IsPlain() const;

    /** Trains take over. @return how far this has come */
    TransmitterState EnterBatchMode();

    /** Packet events go on. @param state how far trains have come */
    void Resume(const TransmitterState& state);

    /**
     * @param bitsPerSecond from the next frame on; 1 or more
     * @param now the present instant, or ALWAYS_BEFORE while nothing runs yet
     */
    void SetRate(uint64_t bitsPerSecond, Picoseconds now);

    /** @param offload what else sends through this port, or null */
    void SetOffload(NicOffload* offload);

    /** @param address of the port, which the offload's frames are sent from */
    void SetAddress(Mac48Address address);

    /** @param size of the queue of each class */
    void SetQueueSize(QueueSize size);

    /**
     * @param trafficClass 0 to 7
     * @return the host stack's queue of that class
     */
    Ptr<Queue<Packet>> GetQueue(uint32_t trafficClass);

    /**
     * @param packet a packet of the host stack that begins with its Ethernet header
     * @param trafficClass 0 to 7
     * @return false if its queue is full
     */
    bool Enqueue(Ptr<Packet> packet, uint32_t trafficClass);

    /**
     * @param packet a control frame that begins with its Ethernet header; it is never paused
     */
    void EnqueueControl(Ptr<Packet> packet);

    /** @return packets of the host stack that wait */
    uint64_t GetQueued() const;

    /**
     * Takes a packet back.
     * @param trafficClass 0 to 7
     * @return the oldest packet of the host stack in that class, or null
     */
    Ptr<Packet> TakeBack(uint32_t trafficClass);

    /**
     * Holds a class, or lets it go on.
     * @param trafficClass 0 to 7
     * @param until the first instant at which it may begin a frame
     */
    void Pause(uint32_t trafficClass, Picoseconds until);

    /**
     * @param trafficClass 0 to 7
     * @return whether the class is held, now
     */
    bool IsPaused(uint32_t trafficClass) const;

    /** @param carrier has been so since before the simulation began */
    void PresetCarrier(bool carrier);

    /** @param carrier is so from now on; without it nothing is sent */
    void SetCarrier(bool carrier);

    /** @return whether there is carrier now */
    bool HasCarrier() const;

    /** Something may have become ready, now. */
    void Kick();

    /** Gives everything up. */
    void Dispose();

  private:
    /** Where the next frame comes from. */
    struct Choice
    {
        enum Source
        {
            NOBODY,
            CONTROL,
            HOST,
            OFFLOAD
        } source{NOBODY};

        uint32_t trafficClass{0};
        FrameRun run; //!< of the offload
    };

    /** Until when a class is paused: the first instant at which it may go on. */
    struct PausedUntil : public AsOf<Picoseconds>
    {
        PausedUntil()
            : AsOf(ALWAYS_BEFORE)
        {
        }
    };

    /** Sees to it that what waits for the end of a pause goes on. */
    void SetPauseEnd();
    /** A pause may be over. */
    void PauseEnded();
    /** Asks for a decision. @param at when */
    void ScheduleDecision(Picoseconds at);
    /** The wire is free: puts the next frame on it, or leaves it idle. */
    void Decide();
    /** @return what goes next, by what was the case at the end of an instant */
    Choice Choose(Picoseconds seen, bool wireWasIdle) const;
    /** Takes a chosen frame from where it is. */
    WireFrame Take(const Choice& choice, Picoseconds seen);
    /** Sets the clock to where the next frame begins. */
    void SetClock(Picoseconds seen, bool wireWasIdle);
    /** @return a bit for each class that somebody may have a frame of, now */
    uint32_t ClassesWithWork() const;

    std::function<void(WireFrame&&)> m_put;
    AsOf<uint64_t> m_rate{1};
    NicOffload* m_offload{nullptr};
    Mac48Address m_address;
    std::array<HostQueue, CLASSES> m_queues;
    uint32_t m_queued{0}; //!< a bit for each of them that is not empty
    std::array<PausedUntil, CLASSES> m_paused;
    DeadlineTimer m_pauseEnd;                                 //!< of the first that is over
    RingQueue<std::pair<Ptr<Packet>, Picoseconds>> m_control; //!< and since when
    AsOf<bool> m_carrier{false};

    TransmitterState m_state; //!< its decision is the one that is pending: asking ns-3 costs more
    EventId m_decision;
    bool m_deciding{false};
    bool m_lent{false}; //!< to trains
    std::function<bool()> m_enter;
    uint32_t m_decisionsToWait{0}; //!< decisions until it is asked again
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_TRANSMITTER_H */
