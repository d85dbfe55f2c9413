/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-journal.h"

#include "ns3/callback.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/optical-fiber.h"
#include "ns3/rail-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace ns3
{

namespace
{

/** Prints a line of the table. */
void
PrintColumns(std::ostream& os,
             const std::string& time,
             const std::string& place,
             const std::string& what,
             const std::string& why)
{
    os << std::setw(16) << std::right << time << "  " << std::left << std::setw(9) << place << "  "
       << std::setw(28) << what << "  " << why << std::endl;
}

void
PrintHead(std::ostream& os)
{
    PrintColumns(os, "time", "port", "what", "why");
}

/** @return an instant: "500140960 ps" */
std::string
ToPicosecondsText(Time at)
{
    return std::to_string(at.GetTimeStep()) + " ps";
}

/** @return the place of a circuit */
std::string
NamePorts(PortId low, PortId high)
{
    std::ostringstream ports;
    ports << "ports " << low << "-" << high;
    return ports.str();
}

/** @return the place of a NIC port */
std::string
NameHost(uint32_t host)
{
    return "host " + std::to_string(host);
}

} // namespace

void
CircuitJournal::Observe(const Rail& rail, const Reasons& reasons)
{
    m_reasons = reasons;
    Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
    if (!reasons.plan.empty())
    {
        ocs->TraceConnectWithoutContext("PlanAccepted",
                                        MakeCallback(&CircuitJournal::TakePlan, this));
    }
    ocs->TraceConnectWithoutContext("CircuitDown",
                                    MakeCallback(&CircuitJournal::TakeCircuitDown, this));
    ocs->TraceConnectWithoutContext("CircuitUp",
                                    MakeCallback(&CircuitJournal::TakeCircuitUp, this));
    for (uint32_t host = 0; host < rail.GetGpus(); ++host)
    {
        rail.GetNic(host)->TraceConnectWithoutContext(
            "Carrier",
            MakeCallback(&CircuitJournal::TakeCarrier, this).Bind(host));
    }
}

void
CircuitJournal::ObserveLosses(const Rail& rail)
{
    rail.GetOpticalSwitch()->TraceConnectWithoutContext(
        "FrameDropped",
        MakeCallback(&CircuitJournal::TakeSwitchLoss, this));
    for (uint32_t host = 0; host < rail.GetGpus(); ++host)
    {
        rail.GetNic(host)->TraceConnectWithoutContext(
            "FrameDropped",
            MakeCallback(&CircuitJournal::TakeNicLoss, this).Bind(host));
        rail.GetFiber(host)->TraceConnectWithoutContext(
            "FrameDropped",
            MakeCallback(&CircuitJournal::TakeFiberLoss, this).Bind(host));
    }
}

void
CircuitJournal::PrintAtOnce(std::ostream& os)
{
    m_atOnce = &os;
    PrintHead(os);
}

void
CircuitJournal::Add(const std::string& place, const std::string& what, const std::string& why)
{
    AddAt(Simulator::Now(), place, what, why);
}

void
CircuitJournal::AddAt(Time at,
                      const std::string& place,
                      const std::string& what,
                      const std::string& why)
{
    Flush();
    Append({at, place, what, why});
}

void
CircuitJournal::Print(std::ostream& os)
{
    Flush();
    std::stable_sort(m_lines.begin(), m_lines.end(), [](const Line& one, const Line& other) {
        return one.at < other.at;
    });
    PrintHead(os);
    for (const Line& line : m_lines)
    {
        PrintColumns(os, ToPicosecondsText(line.at), line.place, line.what, line.why);
    }
}

void
CircuitJournal::TakePlan(uint64_t, const CircuitPlan& plan)
{
    std::ostringstream what;
    what << "plan " << plan;
    Add("switch", what.str(), m_reasons.plan);
}

void
CircuitJournal::TakeCircuitDown(PortId low, PortId high, uint64_t epoch)
{
    Add(NamePorts(low, high), "circuit " + std::to_string(epoch) + " down", m_reasons.down);
}

void
CircuitJournal::TakeCircuitUp(PortId low, PortId high, uint64_t epoch)
{
    Add(NamePorts(low, high), "circuit " + std::to_string(epoch) + " up", m_reasons.up);
}

void
CircuitJournal::TakeCarrier(uint32_t host, bool carrier)
{
    Add(NameHost(host),
        carrier ? "carrier" : "no carrier",
        carrier ? "light came out of the fiber" : "no light comes out of the fiber");
}

void
CircuitJournal::TakeSwitchLoss(PortId port, const WireFrame& frame, FrameDropReason reason)
{
    Lose("port " + std::to_string(port.Get()), frame, reason);
}

void
CircuitJournal::TakeFiberLoss(uint32_t host, const WireFrame& frame, FrameDropReason reason)
{
    Lose("fiber " + std::to_string(host), frame, reason);
}

void
CircuitJournal::TakeNicLoss(uint32_t host, const WireFrame& frame, FrameDropReason reason)
{
    Lose(NameHost(host), frame, reason);
}

void
CircuitJournal::Lose(const std::string& place, const WireFrame& frame, FrameDropReason reason)
{
    m_losses.Add(Simulator::Now(), place, frame.roce, reason);
}

void
CircuitJournal::Flush()
{
    for (const FrameLosses::Loss& loss : m_losses.Take())
    {
        std::ostringstream what;
        std::ostringstream why;
        what << "lost " << (loss.isData ? "PSN " : "ACK of PSN ") << loss.firstPsn;
        why << loss.reason;
        if (loss.frames > 1)
        {
            what << " to " << loss.lastPsn;
            why << ", " << loss.frames << " frames, the last at " << ToPicosecondsText(loss.last);
        }
        Append({loss.first, loss.place, what.str(), why.str()});
    }
}

void
CircuitJournal::Append(const Line& line)
{
    if (m_atOnce != nullptr)
    {
        PrintColumns(*m_atOnce, ToPicosecondsText(line.at), line.place, line.what, line.why);
        return;
    }
    m_lines.push_back(line);
}

} // namespace ns3
