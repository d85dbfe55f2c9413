/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SWITCH_WIRE_H
#define PHOTONIC_RAILS_SWITCH_WIRE_H

#include "train-line.h"

#include "ns3/picoseconds.h"
#include "ns3/ring-queue.h"
#include "ns3/transmitter-state.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/** Frames of one ingress port that come to an egress port of a packet switch, or wait there. */
struct SwitchPart
{
    TrainSegment segment; //!< its instants are those at the ingress port
    Picoseconds enters{
        NEVER};          //!< of a frame alone that had come in before: when it is in its queue
    bool matters{false}; //!< its last frame may cause an answer or end a message
};

/** A queue calls this when a part has been moved out. */
inline void
Vacate(SwitchPart& part)
{
    Vacate(part.segment);
    part.enters = NEVER;
}

/**
 * @ingroup photonic-rails
 * @brief The wire of an egress port of a packet switch without congestion, for runs of frames: the
 * rules of the port frame for frame, worked out for many frames at a time.
 *
 * Frames of each ingress port and class come as runs. They enter the queue of the port when they
 * are whole, `delay` later. At the end of a frame the wire takes one that entered its queue before
 * that instant; a wire that is idle takes one at the instant at which it enters. The order is that
 * of EgressTurns. Nothing is held by a pause, dropped or marked: the owner ensures that.
 *
 * Frames leave as a run as long as each enters its queue before its turn, or all at the very end of
 * the one before, and no frame of another ingress port or class is next. Else they leave one by
 * one, with equal results.
 *
 * Plain C++: no simulator.
 */
class SwitchWire
{
  public:
    /** Frames from one ingress port in one class. */
    struct Inflow
    {
        uint8_t trafficClass{0};
        uint32_t ingress{0};
        RingQueue<SwitchPart> parts;
        Picoseconds enters{NEVER}; //!< the first of its frames
    };

    /** Counts of frames. Bytes are those with check sequences. */
    struct Counts
    {
        uint64_t frames{0};
        uint64_t bytes{0};

        /** Counts the frames of a run. */
        void Add(const FrameRun& run)
        {
            frames += run.count;
            bytes += run.GetWireBytes() - run.count * (FrameClock::PREAMBLE + FrameClock::GAP);
        }
    };

    /**
     * @param state of the port
     * @param bitsPerSecond its rate
     * @param delay between the arrival of a frame and its queue
     * @param line to the other end of the port's fiber
     */
    SwitchWire(const TransmitterState& state,
               uint64_t bitsPerSecond,
               Picoseconds delay,
               TrainLine& line);

    /** Frames come to the switch for this port. */
    void Add(uint32_t ingress, TrainSegment&& segment);

    /**
     * Takes over a frame that had come in before.
     * @param enters the instant at which it is in its queue, or an instant before the first
     *        decision
     */
    void Absorb(uint32_t ingress, WireFrame&& frame, Picoseconds enters);

    /** Puts all frames on the wire that begin before an instant. */
    void Advance(Picoseconds before);

    /**
     * @param wary any frame may cause an answer
     * @return the instant by whose calculation the next frame that matters may have begun, or NEVER
     */
    Picoseconds GetDue(bool wary) const;

    /**
     * @param ahead bytes on the wire of the frames before a part, in its inflow
     * @param place of a frame in the part, from 0
     * @return an instant before which that frame does not begin
     */
    Picoseconds GetEarliestBegin(const SwitchPart& part, uint64_t ahead, uint64_t place) const;

    /** @return the instant at which a frame of a part is in its queue */
    Picoseconds GetEntry(const SwitchPart& part, uint64_t place) const
    {
        return part.enters != NEVER ? part.enters : part.segment.times.Last(place) + m_delay;
    }

    /** @return the number of frames of a part that have entered their queue before an instant */
    uint64_t GetEntered(const SwitchPart& part, Picoseconds before) const;

    /** @return the frames that entered the queues before an instant and wait there */
    Counts GetWaiting(Picoseconds before) const;

    /** @return frames that come or wait, by class from the highest and ingress port */
    const std::vector<Inflow>& GetInflows() const
    {
        return m_inflows;
    }

    /** @return the progress of the wire */
    const TransmitterState& GetState() const
    {
        return m_state;
    }

    /** @return the counts of frames on the wire */
    const Counts& GetCounts() const
    {
        return m_counts;
    }

  private:
    /** The earliest entries into the queues of other inflows. */
    struct Rivals
    {
        Picoseconds ofClass{NEVER}; //!< of the same class or a higher one
        Picoseconds any{NEVER};
    };

    /** @return the inflow of an ingress port and class */
    Inflow& GetInflow(uint8_t trafficClass, uint32_t ingress);
    /** @return the place of the inflow whose frame begins at an instant */
    std::size_t Choose(Picoseconds start, bool wireWasIdle) const;
    /** @return the number of frames of a part that leave as a run, the first of which begins now */
    uint64_t CountRun(const SwitchPart& part, const Rivals& rivals, Picoseconds before) const;
    /** Puts the next frames of an inflow on the wire. */
    void Send(std::size_t chosen, Picoseconds start, bool wireWasIdle, Picoseconds before);

    TransmitterState m_state;
    Picoseconds m_delay;
    TrainLine& m_line;
    std::vector<Inflow> m_inflows; //!< by class from the highest, and ingress port
    Counts m_counts;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SWITCH_WIRE_H */
