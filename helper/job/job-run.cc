/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-run.h"

#include "equal-rails.h"
#include "rail-differences.h"

#include "ns3/abort.h"
#include "ns3/controller-core.h"
#include "ns3/electrical-rail-switch.h"
#include "ns3/fidelity.h"
#include "ns3/job-demand.h"
#include "ns3/job-layout.h"
#include "ns3/no-congestion-control.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-engine.h"
#include "ns3/simulation-processes.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

/** @return the begins of a program's iterations; without any, there is one iteration from 0 on */
std::vector<uint32_t>
FindBegins(const RankProgram& program)
{
    std::vector<uint32_t> begins;
    const auto& operations = program.GetOperations();
    for (std::size_t o = 0; o < operations.size(); ++o)
    {
        if (operations[o].kind == RankOperation::Kind::ITERATION)
        {
            begins.push_back(o);
        }
    }
    if (begins.empty())
    {
        begins.push_back(0);
    }
    return begins;
}

/** @return the iteration of an operation, from 0; earlier operations belong to the first */
uint32_t
FindIteration(const std::vector<uint32_t>& begins, uint32_t operation)
{
    const auto after = std::upper_bound(begins.begin(), begins.end(), operation);
    return after == begins.begin() ? 0 : after - begins.begin() - 1;
}

/** @return whether operations on the circuits of a rail can be memoized */
bool
MayMemoize(const Rail& rail)
{
    ObjectFactoryValue congestion;
    rail.GetGpu(0)->GetObject<RdmaEngine>()->GetAttribute("CongestionControl", congestion);
    return GetPhotonicRailsFidelity() == PACKET_TRAINS &&
           congestion.Get().GetTypeId() == NoCongestionControl::GetTypeId();
}

} // namespace

JobRun::JobRun(const JobPrograms& job, uint32_t perServer)
    : m_job(job),
      m_perServer(perServer),
      m_work(job, perServer)
{
    FindIterations();
    CountOperations();
}

void
JobRun::FindIterations()
{
    std::map<const RankProgram*, uint32_t> known;
    for (const JobPrograms::Rank& rank : m_job.ranks)
    {
        const auto [program, isNew] = known.emplace(rank.program.get(), m_begins.size());
        if (isNew)
        {
            m_begins.push_back(FindBegins(*rank.program));
        }
        m_programOf.push_back(program->second);
        m_left.resize(std::max(m_left.size(), m_begins[program->second].size()));
    }
    m_tallies.resize(m_left.size());
    m_exchanged.resize(m_left.size());
}

void
JobRun::CountOperations()
{
    std::fill(m_left.begin(), m_left.end(), 0);
    m_open = 0;
    for (std::size_t rank = 0; rank < m_job.ranks.size(); ++rank)
    {
        if (collectives && !SimulationProcesses::IsHere(collectives->Get(rank)->GetNode()))
        {
            continue;
        }
        const std::vector<uint32_t>& begins = m_begins[m_programOf[rank]];
        const auto& operations = m_job.ranks[rank].program->GetOperations();
        for (std::size_t o = 0; o < operations.size(); ++o)
        {
            if (operations[o].IsExchange() || operations[o].kind == RankOperation::Kind::COMPUTE)
            {
                m_left[FindIteration(begins, o)] += operations[o].isBackground ? 0 : 1;
                ++m_open;
            }
        }
    }
}

void
JobRun::Install(Ptr<CollectiveJob> ranks)
{
    m_start = Simulator::Now();
    collectives = ranks;
    applications = ranks->GetApplications();
    CountOperations();
    for (const JobPrograms::Group& group : m_job.groups)
    {
        m_groups.push_back(ranks->MakeGroup(group.name,
                                            group.ranks,
                                            CountRanksPerServer(group.ranks, m_perServer)));
    }
    std::vector<RankPart> parts;
    for (uint32_t rank = 0; rank < m_job.ranks.size(); ++rank)
    {
        CollectiveApplication::Groups groups;
        for (const uint32_t group : m_job.ranks[rank].groups)
        {
            groups.push_back(m_groups[group]);
        }
        ranks->SetProgram(rank, m_job.ranks[rank].program, groups);
        parts.push_back({RankId(rank), m_job.ranks[rank].program, groups});
    }
    if (plane.controller)
    {
        plane.Describe(MakeJobDemand(JobId(0), parts, *plane.cabling));
    }
    Listen();
}

