/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "star-routing.h"

#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-route.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/mix-bits.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("StarRouting");

NS_OBJECT_ENSURE_REGISTERED(StarRouting);

namespace
{

constexpr uint32_t ADDRESSES_A_LINK = 4;
/** The address of a link's other end: its devices ask for none. */
const Address OTHER_END = Mac48Address::GetBroadcast();

} // namespace

TypeId
StarRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::StarRouting")
                            .SetParent<Ipv4RoutingProtocol>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<StarRouting>();
    return tid;
}

StarRouting::StarRouting(Ipv4Address network, Picoseconds after)
    : m_network(network)
{
    NS_LOG_FUNCTION(this << network << after);
    m_arrived.SetAfter(after);
}

void
StarRouting::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_arrived.Clear();
    m_ends.clear();
    m_ipv4 = nullptr;
    Ipv4RoutingProtocol::DoDispose();
}

void
StarRouting::SetIpv4(Ptr<Ipv4> ipv4)
{
    NS_LOG_FUNCTION(this << ipv4);
    m_ipv4 = DynamicCast<Ipv4L3Protocol>(ipv4);
}

const std::vector<StarRouting::End>&
StarRouting::GetEnds() const
{
    for (uint32_t next = m_ends.size() + 1; next < m_ipv4->GetNInterfaces(); ++next)
    {
        m_ends.push_back({m_ipv4->GetInterface(next), m_ipv4->GetNetDevice(next)});
    }
    return m_ends;
}

void
StarRouting::SetExtraDelay(uint32_t link, Time extra)
{
    NS_LOG_FUNCTION(this << link << extra);
    Faults faults = m_faults.Get();
    if (extra.IsZero())
    {
        faults.extra.erase(link);
    }
    else
    {
        faults.extra[link] = extra.GetTimeStep();
    }
    m_faults.Set(NowPicoseconds(), std::move(faults));
}

void
StarRouting::Divide(const std::vector<std::set<uint32_t>>& parts)
{
    NS_LOG_FUNCTION(this << parts.size());
    Faults faults = m_faults.Get();
    faults.parts = parts;
    m_faults.Set(NowPicoseconds(), std::move(faults));
}

uint64_t
StarRouting::GetDropped() const
{
    return m_dropped;
}

bool
StarRouting::AreDivided(uint32_t from, uint32_t to) const
{
    const std::vector<std::set<uint32_t>>& parts = m_faults.At(NowPicoseconds() - 1).parts;
    return std::any_of(parts.begin(), parts.end(), [from, to](const std::set<uint32_t>& part) {
        return part.count(from) != part.count(to);
    });
}

Picoseconds
StarRouting::GetExtra(uint32_t from, uint32_t to)
{
    const Picoseconds now = NowPicoseconds();
    const std::map<uint32_t, Picoseconds>& links = m_faults.At(now - 1).extra;
    Picoseconds extra = 0;
    for (const uint32_t link : {from, to})
    {
        const auto found = links.find(link);
        extra += found == links.end() ? 0 : found->second;
    }
    const auto delayed = m_delayed.find({from, to});
    if (delayed != m_delayed.end() && delayed->second > now)
    {
        extra = std::max(extra, delayed->second - now);
    }
    if (extra > 0)
    {
        m_delayed[{from, to}] = now + extra;
    }
    else if (delayed != m_delayed.end())
    {
        m_delayed.erase(delayed);
    }
    return extra;
}

void
StarRouting::WhenOver(uint32_t from, uint64_t number, std::function<void()> forward)
{
    if (m_ipv4)
    {
        m_arrived.Add({from, number, 0}, std::move(forward));
    }
}

void
StarRouting::Forward(uint32_t from, uint32_t to, std::function<void()> forward)
{
    if (from >= m_packets.size())
    {
        m_packets.resize(from + 1);
    }
    const uint64_t number = ++m_packets[from];
    if (m_delayed.empty() && m_faults.At(NowPicoseconds() - 1).IsNone()) // as nearly always
    {
        WhenOver(from, number, std::move(forward));
        return;
    }
    if (AreDivided(from, to) || IsLost(from, to, number))
    {
        NS_LOG_LOGIC("drops a packet from link " << from << " to link " << to);
        ++m_dropped;
        return; // without a report to the sender
    }
    const Picoseconds extra = GetExtra(from, to);
    if (extra == 0)
    {
        WhenOver(from, number, std::move(forward));
    }
    else
    {
        Simulator::Schedule(ToTime(extra),
                            &StarRouting::WhenOver,
                            this,
                            from,
                            number,
                            std::move(forward));
    }
}

bool
StarRouting::Pass(uint32_t from, Ptr<const Packet> packet)
{
    constexpr uint32_t HEADER = 20; // without options
    constexpr uint8_t VERSION_AND_WORDS = 0x45;
    std::array<uint8_t, HEADER> head{};
    const bool isPlain = packet->CopyData(head.data(), HEADER) == HEADER &&
                         head[0] == VERSION_AND_WORDS &&
                         packet->GetSize() == (uint32_t{head[2]} << 8 | head[3]) && head[8] > 1;
    const std::optional<uint32_t> to = FindLink(Ipv4Address::Deserialize(head.data() + 16));
    if (!isPlain || !to || !GetEnds()[from].interface->IsUp() || Node::ChecksumEnabled())
    {
        return false;
    }
    const Ptr<NetDevice> device = GetEnds()[*to].device;
    if (packet->GetSize() > device->GetMtu())
    {
        return false;
    }
    Forward(from, *to, [packet, device]() {
        Ipv4Header header;
        const Ptr<Packet> copy = packet->Copy();
        copy->RemoveHeader(header);
        header.SetTtl(header.GetTtl() - 1);
        copy->AddHeader(header);
        device->Send(copy, OTHER_END, Ipv4L3Protocol::PROT_NUMBER);
    });
    return true;
}

