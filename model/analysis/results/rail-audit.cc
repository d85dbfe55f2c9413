/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-audit.h"

#include "ns3/abort.h"
#include "ns3/electrical-rail-switch.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/** Collects the differences. */
class Findings
{
  public:
    /** Two counts of the same quantity must be equal. */
    void Equal(uint64_t one, uint64_t other, const std::string& what)
    {
        if (one != other)
        {
            std::ostringstream line;
            line << what << ": " << one << " and " << other;
            m_lines.push_back(line.str());
        }
    }

    const std::vector<std::string>& GetLines() const
    {
        return m_lines;
    }

  private:
    std::vector<std::string> m_lines;
};

std::string
NameOf(const Ptr<NetDevice>& device)
{
    std::ostringstream name;
    name << "node " << device->GetNode()->GetId() << " device " << device->GetIfIndex();
    return name.str();
}

/** Every fiber that ends at a switch of the rail: those of its NICs, and those between switches. */
std::set<Ptr<OpticalFiber>>
FibersOf(const Rail& rail)
{
    std::set<Ptr<OpticalFiber>> fibers;
    const NodeContainer railSwitches = rail.GetSwitchNodes();
    for (auto railSwitch = railSwitches.Begin(); railSwitch != railSwitches.End(); ++railSwitch)
    {
        for (uint32_t d = 0; d < (*railSwitch)->GetNDevices(); ++d)
        {
            const Ptr<FiberPort> port = DynamicCast<FiberPort>((*railSwitch)->GetDevice(d));
            if (port && port->GetFiber())
            {
                fibers.insert(port->GetFiber());
            }
        }
    }
    return fibers;
}

void
CheckFiber(const Ptr<OpticalFiber>& fiber, Findings& findings)
{
    if (fiber->IsCrossing())
    {
        return; // the ends are counted in two processes: see the totals
    }
    for (std::size_t end = 0; end < 2; ++end)
    {
        const Ptr<FiberPort> from = DynamicCast<FiberPort>(fiber->GetDevice(end));
        const OpticalFiber::Counters& counters = fiber->GetCounters(PeekPointer(from));
        findings.Equal(counters.sent,
                       counters.delivered + counters.lost,
                       "frames that went into the fiber at " + NameOf(from) +
                           ", and that came out or were lost");
    }
}

void
CheckNic(const Ptr<RailNetDevice>& nic, Findings& findings)
{
    const RailNetDevice::Counters& counters = nic->GetCounters();
    const Ptr<OpticalFiber> fiber = nic->GetFiber();
    const Ptr<FiberEnd> peer = fiber->GetPeer(PeekPointer(nic));
    findings.Equal(counters.sent,
                   fiber->GetCounters(PeekPointer(nic)).sent,
                   "frames that " + NameOf(nic) + " sent, and that went into its fiber");
    findings.Equal(counters.received,
                   fiber->GetCounters(PeekPointer(peer)).delivered,
                   "frames that came to " + NameOf(nic) + ", and that its fiber delivered");
    findings.Equal(counters.received,
                   counters.forHost + counters.forOffload + counters.pauses + counters.droppedIn,
                   "frames that came to " + NameOf(nic) + ", and that it handed over or dropped");
    findings.Equal(nic->GetQueued(),
                   0,
                   "packets left in the queues of " + NameOf(nic) + ", and none");
}

void
CheckOpticalSwitch(const Ptr<OpticalCircuitSwitch>& ocs, Findings& findings)
{
    uint64_t in = 0;
    uint64_t out = 0;
    for (uint32_t p = 0; p < ocs->GetPorts(); ++p)
    {
        const Ptr<OpticalSwitchPort> port = ocs->GetPort(PortId(p));
        if (const Ptr<OpticalFiber> fiber = port->GetFiber())
        {
            in += fiber->GetCounters(PeekPointer(fiber->GetPeer(PeekPointer(port)))).delivered;
            out += fiber->GetCounters(PeekPointer(port)).sent;
        }
    }
    const OpticalCircuitSwitch::Counters& counters = ocs->GetCounters();
    findings.Equal(counters.received,
                   in,
                   "frames the optical switch took, and its fibers delivered");
    findings.Equal(counters.passed, out, "frames the optical switch passed, and its fibers took");
    findings.Equal(counters.received,
                   counters.passed + counters.dropped,
                   "frames the optical switch took, and passed or dropped");
    findings.Equal(ocs->GetOpenPlans(), 0, "plans the optical switch has not ended, and none");
}