void
JobRun::Fold(const std::string& differs)
{
    const EqualRails equal = EqualRails::Find(m_job, m_perServer);
    m_whyNotFolded = differs.empty() ? equal.why : differs;
    if (SimulationProcesses::GetNumber() > 1)
    {
        m_whyNotFolded = "rails are on several processes";
    }
    if (m_whyNotFolded.empty())
    {
        m_whyNotFolded = FindRailDifference(rails, applications, plane);
    }
    if (!m_whyNotFolded.empty())
    {
        return;
    }
    m_fold = Create<RailFold>(rails);
    m_fold->SetInStep(!plane.controller);
    m_fold->SetMemoized(plane.controller && MayMemoize(rails.front()));
    if (const auto middle = rails.front().GetSwitchNode()->GetObject<ElectricalRailSwitch>())
    {
        m_fold->SetChanceCallback([middle]() {
            return middle->HasDrawnOwnMarks() ? "the switch of the leader draws marks of congestion"
                                              : "";
        });
    }
    TimeValue posting;
    applications.Get(0)->GetAttribute("RailMessageTime", posting);
    m_fold->SetRanksShare(posting.Get().IsStrictlyPositive());
    for (std::size_t g = 0; g < m_groups.size(); ++g)
    {
        if (const std::optional<EqualRails::OnRail>& on = equal.groups[g])
        {
            m_fold->AddGroup(*m_groups[g], on->rail, *m_groups[on->leading]);
        }
    }
    for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
    {
        collectives->Get(rank)->SetFold(m_fold);
    }
}

void
JobRun::Listen()
{
    // a journal of several processes has all in order
    const char* const source =
        SimulationProcesses::GetNumber() > 1 ? "OperationEnded" : "OperationOver";
    for (uint32_t a = 0; a < applications.GetN(); ++a)
    {
        const bool connected =
            applications.Get(a)->TraceConnectWithoutContext(source,
                                                            MakeCallback(&JobRun::Ended, this));
        NS_ABORT_MSG_UNLESS(connected, "JobRun: rank " << a << " is no rank's application");
    }
    if (!SimulationProcesses::FindEnd())
    {
        m_commonEnd = std::make_unique<CommonEnd>();
    }
    if (SimulationProcesses::GetNumber() > 1)
    {
        collectives->TraceForwarded(MakeCallback(&JobRun::Forwarded, this));
        for (const Ptr<OpusEndpoint>& endpoint : plane.GetEndpoints())
        {
            const auto shim = DynamicCast<OpusShimApp>(endpoint);
            const bool isAgent = DynamicCast<OcsAgent>(endpoint) != nullptr;
            const Callback<void> sent = MakeCallback(&JobRun::ControlSent, this);
            endpoint->SetCountCallbacks(
                sent,
                shim      ? MakeCallback(&JobRun::ShimCounted, this).Bind(PeekPointer(shim))
                : isAgent ? Callback<void>()
                          : MakeCallback(&JobRun::ControlCounted, this));
        }
    }
}

void
JobRun::ControlSent()
{
    m_journal.Add(JobJournal::Sent{NowPicoseconds(), 1});
}

