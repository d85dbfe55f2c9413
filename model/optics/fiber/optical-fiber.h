/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPTICAL_FIBER_H
#define PHOTONIC_RAILS_OPTICAL_FIBER_H

#include "frame-drop-reason.h"

#include "ns3/as-of.h"
#include "ns3/channel.h"
#include "ns3/frame-loss.h"
#include "ns3/nstime.h"
#include "ns3/ring-queue.h"
#include "ns3/traced-callback.h"
#include "ns3/wire-frame.h"

#include <array>
#include <deque>
#include <optional>

namespace ns3
{

class BatchMode;
class FiberEnd;

/**
 * @ingroup photonic-rails
 * @brief A duplex fiber between two ports: it takes light a fixed time to pass, and may be cut.
 *
 * A frame comes out `Delay` after it went in, with the same spacing of its bits; the two
 * directions do not disturb each other. Frames in flight wait in a queue with one pending
 * event for each direction, however long the fiber. `Delay` may change in the course of the
 * simulation while nothing is on its way: neither frames nor light that comes or goes.
 *
 * Cut() breaks the fiber at a point along its length. What has passed that point arrives; a frame
 * that is passing, or comes later, is lost. Both ends see the light go. Splice() mends it.
 *
 * Frames may be lost at random (`FrameLossRate`), as by bit errors that the frame check sequence
 * finds: which ones is a function of seed, run, stream, direction and the frame's ordinal.
 *
 * Left out: attenuation and dispersion (a link budget is the planner's business), polarisation.
 */
class OpticalFiber : public Channel
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    OpticalFiber();
    ~OpticalFiber() override;

    /**
     * Plugs in both ends. Once.
     * @param other another port
     */
    void Attach(Ptr<FiberEnd> one, Ptr<FiberEnd> other);

    /**
     * A port puts a frame into the fiber.
     * @param frame the frame, with the instants at which its first and last bit go in
     */
    void Transmit(const FiberEnd* from, WireFrame&& frame);

    /**
     * A port begins or ceases to send light.
     * @param light whether it sends light
     * @param after how long from now the light, or the dark, is at the port
     */
    void SendLight(const FiberEnd* from, bool light, Time after = Time(0));

    /**
     * A port has sent light, or none, since before the simulation began.
     * @param light whether it sends light
     */
    void PresetLight(const FiberEnd* from, bool light);

    /**
     * Breaks the fiber, now. A fiber that is broken already stays as it is.
     * @param position where, as a share of its length, 0 (at end 0) to 1 (at end 1)
     */
    void Cut(double position = 0.5);

    /** Mends the fiber, now. */
    void Splice();

    /** @return whether the fiber is whole */
    bool IsIntact() const;

    /** @return the time light takes from end to end */
    Time GetDelay() const;

    /**
     * Events of trains are not pending, so LeaveTrain() comes first.
     * @return when all has come out that is on its way, either way: frames, and light that comes or
     *         goes. An instant that is over or ALWAYS_BEFORE if there is nothing.
     */
    Picoseconds GetEmptyFrom() const;

    /**
     * @param port one end
     * @return the port at the other end
     */
    Ptr<FiberEnd> GetPeer(const FiberEnd* port) const;

    /** What has become of the frames that went into one end. */
    struct Counters
    {
        uint64_t sent{0};
        uint64_t delivered{0};
        uint64_t lost{0};
    };

    /**
     * @param from the port at that end
     * @return what has become of the frames that it put in
     */
    const Counters& GetCounters(const FiberEnd* from) const;

    /**
     * Fixes which frames are lost at random.
     * @param stream the first stream number
     * @return the number of streams used: 2, one for each direction
     */
    int64_t AssignStreams(int64_t stream);

    /** @return whether a trace that fires for lost frames is connected */
    bool IsObserved() const;

