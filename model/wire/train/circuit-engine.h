/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_ENGINE_H
#define PHOTONIC_RAILS_CIRCUIT_ENGINE_H

#include "circuit-end.h"
#include "circuit-express.h"
#include "train-line.h"
#include "train-sender.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Both wires of an undisturbed circuit between two NIC ports, as trains: runs of frames that
 * are computed many at a time, to the picosecond as if each had events of its own.
 *
 * **Guarantee.** Every frame begins, passes and arrives at the instant at which it would with an
 * event for each, is of the same kind and number, and the offloads at both ends receive the same
 * calls in the same order. The engine does not model a disturbance (a cut, another rate, a pause, a
 * packet of the host stack): its owner takes the frames in flight out of it before that happens.
 *
 * **Method.** The engine is lazy. It computes only the past, so it never undoes a result: before a
 * query or a change, CatchUp() computes everything up to that instant, and the rest follows from
 * the changed state. GetHorizon() makes this exact: it is no later than the next instant at which
 * an effect of the circuit (the arrival or completion of a message, or a timer) is visible
 * elsewhere. It follows from the bytes that must pass the wire first. The owner calls the engine
 * again at the horizon; if that is too early, the next horizon is closer. An effect that becomes
 * visible too late violates the guarantee and stops the simulation.
 *
 * Inside, both directions advance from one decision or arrival that matters to the next, in order
 * of time; the acknowledgements of one direction cut into the runs of the other.
 *
 * Plain C++: no simulator.
 */
class CircuitEngine
{
  public:
    /** The instant and the end at which an effect may be visible. */
    struct Horizon
    {
        Picoseconds at{NEVER};
        uint32_t end{0};
    };

    /**
     * @param ends both ports
     * @param now the engine decides from this instant on
     */
    CircuitEngine(const std::array<CircuitEnd, 2>& ends, Picoseconds now);

    /**
     * Takes over a frame that was in flight when the engine began.
     * @param from the end that sent the frame
     * @param frame with its times at that end
     * @param stage the stage that it is in
     */
    void Absorb(uint32_t from, WireFrame&& frame, std::size_t stage);

    /** Starts the engine, after all frames in flight were absorbed. */
    void Start();

    /**
     * Computes everything before an instant, so that an offload may be called. No message ends
     * before it.
     */
    void CatchUp(Picoseconds now);

    /** Computes everything before an instant, but no more of the open runs than that takes. */
    void Advance(Picoseconds before);

    /**
     * Computes everything before an instant so that counts are complete: it also delivers frames
     * that have no effect.
     */
    void CatchUpWholly(Picoseconds now);

    /**
     * Delivers the frames that arrive at one end at an instant. The offload may then make any call,
     * even one by which the owner ends the engine.
     */
    void Deliver(Picoseconds now, uint32_t end);

    /**
     * An offload has frames to send.
     * @param now the present instant, unless the engine itself causes the call
     */
    void Kick(uint32_t end, Picoseconds now);

    /** @return the next instant at which an effect may be visible, or an earlier one */
    Horizon GetHorizon();

    /**
     * @return whether the present calls to an offload belong to a past instant, so that no effect
     *         of them may be visible
     */
    bool IsInThePast() const
    {
        return m_catchingUp;
    }

    /**
     * @return whether nothing is on the wires or to be sent, no frame can be lost, and all before an
     * instant is computed
     */
    bool IsQuiet(Picoseconds now) const;

    /** Ends the engine: it delivers no more frames. */
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
    /** Delivers the front of a line, as far as possible at once. */
    void HandOver(uint32_t from, Picoseconds at);
    /** Computes when the front of a line is due. */
    void LookAtFront(uint32_t from);
    /** @return the horizon, as far as runs are committed */
    Horizon FindHorizon();
    /** Moves a horizon to an earlier instant. */
    static void Lower(Horizon& horizon, Picoseconds at, uint32_t end);
    /** Lowers a horizon by the frames in flight from one end. */
    void LowerByLine(Horizon& horizon,
                     uint32_t from,
                     bool lossPossible,
                     bool peerLossPossible) const;
    /** Lowers a horizon by the answer to a frame that arrives from one end at an instant. */
    void LowerByAnswer(Horizon& horizon, uint32_t from, Picoseconds at) const;
    /** @return the earliest instant at which an answer can reach an end; or NEVER */
    Picoseconds GetEarliestAnswer(uint32_t to) const;
    /** Lowers a horizon by the possible future frames of one end. */
    void LowerByOutlook(Horizon& horizon,
                        uint32_t from,
                        const BatchOffload::Outlook& outlook,
                        bool lossy) const;

    std::array<CircuitEnd, 2> m_ends;
    std::array<TrainLine, 2> m_lines;                    //!< by the end they come from
    std::array<TrainSender, 2> m_senders;                //!< by end
    CircuitExpress m_express;                            //!< of these lines and senders
    std::array<Picoseconds, 2> m_arrivals{NEVER, NEVER}; //!< of the front of each line
    Picoseconds m_caughtUp;                              //!< everything before it is computed
    Picoseconds m_present{0};                            //!< the instant that is being computed
    bool m_inside{false};     //!< a function is under way: Kick() comes from an offload it calls
    bool m_catchingUp{false}; //!< see IsInThePast()
    bool m_retired{false};    //!< see Retire()
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_ENGINE_H */
