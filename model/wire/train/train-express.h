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
 * What happens then is regular. A frame that asks for an acknowledgement arrives, and at the first
 * frame boundary after that the acknowledgement cuts into the other wire's stream, or goes at once
 * if that wire is idle; it changes nothing but what is settled. So only the asking frames need be
 * looked at, in the order in which they arrive: one step for each, of a few divisions.
 *
 * A step is taken wholly or not at all, and only if it is regular: the acknowledgement begins
 * before the limit, waits alone, and leaves at least one frame of the stream to come. What comes
 * out is pieces of each wire, in order, for a CircuitEngine to go on from.
 */
class TrainExpress
{
  public:
    /** Frames of a stream, the last of which may ask, or an acknowledgement, on one wire. */
    struct Piece
    {
        uint64_t first{0}; //!< ordinal of the first frame; of an acknowledgement, what it settles
        uint32_t count{0}; //!< frames; 0: an acknowledgement
        bool asks{false};  //!< the last frame asks for an acknowledgement
        Picoseconds anchor{0}; //!< of the wire's clock
        uint64_t bytes{0};     //!< of the wire's clock, before the piece
    };

    /** One wire: what one end sends. */
    struct Wire
    {
        bool streams{false};         //!< whether it carries a stream
        BatchOffload::Stream stream; //!< which; `next` and `ask` move on
        FrameClock clock;            //!< before the frame `next`, or after what was sent last
        Picoseconds way{0};          //!< to the other end
        uint32_t answerBytes{0};     //!< size of an acknowledgement that it carries
        RingQueue<std::pair<Picoseconds, uint64_t>> asked; //!< asking frames that have begun: when
                                                           //!< they arrive, and which they are
        std::vector<Piece> pieces;                         //!< what was sent
        uint64_t answers{0};                               //!< of them, acknowledgements
        uint64_t arrivedUpTo{0}; //!< the frame after the latest asking frame that has arrived

        /** @param piece of this wire @return the clock before it */
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
     * @param before nothing begins or arrives at this instant or after it
     * @param most steps
     * @return the number of steps taken
     */
    uint32_t Run(Picoseconds before, uint32_t most);

    /** @return when the next step would be: everything before it has been looked at */
    Picoseconds GetNext() const;

  private:
    /**
     * @param place 0 for the next asking frame, 1 for the one after that
     * @return when it arrives, at the earliest, or NEVER
     */
    static Picoseconds NextAsk(const Wire& wire, uint32_t place = 0);
    /** Sends frames of a wire's stream. */
    static void Send(Wire& wire, uint64_t count);
    /** Takes one step. @return whether it was regular */
    bool Step(uint32_t from, Picoseconds at, Picoseconds before);

    std::array<Wire, 2> m_wires;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAIN_EXPRESS_H */
