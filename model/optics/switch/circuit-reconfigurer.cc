/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-reconfigurer.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

CircuitReconfigurer::CircuitReconfigurer(SwitchOptics& optics)
    : m_optics(optics)
{
}

PortId
CircuitReconfigurer::AddPort()
{
    m_ports.emplace_back();
    return m_map.AddPort();
}

const CircuitMap&
CircuitReconfigurer::GetMap() const
{
    return m_map;
}

std::size_t
CircuitReconfigurer::GetOpenPlans() const
{
    return m_waiting.size() + m_working;
}

void
CircuitReconfigurer::Dispose()
{
    m_waiting.clear();
    m_settling.clear();
}

bool
CircuitReconfigurer::IsReconfiguring(PortId port) const
{
    return m_ports.at(port.Get()).restsFrom > NowPicoseconds();
}

CircuitPlanReport
CircuitReconfigurer::Apply(const CircuitPlan& plan, PlanEnded ended)
{
    SettleDue();
    const uint64_t number = ++m_plans;
    // at the very instant of the loss of power the plan comes first, in either order of the events
    const bool isLostNow =
        !m_hasPower && !m_ports.empty() && m_ports[0].restsFrom == NowPicoseconds();
    if (isLostNow && m_map.Check(plan).IsAccepted())
    {
        m_hasPower = true;
        const CircuitPlanReport report = Start(number, plan, ended);
        LosePower(true); // its new circuits are lost, and those that it took down
        return report;
    }
    if (!m_hasPower)
    {
        return RefuseForPower(number, plan);
    }
    if (!MustWait(plan, m_waiting.size()))
    {
        return Start(number, plan, ended);
    }
    CircuitPlanReport report;
    report.plan = number;
    if (m_optics.QueuesPlans())
    {
        report.status = CircuitPlanStatus::QUEUED;
        m_waiting.push_back(Waiting{number, plan, ended});
        m_optics.NotifyQueued(number, plan);
        return report;
    }
    report.refusal = CircuitPlanRefusal::PORT_RECONFIGURING;
    std::ostringstream message;
    message << "cannot apply \"" << plan
            << "\": a port of it is reconfiguring for another plan; try again when that has ended, "
               "or set "
               "WhenReconfiguring to Queue";
    report.message = message.str();
    m_optics.NotifyRefused(report);
    return report;
}

bool
CircuitReconfigurer::MustWait(const CircuitPlan& plan, std::size_t plansBefore) const
{
    if (m_working > 0 && m_optics.ReconfiguresAsAWhole())
    {
        return true;
    }
    const std::vector<PortId> ports = plan.GetPorts();
    const auto isReconfiguring = [this](PortId port) {
        return port.Get() < m_ports.size() && IsReconfiguring(port);
    };
    if (std::any_of(ports.begin(), ports.end(), isReconfiguring))
    {
        return true;
    }
    // a plan does not overtake an earlier one that shares a port
    for (std::size_t i = 0; i < plansBefore; ++i)
    {
        for (PortId earlier : m_waiting[i].plan.GetPorts())
        {
            if (std::find(ports.begin(), ports.end(), earlier) != ports.end())
            {
                return true;
            }
        }
    }
    return false;
}

