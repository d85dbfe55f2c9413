/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-differences.h"

#include "ns3/boolean.h"
#include "ns3/channel.h"
#include "ns3/collective-application.h"
#include "ns3/double.h"
#include "ns3/electrical-rail-switch.h"
#include "ns3/no-congestion-control.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object-ptr-container.h"
#include "ns3/ocs-agent.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/optical-fiber.h"
#include "ns3/opus-control-plane.h"
#include "ns3/pointer.h"
#include "ns3/rail-net-device.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rdma-engine.h"
#include "ns3/static-window-control.h"
#include "ns3/string.h"

#include <cstddef>
#include <sstream>

namespace ns3
{

namespace
{

/** The gap after a frame, at 10 Gb/s, is on the wire for 9.6 ns. */
constexpr Picoseconds SHORTEST_WAY = 10'000;

/** A run counts the frames of each port. */
constexpr std::size_t OWN_SINKS = 1;

/** @return the object of an attribute; null: it has none */
Ptr<Object>
GetObjectOf(const AttributeValue& value)
{
    const auto* pointer = dynamic_cast<const PointerValue*>(&value);
    return pointer == nullptr ? nullptr : pointer->GetObject();
}

/**
 * @return whether two values of an attribute are equal: constant random variables by their values,
 * while others differ from themselves
 */
bool
AreEqual(const AttributeValue& one,
         const AttributeValue& other,
         const Ptr<const AttributeChecker>& checker)
{
    if (dynamic_cast<const PointerValue*>(&one) == nullptr)
    {
        return one.SerializeToString(checker) == other.SerializeToString(checker);
    }
    const Ptr<Object> here = GetObjectOf(one);
    const Ptr<Object> there = GetObjectOf(other);
    if (!here || !there)
    {
        return here == there;
    }
    if (!DynamicCast<RandomVariableStream>(here))
    {
        return true;
    }
    const auto constant = DynamicCast<ConstantRandomVariable>(here);
    const auto second = DynamicCast<ConstantRandomVariable>(there);
    return constant && second && constant->GetValue() == second->GetValue();
}

/** @return the name of the first attribute of two objects that differs; empty: none */
std::string
FindAttribute(const Ptr<Object>& one, const Ptr<Object>& other)
{
    TypeId tid = one->GetInstanceTypeId();
    if (tid != other->GetInstanceTypeId())
    {
        return "type " + tid.GetName();
    }
    // a channel of ns-3 adds its number
    for (; tid != Object::GetTypeId() && tid != Channel::GetTypeId(); tid = tid.GetParent())
    {
        for (std::size_t a = 0; a < tid.GetAttributeN(); ++a)
        {
            const TypeId::AttributeInformation info = tid.GetAttribute(a);
            if ((info.flags & TypeId::ATTR_GET) == 0 || !info.accessor->HasGetter())
            {
                continue;
            }
            const Ptr<AttributeValue> here = info.checker->Create();
            if (DynamicCast<ObjectPtrContainerValue>(here))
            {
                continue; // its objects are not set, and to read it could create them
            }
            const Ptr<AttributeValue> there = info.checker->Create();
            info.accessor->Get(PeekPointer(one), *here);
            info.accessor->Get(PeekPointer(other), *there);
            if (!AreEqual(*here, *there, info.checker))
            {
                return "attribute " + tid.GetName() + "::" + info.name;
            }
        }
    }
    return "";
}

/** @return the text, with the rail, if there is any */
std::string
OnRail(const Rail& rail, const std::string& what)
{
    std::ostringstream words;
    words << what << " differs on rail " << rail.GetId();
    return what.empty() ? "" : words.str();
}

/** @return what makes ranks differ from those of the first rail, or run at random */
std::string
FindRankDifference(const ApplicationContainer& ranks, uint32_t rails)
{
    for (uint32_t rank = 0; rank < ranks.GetN(); ++rank)
    {
        const Ptr<Application> one = ranks.Get(rank);
        const std::string differs = FindAttribute(one, ranks.Get(rank - rank % rails));
        if (!differs.empty())
        {
            return differs + " differs at rank " + std::to_string(rank) + ", or is random";
        }
        BooleanValue aborts;
        one->GetAttribute("AbortOnFailure", aborts);
        if (!aborts.Get())
        {
            return "ranks may go on after a failure (AbortOnFailure)";
        }
        if (one->GetNode()->GetNApplications() > 1)
        {
            return "other applications run on GPUs";
        }
    }
    return "";
}

/** @return what an engine has that outlasts an operation */
std::string
FindMemory(const Ptr<RdmaEngine>& engine)
{
    ObjectFactoryValue congestion;
    engine->GetAttribute("CongestionControl", congestion);
    const TypeId control = congestion.Get().GetTypeId();
    const bool isStateless =
        control == NoCongestionControl::GetTypeId() || control == StaticWindowControl::GetTypeId();
    return isStateless ? "" : control.GetName() + " keeps the rates of queue pairs";
}

/** @return what makes the switches of two rails differ */
std::string
FindSwitchDifference(const Ptr<Node>& one, const Ptr<Node>& other)
{
    const auto optical = one->GetObject<OpticalCircuitSwitch>();
    if (optical)
    {
        const auto second = other->GetObject<OpticalCircuitSwitch>();
        return second ? FindAttribute(optical, second) : "the kind of switch";
    }
    const auto electrical = one->GetObject<ElectricalRailSwitch>();
    const auto second = other->GetObject<ElectricalRailSwitch>();
    return electrical && second ? FindAttribute(electrical, second) : "the kind of switch";
}

/** @return why ports may carry traffic at other instants than circuits stand */
std::string
FindLinkUp(const Rail& leader, const OpusControlPlane& plane)
{
    StringValue done("Carrier");
    if (leader.GetNic(0)->HasLinkUpTime() && !plane.agents.empty())
    {
        plane.agents.front()->GetAttribute("DoneWhen", done);
    }
    return done.Get() == "Carrier" ? "" : "circuits are granted before their ports work (DoneWhen)";
}

/** @return what makes a NIC port and its fiber differ from those of the first rail */
std::string
FindPortDifference(const Rail& rail, const Rail& leader, uint32_t gpu, uint32_t port)
{
    const Ptr<RailNetDevice> nic = rail.GetNic(gpu, port);
    std::string differs = FindAttribute(nic, leader.GetNic(gpu, port));
    if (differs.empty())
    {
        differs = FindAttribute(rail.GetFiber(gpu, port), leader.GetFiber(gpu, port));
    }
    if (!differs.empty())
    {
        return OnRail(rail, differs);
    }
    DoubleValue loss;
    rail.GetFiber(gpu, port)->GetAttribute("FrameLossRate", loss);
    if (loss.Get() > 0)
    {
        return "fibers lose frames";
    }
    TimeValue delay;
    rail.GetFiber(gpu, port)->GetAttribute("Delay", delay);
    if (2 * delay.Get().GetTimeStep() < SHORTEST_WAY)
    {
        return "fibers are so short that an operation ends while its last gap is on the wire";
    }
    const bool isLeader = rail.GetId() == leader.GetId();
    const bool isObserved = nic->IsObserved() || nic->GetSinks().size() > OWN_SINKS;
    return !isLeader && isObserved ? OnRail(rail, "an observer of frames") : "";
}

} // namespace

std::string
FindRailDifference(const std::vector<Rail>& rails,
                   const ApplicationContainer& ranks,
                   const OpusControlPlane& plane)
{
    const Rail& leader = rails.front();
    std::string why = FindRankDifference(ranks, rails.size());
    for (std::size_t r = 0; r < rails.size() && why.empty(); ++r)
    {
        const Rail& rail = rails[r];
        if (rail.GetSwitchNodes().GetN() != 1)
        {
            return "the paths over leaves and spines differ by address (--switch-radix)";
        }
        if (rail.GetGpus() != leader.GetGpus() || rail.GetPortsPerGpu() != leader.GetPortsPerGpu())
        {
            return OnRail(rail, "the number of GPUs or ports");
        }
        const Ptr<Node> middle = rail.GetSwitchNode();
        why = OnRail(rail, FindSwitchDifference(middle, leader.GetSwitchNode()));
        for (uint32_t gpu = 0; gpu < rail.GetGpus() && why.empty(); ++gpu)
        {
            const auto engine = rail.GetGpu(gpu)->GetObject<RdmaEngine>();
            why = OnRail(rail, FindAttribute(engine, leader.GetGpu(gpu)->GetObject<RdmaEngine>()));
            why = why.empty() ? FindMemory(engine) : why;
            for (uint32_t port = 0; port < rail.GetPortsPerGpu() && why.empty(); ++port)
            {
                why = FindPortDifference(rail, leader, gpu, port);
            }
        }
    }
    return why.empty() ? FindLinkUp(leader, plane) : why;
}

} // namespace ns3