void
JobRun::ShimCounted(OpusShimApp* shim)
{
    const OpusTimes now = OpusControlPlane::GetSums(*shim);
    OpusTimes& before = m_shimTimes[shim];
    m_control.exposed += (now.exposed - before.exposed).GetTimeStep();
    m_control.exposedLinkUp += (now.exposedLinkUp - before.exposedLinkUp).GetTimeStep();
    m_control.hidden += (now.hidden - before.hidden).GetTimeStep();
    m_control.hiddenLinkUp += (now.hiddenLinkUp - before.hiddenLinkUp).GetTimeStep();
    m_control.wrongPredictions += now.wrongPredictions - before.wrongPredictions;
    before = now;
    m_control.at = NowPicoseconds();
    m_journal.Set(m_control);
}

void
JobRun::ControlCounted()
{
    m_control.reconfigurations = plane.GetInCharge()->GetCore().GetCounters().reconfigurations;
    m_control.at = NowPicoseconds();
    m_journal.Set(m_control);
}

void
JobRun::Forwarded(const TransportMessage& message)
{
    m_journal.Add(JobJournal::Exchange{NowPicoseconds(), 0, 0, 0, 0, message.bytes});
}

void
JobRun::AddComputed(uint32_t iteration, Picoseconds end, Picoseconds duration)
{
    const Picoseconds now = NowPicoseconds();
    if (m_computedAt != now)
    {
        m_computedAt = now;
        m_computedThen.clear();
    }
    m_computed += duration;
    if (end == now)
    {
        m_computedThen.push_back({iteration, duration});
    }
    if (SimulationProcesses::GetNumber() > 1)
    {
        m_journal.Add(JobJournal::Computed{now, duration, iteration});
    }
}

Picoseconds
JobRun::GetComputed(uint32_t iteration) const
{
    Picoseconds computed = m_computed;
    for (const Computing& one : m_computedThen)
    {
        computed -=
            m_computedAt == NowPicoseconds() && one.iteration > iteration ? one.duration : 0;
    }
    return computed;
}

void
JobRun::AddExchange(uint32_t iteration, const OperationRecord& record)
{
    const auto number = static_cast<std::size_t>(record.trafficPath);
    if (record.call.isBackground && SimulationProcesses::GetNumber() > 1)
    {
        m_journal.Add(JobJournal::Exchange{NowPicoseconds(),
                                           iteration,
                                           static_cast<uint32_t>(number),
                                           record.messagesReceived,
                                           record.bytesSent,
                                           0});
        return;
    }
    Exchanged& exchanged = m_exchanged[iteration];
    exchanged.messages += record.messagesReceived;
    PathTally& path = exchanged.paths[number];
    ++path.operations;
    path.bytes += record.bytesSent;
}

uint32_t
JobRun::IterationOf(const OperationRecord& record) const
{
    return FindIteration(m_begins[m_programOf[record.rank.Get()]], record.operation);
}

void
JobRun::Ended(const OperationRecord& record)
{
    const uint32_t iteration = IterationOf(record);
    m_workOver += m_work.GetWork(record.rank.Get(), record.call);
    if (!record.call.IsExchange())
    {
        AddComputed(iteration, record.end.GetTimeStep(), (record.end - record.start).GetTimeStep());
    }
    else
    {
        AddExchange(iteration, record);
    }
    Report();
    if (!record.call.isBackground && --m_left[iteration] == 0)
    {
        if (SimulationProcesses::GetNumber() > 1)
        {
            m_journal.End(iteration, NowPicoseconds());
        }
        else
        {
            CatchUp();
            m_tallies[iteration] = Count(iteration);
            if (m_iterated)
            {
                m_iterated();
            }
        }
    }
    if (--m_open == 0)
    {
        if (m_commonEnd)
        {
            m_commonEnd->Announce();
        }
        if (m_ended)
        {
            m_ended();
        }
    }
}

void
JobRun::CatchUp() const
{
    for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
    {
        collectives->Get(rank)->CatchUp(); // what is computed by now counts
    }
}

void
JobRun::SetStart(Time start)
{
    m_start = start;
}

