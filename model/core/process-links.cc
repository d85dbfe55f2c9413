/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "process-links.h"

#include "simulation-processes.h"

#include "ns3/abort.h"
#include "ns3/channel.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ProcessLinks");

namespace
{

/** Before each piece of a message. */
struct PieceHeader
{
    uint64_t number; //!< of the message, among those of the sender
    uint32_t sender; //!< its process
    uint32_t listener;
    uint32_t place;  //!< of the piece
    uint32_t pieces; //!< of the message
};

/** Bytes of a piece: ns-3's messages of MPI end at 2,000 bytes, with their header and a packet's.
 */
constexpr std::size_t PIECE = 1600;

/** @return the place of the links of the simulation */
Ptr<ProcessLinks>&
GetPlace()
{
    static Ptr<ProcessLinks> links;
    return links;
}

/** An event that never comes: it is later than any simulation. */
void
Remain()
{
}

/** The simulation is over. */
void
Forget()
{
    GetPlace() = nullptr;
}

} // namespace

Ptr<ProcessLinks>
ProcessLinks::Get()
{
    if (!GetPlace())
    {
        GetPlace() = Create<ProcessLinks>();
        Simulator::ScheduleDestroy(&Forget);
    }
    return GetPlace();
}

ProcessLinks::ProcessLinks()
{
    const uint32_t processes = SimulationProcesses::GetNumber();
    if (!SimulationProcesses::FindEnd())
    {
        // a null message tells the time of the next event, so the engine wants one always
        Simulator::Schedule(Seconds(1e6), &Remain);
    }
    m_devices.resize(processes, std::vector<Ptr<NetDevice>>(processes));
    for (uint32_t process = 0; process < processes; ++process)
    {
        m_nodes.Add(CreateObject<Node>(process));
    }
    for (uint32_t one = 0; one < processes; ++one)
    {
        for (uint32_t other = one + 1; other < processes; ++other)
        {
            const Ptr<PointToPointChannel> channel = CreateObject<PointToPointChannel>();
            m_devices[one][other] = Attach(channel, one);
            m_devices[other][one] = Attach(channel, other);
        }
    }
}

Ptr<NetDevice>
ProcessLinks::Attach(const Ptr<PointToPointChannel>& channel, uint32_t process)
{
    const Ptr<PointToPointNetDevice> device = CreateObject<PointToPointNetDevice>();
    // none of Mac48Address::Allocate(): those of NICs, and the paths of flows, are as in one
    // process
    device->SetAddress(Mac48Address("02:00:00:00:00:01"));
    m_nodes.Get(process)->AddDevice(device);
    device->Attach(channel);
    SimulationProcesses::SetReceiver(device, MakeCallback(&ProcessLinks::Receive, this));
    return device;
}

uint32_t
ProcessLinks::Listen(Time least, const Listener& listener)
{
    NS_LOG_FUNCTION(this << least);
    NS_ABORT_MSG_UNLESS(least.IsStrictlyPositive(),
                        "ProcessLinks: messages between processes that take "
                            << least.GetTimeStep()
                            << " ps; give the latency of what they represent at least 2 ps");
    m_listeners.push_back(listener);
    if (least < m_least)
    {
        m_least = least;
        for (std::size_t one = 0; one < m_devices.size(); ++one)
        {
            for (std::size_t other = one + 1; other < m_devices.size(); ++other)
            {
                m_devices[one][other]->GetChannel()->SetAttribute("Delay", TimeValue(least));
            }
        }
    }
    return m_listeners.size() - 1;
}

void
ProcessLinks::StopListening(uint32_t listener)
{
    m_listeners.at(listener) = {};
}

void
ProcessLinks::Send(uint32_t process, Time delay, uint32_t listener, const ByteWriter& message)
{
    NS_LOG_FUNCTION(this << process << delay << listener);
    NS_ABORT_MSG_IF(delay < m_least,
                    "ProcessLinks: a message between processes takes "
                        << delay.GetTimeStep() << " ps, and listeners expect "
                        << m_least.GetTimeStep() << " ps or more; give Listen() the least");
    const std::string& bytes = message.GetBytes();
    const uint32_t pieces = std::max<std::size_t>(1, (bytes.size() + PIECE - 1) / PIECE);
    const uint32_t here = SimulationProcesses::GetHere();
    for (uint32_t place = 0; place < pieces; ++place)
    {
        ByteWriter piece;
        piece.Put(PieceHeader{m_sent, here, listener, place, pieces});
        const std::string text = piece.GetBytes() + bytes.substr(place * PIECE, PIECE);
        SimulationProcesses::Send(
            Create<Packet>(reinterpret_cast<const uint8_t*>(text.data()), text.size()),
            Simulator::Now() + delay,
            m_devices[process][here]);
    }
    ++m_sent;
}

void
ProcessLinks::Receive(Ptr<Packet> packet)
{
    std::string text(packet->GetSize(), '\0');
    packet->CopyData(reinterpret_cast<uint8_t*>(text.data()), text.size());
    ByteReader reader(text);
    const auto header = reader.Take<PieceHeader>();
    NS_LOG_FUNCTION(this << header.sender << header.number << header.place);
    const auto incoming = m_incoming.try_emplace({header.sender, header.number}).first;
    std::map<uint32_t, std::string>& pieces = incoming->second.pieces;
    pieces[header.place] = text.substr(sizeof(PieceHeader));
    if (pieces.size() < header.pieces)
    {
        return;
    }
    std::string bytes;
    for (const auto& [place, piece] : pieces)
    {
        bytes += piece;
    }
    m_incoming.erase(incoming);
    const Listener listener = m_listeners.at(header.listener); // a copy: it may stop listening
    if (listener)
    {
        ByteReader message(bytes);
        listener(message);
    }
}

} // namespace ns3
