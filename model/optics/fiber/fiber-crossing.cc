/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fiber-crossing.h"

#include "fiber-end.h"

#include "ns3/abort.h"
#include "ns3/byte-writer.h"
#include "ns3/node.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/process-links.h"
#include "ns3/simulation-processes.h"

#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** A frame as it crosses, without the bytes of a packet. */
struct CrossingFrame
{
    FrameRun run;
    RoceFrame roce;
    std::array<uint8_t, 6> source;
    std::array<uint8_t, 6> destination;
    uint32_t end; //!< at which it entered
    uint32_t wireBytes;
    uint8_t trafficClass;
    bool garbled;
    bool hasPacket;
    Picoseconds first;
    Picoseconds last;
};

/** @return the bytes of an address */
std::array<uint8_t, 6>
BytesOf(const Mac48Address& address)
{
    std::array<uint8_t, 6> bytes{};
    address.CopyTo(bytes.data());
    return bytes;
}

/** @return the address of such bytes */
Mac48Address
AddressOf(const std::array<uint8_t, 6>& bytes)
{
    Mac48Address address;
    address.CopyFrom(bytes.data());
    return address;
}

} // namespace

FiberCrossing::FiberCrossing(const std::array<Ptr<FiberEnd>, 2>& ends,
                             Time delay,
                             const Receiver& receive)
    : m_receive(receive)
{
    for (uint32_t end = 0; end < 2; ++end)
    {
        m_processes[end] = ends[end]->GetNode()->GetSystemId();
        m_isHere[end] = SimulationProcesses::IsHere(ends[end]->GetNode());
    }
    NS_ABORT_MSG_UNLESS(ends[0]->IsPrompt() && ends[1]->IsPrompt(),
                        "OpticalFiber: a fiber leads from process "
                            << m_processes[0] << " to " << m_processes[1]
                            << ", and only those between packet switches may; put a NIC and its "
                               "switch on one process");
    constexpr int64_t LEAST = 3;
    NS_ABORT_MSG_IF(delay.GetTimeStep() < LEAST,
                    "OpticalFiber: a fiber leads from process "
                        << m_processes[0] << " to " << m_processes[1] << ", and its Delay of "
                        << delay.GetTimeStep()
                        << " ps is what one may be ahead of the other; give it at least " << LEAST
                        << " ps");
    m_links = ProcessLinks::Get();
    m_listener = m_links->Listen(delay - ToTime(2), [this](ByteReader& bytes) { Take(bytes); });
}

FiberCrossing::~FiberCrossing()
{
    m_links->StopListening(m_listener);
}

void
FiberCrossing::Send(uint32_t end, const WireFrame& frame) const
{
    ByteWriter bytes;
    bytes.Put(CrossingFrame{frame.run,
                            frame.roce,
                            BytesOf(frame.source),
                            BytesOf(frame.destination),
                            end,
                            frame.wireBytes,
                            frame.trafficClass,
                            frame.garbled,
                            frame.packet != nullptr,
                            frame.first,
                            frame.last});
    if (frame.packet)
    {
        std::vector<uint8_t> packet(frame.packet->GetSerializedSize());
        frame.packet->Serialize(packet.data(), packet.size());
        bytes.PutAll(packet);
    }
    m_links->Send(m_processes[1 - end],
                  ToTime(frame.first - 1 - NowPicoseconds()),
                  m_listener,
                  bytes);
}

void
FiberCrossing::Take(ByteReader& bytes) const
{
    const auto crossing = bytes.Take<CrossingFrame>();
    WireFrame frame;
    frame.run = crossing.run;
    frame.roce = crossing.roce;
    frame.source = AddressOf(crossing.source);
    frame.destination = AddressOf(crossing.destination);
    frame.wireBytes = crossing.wireBytes;
    frame.trafficClass = crossing.trafficClass;
    frame.garbled = crossing.garbled;
    frame.first = crossing.first;
    frame.last = crossing.last;
    if (crossing.hasPacket)
    {
        const auto packet = bytes.TakeAll<uint8_t>();
        frame.packet = Create<Packet>(packet.data(), packet.size(), true);
    }
    m_receive(crossing.end, std::move(frame));
}

} // namespace ns3
