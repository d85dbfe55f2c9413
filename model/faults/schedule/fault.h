/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_H
#define PHOTONIC_RAILS_FAULT_H

#include "fault-kind.h"

#include "ns3/identifier.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/** An end of the management network. */
struct ManagementEnd
{
    /** The application at the end. */
    enum class Role : uint8_t
    {
        CONTROLLER, //!< the first controller
        STANDBY,    //!< the other one
        SERVER,     //!< the shim of a server
        RAIL,       //!< the agent of a rail's switch
    };

    Role role{Role::CONTROLLER};
    uint32_t number{0}; //!< of the server or the rail

    bool operator==(const ManagementEnd& other) const
    {
        return role == other.role && number == other.number;
    }

    bool operator<(const ManagementEnd& other) const
    {
        return std::tie(role, number) < std::tie(other.role, other.number);
    }
};

/** @return "controller", "standby", "server 3" or "rail 0" */
std::string ToString(const ManagementEnd& end);
/** @param words as ToString() writes them @return the end, if the words mean one */
std::optional<ManagementEnd> FindManagementEnd(const std::string& words);

/**
 * @ingroup photonic-rails
 * @brief A fault of one component: which, when, for how long.
 *
 * Which members a kind uses is in UsesOf(); the others keep their defaults. Two faults are of one
 * component if their kind and their targets are equal.
 *
 * A GPU is named by its server and its number there. Its NIC port, and the fiber of that, by the
 * number of the port on the GPU. The GPU `gpu` of each server is on rail `gpu`, at the place
 * `server`. A port of an OCS is named by its rail and its number on the switch.
 *
 * Plain C++: no simulator.
 */
struct Fault
{
    FaultKind kind{FaultKind::FIBER_CUT};
    Time at{0};                     //!< instant of the fault
    std::optional<Time> duration{}; //!< until the repair; none: for good

    // targets
    RailId rail{};                     //!< of a switch and its agent
    uint32_t server{0};                //!< of a NIC port, a GPU, a shim
    uint32_t gpu{0};                   //!< on its server
    uint32_t port{0};                  //!< of a GPU's NIC, or of the rail's switch
    uint32_t other{0};                 //!< the other port of a misconnection
    std::vector<ManagementEnd> ends{}; //!< links, or one side of a partition; ascending, each once

    // parameters
    double position{0.5}; //!< of a cut, as a share of the fiber's length from the NIC port
    double factor{2};     //!< of a slow GPU: that the time of its computations is multiplied by
    Time extra{0};        //!< further time of a slow port to settle, or of a link of the network
    double loss{1};       //!< share of the frames or packets that are lost
    Time period{0};       //!< of flapping: from a loss of the port to the next
    double duty{0.5};     //!< of flapping: share of a period in which the port is down

    /** @return the instant of the repair; Time::Max() if there is none */
    Time GetEnd() const;

    bool operator==(const Fault& other) const;
    bool operator!=(const Fault& other) const;
    /** By instant, and then by all other members: an order without ties. */
    bool operator<(const Fault& other) const;
};

/** @return whether two faults are of one kind and one component */
bool IsSameComponent(const Fault& one, const Fault& other);

/** @return the component in words: "fiber of server 1, gpu 0, port 1" */
std::string DescribeTarget(const Fault& fault);

/** Prints kind, component and times. */
std::ostream& operator<<(std::ostream& os, const Fault& fault);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_H */
