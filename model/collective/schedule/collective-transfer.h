/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_TRANSFER_H
#define PHOTONIC_RAILS_COLLECTIVE_TRANSFER_H

#include <cstdint>

namespace ns3
{

/** A transfer of a chunk from a rank to another. */
struct CollectiveTransfer
{
    /** The use of the chunk at the receiver. */
    enum class Action : uint8_t
    {
        COPY,   //!< it replaces the receiver's data
        REDUCE, //!< it is added to the receiver's data
    };

    /** The wires that a transfer takes. */
    enum class Wires : uint8_t
    {
        RAIL,     //!< between servers
        SCALE_UP, //!< inside a server
    };

    uint32_t from{0};
    uint32_t to{0};
    uint32_t chunk{0};
    /**
     * The version of the chunk that is sent: its data at `from` after the first so many transfers
     * of the list that bring the chunk to `from`. 0: the initial data.
     */
    uint32_t needs{0};
    uint32_t round{0};   //!< it needs no arrival of this round or later
    uint16_t channel{0}; //!< on a wire, transfers of different channels do not wait for each other
    Action action{Action::COPY};
    Wires wires{Wires::RAIL};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_TRANSFER_H */
