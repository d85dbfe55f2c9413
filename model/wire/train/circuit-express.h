/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_EXPRESS_H
#define PHOTONIC_RAILS_CIRCUIT_EXPRESS_H

#include "circuit-end.h"
#include "train-express.h"
#include "train-line.h"
#include "train-sender.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The regular traffic of a circuit, computed at once: it goes from the lines and senders to
 * a TrainExpress, and the results come back.
 *
 * Traffic is regular if each end has one stream or nothing to send, no frame can be lost, and only
 * frames of these streams and their acknowledgements are in flight. When the TrainExpress has taken
 * enough steps, their frames are committed. Those that have reached the other end are delivered,
 * all together; the others go on the line. The senders continue behind them. Sinks receive every
 * frame.
 *
 * Entering and leaving cost as much as some steps. So Take() computes long parts only, and
 * MayTake() is false for a while after an attempt without success.
 *
 * Plain C++: no simulator. It works on the lines and senders of a CircuitEngine, which owns it.
 */
class CircuitExpress
{
  public:
    /**
     * @param ends both ports
     * @param lines by the end they come from
     * @param senders by end
     */
    CircuitExpress(const std::array<CircuitEnd, 2>& ends,
                   std::array<TrainLine, 2>& lines,
                   std::array<TrainSender, 2>& senders);

    // it refers to members of its owner, which stays where it is
    CircuitExpress(const CircuitExpress&) = delete;
    CircuitExpress& operator=(const CircuitExpress&) = delete;

    /** @return whether Take() may find regular traffic at an instant */
    bool MayTake(Picoseconds from) const
    {
        return from >= m_noneBefore;
    }

    /**
     * Computes the regular part between two instants, if that is long enough.
     * @param from everything before this instant is computed
     * @param before every frame that is computed begins and arrives before this instant
     * @return whether it computed any; then the fronts of both lines may have changed
     */
    bool Take(Picoseconds from, Picoseconds before);

  private:
    using Works = std::array<BatchOffload::Work, 2>;

    /** The frames that have reached the end of a line, from its segments and from the pieces. */
    struct Through
    {
        std::size_t segments{0}; //!< that were on the line before
        std::size_t pieces{0};
        uint64_t answers{0}; //!< among them
        uint64_t settled{0}; //!< by the latest of them, if it is a piece
    };

    /** Frames to be delivered to an offload at once. */
    struct Received
    {
        WireFrame latest;  //!< of the answers
        WireFrame first;   //!< of the stream
        uint64_t count{0}; //!< frames of the stream
    };

    /** @return the work of an end, with its stream in m_streams. OTHER if it is not regular */
    BatchOffload::Work FindWork(uint32_t end);
    /** @return the shortest span whose computation at once is worth while; NEVER: no streams */
    Picoseconds FindWorth(const Works& works) const;
    /** Takes steps from the present state. @return their number */
    uint32_t Step(const Works& works, Picoseconds before);
    /** Enters an end's wire. @return whether it is regular */
    bool Enter(uint32_t end);
    /**
     * Brings the steps into the lines and senders.
     * @param from the instant of the first step, or an earlier one
     * @param next everything before this instant is complete
     */
    void Leave(Picoseconds from, Picoseconds next);
    /** @return the frames that have reached the end of a line */
    Through FindThrough(uint32_t end, Picoseconds next) const;
    /**
     * Commits the frames that an end has sent of its stream.
     * @param settled frames before this ordinal are settled
     * @param [out] middle one of the frames, a template for others
     */
    void CommitStream(uint32_t end, uint64_t settled, WireFrame& middle);
    /** Takes from a line the segments that have reached its end. */
    void TakeOffLine(uint32_t end, std::size_t segments, Received& received);
    /** Sends the pieces that have reached the end of the line. */
    void SendThrough(uint32_t end,
                     const Through& through,
                     const WireFrame& middle,
                     Received& received);
    /** Sends the other pieces. @param first the first of them */
    void SendOnLine(uint32_t end, std::size_t first, const WireFrame& middle);
    /** Makes a segment of a piece, and shows it to the sinks of the end that sends it. */
    void Send(uint32_t end,
              const TrainExpress::Piece& piece,
              const WireFrame& middle,
              TrainSegment& segment) const;
    /** Makes a segment of a piece. */
    void MakeSegment(uint32_t end,
                     const TrainExpress::Piece& piece,
                     const WireFrame& middle,
                     TrainSegment& segment) const;
    /** Shows frames that an end has sent to the sinks of the other, and notes them. */
    void Receive(uint32_t end, const TrainSegment& segment, Received& received) const;
    /**
     * Delivers the frames that an end has sent to the offload of the other.
     * @param answers the number of answers
     * @param at some instant: the frames have no effect that depends on it
     */
    void Deliver(uint32_t end, Received& received, uint64_t answers, Picoseconds at) const;
    /** The sending half of an end continues behind the pieces. */
    void GoOnBehind(uint32_t end);

    const std::array<CircuitEnd, 2>& m_ends;
    std::array<TrainLine, 2>& m_lines;
    std::array<TrainSender, 2>& m_senders;
    std::unique_ptr<TrainExpress> m_express;       //!< of the latest attempt
    std::array<BatchOffload::Stream, 2> m_streams; //!< as they were when it began
    Picoseconds m_noneBefore{ALWAYS_BEFORE};       //!< Take() found nothing regular before it
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_EXPRESS_H */
