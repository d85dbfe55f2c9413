/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-trains-outcome.h"

#include "../support/photonic-rails-recording-sink.h"

#include "ns3/electrical-rail-switch.h"
#include "ns3/fidelity-option.h"
#include "ns3/rail.h"
#include "ns3/rdma-engine.h"

#include <algorithm>
#include <ostream>
#include <sstream>

namespace ns3
{

namespace
{

/** @return a hash of all observations of a frame */
uint64_t
HashOf(const WireFrame& frame)
{
    RunningHash hash;
    AddToHash(hash, frame);
    return hash.Get();
}

/** Writes some of the frames, a line a frame, behind a mark. */
void
Around(std::ostream& os,
       const char* mark,
       const std::vector<WireFrame>& rows,
       std::size_t from,
       std::size_t to)
{
    for (std::size_t i = from; i < to && i < rows.size(); ++i)
    {
        os << mark << i << ": " << InWords(rows[i]) << "\n";
    }
}

/** @return the first line that differs, as text; empty if there is none */
std::string
First(const char* what, const std::vector<std::string>& mine, const std::vector<std::string>& its)
{
    const auto [one, two] = std::mismatch(mine.begin(), mine.end(), its.begin(), its.end());
    if (one == mine.end() && two == its.end())
    {
        return "";
    }
    return std::string(what) + " differ:\n  - " + (one == mine.end() ? "none" : *one) + "\n  + " +
           (two == its.end() ? "none" : *two);
}

} // namespace

std::string
TrainsOutcome::Completion::InWords() const
{
    std::ostringstream text;
    text << "at " << at << " ps queue pair " << queuePair << " end " << end << ": message " << id
         << " of " << bytes << " bytes " << what << ", verb " << verb << ", immediate " << immediate
         << (why.empty() ? "" : ": ") << why;
    return text.str();
}

std::string
TrainsOutcome::DifferenceFrom(const TrainsOutcome& other) const
{
    std::string difference = First("frames", ports, other.ports);
    if (!difference.empty())
    {
        return difference;
    }
    const auto [one, two] = std::mismatch(completions.begin(),
                                          completions.end(),
                                          other.completions.begin(),
                                          other.completions.end());
    if (one != completions.end() || two != other.completions.end())
    {
        return "completions differ:\n  - " + (one == completions.end() ? "none" : one->InWords()) +
               "\n  + " + (two == other.completions.end() ? "none" : two->InWords());
    }
    return First("facts", facts, other.facts);
}

std::string
TrainsOutcome::FirstFrameThatDiffers(const TrainsOutcome& other) const
{
    std::string text;
    Picoseconds earliest = NEVER;
    for (std::size_t p = 0; p < sent.size() && p < other.sent.size(); ++p)
    {
        for (const bool out : {true, false})
        {
            const auto& mine = out ? sent[p] : received[p];
            const auto& its = out ? other.sent[p] : other.received[p];
            std::size_t at = 0;
            while (at < mine.size() && at < its.size() && HashOf(mine[at]) == HashOf(its[at]))
            {
                ++at;
            }
            if (at == mine.size() && at == its.size())
            {
                continue;
            }
            const Picoseconds when = std::min(at < mine.size() ? mine[at].first : NEVER,
                                              at < its.size() ? its[at].first : NEVER);
            if (when >= earliest)
            {
                continue;
            }
            earliest = when;
            std::ostringstream words;
            words << "the first frame that differs is number " << at << " of those port " << p
                  << (out ? " sent" : " received") << " (" << mine.size() << " and " << its.size()
                  << " in all)\n";
            Around(words, "    ", mine, at - std::min<std::size_t>(at, 2), at);
            Around(words, "  - ", mine, at, at + 3);
            Around(words, "  + ", its, at, at + 3);
            text = words.str();
        }
    }
    return text;
}

namespace
{

/** Writes the counters of a packet switch, and what it holds. */
void
AddPacketSwitch(Ptr<ElectricalRailSwitch> packetSwitch, std::vector<std::string>& lines)
{
    for (uint32_t p = 0; p < packetSwitch->GetPorts(); ++p)
    {
        const PortId port(p);
        const PacketSwitchCounters& counters = packetSwitch->GetCounters(port);
        std::ostringstream line;
        line << "switch port " << p << " received " << counters.received << " "
             << counters.receivedBytes << " copied " << counters.copied << " dropped "
             << counters.dropped << " " << counters.droppedBytes << " forwarded "
             << counters.forwarded << " " << counters.forwardedBytes << " marked "
             << counters.marked << " pauses " << counters.pausesSent << " "
             << counters.pausesReceived;
        lines.push_back(line.str());
    }
}

/** Writes what waits in a packet switch. */
void
AddQueues(Ptr<ElectricalRailSwitch> packetSwitch, std::vector<std::string>& lines)
{
    std::ostringstream line;
    line << "switch holds " << packetSwitch->GetFrames() << " frames, "
         << packetSwitch->GetBufferUsed() << " bytes:";
    for (uint32_t p = 0; p < packetSwitch->GetPorts(); ++p)
    {
        for (uint32_t c = 0; c < ElectricalRailSwitch::CLASSES; ++c)
        {
            line << " " << packetSwitch->GetQueue(PortId(p), c) << "/"
                 << packetSwitch->IsPaused(PortId(p), c) << packetSwitch->HasPaused(PortId(p), c);
        }
    }
    lines.push_back(line.str());
}

} // namespace

std::vector<std::string>
CountersInWords(const Rail& rail, bool queues)
{
    std::vector<std::string> lines;
    const Ptr<ElectricalRailSwitch> packetSwitch =
        rail.GetSwitchNode()->GetObject<ElectricalRailSwitch>();
    if (packetSwitch)
    {
        AddPacketSwitch(packetSwitch, lines); // first: it decides up to a fiber delay late
    }
    for (uint32_t g = 0; g < rail.GetGpus(); ++g)
    {
        for (uint32_t p = 0; p < rail.GetPortsPerGpu(); ++p)
        {
            const Ptr<RailNetDevice> nic = rail.GetNic(g, p);
            const RailNetDevice::Counters& counters = nic->GetCounters();
            std::ostringstream line;
            line << "NIC " << g << "." << p << " sent " << counters.sent << " received "
                 << counters.received << " for host " << counters.forHost << " for offload "
                 << counters.forOffload << " pauses " << counters.pauses << " dropped in "
                 << counters.droppedIn << " dropped out " << counters.droppedOut << " queued "
                 << nic->GetQueued() << " carrier " << nic->HasCarrier() << " paused";
            for (uint32_t c = 0; c < RailNetDevice::CLASSES; ++c)
            {
                line << " " << nic->IsPaused(c);
            }
            const Ptr<OpticalFiber> fiber = rail.GetFiber(g, p);
            const Ptr<FiberEnd> far = fiber->GetPeer(PeekPointer(nic));
            for (const FiberEnd* from : {static_cast<const FiberEnd*>(PeekPointer(nic)),
                                         static_cast<const FiberEnd*>(PeekPointer(far))})
            {
                const OpticalFiber::Counters& way = fiber->GetCounters(from);
                line << "; fiber " << way.sent << " " << way.delivered << " " << way.lost;
            }
            lines.push_back(line.str());
        }
        const Ptr<RdmaEngine> engine = rail.GetGpu(g)->GetObject<RdmaEngine>();
        for (const Ptr<RdmaQueuePair>& pair :
             engine ? engine->GetQueuePairs() : std::vector<Ptr<RdmaQueuePair>>())
        {
            const QueuePairSender::Counters out = pair->GetSenderCounters();
            const QueuePairReceiver::Counters in = pair->GetReceiverCounters();
            const RdmaQueuePair::Totals& totals = pair->GetTotals();
            std::ostringstream line;
            line << "GPU " << g << " queue pair " << pair->GetNumber() << " frames " << out.frames
                 << " again " << out.retransmitted << " acks " << out.acks << " naks " << out.naks
                 << " timeouts " << out.timeouts << " congestion " << out.congestion << " payload "
                 << out.payload << "; came " << in.frames << " accepted " << in.accepted
                 << " early " << in.early << " duplicates " << in.duplicates << " naks " << in.naks
                 << " messages " << in.messages << " payload " << in.payload << "; posted "
                 << totals.posted << " settled " << totals.settled << " failed " << totals.failed
                 << " arrived " << totals.arrived << " bytes " << totals.postedBytes << " "
                 << totals.settledBytes << " " << totals.failedBytes << " " << totals.arrivedBytes
                 << " open " << pair->GetOpenMessages() << " " << pair->GetError();
            lines.push_back(line.str());
        }
    }
    if (packetSwitch)
    {
        if (queues)
        {
            AddQueues(packetSwitch, lines);
        }
        return lines;
    }
    const Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
    const OpticalCircuitSwitch::Counters& counters = ocs->GetCounters();
    std::ostringstream line;
    line << "switch received " << counters.received << " passed " << counters.passed << " dropped "
         << counters.dropped << " plans " << ocs->GetOpenPlans() << " circuits";
    for (const Circuit& circuit : ocs->GetMap().GetCircuits())
    {
        line << " " << circuit << (ocs->IsUp(circuit.low) ? "" : " (dark)");
    }
    lines.push_back(line.str());
    return lines;
}

bool
TrainsRan(const Rail& rail)
{
    return GetTrainsOf(rail).frames > 0;
}

} // namespace ns3