void
JobRun::Launch(Time after,
               const std::function<void()>& ended,
               const Callback<void, const ControllerNote&>& decided)
{
    applications.Start(after);
    SetStart(Simulator::Now() + after);
    SetEndedCallback(ended);
    for (const Ptr<OpusControllerApp>& controller : {plane.controller, plane.standby})
    {
        if (controller)
        {
            controller->TraceConnectWithoutContext("Decision", decided);
        }
    }
}

void
JobRun::SetEndedCallback(const std::function<void()>& ended)
{
    m_ended = ended;
}

void
JobRun::SetIteratedCallback(const std::function<void()>& iterated)
{
    m_iterated = iterated;
}

void
JobRun::SetProgress(const std::function<void(double)>& progress)
{
    m_progress = progress;
}

void
JobRun::Report()
{
    if (!m_progress || ++m_endings % 16 != 0)
    {
        return; // to look at the clock costs as much as an event
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - m_reported > std::chrono::milliseconds(250))
    {
        m_reported = now;
        m_progress(GetProgress());
    }
}

JobTally
JobRun::Count(uint32_t iteration) const
{
    const int64_t ranks = std::max<int64_t>(1, applications.GetN());
    JobTally tally;
    tally.end = Simulator::Now() - m_start;
    tally.computed = ToTime(GetComputed(iteration) / ranks);
    // those of later operations at this instant may be over or not, by the order of events
    for (uint32_t i = 0; i <= iteration; ++i)
    {
        tally.messages += m_exchanged[i].messages;
        for (std::size_t p = 0; p < TRAFFIC_PATHS; ++p)
        {
            tally.paths[p].operations += m_exchanged[i].paths[p].operations;
            tally.paths[p].bytes += m_exchanged[i].paths[p].bytes;
        }
    }
    tally.bytesForwarded = collectives->GetForwardedBytes();
    tally.paths[static_cast<std::size_t>(TrafficPath::MULTI_HOP)].forwarded =
        collectives->GetMultiHopBytes();
    if (plane.controller)
    {
        const OpusTimes times = plane.GetTimes();
        tally.exposed = times.exposed;
        tally.exposedLinkUp = times.exposedLinkUp;
        tally.hidden = times.hidden;
        tally.hiddenLinkUp = times.hiddenLinkUp;
        tally.wrongPredictions = times.wrongPredictions;
        tally.reconfigurations = plane.GetInCharge()->GetCore().GetCounters().reconfigurations;
        tally.controlMessages = plane.GetMessagesBefore();
    }
    return tally;
}

uint32_t
JobRun::GetIterations() const
{
    return std::find_if(m_left.begin(), m_left.end(), [](uint64_t left) { return left > 0; }) -
           m_left.begin();
}

double
JobRun::GetProgress() const
{
    return m_work.GetAll() == 0 ? 1 : static_cast<double>(m_workOver) / m_work.GetAll();
}

JobTally
JobRun::GetIteration(uint32_t iteration) const
{
    NS_ABORT_MSG_UNLESS(iteration >= 1 && iteration <= GetIterations(),
                        "JobRun: iteration " << iteration << " is asked for, and "
                                             << GetIterations() << " are over, counted from 1");
    const JobTally& tally = m_tallies[iteration - 1];
    return iteration == 1 ? tally : tally.Since(m_tallies[iteration - 2]);
}

double
JobRun::GetIterationSeconds(uint32_t iteration) const
{
    return GetIteration(iteration).end.GetTimeStep() / 1e12;
}

Time
JobRun::GetBegin(uint32_t iteration) const
{
    return iteration == 1 ? m_start : GetEnd(iteration - 1);
}

Time
JobRun::GetEnd(uint32_t iteration) const
{
    GetIteration(iteration); // aborts if it is not over
    return m_start + m_tallies[iteration - 1].end;
}

JobTally
JobRun::GetSteady() const
{
    const uint32_t over = GetIterations();
    return over < 2 ? GetIteration(1) : GetAll().Since(m_tallies[0]).GetMean(over - 1);
}

