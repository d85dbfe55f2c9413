/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAILURE_SIGN_H
#define PHOTONIC_RAILS_FAILURE_SIGN_H

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <ostream>

namespace ns3
{

/** A GPU of a cluster, by its server and its number there. */
struct GpuPlace
{
    uint32_t server{0};
    uint32_t gpu{0};

    bool operator==(const GpuPlace& other) const
    {
        return server == other.server && gpu == other.gpu;
    }

    bool operator<(const GpuPlace& other) const
    {
        return server < other.server || (server == other.server && gpu < other.gpu);
    }

    friend std::ostream& operator<<(std::ostream& os, const GpuPlace& place)
    {
        return os << "GPU " << place.gpu << " of server " << place.server;
    }
};

/** The ways in which a failure shows. */
enum class FailureSign : uint8_t
{
    PROCESS_EXIT = 1, //!< the process of a rank has ended, as its launcher on the server finds
    NO_CARRIER =
        2, //!< a NIC port is dark for too long: its queue pair gave up, or its link is lost
    RETRY_LIMIT = 3,  //!< a queue pair gave up without an answer of its peer
    TIMEOUT = 4,      //!< nothing has happened at a rank for its StallLimit
    NO_HEARTBEAT = 5, //!< a server is silent
    NO_CIRCUITS = 6,  //!< circuits of an operation were refused
};

/** @return the name of a sign: "process-exit" */
const char* ToString(FailureSign sign);

/** A sign of a failure, as a server reports it. */
struct FailureReport
{
    FailureSign sign{FailureSign::TIMEOUT};
    GpuPlace at;                     //!< that shows the sign
    std::optional<GpuPlace> suspect; //!< that the sign points to: another one, if it is known
    Time since{0};                   //!< instant at which the server had the sign

    bool operator==(const FailureReport& other) const;
    /** By sign, place and suspect, and then by time: an order without ties. */
    bool operator<(const FailureReport& other) const;
};

/** Prints it in words. */
std::ostream& operator<<(std::ostream& os, const FailureReport& report);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAILURE_SIGN_H */
