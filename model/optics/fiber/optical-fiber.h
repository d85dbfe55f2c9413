/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPTICAL_FIBER_H
#define PHOTONIC_RAILS_OPTICAL_FIBER_H

#include "fiber-breaks.h"
#include "frame-drop-reason.h"

#include "ns3/as-of.h"
#include "ns3/channel.h"
#include "ns3/frame-loss.h"
#include "ns3/nstime.h"
#include "ns3/recurring-event.h"
#include "ns3/ring-queue.h"
#include "ns3/traced-callback.h"
#include "ns3/wire-frame.h"

#include <array>
#include <memory>
#include <optional>

namespace ns3
{

class BatchMode;
class FiberCrossing;
class FiberEnd;

/**
 * @ingroup photonic-rails
 * @brief A duplex fiber between two ports: it has a fixed delay and may be cut.
 *
 * A frame comes out `Delay` after it went in, with the same spacing of its bits; the two directions
 * do not disturb each other. Frames in flight wait in a queue with one pending event for each
 * direction, however long the fiber. `Delay` may change in the course of the simulation while it is
 * empty: no frame and no change of light is in flight.
 *
 * A frame that goes in is announced to a switch at the other end: its arrival is known, unless
 * something changes. So it needs no event there. A change, or a read of a count, withdraws what
 * has not come out before (see FiberEnd::Announce()); these frames arrive by events, as all do that
 * the switch does not take ahead.
 *
 * Cut() breaks the fiber at a point along its length. Frames that have passed that point arrive; a
 * frame that is passing, or comes later, is lost. Both ends lose the light. Splice() repairs the
 * fiber.
 *
 * Frames may be lost at random (`FrameLossRate`), as by bit errors that the frame check sequence
 * finds: the losses are a function of seed, run, stream, direction and the frame's ordinal.
 *
 * The ends may be on two processes of a distributed simulation, if both are ports of packet
 * switches. Each process has the frames that leave the fiber there. What is done to such a fiber,
 * such as Cut(), is done in both processes at the same instant.
 *
 * Not modelled: attenuation, dispersion, polarisation.
 */
class OpticalFiber : public Channel
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    OpticalFiber();
    ~OpticalFiber() override;

    /**
     * Attaches both ends, once.
     * @param other another port
     */
    void Attach(Ptr<FiberEnd> one, Ptr<FiberEnd> other);

    /**
     * A port puts a frame into the fiber.
     * @param frame the frame, with the instants at which its first and last bit go in
     */
    void Transmit(const FiberEnd* from, WireFrame&& frame);

    /**
     * A frame will go into the fiber later, at its end of a circuit, unless the switch takes it
     * back.
     * @param wait from the frame's times to those at which it goes in
     * @param frame moved from if the fiber takes it
     * @return whether the fiber takes it: not if the other end of the fiber is a switch
     */
    bool TransmitAhead(const FiberEnd* from, Picoseconds wait, WireFrame& frame);

    /**
     * Takes frames of TransmitAhead() back, unless they have gone in before now.
     * @param wait as there
     * @return these frames with their first times, oldest first
     */
    RingQueue<WireFrame> TakeBack(const FiberEnd* from, Picoseconds wait);

    /**
     * Frames that were announced to a port have not arrived there.
     * @param to the port
     * @param frames in order, before all that are in flight to it
     */
    void Withdraw(const FiberEnd* to, RingQueue<WireFrame>&& frames);

    /**
     * A port begins or ceases to send light.
     * @param light whether it sends light
     * @param after the time from now to the change at the port
     */
    void SendLight(const FiberEnd* from, bool light, Time after = Time(0));

    /** Sets whether a port has sent light since before the simulation began. */
    void PresetLight(const FiberEnd* from, bool light);

    /**
     * Breaks the fiber, now. A fiber that is broken already stays as it is.
     * @param position where, as a share of its length, 0 (at end 0) to 1 (at end 1)
     */
    void Cut(double position = 0.5);