CircuitPlanReport
CircuitReconfigurer::Start(uint64_t number, const CircuitPlan& plan, PlanEnded ended)
{
    auto work = std::make_shared<Work>();
    CircuitPlanReport& report = work->report;
    report.plan = number;
    const PlanCheck check = m_map.Check(plan);
    if (!check.IsAccepted())
    {
        report.refusal = check.refusal;
        report.message = check.message;
        m_optics.NotifyRefused(report);
        return report;
    }
    CircuitChange change = m_map.GetChange(plan);
    const RouteChange routes = m_optics.ChangeRoutes(change);
    if (!routes.why.empty())
    {
        report.refusal = CircuitPlanRefusal::BLOCKED;
        std::ostringstream message;
        message << "cannot apply \"" << plan << "\": " << routes.why;
        report.message = message.str();
        m_optics.NotifyRefused(report);
        return report;
    }
    m_map.Apply(change);
    for (const Circuit& circuit : routes.moved)
    {
        m_map.Renew(circuit);
        change.removed.push_back(circuit);
        change.added.push_back(circuit);
    }
    m_optics.NotifyAccepted(number, plan);
    if (!m_optics.HasBegun())
    {
        DarkenAll(change.removed);
        LightAll(change.added, *work);
        Conclude(*work);
        m_optics.NotifyEnded(report);
        return report;
    }
    work->ended = ended;
    ++m_working;
    if (change.IsEmpty())
    {
        report.status = CircuitPlanStatus::DONE;
        Simulator::ScheduleNow(&CircuitReconfigurer::Finish, this, work);
        return report;
    }
    report.status = CircuitPlanStatus::RECONFIGURING;
    DarkenFor(change);
    Reconfigure(change.added, work);
    return work->report;
}

void
CircuitReconfigurer::DarkenAll(const std::vector<Circuit>& circuits)
{
    for (const Circuit& circuit : circuits)
    {
        if (m_optics.IsLit(circuit.low))
        {
            m_optics.Darken(circuit);
        }
    }
}

void
CircuitReconfigurer::DarkenFor(CircuitChange& change)
{
    DarkenAll(change.removed);
    if (m_optics.ReconfiguresAsAWhole())
    {
        change.added = m_map.GetCircuits();
        DarkenAll(change.added);
        std::for_each(change.added.begin(), change.added.end(), [this](const Circuit& circuit) {
            m_map.Renew(circuit);
        });
    }
}

void
CircuitReconfigurer::LightAll(const std::vector<Circuit>& circuits, Work& work)
{
    for (const Circuit& circuit : circuits)
    {
        const std::string why = GetWhyNoLight(circuit);
        if (why.empty())
        {
            m_optics.Light(circuit, m_map.GetEpoch(circuit.low));
            continue;
        }
        std::vector<PortId> dark = FindStuck(circuit);
        if (dark.empty())
        {
            work.weak.push_back(why);
            dark = {circuit.low, circuit.high};
        }
        else
        {
            work.faulty.insert(work.faulty.end(), dark.begin(), dark.end());
        }
        work.report.stuck.insert(work.report.stuck.end(), dark.begin(), dark.end());
    }
}

void
CircuitReconfigurer::LightAnew(const Circuit& circuit)
{
    if (GetWhyNoLight(circuit).empty())
    {
        m_map.Renew(circuit);
        m_optics.Light(circuit, m_map.GetEpoch(circuit.low));
    }
}

std::vector<PortId>
CircuitReconfigurer::FindStuck(const Circuit& circuit) const
{
    std::vector<PortId> stuck;
    for (const PortId port : {circuit.low, circuit.high})
    {
        if (m_ports[port.Get()].fault == PortFault::STUCK_DARK)
        {
            stuck.push_back(port);
        }
    }
    return stuck;
}

std::string
CircuitReconfigurer::GetWhyStuck(const std::vector<PortId>& ports)
{
    std::ostringstream why;
    why << "no light through port";
    for (const PortId port : ports)
    {
        why << " " << port;
    }
    why << ": stuck dark; its circuit gets light when the fault is cleared";
    return why.str();
}

std::string
CircuitReconfigurer::GetWhyNoLight(const Circuit& circuit) const
{
    const std::vector<PortId> stuck = FindStuck(circuit);
    return stuck.empty() ? m_optics.GetWhyTooWeak(circuit) : GetWhyStuck(stuck);
}