    // for batch mode: frames that are on their way while no events of theirs are pending
    /** Something changes that trains do not bear: packet events from now on. @param why for the log
     */
    void LeaveTrain(const char* why);
    /** Counts what has come out of the fiber in trains up to now. */
    void CatchUp() const;
    /** @param mode of the circuit that the fiber is part of, or null: packet events */
    void SetBatchMode(BatchMode* mode);
    /** @param port one end @return the port at the other end */
    FiberEnd* PeekPeer(const FiberEnd* port) const;
    /** @return which of the frames that go in there are lost; null: none */
    const FrameLoss* GetLoss(const FiberEnd* from);
    /** @return how many frames have gone in there */
    uint64_t PeekSent(const FiberEnd* from) const;
    /** @return the frames on their way from there, oldest first */
    const RingQueue<WireFrame>& GetInFlight(const FiberEnd* from) const;
    /** Takes the frames out that are on their way. @return them */
    RingQueue<WireFrame> TakeInFlight(const FiberEnd* from);
    /** Puts a frame in that is on its way already. */
    void PutInFlight(const FiberEnd* from, WireFrame&& frame);
    /** @param frame on its way @return whether it does not come out */
    bool IsLostOnItsWay(const FiberEnd* from, const WireFrame& frame) const;
    /** Counts frames. @param sent frames */
    void Count(const FiberEnd* from, uint64_t sent, uint64_t delivered, uint64_t lost);

    // Channel
    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /** Signature of the trace Intact. */
    typedef void (*IntactCallback)(bool intact);

    /**
     * Signature of the trace of lost frames.
     * @param frame the frame; its times are those at the end it was on its way to
     * @param reason why
     */
    typedef void (*FrameDroppedCallback)(const WireFrame& frame, FrameDropReason reason);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /** One way through the fiber. */
    struct Way
    {
        Ptr<FiberEnd> from;                   //!< the port at its beginning
        Ptr<FiberEnd> to;                     //!< the port at its end
        uint64_t ticket{0};                   //!< of the event that is pending
        uint32_t node{0};                     //!< of that port, in whose context frames arrive
        RingQueue<WireFrame> flying;          //!< in flight, in order; times are those at the end
        Picoseconds emptyFrom{ALWAYS_BEFORE}; //!< when the latest of what went in comes out
        Counters counters;
        std::optional<FrameLoss> loss; //!< none at loss rate zero
        bool lightSent{false};         //!< what the port at the beginning sends
        bool lightComing{false};       //!< the same, as it comes to the end in an intact fiber
        bool intactSeen{true};         //!< whether the end could see through the place of the cut
    };

    /** A break and where it was. */
    struct Break
    {
        Picoseconds from;
        Picoseconds to; //!< NEVER, while it lasts
        double position;
    };

    /** @return the way that begins there */
    Way& WayFrom(const FiberEnd* from);
    /** @return the same */
    const Way& WayFrom(const FiberEnd* from) const;

    /**
     * @param way a way through the fiber
     * @param position a place, as a share of the length from end 0
     * @param delay the time light takes from end to end
     * @return the time light takes from the place to the end of the way
     */
    Picoseconds DelayFrom(const Way& way, double position, Picoseconds delay) const;

    /** Waits for the first frame in flight on this way. */
    void ScheduleArrival(Way& way);

    /** The first frame in flight on this way comes out. */
    void Arrive(Way* way, uint64_t ticket);

    /** The delay was set. */
    void SetDelay(Time delay);
    /** The loss rate was set. */
    void SetLossRate(double rate);
    /** @return the loss rate */
    double GetLossRate() const;
    /** Somebody began or ceased to listen to lost frames. */
    void NotifyObservers();

    /** @return why a frame that is due at the end of this way does not come out, if so */
    std::optional<FrameDropReason> Check(const Way& way, const WireFrame& frame) const;

    /**
     * The light of the port has changed for the end of this way: it comes if it did not, so that
     * changes of one instant arrive as they were sent, in whichever order their events run.
     */
    void ToggleComing(Way* way);

    /** Whether the fiber is intact has changed for the end of this way. */
    void UpdateIntact(Way* way, bool intact);

    /** Tells the ends of both ways, when they can know, that the fiber broke or was mended. */
    void SpreadIntact(bool intact);

    std::array<Way, 2> m_ways; //!< the first leads from end 0 to end 1
    AsOf<Time> m_delay{Time(0)};
    double m_lossRate;
    BatchMode* m_batchMode{nullptr}; //!< of the circuit that the fiber is part of
    int64_t m_stream{-1};
    std::deque<Break> m_breaks; //!< oldest first; empty for most fibers
    TracedCallback<const WireFrame&, FrameDropReason> m_frameDropped;
    TracedCallback<bool> m_intactTrace;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPTICAL_FIBER_H */
