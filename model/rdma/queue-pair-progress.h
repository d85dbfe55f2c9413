/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_QUEUE_PAIR_PROGRESS_H
#define PHOTONIC_RAILS_QUEUE_PAIR_PROGRESS_H

#include <cstdint>

namespace ns3
{

/**
 * What a queue pair has carried in one direction, from one instant without open messages to
 * another: as many messages, which the peer has and has acknowledged.
 */
struct QueuePairProgress
{
    uint64_t messages{0};
    uint64_t bytes{0};            //!< of messages
    uint64_t frames{0};           //!< with these bytes
    uint64_t wireMessages{0};     //!< as the receiver counts them: a gibibyte at most
    uint64_t acknowledgements{0}; //!< frames in the other direction
    uint64_t troubles{0};         //!< frames sent again or not accepted, timeouts, other answers

    /** @return what was carried since an earlier instant */
    QueuePairProgress Since(const QueuePairProgress& earlier) const
    {
        return {messages - earlier.messages,
                bytes - earlier.bytes,
                frames - earlier.frames,
                wireMessages - earlier.wireMessages,
                acknowledgements - earlier.acknowledgements,
                troubles - earlier.troubles};
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_QUEUE_PAIR_PROGRESS_H */
