/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_REFUSAL_H
#define PHOTONIC_RAILS_OPUS_REFUSAL_H

#include <cstdint>

namespace ns3
{

/** The reason of a refused input. */
enum class OpusRefusal : uint8_t
{
    NONE,            //!< it is accepted
    NOT_OPUS,        //!< it does not begin like a datagram of the protocol
    UNKNOWN_VERSION, //!< of the protocol
    UNKNOWN_TYPE,    //!< of message
    UNKNOWN_FLAGS,   //!< a flag that this version does not have
    TRUNCATED,       //!< it ends too early
    TRAILING,        //!< it has bytes after its end
    BAD_COUNTS,      //!< lists longer than the message
    CONTRADICTION,   //!< numbers that contradict each other
};

/** The number of values of OpusRefusal. */
constexpr uint32_t OPUS_REFUSALS = 9;

/** @return the name of a refusal in lower case with dashes */
const char* ToString(OpusRefusal refusal);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_REFUSAL_H */