void
StarRouting::SetLoss(uint32_t link, double loss)
{
    NS_LOG_FUNCTION(this << link << loss);
    Faults faults = m_faults.Get();
    if (loss > 0)
    {
        faults.loss[link] = loss;
    }
    else
    {
        faults.loss.erase(link);
    }
    m_faults.Set(NowPicoseconds(), std::move(faults));
}

bool
StarRouting::IsLost(uint32_t from, uint32_t to, uint64_t number) const
{
    const std::map<uint32_t, double>& links = m_faults.At(NowPicoseconds() - 1).loss;
    if (links.empty())
    {
        return false; // as nearly always
    }
    const uint64_t seed =
        (static_cast<uint64_t>(RngSeedManager::GetSeed()) << 32) ^ RngSeedManager::GetRun();
    for (const uint32_t link : {from, to})
    {
        const auto found = links.find(link);
        if (found == links.end())
        {
            continue;
        }
        const uint64_t which = uint64_t{link} << 32 | from;
        const uint64_t bits = MixBits(seed ^ MixBits(which ^ MixBits(number)));
        if (static_cast<double>(bits >> 11) * 0x1p-53 < found->second)
        {
            return true;
        }
    }
    return false;
}

std::optional<uint32_t>
StarRouting::FindLink(Ipv4Address to) const
{
    const uint32_t offset = to.Get() - m_network.Get();
    const uint32_t link = offset / ADDRESSES_A_LINK;
    if (to.Get() < m_network.Get() || offset % ADDRESSES_A_LINK != 1 || link >= GetEnds().size() ||
        !GetEnds()[link].interface->IsUp())
    {
        return std::nullopt;
    }
    return link;
}

Ptr<Ipv4Route>
StarRouting::MakeRoute(uint32_t link, Ipv4Address to) const
{
    const uint32_t interface = link + 1;
    const Ptr<Ipv4Route> route = Create<Ipv4Route>();
    route->SetDestination(to);
    route->SetSource(m_ipv4->GetAddress(interface, 0).GetLocal());
    route->SetGateway(Ipv4Address::GetZero()); // the destination is at the other end of the link
    route->SetOutputDevice(m_ipv4->GetNetDevice(interface));
    return route;
}

Ptr<Ipv4Route>
StarRouting::RouteOutput(Ptr<Packet>,
                         const Ipv4Header& header,
                         Ptr<NetDevice>,
                         Socket::SocketErrno& error)
{
    NS_LOG_FUNCTION(this << header.GetDestination());
    const std::optional<uint32_t> link = FindLink(header.GetDestination());
    error = link ? Socket::ERROR_NOTERROR : Socket::ERROR_NOROUTETOHOST;
    return link ? MakeRoute(*link, header.GetDestination()) : nullptr;
}

bool
StarRouting::RouteInput(Ptr<const Packet> packet,
                        const Ipv4Header& header,
                        Ptr<const NetDevice> device,
                        ParametersOf<decltype(&Ipv4RoutingProtocol::RouteInput)>::At<3> forward,
                        ParametersOf<decltype(&Ipv4RoutingProtocol::RouteInput)>::At<4>,
                        ParametersOf<decltype(&Ipv4RoutingProtocol::RouteInput)>::At<5> deliver,
                        ParametersOf<decltype(&Ipv4RoutingProtocol::RouteInput)>::At<6> fail)
{
    const Ipv4Address to = header.GetDestination();
    NS_LOG_FUNCTION(this << packet << to);
    if (const std::optional<uint32_t> link = FindLink(to))
    {
        const Ptr<Ipv4Route> route = MakeRoute(*link, to);
        const uint32_t from = m_ipv4->GetInterfaceForDevice(device) - 1;
        Forward(from, *link, [forward, route, packet, header]() {
            forward(route, packet, header);
        });
        return true;
    }
    const int32_t incoming = m_ipv4->GetInterfaceForDevice(device);
    if (incoming >= 0 && m_ipv4->IsDestinationAddress(to, incoming))
    {
        deliver(packet, header, incoming);
        return true;
    }
    fail(packet, header, Socket::ERROR_NOROUTETOHOST);
    return false;
}

void
StarRouting::NotifyInterfaceUp(uint32_t)
{
}

void
StarRouting::NotifyInterfaceDown(uint32_t)
{
}

void
StarRouting::NotifyAddAddress(uint32_t, Ipv4InterfaceAddress)
{
}

void
StarRouting::NotifyRemoveAddress(uint32_t, Ipv4InterfaceAddress)
{
}

void
StarRouting::PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit) const
{
    *stream->GetStream() << "StarRouting: link n leads to " << m_network
                         << " + 4 n + 1, n from 0 to " << m_ipv4->GetNInterfaces() - 2 << std::endl;
}

} // namespace ns3