/** The electrical switches of a rail; empty for another kind of switch. */
std::vector<Ptr<ElectricalRailSwitch>>
ElectricalSwitchesOf(const Rail& rail)
{
    std::vector<Ptr<ElectricalRailSwitch>> switches;
    const NodeContainer railSwitches = rail.GetSwitchNodes();
    for (auto railSwitch = railSwitches.Begin(); railSwitch != railSwitches.End(); ++railSwitch)
    {
        if (const Ptr<ElectricalRailSwitch> one = (*railSwitch)->GetObject<ElectricalRailSwitch>())
        {
            switches.push_back(one);
        }
    }
    return switches;
}

/** The sum of the counters of all ports of an electrical switch. */
PacketSwitchCounters
SumOf(const Ptr<ElectricalRailSwitch>& railSwitch)
{
    PacketSwitchCounters sum;
    for (uint32_t p = 0; p < railSwitch->GetPorts(); ++p)
    {
        const PacketSwitchCounters& port = railSwitch->GetCounters(PortId(p));
        sum.received += port.received;
        sum.copied += port.copied;
        sum.dropped += port.dropped;
        sum.forwarded += port.forwarded;
        sum.pausesReceived += port.pausesReceived;
        sum.marked += port.marked;
    }
    return sum;
}

void
CheckElectricalSwitch(const Ptr<ElectricalRailSwitch>& railSwitch, Findings& findings)
{
    const PacketSwitchCounters sum = SumOf(railSwitch);
    findings.Equal(sum.received + sum.copied,
                   sum.forwarded + sum.dropped,
                   "frames an electrical switch took, and forwarded or dropped");
    findings.Equal(railSwitch->GetFrames(), 0, "frames left in an electrical switch, and none");
}

void
CheckRail(const Rail& rail, Findings& findings)
{
    for (const Ptr<OpticalFiber>& fiber : FibersOf(rail))
    {
        CheckFiber(fiber, findings);
    }
    for (uint32_t g = 0; g < rail.GetGpus(); ++g)
    {
        for (uint32_t p = 0; p < rail.GetPortsPerGpu(); ++p)
        {
            CheckNic(rail.GetNic(g, p), findings);
        }
    }
    if (const Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch())
    {
        CheckOpticalSwitch(ocs, findings);
    }
    for (const Ptr<ElectricalRailSwitch>& railSwitch : ElectricalSwitchesOf(rail))
    {
        CheckElectricalSwitch(railSwitch, findings);
    }
}

void
CheckQueuePairs(const Ptr<RdmaEngine>& engine, Findings& findings)
{
    if (engine->IsSilent())
    {
        return; // what a GPU had open when it failed is neither settled nor reported
    }
    for (const Ptr<RdmaQueuePair>& pair : engine->GetQueuePairs())
    {
        const RdmaQueuePair::Totals& totals = pair->GetTotals();
        std::ostringstream name;
        name << "node " << engine->GetObject<Node>()->GetId() << " queue pair "
             << pair->GetNumber();
        findings.Equal(totals.posted,
                       totals.settled + totals.failed,
                       "messages posted at " + name.str() + ", and settled or failed");
        findings.Equal(totals.postedBytes,
                       totals.settledBytes + totals.failedBytes,
                       "bytes posted at " + name.str() + ", and settled or failed");
    }
}

/** Settled messages have arrived, and arrived messages were posted. */
void
CheckMessages(const RailAudit::Totals& totals, Findings& findings)
{
    findings.Equal(std::max(totals.messagesSettled, totals.messagesArrived),
                   totals.messagesArrived,
                   "messages settled, and arrived");
    findings.Equal(std::min(totals.messagesPosted, totals.messagesArrived),
                   totals.messagesArrived,
                   "messages posted, and arrived");
    findings.Equal(std::max(totals.bytesSettled, totals.bytesArrived),
                   totals.bytesArrived,
                   "bytes settled, and arrived");
}