    /** Repairs the fiber, now. */
    void Splice();

    /** The light of a port ends, now: a frame of it that is not wholly in the fiber is lost. */
    void CutShort(const FiberEnd* from);

    /** @return whether the fiber is whole */
    bool IsIntact() const;

    /**
     * @return whether the ends are on two processes of a distributed simulation: frames cross as
     *         messages (FiberCrossing), and the delay is fixed when they are attached
     */
    bool IsCrossing() const;

    /** @return the time light takes from end to end */
    Time GetDelay() const;

    /**
     * Events of trains are not pending, so LeaveTrain() comes first.
     * @return the instant from which the fiber is empty in both directions: no frame and no change
     *         of light is in flight. A past instant or ALWAYS_BEFORE if it is empty now.
     */
    Picoseconds GetEmptyFrom() const;

    /**
     * @param port one end
     * @return the port at the other end
     */
    Ptr<FiberEnd> GetPeer(const FiberEnd* port) const;

    /**
     * Counts of the frames that one end sent into the fiber. When no frame is in flight from there:
     * sent = delivered + lost.
     */
    struct Counters
    {
        uint64_t sent{0};
        uint64_t delivered{0};
        uint64_t lost{0};
    };

    /**
     * @param from the port at that end
     * @return the counts of the frames that it sent
     */
    const Counters& GetCounters(const FiberEnd* from) const;

    /**
     * Fixes the random losses.
     * @param stream the first stream number
     * @return the number of streams used: 2, one for each direction
     */
    int64_t AssignStreams(int64_t stream);

    /** @return whether a trace that fires for lost frames is connected */
    bool IsObserved() const;

    // Channel
    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /** Signature of the trace Intact. */
    typedef void (*IntactCallback)(bool intact);

    /**
     * Signature of the trace of lost frames.
     * @param frame the frame; its times are those at the receiving end
     * @param reason of the drop
     */
    typedef void (*FrameDroppedCallback)(const WireFrame& frame, FrameDropReason reason);

    // for batch mode: frames in flight without pending events
    /**
     * Returns to packet events before a change that trains do not support.
     * @param why the reason, for the log
     */
    void LeaveTrain(const char* why);
    /** Counts the frames that trains have brought out of the fiber up to now. */
    void CatchUp() const;
    /** @param mode of the circuit that the fiber is part of, or null: packet events */
    void SetBatchMode(BatchMode* mode);
    /** @return the port at the other end */
    FiberEnd* PeekPeer(const FiberEnd* port) const;
    /** @return the losses of the frames that enter there; null: none */
    const FrameLoss* GetLoss(const FiberEnd* from);
    /**
     * @return whether a frame may still be on its way to the fiber that began there at another loss
     *         rate: for a millisecond, which is longer than any frame at 100 Mb/s or more
     */
    bool HasNewLossRate() const;
    /** @return the number of frames that have entered there */
    uint64_t PeekSent(const FiberEnd* from) const;
    /** @return the frames in flight from there, oldest first */
    const RingQueue<WireFrame>& GetInFlight(const FiberEnd* from) const;
    /** Removes the frames in flight. @return these frames */
    RingQueue<WireFrame> TakeInFlight(const FiberEnd* from);
    /** Inserts a frame that is in flight already. */
    void PutInFlight(const FiberEnd* from, WireFrame&& frame);
    /** @param frame in flight @return whether it is lost before the other end */
    bool IsLostOnItsWay(const FiberEnd* from, const WireFrame& frame) const;
    /** Adds to the counts of an end. */
    void Count(const FiberEnd* from, uint64_t sent, uint64_t delivered, uint64_t lost);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /** One direction of the fiber. */
    struct Way
    {
        Ptr<FiberEnd> from;          //!< the port at its beginning
        Ptr<FiberEnd> to;            //!< the port at its end
        RecurringEvent arrival;      //!< of the first frame in flight
        bool isArmed{false};         //!< it is pending
        uint32_t node{0};            //!< of that port, in whose context frames arrive
        RingQueue<WireFrame> flying; //!< in flight, in order; times are those at the end
        std::size_t ahead{0}; //!< of them, the latest, that may not have gone in: TransmitAhead()
        Picoseconds emptyFrom{ALWAYS_BEFORE}; //!< of frames that went in, and changes of light
        Counters counters;
        std::optional<FrameLoss> loss;   //!< none at loss rate zero
        std::optional<FrameLoss> before; //!< of the frames that began before the latest change
        bool lightSent{false};           //!< the port at the beginning sends light
        bool lightComing{false};         //!< the same at the end of an intact fiber
        bool intactSeen{true}; //!< the end has received light through the place of the cut
    };

