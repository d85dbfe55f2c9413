/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANK_SCHEDULE_H
#define PHOTONIC_RAILS_RANK_SCHEDULE_H

#include "collective-schedule.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One rank's part of a schedule: its transfers, their dependencies, and the transfers that
 * each arrival allows.
 */
class RankSchedule
{
  public:
    using Wires = CollectiveTransfer::Wires;

    /** A transfer to or from this rank. */
    struct Transfer
    {
        uint32_t chunk{0};
        uint32_t slot{0};     //!< index of the chunk at this rank
        uint32_t needs{0};    //!< of an outgoing transfer: arrivals in the slot before it
        uint32_t stage{0};    //!< of the schedule
        uint32_t way{0};      //!< index in the list of ways
        uint32_t turn{0};     //!< index in the list of turns, if the schedule keeps to rounds
        uint32_t afterIn{0};  //!< of an outgoing transfer: arrivals of the turn in earlier rounds
        uint32_t afterOut{0}; //!< of an outgoing transfer: those that leave in earlier rounds
    };

    /** The messages to or from a rank on a channel, which keep their order. */
    struct Way
    {
        uint32_t peer{0};
        uint16_t channel{0};
        Wires wires{Wires::RAIL};
        std::vector<uint32_t> transfers; //!< in order
    };

    /** A chunk at this rank. */
    struct Slot
    {
        uint32_t chunk{0};
        std::vector<uint32_t> incoming; //!< transfers that bring it, in order
        std::vector<uint32_t> outgoing; //!< transfers that send it
    };

    /** The transfers of a channel, if the schedule keeps to rounds. */
    struct Turn
    {
        uint16_t channel{0};
        std::vector<uint32_t> incoming; //!< in the schedule's order
        std::vector<uint32_t> outgoing; //!< in the schedule's order
    };

    /**
     * Reads the rank's own transfers only: the schedule has them by rank.
     * @param schedule of all ranks
     */
    RankSchedule(std::shared_ptr<const CollectiveSchedule> schedule, uint32_t rank);

    /**
     * Gets a part that operations share.
     * @param schedule of all ranks
     * @return the part, which is kept while an operation has it
     */
    static std::shared_ptr<const RankSchedule> Get(
        const std::shared_ptr<const CollectiveSchedule>& schedule,
        uint32_t rank);

    std::shared_ptr<const CollectiveSchedule> schedule; //!< of all ranks
    std::vector<Transfer> outgoing;                     //!< in the schedule's order
    std::vector<Transfer> incoming;                     //!< in the schedule's order
    std::vector<Way> waysOut;                           //!< for outgoing
    std::vector<Way> waysIn;                            //!< for incoming
    std::vector<Slot> slots;
    std::vector<Turn> turns;      //!< none: it sends what it has
    std::vector<uint32_t> stages; //!< in which this rank sends or receives on the rail, in order

  private:
    /** Lists the turns. @param rank whose part it is */
    void FindTurns(uint32_t rank);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANK_SCHEDULE_H */
