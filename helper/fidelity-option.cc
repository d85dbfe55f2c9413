/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fidelity-option.h"

#include "ns3/abort.h"
#include "ns3/callback.h"
#include "ns3/fidelity.h"
#include "ns3/global-value.h"
#include "ns3/string.h"

namespace ns3
{

namespace
{

bool
Choose(const std::string& name)
{
    SetFidelity(name);
    return true;
}

bool
ChooseByValue(std::string name)
{
    return Choose(name);
}

/** Releases differ in how the function of an option takes what was typed. */
template <typename Line>
auto
AddOption(Line& cmd, const std::string& help, int)
    -> decltype(cmd.AddValue("fidelity", help, MakeCallback(&Choose), GetFidelity()))
{
    cmd.AddValue("fidelity", help, MakeCallback(&Choose), GetFidelity());
}

template <typename Line>
void
AddOption(Line& cmd, const std::string& help, long)
{
    cmd.AddValue("fidelity", help, MakeCallback(&ChooseByValue), GetFidelity());
}

} // namespace

void
AddFidelityOption(CommandLine& cmd)
{
    AddOption(cmd,
              "How frames on circuits are simulated, with equal results: trains (events only where "
              "something becomes visible) or events (for every frame)",
              0);
}

void
SetFidelity(const std::string& name)
{
    NS_ABORT_MSG_UNLESS(name == "trains" || name == "events",
                        "--fidelity=" << name << ": give trains or events");
    GlobalValue::Bind("PhotonicRailsFidelity",
                      StringValue(name == "trains" ? "PacketTrains" : "PacketEvents"));
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
            const RailNetDevice::Trains& trains = nic->GetTrains();
            sum.frames += trains.frames;
            sum.boarded += trains.boarded;
            sum.left += trains.left;
            sum.refused += trains.refused;
        }
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
    json.Field("boarded", trains.boarded);
    json.Field("left", trains.left);
    json.Field("refused", trains.refused);
    json.EndObject();
}

} // namespace ns3
