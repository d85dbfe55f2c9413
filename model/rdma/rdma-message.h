/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_MESSAGE_H
#define PHOTONIC_RAILS_RDMA_MESSAGE_H

#include <cstdint>

namespace ns3
{

/** The operation of a message at the other end. */
enum class RdmaVerb
{
    WRITE,                //!< RDMA WRITE: into memory whose address is known
    WRITE_WITH_IMMEDIATE, //!< the same, with 32 bits for the receiving application
    SEND,                 //!< into a buffer that the receiver has posted
};

/** @return its name, in lower case with dashes */
const char* ToString(RdmaVerb verb);

/** A message of a queue pair. */
struct RdmaMessage
{
    uint64_t id{0}; //!< its ordinal in the queue pair, from 0
    RdmaVerb verb{RdmaVerb::WRITE};
    uint64_t bytes{0};     //!< of payload, any number
    uint32_t immediate{0}; //!< for WRITE_WITH_IMMEDIATE
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RDMA_MESSAGE_H */
