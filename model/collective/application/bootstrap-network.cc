/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "bootstrap-network.h"

#include "ns3/byte-writer.h"
#include "ns3/choice-bytes.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/simulation-processes.h"
#include "ns3/simulator.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("BootstrapNetwork");

namespace
{

/** Runs at the node of the rank that gets the choice. */
void
Deliver(BootstrapNetwork::ChoiceCallback callback,
        FlowKey flowKey,
        uint64_t number,
        std::shared_ptr<const AlgorithmChoice> choice)
{
    callback(flowKey, number, choice);
}

/** Runs at the node of the rank that gets the call. */
void
DeliverCall(BootstrapNetwork::CallCallback callback, GroupId group, RankCall call)
{
    callback(group, call);
}

/** What is sent to a rank on another process. */
enum class BootstrapMessage : uint8_t
{
    CHOICE,
    CALL,
};

} // namespace

void
BootstrapNetwork::Add(uint32_t node, ChoiceCallback callback, CallCallback calls)
{
    NS_LOG_FUNCTION(this << node);
    m_members.push_back({node, callback, calls});
}

void
BootstrapNetwork::Send(RankId to,
                       Time latency,
                       const FlowKey& flowKey,
                       uint64_t number,
                       std::shared_ptr<const AlgorithmChoice> choice) const
{
    NS_LOG_FUNCTION(this << to << latency << number);
    NS_LOG_INFO("rank " << to << " is sent the choice of operation " << number << " in group "
                        << flowKey.group << ": " << choice->algorithm);
    const Member& member = m_members.at(to.Get());
    if (!IsHere(member))
    {
        ByteWriter bytes;
        bytes.Put(BootstrapMessage::CHOICE);
        bytes.Put(to);
        bytes.Put(flowKey);
        bytes.Put(number);
        PutChoice(bytes, *choice);
        m_links->Send(NodeList::GetNode(member.node)->GetSystemId(), latency, m_listener, bytes);
        return;
    }
    Simulator::ScheduleWithContext(member.node,
                                   latency,
                                   &Deliver,
                                   member.callback,
                                   flowKey,
                                   number,
                                   choice);
}

void
BootstrapNetwork::SendCall(RankId to, Time latency, GroupId group, const RankCall& call) const
{
    NS_LOG_FUNCTION(this << to << latency << group << call.operation);
    const Member& member = m_members.at(to.Get());
    if (!IsHere(member))
    {
        ByteWriter bytes;
        bytes.Put(BootstrapMessage::CALL);
        bytes.Put(to);
        bytes.Put(group);
        bytes.Put(call);
        m_links->Send(NodeList::GetNode(member.node)->GetSystemId(), latency, m_listener, bytes);
        return;
    }
    Simulator::ScheduleWithContext(member.node, latency, &DeliverCall, member.calls, group, call);
}

void
BootstrapNetwork::Split(Time latency)
{
    NS_LOG_FUNCTION(this << latency);
    m_links = ProcessLinks::Get();
    m_listener = m_links->Listen(latency, [this](ByteReader& bytes) { Take(bytes); });
}

bool
BootstrapNetwork::IsHere(const Member& member)
{
    return SimulationProcesses::IsHere(NodeList::GetNode(member.node));
}

void
BootstrapNetwork::Take(ByteReader& bytes) const
{
    const auto kind = bytes.Take<BootstrapMessage>();
    const Member& member = m_members.at(bytes.Take<RankId>().Get());
    if (kind == BootstrapMessage::CHOICE)
    {
        const auto flowKey = bytes.Take<FlowKey>();
        const auto number = bytes.Take<uint64_t>();
        member.callback(flowKey, number, TakeChoice(bytes));
        return;
    }
    const auto group = bytes.Take<GroupId>();
    member.calls(group, bytes.Take<RankCall>());
}

void
BootstrapNetwork::Clear()
{
    NS_LOG_FUNCTION(this);
    if (m_links)
    {
        m_links->StopListening(m_listener);
        m_links = nullptr;
    }
    m_members.clear();
}

} // namespace ns3
