/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-trains-observers.h"

#include "ns3/abort.h"
#include "ns3/callback.h"
#include "ns3/electrical-rail-switch.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

/** The trace sources, by their number. */
constexpr const char* TRACE_SOURCES[]{"FrameSent",
                                      "FrameReceived",
                                      "Sniffer",
                                      "PromiscSniffer",
                                      "MacTx",
                                      "MacRx",
                                      "PhyTxBegin",
                                      "PhyRxEnd",
                                      "FrameDropped",
                                      "FramePassed",
                                      "FrameDropped",
                                      "FrameDropped"};

/** @return the switch of a rail, of either kind */
Ptr<Object>
SwitchOf(const Rail& rail)
{
    if (const Ptr<Object> packetSwitch = rail.GetSwitchNode()->GetObject<ElectricalRailSwitch>())
    {
        return packetSwitch;
    }
    return rail.GetOpticalSwitch();
}

} // namespace

TraceListener::TraceListener(const Rail& rail, uint32_t port, uint32_t which)
    : m_which(which)
{
    const uint32_t gpu = port / rail.GetPortsPerGpu();
    const uint32_t nic = port % rail.GetPortsPerGpu();
    m_object = which < 9    ? Ptr<Object>(rail.GetNic(gpu, nic))
               : which < 11 ? Ptr<Object>(SwitchOf(rail))
                            : Ptr<Object>(rail.GetFiber(gpu, nic));
}

void
TraceListener::Attach()
{
    const bool done = m_object->TraceConnectWithoutContext(TRACE_SOURCES[m_which], MakeListener());
    NS_ABORT_MSG_UNLESS(done, "there is no trace source " << TRACE_SOURCES[m_which]);
}

void
TraceListener::Detach()
{
    const bool done =
        m_object->TraceDisconnectWithoutContext(TRACE_SOURCES[m_which], MakeListener());
    NS_ABORT_MSG_UNLESS(done, "there is no trace source " << TRACE_SOURCES[m_which]);
}

std::string
TraceListener::InWords() const
{
    return std::string(TRACE_SOURCES[m_which]) + " fired " + std::to_string(m_count) +
           " times, hash " + std::to_string(m_order.Get()) + " " + std::to_string(m_sum);
}

CallbackBase
TraceListener::MakeListener()
{
    switch (m_which)
    {
    case 0:
    case 1:
        return MakeCallback(&TraceListener::Frame, this);
    case 8:
    case 11:
        return MakeCallback(&TraceListener::Dropped, this);
    case 9:
        return MakeCallback(&TraceListener::Passed, this);
    case 10:
        return MakeCallback(&TraceListener::SwitchDropped, this);
    default:
        return MakeCallback(&TraceListener::Bytes, this);
    }
}

void
TraceListener::Frame(const WireFrame& frame)
{
    ++m_count;
    AddToHash(m_order, frame);
}

void
TraceListener::Bytes(Ptr<const Packet> packet)
{
    ++m_count;
    RunningHash hash; // several ports may report at one instant: no order between those
    hash.Add(NowPicoseconds());
    hash.Add(HashOfBytes(packet));
    m_sum += hash.Get();
}

void
TraceListener::Dropped(const WireFrame& frame, FrameDropReason reason)
{
    ++m_count;
    RunningHash hash;
    hash.Add(NowPicoseconds());
    AddToHash(hash, frame);
    hash.Add(static_cast<uint64_t>(reason));
    m_sum += hash.Get();
}

void
TraceListener::SwitchDropped(PortId port, const WireFrame& frame, FrameDropReason reason)
{
    Dropped(frame, reason);
    m_sum += port.Get();
}

void
TraceListener::Passed(PortId in, PortId out, const WireFrame& frame)
{
    ++m_count;
    RunningHash hash;
    hash.Add(NowPicoseconds());
    hash.Add(uint64_t{in.Get()} << 32 | out.Get());
    AddToHash(hash, frame);
    m_sum += hash.Get();
}

void
DropLedger::Watch(const Rail& rail)
{
    SwitchOf(rail)->TraceConnectWithoutContext("FrameDropped",
                                               MakeCallback(&DropLedger::AtSwitch, this));
    for (uint32_t g = 0; g < rail.GetGpus(); ++g)
    {
        for (uint32_t p = 0; p < rail.GetPortsPerGpu(); ++p)
        {
            const std::string port = std::to_string(g) + "." + std::to_string(p);
            rail.GetNic(g, p)->TraceConnect("FrameDropped",
                                            "NIC " + port,
                                            MakeCallback(&DropLedger::At, this));
            rail.GetFiber(g, p)->TraceConnect("FrameDropped",
                                              "fiber " + port,
                                              MakeCallback(&DropLedger::At, this));
        }
    }
}

std::vector<std::string>
DropLedger::InWords() const
{
    std::vector<std::string> lines;
    for (const auto& [key, entry] : m_entries)
    {
        lines.push_back("dropped at " + key + ": " + std::to_string(entry.first) + ", hash " +
                        std::to_string(entry.second));
    }
    return lines;
}

void
DropLedger::At(std::string place, const WireFrame& frame, FrameDropReason reason)
{
    RunningHash hash;
    hash.Add(NowPicoseconds());
    AddToHash(hash, frame);
    auto& [count, sum] = m_entries[place + ", " + ToString(reason)];
    ++count;
    sum += hash.Get();
}

void
DropLedger::AtSwitch(PortId port, const WireFrame& frame, FrameDropReason reason)
{
    At("switch port " + std::to_string(port.Get()), frame, reason);
}

TieWatch::TieWatch(std::vector<Picoseconds> instants,
                   const std::vector<Picoseconds>& fibers,
                   Picoseconds propagation)
    : m_instants(std::move(instants))
{
    std::sort(m_instants.begin(), m_instants.end());
    std::set<Picoseconds> offsets{0};
    for (const Picoseconds here : fibers)
    {
        offsets.insert(here);
        offsets.insert(here + propagation);
        for (const Picoseconds there : fibers)
        {
            offsets.insert(here + propagation + there);
        }
    }
    m_offsets.assign(offsets.begin(), offsets.end());
}

void
TieWatch::Note(const WireFrame& frame)
{
    if (m_instants.empty() || m_tied)
    {
        return;
    }
    // the order on an idle wire is decided a picosecond after the first bit
    Look(frame.first);
    Look(frame.first + 1);
    for (const Picoseconds offset : m_offsets)
    {
        Look(frame.last + offset);
    }
}

void
TieWatch::Look(Picoseconds at)
{
    m_tied = m_tied || std::binary_search(m_instants.begin(), m_instants.end(), at);
}

} // namespace ns3
