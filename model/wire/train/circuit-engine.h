/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_ENGINE_H
#define PHOTONIC_RAILS_CIRCUIT_ENGINE_H

#include "train-express.h"
#include "train-sender.h"

#include <array>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Both wires of an undisturbed circuit between two NIC ports, as trains: runs of frames that
 * are worked out many at a time, to the picosecond as if each had events of its own.
 *
 * **What it promises.** Every frame begins, passes and arrives at the instant at which it would
 * with an event for each, is of the same kind and number, and the offloads at both ends are told
 * the same in the same order. Whatever is not true of an undisturbed circuit (a cut, another rate,
 * a pause, a packet of the host stack) is not its business: its owner takes the frames on their way
 * out of it before that happens.
 *
 * **How.** It is lazy. Nothing is worked out before it is over, so nothing need ever be undone:
 * when somebody asks or changes something, CatchUp() first works out everything up to that instant
 * (commit), and what lies beyond follows from what is changed (plan again). What makes that exact
 * is GetHorizon(): no later than the next instant at which something that happens here can be seen
 * elsewhere, a message that arrives or is settled or a timer. It follows from the bytes that must
 * go over the wire first. Its owner comes back then; if it was too early, the next horizon is
 * closer. A thing that is seen too late is a broken promise, and stops the simulation.
 *
 * Inside, both directions advance from one decision or arrival that matters to the next, in order
 * of time; the acknowledgements of one direction cut into the runs of the other.
 *
 * Plain C++: no simulator.
 */
class CircuitEngine
{
  public:
    /** A port at an end of the circuit, and the way from there to the other. */
    struct End
    {
        BatchOffload* offload;                //!< what sends and receives through it
        Mac48Address address;                 //!< of the port
        uint64_t rate;                        //!< bits a second
        TransmitterState state;               //!< how far it has come
        std::vector<TrainLine::Stage> stages; //!< of the way to the other end
        const TrainSender::Sinks* sinks;      //!< are told of its frames
    };

    /** When and at which end something may be seen. */
    struct Horizon
    {
        Picoseconds at{NEVER};
        uint32_t end{0};
    };

    /**
     * @param ends both ports
     * @param now the instant from which on the engine decides
     */
    CircuitEngine(const std::array<End, 2>& ends, Picoseconds now);

    /**
     * A frame that was on its way when the engine began.
     * @param from the end it comes from
     * @param frame with its times at that end
     * @param stage in which it is
     */
    void Absorb(uint32_t from, WireFrame&& frame, std::size_t stage);

    /** All that was on its way has been absorbed. */
    void Start();

    /**
     * Works out what was before an instant, so that an offload may be told something. No message
     * ends before it.
     */
    void CatchUp(Picoseconds now);

    /**
     * Works out what was before an instant, and no more of the runs that are going on than that
     * takes.
     */
    void Advance(Picoseconds before);

    /**
     * Works out all of what was before an instant, so that it may be counted: frames that came in
     * are handed over though nothing follows from them.
     */
    void CatchUpWholly(Picoseconds now);

    /**
     * Hands over what comes in at an instant, at one end. Its offload may then do anything, even
     * make the owner give the engine up.
     */
    void Deliver(Picoseconds now, uint32_t end);

    /**
     * An offload has something to send.
     * @param now the instant, unless it follows from what the engine does
     */
    void Kick(uint32_t end, Picoseconds now);

    /** @return the next instant at which anything may be seen, or before that */
    Horizon GetHorizon();

    /** @return whether what it tells an offload lies in the past, so that nobody may see it */
    bool IsInThePast() const
    {
        return m_catchingUp;
    }

    /** The engine is given up: nothing more is handed over. */
    void Retire()
    {
        m_retired = true;
    }

    /** @return one direction's frames */
    const TrainLine& GetLine(uint32_t from) const
    {
        return m_lines[from];
    }

    /** @return the sending half of an end */
    const TrainSender& GetSender(uint32_t end) const
    {
        return m_senders[end];
    }

  private:
    /**
     * Works out what is regular between an instant and another, if that is much.
     * @return whether anything was
     */
    bool TakeExpress(Picoseconds from, Picoseconds before);
    /** @return whether an end's wire is regular */
    bool EnterExpress(uint32_t end);

    /** What has come to the end of a line, of what was on it and of the pieces. */
    struct Through
    {
        std::size_t segments{0}; //!< that were on the line before
        std::size_t pieces{0};
        uint64_t answers{0}; //!< among them
        uint64_t settled{0}; //!< by the latest of them, if it is a piece
    };

    /** @return what has come to the end of a line */
    Through FindThrough(uint32_t end, Picoseconds next) const;
    /**
     * Commits what an end has sent of its stream.
     * @param settled frames before it are
     * @param [out] middle one of the frames, after which others can be made
     */
    void CommitStream(uint32_t end, uint64_t settled, WireFrame& middle);
    /** Puts what was sent on a line, or hands it over. */
    void RunThrough(uint32_t end, const Through& through, const WireFrame& middle);
    /** Makes a segment of a piece. */
    void MakeSegment(uint32_t end,
                     const TrainExpress::Piece& piece,
                     const WireFrame& middle,
                     TrainSegment& segment) const;
    /** The sending half of an end goes on behind the pieces. */
    void GoOnBehind(uint32_t end);
    /** What is at the front of a line, as far as it may be taken at once, is handed over. */
    void HandOver(uint32_t from, Picoseconds at);
    /** Finds out when the front of a line is to be handed over. */
    void LookAtFront(uint32_t from);
    /** @return the horizon, as far as runs are committed */
    Horizon FindHorizon();
    /** Brings a horizon forward. */
    static void Lower(Horizon& horizon, Picoseconds at, uint32_t end);
    /** Lowers a horizon by what is on its way from one end. */
    void LowerByLine(Horizon& horizon,
                     uint32_t from,
                     bool lossPossible,
                     bool peerLossPossible) const;
    /** Lowers a horizon by the answer to what comes from one end at an instant. */
    void LowerByAnswer(Horizon& horizon, uint32_t from, Picoseconds at) const;
    /** @return when anything that is sent back can reach an end, at the earliest; or NEVER */
    Picoseconds GetEarliestAnswer(uint32_t to) const;
    /** Lowers a horizon by what one end may yet send. */
    void LowerByOutlook(Horizon& horizon,
                        uint32_t from,
                        const BatchOffload::Outlook& outlook,
                        bool lossy) const;

    std::array<End, 2> m_ends;
    std::array<TrainLine, 2> m_lines;     //!< by the end they come from
    std::array<TrainSender, 2> m_senders; //!< by end
    std::unique_ptr<TrainExpress> m_express;
    std::array<BatchOffload::Stream, 2> m_streams;       //!< as they were when the express began
    Picoseconds m_noExpressBefore{ALWAYS_BEFORE};        //!< it was tried in vain
    std::array<Picoseconds, 2> m_arrivals{NEVER, NEVER}; //!< of the front of each line
    Picoseconds m_caughtUp;                              //!< everything before it is worked out
    Picoseconds m_present{0};                            //!< what is being worked out, inside
    bool m_inside{false};
    bool m_catchingUp{false};
    bool m_retired{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_ENGINE_H */