    /** @return the direction that begins there */
    Way& WayFrom(const FiberEnd* from);
    /** @return the same */
    const Way& WayFrom(const FiberEnd* from) const;

    /** @return the direction that it is */
    FiberBreaks::Direction DirectionOf(const Way& way) const
    {
        return &way == &m_ways[0] ? FiberBreaks::FORWARD : FiberBreaks::BACKWARD;
    }

    /** A frame of another process is coming. @param end at which it entered */
    void ReceiveCrossing(uint32_t end, WireFrame&& frame);

    /** Counts a frame that goes in, and moves it to the other end, where it may be lost. */
    void Begin(Way& way, WireFrame& frame);

    /** A frame has gone in: it is announced, or in flight. */
    void Fly(Way& way, WireFrame&& frame);

    /** @return whether the port at the other end takes a frame ahead of its arrival */
    bool Announce(Way& way, WireFrame& frame);

    /** Schedules the arrival of the first frame in flight in this direction. */
    void ScheduleArrival(Way& way, Picoseconds now);

    /** Cancels that event. */
    static void CancelArrival(Way& way);

    /** The first frame in flight in this direction arrives. */
    void Arrive(Way& way);

    /** A frame has come to the end of this direction, whole or not. */
    void Deliver(Way& way, WireFrame&& frame);

    /** What was announced at either end returns into its fiber, if it has not arrived. */
    void Withdraw() const;

    /** Both ends put the frames in that began before now. */
    void PutPending() const;
    /** Sets the delay. */
    void SetDelay(Time delay);
    /** @return the losses of the frames that enter there; null: none */
    const FrameLoss* GetLoss(Way& way);
    /** @return the losses of frames of a direction at the present rate; none at rate zero */
    std::optional<FrameLoss> MakeLoss(const Way& way) const;
    /** Sets the loss rate. */
    void SetLossRate(double rate);
    /** @return the loss rate */
    double GetLossRate() const;
    /** A callback for lost frames was connected or disconnected. */
    void NotifyObservers();

    /** @return the reason why a frame that is due at the end of this direction is lost, if it is */
    std::optional<FrameDropReason> Check(const Way& way, const WireFrame& frame) const;

    /**
     * Inverts the light at the end of this direction, so that changes of one instant arrive as they
     * were sent, in any order of their events.
     */
    void ToggleComing(Way* way);

    /** The end of this direction detects whether the fiber is intact. */
    void UpdateIntact(Way* way, bool intact);

    /** Informs both ends of a break or a repair, each when the light shows it. */
    void SpreadIntact(bool intact);

    std::array<Way, 2> m_ways; //!< the first leads from end 0 to end 1
    AsOf<Time> m_delay{Time(0)};
    double m_lossRate;
    Picoseconds m_lossSince{ALWAYS_BEFORE}; //!< the latest change of the loss rate
    BatchMode* m_batchMode{nullptr};        //!< of the circuit that the fiber is part of
    int64_t m_stream{-1};
    FiberBreaks m_breaks;
    std::unique_ptr<FiberCrossing> m_crossing; //!< null: both ends are on one process
    TracedCallback<const WireFrame&, FrameDropReason> m_frameDropped;
    TracedCallback<bool> m_intactTrace;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPTICAL_FIBER_H */
