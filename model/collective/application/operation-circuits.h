/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_CIRCUITS_H
#define PHOTONIC_RAILS_OPERATION_CIRCUITS_H

#include "ns3/circuit-broker.h"
#include "ns3/collective-transport.h"
#include "ns3/identifier.h"
#include "ns3/picoseconds.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The circuits of one operation at one rank, stage by stage: requests, grants, and the time
 * without a grant.
 *
 * A stage goes from REQUESTED to OPEN when it is granted, and to OVER when its messages are done. A
 * grant that is withdrawn makes it WITHDRAWN until its messages are settled, then REQUESTED again.
 * A stage has circuits while it is OPEN or WITHDRAWN.
 *
 * Plain C++: the caller gives the times.
 */
class OperationCircuits
{
  public:
    /** The state of a stage. */
    enum class State : uint8_t
    {
        REQUESTED, //!< the broker has not answered
        OPEN,      //!< circuits are granted
        WITHDRAWN, //!< the broker wants the circuits back, and messages are not settled
        OVER,      //!< all messages are done, and the broker has the release
    };

    /** One stage. */
    struct Stage
    {
        CircuitRequest request;
        CircuitAnswer answer{};
        State state{State::REQUESTED};

        /** @return whether circuits are granted */
        bool HasCircuits() const
        {
            return state == State::OPEN || state == State::WITHDRAWN;
        }
    };

    /** Begins the operation, without circuits. */
    void Begin(Picoseconds now)
    {
        m_dark = now;
    }

    /** Adds the rank's next stage, whose circuits are requested. */
    void Add(const CircuitRequest& request);

    /** Opens a stage that is granted. @param place of the stage among the rank's */
    void Open(uint32_t place, const CircuitAnswer& answer, Picoseconds now);

    /**
     * Marks a stage whose grant is withdrawn.
     * @param place of the stage among the rank's
     * @return whether it was open
     */
    bool Withdraw(uint32_t place);

    /**
     * Notes that a stage has released its circuits.
     * @param place of the stage among the rank's
     * @param isOver whether the stage is done; else its circuits are requested again
     */
    void Close(uint32_t place, bool isOver, Picoseconds now);

    /** @return the stages that have been requested, in the schedule's order */
    const std::vector<Stage>& GetStages() const
    {
        return m_stages;
    }

    /** @return whether all stages that have been requested are over */
    bool AreOver() const;

    /** @return whether a stage goes over the network of the hosts */
    bool UseHostNetwork() const;

    /** @return whether other GPUs of a rail have forwarded messages of this rank */
    bool UseHops() const
    {
        return m_usesHops;
    }

    /** @return the time without circuits, up to the last grant */
    Picoseconds GetWaited() const
    {
        return m_waited;
    }

    /**
     * @param stage by its number in the schedule; its circuits have been requested
     * @return the last answer for it
     */
    const CircuitAnswer& GetAnswer(uint32_t stage) const;

    /** The links to a rank in a stage. */
    struct Links
    {
        uint32_t stage;
        RankId to;
        std::vector<RailLink> links;
        Relays relays;
        std::vector<SharedRailPath> paths; //!< by link; empty: none
    };

    /**
     * @param stage that is granted, by its number in the schedule
     * @return the links between two ranks, as they were at their first use since the grant
     */
    const Links& GetLinks(uint32_t stage, RankId from, RankId to);

  private:
    /** @return the number of stages that have circuits now */
    std::size_t CountLit() const;

    std::vector<Stage> m_stages; //!< by place among the rank's
    std::vector<Links> m_links;
    bool m_usesHops{false};
    Picoseconds m_dark{0}; //!< the time from which no stage has had circuits
    Picoseconds m_waited{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_CIRCUITS_H */