void
CheckOperations(const Ptr<CollectiveApplication>& application, Findings& findings)
{
    if (application->IsHalted())
    {
        return; // its GPU has failed in the middle of them
    }
    const CollectiveApplication::Counters& counters = application->GetCounters();
    std::ostringstream name;
    name << "operations that rank " << application->GetRank()
         << " began, and that are over or failed";
    const std::string report = application->GetReport();
    findings.Equal(counters.started,
                   counters.ended + counters.failed,
                   name.str() + (report.empty() ? "" : " (" + report + ")"));
}

void
AddFrames(const Rail& rail, RailAudit::Totals& sum)
{
    for (uint32_t g = 0; g < rail.GetGpus(); ++g)
    {
        for (uint32_t p = 0; p < rail.GetPortsPerGpu(); ++p)
        {
            const RailNetDevice::Counters& nic = rail.GetNic(g, p)->GetCounters();
            sum.framesSent += nic.sent;
            sum.framesReceived += nic.received;
            sum.framesDropped += nic.droppedIn;
            sum.packetsRefused += nic.droppedOut;
            sum.pauses += nic.pauses;
        }
    }
    for (const Ptr<OpticalFiber>& fiber : FibersOf(rail))
    {
        for (std::size_t end = 0; end < 2; ++end)
        {
            const Ptr<FiberPort> from = DynamicCast<FiberPort>(fiber->GetDevice(end));
            const OpticalFiber::Counters& counters = fiber->GetCounters(PeekPointer(from));
            sum.framesDropped += counters.lost;
            sum.framesCrossing += fiber->IsCrossing() ? counters.sent : 0;
            sum.framesCrossed += fiber->IsCrossing() ? counters.delivered + counters.lost : 0;
        }
    }
    if (const Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch())
    {
        sum.framesDropped += ocs->GetCounters().dropped;
    }
    for (const Ptr<ElectricalRailSwitch>& railSwitch : ElectricalSwitchesOf(rail))
    {
        const PacketSwitchCounters its = SumOf(railSwitch);
        sum.framesDropped += its.dropped;
        sum.pauses += its.pausesReceived;
        sum.marks += its.marked;
    }
}

void
AddMessages(const Ptr<RdmaEngine>& engine, RailAudit::Totals& sum)
{
    for (const Ptr<RdmaQueuePair>& pair : engine->GetQueuePairs())
    {
        const RdmaQueuePair::Totals& one = pair->GetTotals();
        sum.messagesPosted += one.posted;
        sum.messagesSettled += one.settled;
        sum.messagesFailed += one.failed;
        sum.messagesArrived += one.arrived;
        sum.bytesPosted += one.postedBytes;
        sum.bytesSettled += one.settledBytes;
        sum.bytesFailed += one.failedBytes;
        sum.bytesArrived += one.arrivedBytes;
    }
}

void
AddOperations(const Ptr<CollectiveApplication>& application, RailAudit::Totals& sum)
{
    const CollectiveApplication::Counters& one = application->GetCounters();
    sum.operationsStarted += one.started;
    sum.operationsEnded += one.ended;
    sum.operationsFailed += one.failed;
    sum.operationBytesSent += one.bytesSent;
    sum.operationBytesReceived += one.bytesReceived;
}

} // namespace

void
RailAudit::AddEngines(const Rail& rail, std::vector<Ptr<RdmaEngine>>& engines)
{
    for (uint32_t g = 0; g < rail.GetGpus(); ++g)
    {
        const Ptr<RdmaEngine> engine = rail.GetGpu(g)->GetObject<RdmaEngine>();
        if (engine && std::find(engines.begin(), engines.end(), engine) == engines.end())
        {
            engines.push_back(engine);
        }
    }
}

void
RailAudit::Add(const Rail& rail)
{
    m_rails.push_back(rail);
    m_counted.push_back(rail);
    AddEngines(rail, m_engines);
    AddEngines(rail, m_countedEngines);
}

void
RailAudit::Add(const Rail& rail, const Rail& leader)
{
    m_rails.push_back(rail);
    m_counted.push_back(leader);
    AddEngines(rail, m_engines);
    std::vector<Ptr<RdmaEngine>> again;
    AddEngines(leader, again);
    m_countedEngines.insert(m_countedEngines.end(), again.begin(), again.end());
}