void
CircuitReconfigurer::Reconfigure(const std::vector<Circuit>& circuits, std::shared_ptr<Work> work)
{
    const Picoseconds due = NowPicoseconds() + m_optics.DrawReconfigurationTime();
    const auto slower = [this](PortId port) {
        const Port& state = m_ports[port.Get()];
        return state.fault == PortFault::SLOW ? state.slower : 0;
    };
    std::map<Picoseconds, Batch> batches;
    batches[due]; // even a plan that only takes down circuits
    for (const Circuit& circuit : circuits)
    {
        const Picoseconds settled =
            std::max(due + std::max(slower(circuit.low), slower(circuit.high)),
                     m_optics.GetClearFrom(circuit));
        m_ports[circuit.low.Get()].restsFrom = settled;
        m_ports[circuit.high.Get()].restsFrom = settled;
        batches[settled].circuits.push_back(circuit);
    }
    work->unsettled = batches.size();
    for (auto& [when, batch] : batches)
    {
        batch.work = work;
        m_settling.emplace(when, batch);
        Simulator::Schedule(ToTime(when - NowPicoseconds()), &CircuitReconfigurer::SettleDue, this);
    }
}

void
CircuitReconfigurer::SettleDue()
{
    bool settled = false;
    while (!m_settling.empty() && m_settling.begin()->first <= NowPicoseconds())
    {
        const Batch batch = m_settling.begin()->second;
        m_settling.erase(m_settling.begin());
        Settle(batch);
        settled = true;
    }
    if (settled)
    {
        StartWaiting(); // not before: circuits that settle at this instant get light before they
                        // are taken down
    }
}

void
CircuitReconfigurer::Settle(const Batch& batch)
{
    for (const Circuit& circuit : batch.circuits)
    {
        for (PortId port : {circuit.low, circuit.high})
        {
            const PortFault fault = m_ports[port.Get()].fault;
            if (fault != PortFault::NONE)
            {
                m_optics.NotifyAlarm(port, fault);
            }
        }
        LightAll({circuit}, *batch.work);
    }
    if (--batch.work->unsettled == 0)
    {
        Finish(batch.work);
    }
}

void
CircuitReconfigurer::Conclude(Work& work)
{
    CircuitPlanReport& report = work.report;
    report.status = report.stuck.empty() ? CircuitPlanStatus::DONE : CircuitPlanStatus::FAILED;
    std::ostringstream message;
    if (!work.faulty.empty())
    {
        message << GetWhyStuck(work.faulty);
    }
    for (const std::string& why : work.weak)
    {
        message << (message.str().empty() ? "" : "; ") << why;
    }
    report.message = message.str();
}

void
CircuitReconfigurer::Finish(std::shared_ptr<Work> work)
{
    --m_working;
    Conclude(*work);
    const CircuitPlanReport& report = work->report;
    m_optics.NotifyEnded(report);
    if (!work->ended.IsNull())
    {
        work->ended(report);
    }
}

void
CircuitReconfigurer::StartWaiting()
{
    for (std::size_t i = 0; i < m_waiting.size();)
    {
        if (MustWait(m_waiting[i].plan, i))
        {
            ++i;
            continue;
        }
        const Waiting next = m_waiting[i];
        m_waiting.erase(m_waiting.begin() + i);
        const CircuitPlanReport report = Start(next.number, next.plan, next.ended);
        if (report.status == CircuitPlanStatus::REFUSED && !next.ended.IsNull())
        {
            next.ended(report);
        }
    }
}

void
CircuitReconfigurer::SetFault(PortId id, PortFault fault, Picoseconds slower)
{
    SettleDue();
    Port& port = m_ports.at(id.Get());
    port.fault = fault;
    port.slower = slower;
    if (fault == PortFault::STUCK_DARK && m_optics.IsLit(id))
    {
        // the switch detects the loss of light; for a port that reconfigures, it detects the fault
        // at the due instant
        m_optics.Darken(Circuit(id, *m_map.GetPeer(id)));
        m_optics.NotifyAlarm(id, fault);
    }
}

