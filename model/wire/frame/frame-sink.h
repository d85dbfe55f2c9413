/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_SINK_H
#define PHOTONIC_RAILS_FRAME_SINK_H

#include "frame-total.h"
#include "run-clock.h"
#include "wire-frame.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Receives the sent and received frames of a NIC port, in batches with explicit times.
 *
 * A trace source that fires for every frame needs an event for every frame. A sink does not: it
 * receives many frames at once, after they have passed, each with its own instants to the
 * picosecond. So it must not read the simulation time or change the simulation.
 *
 * Sent frames come in order, and so do received frames. The two directions are not in step:
 * Settle() reports an instant before which both are complete.
 */
class FrameSink
{
  public:
    virtual ~FrameSink() = default;

    /**
     * Frames that went on the wire.
     * @param head the first, with the run; all frames but the last have its headers, except for the
     *        fields that count (MakeFrameOfRun())
     * @param tail the headers of the last; of a run of one, those of the head
     * @param times when they were on the wire, at this port
     */
    virtual void TakeSent(const WireFrame& head, const RoceFrame& tail, const RunClock& times) = 0;

    /**
     * Frames that came in whole, for any destination.
     * @param head see TakeSent()
     * @param tail see TakeSent()
     * @param times when they were at this port
     */
    virtual void TakeReceived(const WireFrame& head,
                              const RoceFrame& tail,
                              const RunClock& times) = 0;

    /**
     * No later call has a frame before this instant: by its first bit if it was sent, by its last
     * bit if it was received.
     * @param before an instant; NEVER at the end
     */
    virtual void Settle(Picoseconds before) = 0;

    /**
     * @return whether the frames of queue pairs that take turns may come queue pair by queue pair:
     * to sums, which do not depend on their order. Else they come one by one.
     */
    virtual bool IsInAnyOrder() const
    {
        return false;
    }

    /**
     * @return whether AddSent() and AddReceived() may be called in place of TakeSent() and
     * TakeReceived(): to sums that depend on no instant
     */
    virtual bool TakesTotals() const
    {
        return false;
    }

    /** Frames that went on the wire since the last call. */
    virtual void AddSent(const FrameTotal& total)
    {
        (void)total;
    }

    /** Frames that came in whole since the last call. */
    virtual void AddReceived(const FrameTotal& total)
    {
        (void)total;
    }
};

/**
 * @param head the first frame of a run
 * @param tail the headers of the last
 * @param place of a frame in the run, from 0
 * @return the headers of that frame
 */
inline RoceFrame
MakeRoceOfRun(const WireFrame& head, const RoceFrame& tail, uint64_t place)
{
    if (place + 1 == head.run.count)
    {
        return tail;
    }
    RoceFrame roce = head.roce;
    roce.psn = (roce.psn + place) & RoceFrame::PSN_MASK;
    roce.identification = roce.psn & 0xffff;
    return roce;
}

/**
 * @param head the first frame of a run
 * @param tail the headers of the last
 * @param times when they pass
 * @param place of a frame in the run, from 0
 * @return that frame by itself
 */
inline WireFrame
MakeFrameOfRun(const WireFrame& head, const RoceFrame& tail, const RunClock& times, uint64_t place)
{
    WireFrame frame = head;
    if (!head.packet)
    {
        frame.roce = MakeRoceOfRun(head, tail, place);
        frame.run.first = head.run.first + place;
        frame.run.count = 1;
        frame.run.lastWireBytes =
            place + 1 == head.run.count ? head.run.lastWireBytes : head.run.wireBytes;
        frame.wireBytes = frame.run.lastWireBytes;
    }
    frame.first = times.First(place);
    frame.last = times.Last(place);
    return frame;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_SINK_H */