void
RailAudit::Add(const ApplicationContainer& applications)
{
    for (auto one = applications.Begin(); one != applications.End(); ++one)
    {
        if (const auto application = DynamicCast<CollectiveApplication>(*one))
        {
            m_applications.push_back(application);
        }
    }
}

void
RailAudit::SetPart()
{
    m_isPart = true;
}

void
RailAudit::Add(const Totals& elsewhere)
{
    m_elsewhere += elsewhere;
}

RailAudit::Totals&
RailAudit::Totals::operator+=(const Totals& more)
{
    framesSent += more.framesSent;
    framesReceived += more.framesReceived;
    framesDropped += more.framesDropped;
    packetsRefused += more.packetsRefused;
    messagesPosted += more.messagesPosted;
    messagesSettled += more.messagesSettled;
    messagesFailed += more.messagesFailed;
    messagesArrived += more.messagesArrived;
    bytesPosted += more.bytesPosted;
    bytesSettled += more.bytesSettled;
    bytesFailed += more.bytesFailed;
    bytesArrived += more.bytesArrived;
    framesCrossing += more.framesCrossing;
    framesCrossed += more.framesCrossed;
    pauses += more.pauses;
    marks += more.marks;
    operationsStarted += more.operationsStarted;
    operationsEnded += more.operationsEnded;
    operationsFailed += more.operationsFailed;
    operationBytesSent += more.operationBytesSent;
    operationBytesReceived += more.operationBytesReceived;
    return *this;
}

std::vector<std::string>
RailAudit::Check() const
{
    Findings findings;
    for (const Rail& rail : m_rails)
    {
        CheckRail(rail, findings);
    }
    for (const Ptr<RdmaEngine>& engine : m_engines)
    {
        CheckQueuePairs(engine, findings);
    }
    const Totals totals = GetTotals();
    const bool isSplit = std::any_of(m_rails.begin(), m_rails.end(), [](const Rail& rail) {
        return rail.IsSplit();
    });
    if (!m_isPart || !isSplit)
    {
        CheckMessages(totals, findings);
        findings.Equal(totals.framesCrossing,
                       totals.framesCrossed,
                       "frames that went into fibers to other processes, and that came out or were "
                       "lost");
    }
    for (const Ptr<CollectiveApplication>& application : m_applications)
    {
        CheckOperations(application, findings);
    }
    const bool isAnyHalted = std::any_of(m_applications.begin(),
                                         m_applications.end(),
                                         [](const auto& one) { return one->IsHalted(); });
    if (totals.operationsFailed == 0 && !isAnyHalted && !m_isPart)
    {
        findings.Equal(totals.operationBytesSent,
                       totals.operationBytesReceived,
                       "bytes that ranks sent in operations, and received");
    }
    return findings.GetLines();
}

void
RailAudit::Require() const
{
    const std::vector<std::string> findings = Check();
    std::ostringstream all;
    for (const std::string& line : findings)
    {
        all << "\n  " << line;
    }
    NS_ABORT_MSG_UNLESS(findings.empty(),
                        "RailAudit: at the end of the run these do not add up (if the run was "
                        "stopped during traffic, that is expected):"
                            << all.str());
}

RailAudit::Totals
RailAudit::GetTotals() const
{
    Totals sum = m_elsewhere;
    for (const Rail& rail : m_counted)
    {
        AddFrames(rail, sum);
    }
    for (const Ptr<RdmaEngine>& engine : m_countedEngines)
    {
        AddMessages(engine, sum);
    }
    for (const Ptr<CollectiveApplication>& application : m_applications)
    {
        AddOperations(application, sum);
    }
    return sum;
}

void
RailAudit::Write(JsonWriter& json) const
{
    const Totals totals = GetTotals();
    json.BeginObject("audit");
    json.Field("frames_sent", totals.framesSent);
    json.Field("frames_received", totals.framesReceived);
    json.Field("frames_dropped", totals.framesDropped);
    json.Field("packets_refused", totals.packetsRefused);
    json.Field("messages_posted", totals.messagesPosted);
    json.Field("messages_settled", totals.messagesSettled);
    json.Field("messages_failed", totals.messagesFailed);
    json.Field("messages_arrived", totals.messagesArrived);
    json.Field("operations_ended", totals.operationsEnded);
    json.Field("operations_failed", totals.operationsFailed);
    json.EndObject();
}

} // namespace ns3
