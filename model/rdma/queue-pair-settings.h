/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_QUEUE_PAIR_SETTINGS_H
#define PHOTONIC_RAILS_QUEUE_PAIR_SETTINGS_H

#include "ns3/picoseconds.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * The turn of a queue pair among those of its port that have frames: the lowest first, and those of
 * equal order by number. It also selects the UDP source port, by which switches choose among equal
 * paths. Numbers tell in which order queue pairs were created, which is no property of the model
 * for two of one instant. All zeros: by number.
 */
using QueuePairOrder = std::array<uint64_t, 3>;

/** The common settings of both ends of a queue pair, and the settings of one end. */
struct QueuePairSettings
{
    uint32_t mtu{4096};    //!< payload of a frame: 256, 512, 1024, 2048, 4096; both ends alike
    uint32_t ackEvery{64}; //!< frames between two requests for an acknowledgement
    uint32_t timeoutExponent{14}; //!< timeout of 4.096 us * 2^exponent, 0 to 31
    uint32_t retryLimit{7};       //!< timeouts in a row before it fails
    bool selectiveRepeat{false};  //!< resend only missing frames, not all from there on
    uint8_t dataClass{3};         //!< traffic class of data
    uint8_t ackClass{7};          //!< traffic class of acknowledgements
    uint8_t cnpClass{6};          //!< traffic class of congestion notifications
    uint32_t initialPsn{0};       //!< of the first frame, 24 bits; both ends alike
    Picoseconds darkLimit{
        300'000'000'000'000};            //!< time without carrier, with work to do, until it fails
    Picoseconds cnpInterval{50'000'000}; //!< least time between two congestion notifications
    QueuePairOrder order{};              //!< turn among the queue pairs of the port

    /** @return the timeout: InfiniBand 1.4, section 9.7.6.1.3 */
    Picoseconds GetTimeout() const
    {
        return Picoseconds{4'096'000} << timeoutExponent;
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_QUEUE_PAIR_SETTINGS_H */
