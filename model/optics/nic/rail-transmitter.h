/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_TRANSMITTER_H
#define PHOTONIC_RAILS_RAIL_TRANSMITTER_H

#include "host-queue.h"

#include "ns3/as-of.h"
#include "ns3/deadline-timer.h"
#include "ns3/egress-turns.h"
#include "ns3/nic-offload.h"
#include "ns3/recurring-event.h"
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
 * @brief The sending half of a NIC port. It chooses the next frame and its instant.
 *
 * Frames leave back to back at the instants that a FrameClock gives. When the wire is free, control
 * frames go first, then traffic classes from 7 down to 0, and within a class in turn by number: the
 * host stack's queue is number 0, queue pairs are 1 and up. A wire that was idle begins with the
 * lowest number.
 *
 * A choice depends on the state at the end of a past instant. On a busy wire this is the instant
 * before the frame boundary. On an idle wire it is the instant at which a frame became ready, and
 * the choice follows a picosecond later. So it cannot depend on the order in which the events of an
 * instant run.
 */
class RailTransmitter
{
  public:
    static constexpr uint32_t CLASSES = EgressTurns::CLASSES; //!< traffic classes

    /**
     * @param put receives each frame at its first bit, or a picosecond later, with its times set
     */
    explicit RailTransmitter(std::function<void(WireFrame&&)> put);

    /**
     * @param enter is called from time to time while the offload has frames to send and the host
     *        stack has none; it returns whether trains take over, after it has called
     *        EnterBatchMode()
     */
    void SetEntering(std::function<bool()> enter);

    /** @return whether the wire is idle, and the next decision would attempt to enter trains */
    bool MayEnterAhead() const;

    /**
     * @return whether the port has only runs of the offload to send, now and in the last
     *         picosecond, at a constant rate
     */
    bool IsPlain() const;

    /** Trains take over. @return the progress of this transmitter */
    TransmitterState EnterBatchMode();

    /** Packet events take over. @param state the progress of the trains */
    void Resume(const TransmitterState& state);

    /**
     * @param bitsPerSecond 1 or more; holds from the next frame on
     * @param now the present instant, or ALWAYS_BEFORE before the simulation
     */
    void SetRate(uint64_t bitsPerSecond, Picoseconds now);

    /** @param offload the transport that sends through this port, or null */
    void SetOffload(NicOffload* offload);

    /** @param address of the port, the source of the offload's frames */
    void SetAddress(Mac48Address address);

    /** @param size of the queue of each class */
    void SetQueueSize(QueueSize size);

    /**
     * @param trafficClass 0 to 7
     * @return the host stack's queue of that class
     */
    Ptr<Queue<Packet>> GetQueue(uint32_t trafficClass);

    /** @param shown shows the fill of the queue of a class to the host stack */
    void SetInterface(uint32_t trafficClass, Ptr<NetDeviceQueue> shown);

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

    /** @return the number of packets of the host stack that wait */
    uint64_t GetQueued() const;

    /**
     * Removes a packet from its queue.
     * @param trafficClass 0 to 7
     * @return the oldest packet of the host stack in that class, or null
     */
    Ptr<Packet> TakeBack(uint32_t trafficClass);

    /**
     * Pauses a class, or ends its pause.
     * @param trafficClass 0 to 7
     * @param until the first instant at which it may begin a frame
     */
    void Pause(uint32_t trafficClass, Picoseconds until);

    /**
     * @param trafficClass 0 to 7
     * @return whether the class is paused, now
     */
    bool IsPaused(uint32_t trafficClass) const;

    /** @param carrier the state since before the simulation began */
    void PresetCarrier(bool carrier);

    /** @param carrier the state from now on; without carrier nothing is sent */
    void SetCarrier(bool carrier);

    /** @return whether there is carrier now */
    bool HasCarrier() const;

    /** The offload may have new frames to send, now. */
    void Kick();

    /** Releases all frames and cancels all events. */
    void Dispose();

  private:
    /** The source of the next frame. */
    struct Choice
    {
        enum Source
        {
            NONE,
            CONTROL,
            HOST,
            OFFLOAD
        } source{NONE};

        uint32_t trafficClass{0};
        FrameRun run; //!< of the offload
    };

    /** The end of the pause of a class: the first instant at which it may go on. */
    struct PausedUntil : public AsOf<Picoseconds>
    {
        PausedUntil()
            : AsOf(ALWAYS_BEFORE)
        {
        }
    };

    /** Schedules the end of the first pause that holds frames back. */
    void SetPauseEnd();
    /** A pause may be over. */
    void PauseEnded();
    /** Schedules a decision. @param now the present instant @param at its instant */
    void ScheduleDecision(Picoseconds now, Picoseconds at);
    /** The wire is free: puts the next frame on it, or leaves it idle. */
    void Decide();
    /** @return the next frame, by the state at the end of an instant */
    Choice Choose(Picoseconds seen, bool wireWasIdle) const;
    /** Removes a chosen frame from its queue. */
    WireFrame Take(const Choice& choice, Picoseconds seen);
    /** Sets the clock to the first bit of the next frame. */
    void SetClock(Picoseconds seen, bool wireWasIdle);
    /** @return a bit for each class that may have a frame, now */
    uint32_t ClassesWithWork() const;

    std::function<void(WireFrame&&)> m_put;
    AsOf<uint64_t> m_rate{1};
    NicOffload* m_offload{nullptr};
    Mac48Address m_address;
    std::array<HostQueue, CLASSES> m_queues;
    uint32_t m_queued{0}; //!< a bit for each of them that is not empty
    std::array<PausedUntil, CLASSES> m_paused;
    DeadlineTimer m_pauseEnd;                                 //!< of the first pause that ends
    RingQueue<std::pair<Ptr<Packet>, Picoseconds>> m_control; //!< with their arrivals
    AsOf<bool> m_carrier{false};

    TransmitterState m_state; //!< its decision is the pending one: a query of ns-3 costs more
    RecurringEvent m_decision;
    bool m_deciding{false};
    bool m_lent{false}; //!< trains have taken over
    std::function<bool()> m_enter;
    uint32_t m_decisionsToWait{0}; //!< decisions until the next call of `m_enter`
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_TRANSMITTER_H */
