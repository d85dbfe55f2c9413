/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESSAGE_TOTALS_H
#define PHOTONIC_RAILS_MESSAGE_TOTALS_H

#include <cstdint>

namespace ns3
{

/** The messages of an operation of one rank, and their bytes of data. */
struct MessageTotals
{
    uint64_t messagesSent{0};
    uint64_t bytesSent{0}; //!< of data
    uint64_t messagesReceived{0};
    uint64_t bytesReceived{0}; //!< of data
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESSAGE_TOTALS_H */
