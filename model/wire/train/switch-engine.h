/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SWITCH_ENGINE_H
#define PHOTONIC_RAILS_SWITCH_ENGINE_H

#include "circuit-end.h"
#include "circuit-engine.h"
#include "switch-flows.h"
#include "switch-wire.h"
#include "train-line.h"
#include "train-sender.h"

#include "ns3/earliest-slot.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/** A port of a NIC and the port of the packet switch at the other end of its fiber. */
struct SwitchEnd
{
    uint32_t port{0};         //!< number of the port of the switch
    CircuitEnd nic;           //!< its only stage leads to the switch
    TransmitterState egress;  //!< progress of the port of the switch
    uint64_t egressRate{0};   //!< bits a second
    TrainLine::Stage fiber{}; //!< from the switch to the NIC
};

/**
 * @ingroup photonic-rails
 * @brief The NIC ports around a packet switch without congestion, as trains: runs of frames pass
 * NIC, switch and NIC many at a time, to the picosecond as if each had events of its own.
 *
 * **Guarantee and method** are those of CircuitEngine: it computes only the past, in order of time,
 * and GetHorizon() is no later than the next instant at which an effect is visible elsewhere.
 *
 * Each NIC has a TrainSender, whose runs go to the SwitchWire of the egress port of their
 * destination, and from there on a TrainLine to the NIC. A wire is computed when a frame that
 * matters may have begun on it. Before that, the open runs to this wire are committed as far as
 * their frames may have come to the switch.
 *
 * The switch must not mark, drop or pause. The owner ensures this: GetWaitingBytes() is the memory
 * in use, which grows no faster than all NICs send.
 *
 * Plain C++: no simulator.
 */
class SwitchEngine
{
  public:
    using Horizon = CircuitEngine::Horizon;

    /**
     * @param ends the ports
     * @param delay of the switch, between the arrival of a frame and its queue
     * @param now the engine decides from this instant on
     */
    SwitchEngine(const std::vector<SwitchEnd>& ends, Picoseconds delay, Picoseconds now);

    /** Takes over a frame on its way to the switch. @param frame with its times at the switch */
    void AbsorbComing(uint32_t from, WireFrame&& frame);

    /** Takes over a frame in the switch. @param enters see SwitchWire::Absorb() */
    void AbsorbInside(uint32_t from, WireFrame&& frame, Picoseconds enters);

    /** Takes over a frame on its way from the switch. @param frame with its times at the switch */
    void AbsorbLeaving(uint32_t to, WireFrame&& frame);

    /** Starts the engine, after all frames were absorbed. */
    void Start();

    /** See CircuitEngine. */
    void Advance(Picoseconds before);
    /** See CircuitEngine. */
    void CatchUp(Picoseconds now);
    /** See CircuitEngine. */
    void CatchUpWholly(Picoseconds now);
    /** See CircuitEngine. */
    void Deliver(Picoseconds now, uint32_t end);
    /** See CircuitEngine. */
    void Kick(uint32_t end, Picoseconds now);
    /** See CircuitEngine. */
    Horizon GetHorizon();

    /** See CircuitEngine. */
    bool IsInThePast() const
    {
        return m_catchingUp;
    }

    /** See CircuitEngine. */
    void Retire()
    {
        m_retired = true;
    }

    /** @return the end with an address; the number of ends if there is none */
    uint32_t FindEnd(Mac48Address address) const;

    /** Computes the queues of the switch at an instant. @return the bytes that wait in them */
    uint64_t GetWaitingBytes(Picoseconds now);

    /** @return the bytes that wait for an end, after GetWaitingBytes() of that instant */
    uint64_t GetWaitingBytes(uint32_t end, Picoseconds now) const
    {
        return m_ends[end]->wire.GetWaiting(now).bytes;
    }

    /** @return the bytes of all frames that come to the switch or wait in it */
    uint64_t GetBytesToLeave() const;

    /** How the bytes that wait in the switch increase at most. */
    struct Growth
    {
        /** Of those for a port. */
        struct OfPort
        {
            uint64_t bytes{0};         //!< beside the rate
            uint64_t bitsPerSecond{0}; //!< preambles and gaps included
        };

        std::vector<OfPort> ports; //!< by end
        uint64_t anywhere{0};      //!< bytes for any of the ports
    };

    /**
     * Everything must be computed up to now.
     * @param largest bytes on the wire of the largest frame
     * @param [out] growth from now on, as long as IsForeseen() for each end to which a
     *              message is posted; each of them adds two answers at most
     * @return whether it is known
     */
    bool FindGrowth(uint32_t largest, Growth& growth);

    /** @return whether all that an end sends has been counted by FindGrowth() */
    bool IsForeseen(uint32_t end) const;

    /** @return an instant before which no NIC sends other frames than these, or NEVER */
    Picoseconds GetEarliestSend();

    /** @return the frames that an end has sent */
    uint64_t GetSent(uint32_t end) const
    {
        return m_ends[end]->up.GetBegun();
    }

    /** @return the frames from an end that were under way to the switch or are by now */
    const SwitchWire::Counts& GetToSwitch(uint32_t end) const
    {
        return m_ends[end]->toSwitch;
    }

