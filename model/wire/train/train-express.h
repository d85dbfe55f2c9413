/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAIN_EXPRESS_H
#define PHOTONIC_RAILS_TRAIN_EXPRESS_H

#include "batch-offload.h"

#include "ns3/frame-clock.h"
#include "ns3/ring-queue.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Both wires of a circuit while each carries at most one stream: the frames of one message
 * in one direction, and the acknowledgements of the other direction's in between.
 *
 * The traffic is then regular. A frame that requests an acknowledgement arrives. At the first frame
 * boundary after that, the acknowledgement interrupts the other wire's stream, or leaves at once if
 * that wire is idle; it only settles frames. So the engine steps through the requesting frames
 * alone, in the order of their arrival: one step for each, of a few divisions.
 *
 * A step is taken wholly or not at all, and only if it is regular: the acknowledgement begins
 * before the limit, waits alone, and leaves at least one frame of the stream to come. The results
 * are pieces of each wire, in order, from which a CircuitEngine continues.
 */
class TrainExpress
{
  public:
    /**
     * Frames of a stream, the last of which may request an acknowledgement; or one acknowledgement.
     * All on one wire.
     */
    struct Piece
    {
        uint64_t first{0}; //!< ordinal of the first frame; for an acknowledgement, the frame that
                           //!< it settles up to
        uint32_t count{0}; //!< number of frames; 0: an acknowledgement
        bool requestsAck{false}; //!< the last frame requests an acknowledgement
        Picoseconds anchor{0};   //!< of the wire's clock
        uint64_t bytes{0};       //!< of the wire's clock, before the piece
    };

    /** One wire: the frames that one end sends. */
    struct Wire
    {
        bool streams{false};         //!< whether it carries a stream
        BatchOffload::Stream stream; //!< the stream; `next` and `ackRequest` advance
        FrameClock clock;            //!< before the frame `next`, or after the last frame
        Picoseconds way{0};          //!< to the other end
        uint32_t answerBytes{0};     //!< size of an acknowledgement that it carries
        RingQueue<std::pair<Picoseconds, uint64_t>> ackRequests; //!< begun ones: arrival, ordinal
        std::vector<Piece> pieces;                               //!< sent pieces
        uint64_t answers{0};     //!< number of acknowledgements among them
        uint64_t arrivedUpTo{0}; //!< the frame after the latest requesting frame that has arrived

        /** @return the clock before a piece of this wire */
        FrameClock ClockBefore(const Piece& piece) const
        {
            FrameClock before = clock;
            before.Start(piece.anchor);
            before.Skip(piece.bytes);
            return before;
        }
    };

    /** @return the wire that one end sends on */
    Wire& GetWire(uint32_t end)
    {
        return m_wires[end];
    }

    /** @return the same */
    const Wire& GetWire(uint32_t end) const
    {
        return m_wires[end];
    }

    /**
     * Takes steps.
     * @param before every frame of the steps begins and arrives before this instant
     * @param most the largest number of steps
     * @return the number of steps taken
     */
    uint32_t Run(Picoseconds before, uint32_t most);

    /** @return the instant of the next step; everything before it is complete */
    Picoseconds GetNext() const;

  private:
    /**
     * @param place 0 for the next requesting frame, 1 for the one after that
     * @return its earliest arrival, or NEVER
     */
    static Picoseconds NextAckRequest(const Wire& wire, uint32_t place = 0);
    /** Sends frames of a wire's stream. */
    static void Send(Wire& wire, uint64_t count);
    /** Takes one step. @return whether the step was regular */
    bool Step(uint32_t from, Picoseconds at, Picoseconds before);

    std::array<Wire, 2> m_wires;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAIN_EXPRESS_H */
