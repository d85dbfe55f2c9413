/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INTRA_NODE_PLAN_H
#define PHOTONIC_RAILS_INTRA_NODE_PLAN_H

#include "ns3/collective-protocol.h"
#include "ns3/collective-schedule.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The messages of an operation of all ranks of a group, and which arrivals each waits for:
 * a schedule for a buffer of so many bytes, in messages of a largest size.
 *
 * It says the same as the CollectiveRun of each rank. Places are those of ranks in the group.
 *
 * Plain C++. It does not change.
 */
class IntraNodePlan
{
  public:
    /** A message. */
    struct Message
    {
        uint32_t from{0};      //!< a place
        uint32_t to{0};        //!< a place
        uint32_t ordinal{0};   //!< among the messages between the two on the channel
        uint32_t place{0};     //!< of its transfer among those of the sender
        uint32_t cell{0};      //!< at the receiver
        uint32_t turnIn{0};    //!< cell of all that comes to the receiver, if it keeps to rounds
        uint32_t turnOut{0};   //!< cell of all that the sender sends, if it keeps to rounds
        bool isAwaited{false}; //!< that it is settled, for a later round of the sender
        uint8_t waits{0};      //!< cells for which it waits
        uint64_t bytes{0};     //!< on wires
        uint64_t data{0};      //!< bytes of data
        uint16_t channel{0};
    };

    /** A message that waits for arrivals in a cell. */
    struct Release
    {
        uint32_t message;
        uint32_t needs; //!< arrivals in a row, from the first of the cell on
    };

    /**
     * One piece of a chunk at one place. If places keep to rounds, also all that comes to a place,
     * and all that it sends, whose messages are settled.
     */
    struct Cell
    {
        std::vector<uint32_t> incoming; //!< messages that bring it, in order
        std::vector<Release> outgoing;  //!< messages that send it on
    };

    /** What a place sends and receives in all. */
    struct Place
    {
        std::vector<uint32_t> starts; //!< messages that wait for no arrival, in order
        uint32_t transfersOut{0};
        uint64_t messagesOut{0};
        uint64_t messagesIn{0};
        uint64_t bytesOut{0}; //!< on wires
        uint64_t bytesIn{0};  //!< on wires
        uint64_t dataOut{0};
        uint64_t dataIn{0};
    };

    /**
     * @param schedule of all ranks
     * @param buffer size in bytes
     * @param messageSize the largest size of a message, in bytes of data
     * @param protocol of the messages
     */
    IntraNodePlan(const CollectiveSchedule& schedule,
                  uint64_t buffer,
                  uint64_t messageSize,
                  CollectiveProtocol protocol);

    /** @return the messages, in an order in which they could be sent one by one */
    const std::vector<Message>& GetMessages() const
    {
        return m_messages;
    }

    /** @return the cells */
    const std::vector<Cell>& GetCells() const
    {
        return m_cells;
    }

    /** @return whether places keep to rounds, so that messages may wait for several cells */
    bool KeepsRounds() const
    {
        return m_keepsRounds;
    }

    /** @return the places of the group */
    const std::vector<Place>& GetPlaces() const
    {
        return m_places;
    }

    /** @return whether each place sends something, and the operation is over at none before all
     * ranks have called it */
    bool NeedsAll() const
    {
        return m_needsAll;
    }

    /**
     * @return whether it has to go by messages: a place sends and receives nothing, a rank has too
     * many messages for tags, or two ranks exchange over two networks on one channel
     */
    bool IsSpecial() const
    {
        return m_isSpecial;
    }

  private:
    /** Finds out whether the operation needs all calls to be over anywhere. */
    bool FindNeedsAll() const;

    std::vector<Message> m_messages;
    std::vector<Cell> m_cells;
    std::vector<Place> m_places;
    bool m_keepsRounds{false};
    bool m_needsAll{false};
    bool m_isSpecial{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INTRA_NODE_PLAN_H */
