/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fidelity.h"

#include "ns3/enum.h"
#include "ns3/global-value.h"
#include "ns3/string.h"

namespace ns3
{

namespace
{

GlobalValue g_fidelity(
    "PhotonicRailsFidelity",
    "How frames on circuits are simulated, with equal results: PacketEvents "
    "(events for every frame) or PacketTrains (events only where something "
    "becomes visible). Read by each NIC port when the simulation begins.",
    EnumValue(PACKET_TRAINS),
    MakeEnumChecker(PACKET_EVENTS, "PacketEvents", PACKET_TRAINS, "PacketTrains"));

} // namespace

PhotonicRailsFidelity
GetPhotonicRailsFidelity()
{
    StringValue name; // the same in all releases; EnumValue is not
    g_fidelity.GetValue(name);
    return name.Get() == "PacketTrains" ? PACKET_TRAINS : PACKET_EVENTS;
}

} // namespace ns3