void
CircuitReconfigurer::ClearFault(PortId id)
{
    SettleDue();
    Port& port = m_ports.at(id.Get());
    port.fault = PortFault::NONE;
    port.slower = 0;
    const std::optional<PortId> peer = m_map.GetPeer(id);
    if (!m_hasPower || !peer || IsReconfiguring(id) || m_optics.IsLit(id) ||
        m_ports[peer->Get()].fault == PortFault::STUCK_DARK)
    {
        return;
    }
    const Circuit circuit(id, *peer);
    if (!m_optics.HasBegun())
    {
        LightAnew(circuit);
        return;
    }
    m_map.Renew(circuit);
    auto work = std::make_shared<Work>();
    work->report.plan = ++m_plans;
    ++m_working;
    Reconfigure({circuit}, work);
}

void
CircuitReconfigurer::LosePower(bool isLatching)
{
    SettleDue(); // what settles at this instant is settled, in either order of the events
    if (!m_hasPower)
    {
        return;
    }
    m_hasPower = false;
    const std::multimap<Picoseconds, Batch> settling = std::exchange(m_settling, {});
    const std::deque<Waiting> waiting = std::exchange(m_waiting, {});
    CircuitPlan lost;
    for (const Circuit& circuit : m_map.GetCircuits())
    {
        const bool isSet = !IsReconfiguring(circuit.low);
        if (m_optics.IsLit(circuit.low))
        {
            m_optics.Darken(circuit);
        }
        if (!isLatching || !isSet)
        {
            lost.Disconnect(circuit.low, circuit.high);
        }
    }
    const CircuitChange change = m_map.GetChange(lost);
    m_optics.ChangeRoutes(change); // they are free
    m_map.Apply(change);
    for (Port& port : m_ports)
    {
        port.restsFrom = NowPicoseconds(); // when the power went
    }
    for (const auto& [when, batch] : settling)
    {
        FailForPower(*batch.work);
    }
    for (const Waiting& one : waiting)
    {
        const CircuitPlanReport report = RefuseForPower(one.number, one.plan);
        if (!one.ended.IsNull())
        {
            one.ended(report);
        }
    }
}

void
CircuitReconfigurer::FailForPower(Work& work)
{
    if (--work.unsettled > 0)
    {
        return; // its last batch reports it
    }
    --m_working;
    work.report.status = CircuitPlanStatus::FAILED;
    work.report.message = "the switch lost its power in the reconfiguration";
    m_optics.NotifyEnded(work.report);
    if (!work.ended.IsNull())
    {
        work.ended(work.report);
    }
}

CircuitPlanReport
CircuitReconfigurer::RefuseForPower(uint64_t number, const CircuitPlan& plan)
{
    CircuitPlanReport report;
    report.plan = number;
    report.refusal = CircuitPlanRefusal::NO_POWER;
    std::ostringstream message;
    message << "cannot apply \"" << plan
            << "\": the switch has no power; try again when it is back";
    report.message = message.str();
    m_optics.NotifyRefused(report);
    return report;
}

void
CircuitReconfigurer::RegainPower()
{
    if (m_hasPower)
    {
        return;
    }
    m_hasPower = true;
    for (const Circuit& circuit : m_map.GetCircuits())
    {
        LightAnew(circuit);
    }
}

bool
CircuitReconfigurer::HasPower() const
{
    return m_hasPower;
}

void
CircuitReconfigurer::Rewire(const std::vector<PortId>& ports, const std::function<void()>& change)
{
    SettleDue();
    std::set<Circuit> settled;
    for (const PortId port : ports)
    {
        const std::optional<PortId> peer = m_map.GetPeer(port);
        if (peer && m_hasPower && !IsReconfiguring(port))
        {
            settled.emplace(port, *peer);
        }
    }
    DarkenAll({settled.begin(), settled.end()});
    change();
    for (const Circuit& circuit : settled)
    {
        // the light may be too weak for the receiver that it has now, or no more
        LightAnew(circuit);
    }
}

PortFault
CircuitReconfigurer::GetFault(PortId port) const
{
    return m_ports.at(port.Get()).fault;
}

} // namespace ns3
