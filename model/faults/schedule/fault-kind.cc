/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-kind.h"

#include "ns3/known-names.h"

#include <cstddef>

namespace ns3
{

namespace
{

/** A kind, its name, and what it uses. */
struct KindOfFault
{
    FaultKind kind;
    std::string name;
    FaultUses uses;
};

/** @return uses with some members set */
template <typename... Members>
FaultUses
Use(Members... members)
{
    FaultUses uses;
    ((uses.*members = true), ...);
    return uses;
}

/** @return all kinds, in the order of the enumeration */
const std::vector<KindOfFault>&
GetKinds()
{
    using Uses = FaultUses;
    static const std::vector<KindOfFault> kinds{
        {FaultKind::FIBER_CUT,
         "fiber-cut",
         Use(&Uses::server, &Uses::gpu, &Uses::nic, &Uses::position)},
        {FaultKind::OCS_PORT_STUCK, "ocs-port-stuck", Use(&Uses::rail, &Uses::port)},
        {FaultKind::OCS_PORT_SLOW, "ocs-port-slow", Use(&Uses::rail, &Uses::port, &Uses::extra)},
        {FaultKind::OCS_PORT_MISCONNECTED,
         "ocs-port-misconnected",
         Use(&Uses::rail, &Uses::port, &Uses::other)},
        {FaultKind::OCS_DOWN, "ocs-down", Use(&Uses::rail)},
        {FaultKind::NIC_PORT_DOWN, "nic-port-down", Use(&Uses::server, &Uses::gpu, &Uses::nic)},
        {FaultKind::NIC_PORT_FLAPPING,
         "nic-port-flapping",
         Use(&Uses::server, &Uses::gpu, &Uses::nic, &Uses::flapping, &Uses::bounded)},
        {FaultKind::BIT_ERRORS,
         "bit-errors",
         Use(&Uses::server, &Uses::gpu, &Uses::nic, &Uses::loss)},
        {FaultKind::MANAGEMENT_LOSS, "management-loss", Use(&Uses::ends, &Uses::loss)},
        {FaultKind::MANAGEMENT_DELAY, "management-delay", Use(&Uses::ends, &Uses::extra)},
        {FaultKind::MANAGEMENT_PARTITION, "management-partition", Use(&Uses::ends)},
        {FaultKind::CONTROLLER_CRASH, "controller-crash", FaultUses()},
        {FaultKind::STANDBY_CRASH, "standby-crash", FaultUses()},
        {FaultKind::AGENT_RESTART, "agent-restart", Use(&Uses::rail, &Uses::bounded)},
        {FaultKind::SHIM_RESTART, "shim-restart", Use(&Uses::server, &Uses::bounded)},
        {FaultKind::GPU_FAILURE, "gpu-failure", Use(&Uses::server, &Uses::gpu)},
        {FaultKind::GPU_SLOW, "gpu-slow", Use(&Uses::server, &Uses::gpu, &Uses::factor)},
        {FaultKind::SERVER_LOSS, "server-loss", Use(&Uses::server)},
    };
    return kinds;
}

} // namespace

const std::vector<FaultKind>&
GetFaultKinds()
{
    static const std::vector<FaultKind> kinds = [] {
        std::vector<FaultKind> all;
        for (const KindOfFault& one : GetKinds())
        {
            all.push_back(one.kind);
        }
        return all;
    }();
    return kinds;
}

const std::string&
ToString(FaultKind kind)
{
    return GetKinds().at(static_cast<std::size_t>(kind)).name;
}

FoundFaultKind
FindFaultKind(const std::string& name)
{
    const KnownName known = FindKnownName(name, GetNamesOf(GetKinds()), "kind of fault");
    FoundFaultKind found;
    found.why = known.why;
    for (const KindOfFault& one : GetKinds())
    {
        if (one.name == known.name && known.why.empty())
        {
            found.kind = one.kind;
        }
    }
    return found;
}

const FaultUses&
UsesOf(FaultKind kind)
{
    return GetKinds().at(static_cast<std::size_t>(kind)).uses;
}

} // namespace ns3