JobTally
JobRun::GetAll() const
{
    return GetIterations() == 0 ? JobTally() : m_tallies[GetIterations() - 1];
}

double
JobRun::GetIdleSeconds() const
{
    const JobTally steady = GetSteady();
    return (steady.end - steady.computed).GetTimeStep() / 1e12;
}

std::vector<Rail>
JobRun::ListCounted() const
{
    return HasFolded() ? std::vector<Rail>(rails.size(), rails.front()) : rails;
}

RailAudit
JobRun::GetAudit() const
{
    RailAudit audit;
    if (!IsWhole())
    {
        audit.SetPart();
    }
    for (const Rail& rail : rails)
    {
        if (rail.IsHere())
        {
            HasFolded() ? audit.Add(rail, rails.front()) : audit.Add(rail);
        }
    }
    audit.Add(applications); // those of other processes have counted nothing
    audit.Add(m_elsewhere);
    return audit;
}

bool
JobRun::IsWhole() const
{
    return SimulationProcesses::GetNumber() == 1 || m_isGathered;
}

void
JobRun::PutPart(ByteWriter& bytes) const
{
    m_journal.Put(bytes);
    bytes.PutAll(m_left);
    bytes.PutAll(m_exchanged);
    bytes.Put(GetAudit().GetTotals());
}

void
JobRun::AddPart(ByteReader& bytes)
{
    m_journal.Add(JobJournal::Take(bytes));
    const auto left = bytes.TakeAll<uint64_t>();
    const auto exchanged = bytes.TakeAll<Exchanged>();
    for (std::size_t i = 0; i < m_left.size(); ++i)
    {
        m_left[i] += left[i];
        m_exchanged[i].messages += exchanged[i].messages;
        for (std::size_t p = 0; p < TRAFFIC_PATHS; ++p)
        {
            m_exchanged[i].paths[p].operations += exchanged[i].paths[p].operations;
            m_exchanged[i].paths[p].bytes += exchanged[i].paths[p].bytes;
        }
    }
    m_elsewhere += bytes.Take<RailAudit::Totals>();
}

void
JobRun::Gather()
{
    if (SimulationProcesses::GetNumber() == 1)
    {
        return;
    }
    ByteWriter mine;
    PutPart(mine);
    const std::vector<std::string> all = SimulationProcesses::Gather(mine.GetBytes());
    for (std::size_t process = 1; process < all.size(); ++process)
    {
        ByteReader its(all[process]);
        AddPart(its);
    }
    m_isGathered = !all.empty();
    for (uint32_t i = 0; m_isGathered && i < GetIterations(); ++i)
    {
        m_tallies[i] = CountAll(i);
    }
    if (m_isGathered)
    {
        GetAudit().Require(); // of all
    }
}

JobTally
JobRun::CountAll(uint32_t iteration) const
{
    const int64_t ranks = std::max<int64_t>(1, applications.GetN());
    JobTally tally;
    m_journal.Count(iteration, tally);
    for (Time* sum : {&tally.computed,
                      &tally.exposed,
                      &tally.exposedLinkUp,
                      &tally.hidden,
                      &tally.hiddenLinkUp})
    {
        *sum = ToTime(sum->GetTimeStep() / ranks);
    }
    tally.end = ToTime(m_journal.GetEnd(iteration)) - m_start;
    for (uint32_t i = 0; i <= iteration; ++i)
    {
        tally.messages += m_exchanged[i].messages;
        for (std::size_t p = 0; p < TRAFFIC_PATHS; ++p)
        {
            tally.paths[p].operations += m_exchanged[i].paths[p].operations;
            tally.paths[p].bytes += m_exchanged[i].paths[p].bytes;
        }
    }
    return tally;
}

void
JobRun::Require() const
{
    NS_ABORT_MSG_UNLESS(GetIterations() == m_left.size(),
                        "JobRun: " << GetIterations() << " of " << m_left.size()
                                   << " iterations are over: the run ended before");
    GetAudit().Require();
}

} // namespace ns3
