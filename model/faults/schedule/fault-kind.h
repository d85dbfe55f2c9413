/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_KIND_H
#define PHOTONIC_RAILS_FAULT_KIND_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** The kinds of faults. */
enum class FaultKind : uint8_t
{
    FIBER_CUT,             //!< a fiber is cut, and spliced
    OCS_PORT_STUCK,        //!< a port of an OCS stays dark
    OCS_PORT_SLOW,         //!< a port of an OCS takes longer to settle
    OCS_PORT_MISCONNECTED, //!< two ports of an OCS are swapped
    OCS_DOWN,              //!< an OCS and its agent have no power
    NIC_PORT_DOWN,         //!< a NIC port sends and receives no light
    NIC_PORT_FLAPPING,     //!< a NIC port is down and up in turn
    BIT_ERRORS,            //!< a share of the frames in a fiber is lost
    MANAGEMENT_LOSS,       //!< links of the management network lose packets
    MANAGEMENT_DELAY,      //!< links of the management network have a further delay
    MANAGEMENT_PARTITION,  //!< the management network is in two parts
    CONTROLLER_CRASH,      //!< the first controller crashes, and is restarted
    STANDBY_CRASH,         //!< the other controller crashes, and is restarted
    AGENT_RESTART,         //!< an agent crashes, and is restarted; its switch goes on
    SHIM_RESTART,          //!< the shims of a server crash, and are restarted
    GPU_FAILURE,           //!< a GPU is dead: it computes and sends nothing, until it is replaced
    GPU_SLOW,              //!< a GPU computes more slowly
    SERVER_LOSS,           //!< a server is gone: GPUs, NIC ports, shims, management link
};

/** What a kind of fault needs to be named. */
struct FaultUses
{
    bool rail{false};   //!< a rail
    bool server{false}; //!< a server
    bool gpu{false};    //!< a GPU of the server
    bool nic{false};    //!< a NIC port of the GPU
    bool port{false};   //!< a port of the rail's switch
    bool other{false};  //!< another port of it
    bool ends{false};   //!< ends of the management network

    bool position{false};
    bool factor{false};
    bool extra{false};
    bool loss{false};
    bool flapping{false}; //!< period and duty
    bool bounded{false};  //!< it always has a duration
};

/** @return all kinds, in their order */
const std::vector<FaultKind>& GetFaultKinds();

/** @return the name of a kind, such as "fiber-cut" */
const std::string& ToString(FaultKind kind);

/** A kind of fault, or an error. */
struct FoundFaultKind
{
    FaultKind kind{FaultKind::FIBER_CUT};
    std::string why; //!< the error with the known names; empty: none
};

/** @return the kind of a name */
FoundFaultKind FindFaultKind(const std::string& name);

/** @return what a kind of fault uses of a Fault */
const FaultUses& UsesOf(FaultKind kind);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_KIND_H */
