/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fidelity-option.h"

#include "ns3/abort.h"
#include "ns3/fidelity.h"
#include "ns3/global-value.h"
#include "ns3/known-names.h"
#include "ns3/string.h"

namespace ns3
{

void
SetFidelity(const std::string& name)
{
    const KnownName known = FindKnownName(name, {"trains", "events"}, "fidelity");
    NS_ABORT_MSG_UNLESS(known.why.empty(), "SetFidelity(): " << name << ": " << known.why);
    GlobalValue::Bind("PhotonicRailsFidelity",
                      StringValue(known.name == "trains" ? "PacketTrains" : "PacketEvents"));
}

std::string
GetFidelity()
{
    return GetPhotonicRailsFidelity() == PACKET_TRAINS ? "trains" : "events";
}

RailNetDevice::Trains
GetTrainsOf(const Rail& rail)
{
    RailNetDevice::Trains sum;
    for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
    {
        for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
        {
            Ptr<RailNetDevice> nic = rail.GetNic(gpu, port);
            sum.Add(nic->GetTrains());
        }
    }
    return sum;
}

RailNetDevice::Trains
GetTrainsOf(const std::vector<Rail>& rails)
{
    RailNetDevice::Trains sum;
    for (const Rail& rail : rails)
    {
        sum.Add(GetTrainsOf(rail));
    }
    return sum;
}

void
WriteFidelity(JsonWriter& json, const Rail& rail)
{
    WriteFidelity(json, GetTrainsOf(rail));
}

void
WriteFidelity(JsonWriter& json, const RailNetDevice::Trains& trains)
{
    json.Field("fidelity", GetFidelity());
    json.BeginObject("trains");
    json.Field("frames", trains.frames);
    json.Field("entered", trains.entered);
    json.Field("left", trains.left);
    json.Field("refused", trains.refused);
    json.EndObject();
}

} // namespace ns3