    /** @return the sending half of an end */
    const TrainSender& GetSender(uint32_t end) const
    {
        return m_ends[end]->sender;
    }

    /** @return the wire from the switch to an end */
    const SwitchWire& GetWire(uint32_t end) const
    {
        return m_ends[end]->wire;
    }

    /** @return the frames on their way from the switch to an end */
    const TrainLine& GetLine(uint32_t end) const
    {
        return m_ends[end]->down;
    }

  private:
    /** The state of an end. */
    struct End
    {
        explicit End(const SwitchEnd& theEnd, Picoseconds delay);

        uint32_t port; //!< of the switch
        CircuitEnd nic;
        Picoseconds way; //!< to the switch
        TrainLine up;    //!< its segments go to the wires at once
        TrainSender sender;
        TrainLine down;
        SwitchWire wire;
        SwitchWire::Counts toSwitch;  //!< frames that were given to the wires
        Horizon bound;                //!< see FindBound()
        bool stale{true};             //!< the bound has to be found
        bool lossPossible{true};      //!< frames that it sent before trains began may be lost
        uint32_t openPair{0};         //!< queue pair of the open run; 0: several
        std::vector<uint32_t> openTo; //!< ends to which the open run, or the last one, goes
        std::vector<uint32_t> openBy; //!< ends that have this one in openTo, in order
    };

    /** The kinds of events, in the order of those of an instant. */
    enum Kind : uint32_t
    {
        ARRIVAL,
        DECISION,
        WIRE,
        KINDS,
    };

    /** @return the instant of the next event of a kind at an end */
    Picoseconds At(Kind kind, uint32_t end) const
    {
        return m_next.Get(kind * m_ends.size() + end);
    }

    /** Sets the instant of the next event of a kind at an end. */
    void SetAt(Kind kind, uint32_t end, Picoseconds at)
    {
        m_next.Set(kind * m_ends.size() + end, at);
    }

    /** The sender of an end has changed: its new segments go to their wires. */
    void Follow(uint32_t end);
    /** Frames go to the wires of their destinations. */
    void Distribute(uint32_t ingress, TrainSegment&& segment);
    /** Finds the ends to which the open run of an end goes. */
    void FindOpenTo(uint32_t end);
    /** Computes when the wire to an end is due. */
    void LookAtWire(uint32_t end);
    /** Computes when the front of a line is due. */
    void LookAtFront(uint32_t end);
    /** Commits the open runs to an end, as far as their frames come to the switch before it. */
    void CommitTo(uint32_t end, Picoseconds before);
    /** Computes the wire to an end. */
    void AdvanceWire(uint32_t end, Picoseconds before);
    /** Delivers the front of a line, as far as possible at once. */
    void HandOver(uint32_t to, Picoseconds at);
    /** Lowers a horizon by what an end may send. */
    void LowerByOutlook(Horizon& horizon, uint32_t from);
    /** Lowers a horizon by the frames that come to an end. */
    void LowerByFrames(Horizon& horizon, uint32_t to) const;
    /** Lowers a horizon by one run of them. @param at when its last frame arrives, at least */
    void LowerByRun(Horizon& horizon,
                    uint32_t to,
                    const TrainSegment& segment,
                    Picoseconds first,
                    Picoseconds at) const;
    /** @return the horizon by what an end sends and receives */
    Horizon FindBound(uint32_t end);
    /** @return the end of all that is under way, if nothing is visible */
    Horizon FindLast() const;
    /** @return an instant before which no frame with an effect arrives at an end, or NEVER */
    Picoseconds GetEarliestArrival(uint32_t end);
    /** @return the same, with frames that are sent only because another one arrives elsewhere */
    Picoseconds GetEarliestAnswer(uint32_t end);
    /**
     * Adds the flows of an end.
     * @param answers increases by the answers that wait, and the frames that may be short
     * @return whether they are known
     */
    bool AddFlows(uint32_t from, SwitchFlows& flows, uint64_t& answers) const;
    /**
     * Adds an upper bound of the bytes of answers to the frames that are under way now, and of all
     * frames under way that belong to no flow of `m_flows`.
     */
    void AddBytesBeside(Growth& growth) const;
    /** Determines whether frames that were sent before trains began may still be lost. */
    void UpdateWary();

    std::vector<std::unique_ptr<End>> m_ends;
    std::vector<std::pair<uint64_t, uint32_t>> m_addresses; //!< ends by address
    std::vector<uint32_t> m_endOf;                          //!< by port of the switch
    EarliestSlot m_next;                                    //!< events, by kind and end
    std::vector<uint64_t> m_inRates;                        //!< bits a second of the NICs
    std::vector<uint64_t> m_outRates;                       //!< the same of the switch's ports
    SwitchFlows m_flows;                                    //!< that FindGrowth() has counted
    Picoseconds m_delay;                                    //!< of the switch
    Picoseconds m_leastWay;                                 //!< from a NIC to another, at least
    Picoseconds m_leastDown;                                //!< from the switch to a NIC, at least
    Picoseconds m_caughtUp;                                 //!< everything before it is computed
    Picoseconds m_present{0};
    bool m_wary{true}; //!< any frame may cause an answer, as frames before it may be lost
    bool m_inside{false};
    bool m_catchingUp{false};
    bool m_retired{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SWITCH_ENGINE_H */
