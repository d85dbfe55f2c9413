/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_REPORT_H
#define PHOTONIC_RAILS_HOST_REPORT_H

#include "collective-transport.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * The outcome of one message on the network of the hosts, which a server reports to one of its
 * GPUs.
 */
struct HostReport
{
    /** The outcome of the message. */
    enum Outcome : uint8_t
    {
        ARRIVED, //!< a message for the GPU has arrived
        SETTLED, //!< the other server's receipt for a message of the GPU has arrived
        FAILED,  //!< a message of the GPU has failed
    };

    Outcome outcome{ARRIVED};
    TransportMessage message;
    std::string why; //!< of FAILED
};

/**
 * @ingroup photonic-rails
 * @brief The end of a rank's GPU to which its server reports the outcomes of messages.
 *
 * The server calls Report() at the instant of the outcome. The receiver adds the delay from the
 * server to the GPU.
 */
class HostReportReceiver
{
  public:
    virtual ~HostReportReceiver() = default;

    /** @param report the outcome of a message from or for this rank */
    virtual void Report(const HostReport& report) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_REPORT_H */
