/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shared-rails.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/read-once-accessor.h"
#include "ns3/simulation-processes.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("SharedRails");

NS_OBJECT_ENSURE_REGISTERED(SharedRails);

namespace
{

/** The inputs of an instant, in the order in which they are handled. */
enum JobInput : uint64_t
{
    RETURNED,
    ARRIVED,
};

} // namespace

const char*
ToString(JobStay::State state)
{
    static constexpr const char* NAMES[] = {"expected", "waiting", "running", "ending", "over"};
    return NAMES[static_cast<std::size_t>(state)];
}

TypeId
SharedRails::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SharedRails")
            .SetParent<Object>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<SharedRails>()
            .AddAttribute("LaunchTime",
                          "From the admission of a job to the start of its ranks, 1 ps or more.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&SharedRails::m_launchTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Overtaking",
                          "Whether a job may go before earlier ones that wait, if servers are free "
                          "for it.",
                          BooleanValue(false),
                          MakeReadOnceAccessor("SharedRails::Overtaking",
                                               &SharedRails::HasJobs,
                                               MakeBooleanAccessor(&SharedRails::m_overtaking)),
                          MakeBooleanChecker())
            .AddAttribute("Waits",
                          "Whether jobs wait for servers of others. If not, each job has servers "
                          "of its own for the whole run, and is refused if there are none.",
                          BooleanValue(true),
                          MakeReadOnceAccessor("SharedRails::Waits",
                                               &SharedRails::HasJobs,
                                               MakeBooleanAccessor(&SharedRails::m_waits)),
                          MakeBooleanChecker())
            .AddTraceSource("StateChanged",
                            "A job arrives, starts, ends, or returns its servers: its number, and "
                            "its stay so far.",
                            MakeTraceSourceAccessor(&SharedRails::m_stateChanged),
                            "ns3::SharedRails::StayCallback");
    return tid;
}

SharedRails::SharedRails()
{
    NS_LOG_FUNCTION(this);
    m_instant.SetOver([this]() { Admit(); });
}

SharedRails::~SharedRails()
{
    NS_LOG_FUNCTION(this);
}

void
SharedRails::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_instant.Clear();
    m_jobs.clear();
    m_rails.clear();
    Object::DoDispose();
}

void
SharedRails::SetRails(const std::vector<Rail>& rails)
{
    NS_LOG_FUNCTION(this << rails.size());
    SimulationProcesses::RequireOne("jobs on shared rails");
    RequireEqualRails(rails, "SharedRails");
    NS_ABORT_MSG_UNLESS(m_jobs.empty(),
                        "SharedRails: jobs are added; set the rails before the first one");
    m_rails = rails;
}

const std::vector<Rail>&
SharedRails::GetRails() const
{
    return m_rails;
}

std::string
SharedRails::FindWholeSwitch() const
{
    for (const Rail& rail : m_rails)
    {
        const Ptr<OpticalCircuitSwitch> railSwitch = rail.GetOpticalSwitch();
        if (railSwitch && railSwitch->FetchGranularity())
        {
            return "the switch of rail " + std::to_string(rail.GetId().Get()) +
                   " goes dark as a whole, which would cut the frames of other jobs; use switches "
                   "that change port by port, or one job";
        }
        const auto fabric = railSwitch ? railSwitch->FetchFabric() : nullptr;
        if (fabric && !fabric->IsNonBlocking())
        {
            return "the switch of rail " + std::to_string(rail.GetId().Get()) + " is a " +
                   fabric->GetName() +
                   ", whose circuits may have to move for those of another job; use switches whose "
                   "fabric sets all circuits, or one job";
        }
    }
    return "";
}

void
SharedRails::Check(const Job& job) const
{
    const auto isNamed = [&job](const Job& other) { return other.stay.name == job.stay.name; };
    NS_ABORT_MSG_IF(m_rails.empty(), "SharedRails: it has no rails; call SetRails() first");
    NS_ABORT_MSG_IF(std::any_of(m_jobs.begin(), m_jobs.end(), isNamed),
                    "SharedRails: there is a job " << job.stay.name << "; give another name");
    NS_ABORT_MSG_IF(job.stay.arrival < Simulator::Now(),
                    "SharedRails: job " << job.stay.name << " is to arrive at "
                                        << job.stay.arrival.As(Time::S) << ", and it is "
                                        << Simulator::Now().As(Time::S) << "; give a later time");
    const uint32_t perServer = job.stay.run->GetJob().GetTask().plan.scaleUp;
    NS_ABORT_MSG_UNLESS(perServer == m_rails.size(),
                        "SharedRails: job " << job.stay.name << " has a plan for servers of "
                                            << perServer << " GPUs, and there are "
                                            << m_rails.size() << " rails; plan for servers of "
                                            << m_rails.size());
    const std::string mistake = ServerAdmission(m_rails[0].GetGpus()).FindMistake(job.request);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "SharedRails: " << mistake);
    const bool isOptical = m_rails[0].GetOpticalSwitch() != nullptr;
    NS_ABORT_MSG_IF(job.helper.IsElectrical() == isOptical,
                    "SharedRails: job " << job.stay.name << " has a policy for rails of "
                                        << (isOptical ? "packet" : "circuit")
                                        << " switches, and these have "
                                        << (isOptical ? "circuit" : "packet")
                                        << " switches; change the policy or the rails");
    const std::string whole = m_jobs.empty() ? "" : FindWholeSwitch();
    NS_ABORT_MSG_UNLESS(whole.empty(),
                        "SharedRails: job " << job.stay.name << " is one too many: " << whole);
    NS_ABORT_MSG_IF(m_jobs.size() > OpusHelper::MOST_PLANES,
                    "SharedRails: job " << job.stay.name << " is one too many; there are networks "
                                        << "for " << OpusHelper::MOST_PLANES + 1 << " jobs");
}

uint32_t
SharedRails::Add(const std::string& name,
                 const TrainingJobHelper& helper,
                 Time arrival,
                 const std::vector<uint32_t>& servers)
{
    NS_LOG_FUNCTION(this << name << arrival << servers.size());
    RequireAtLeast(m_launchTime, 1, "SharedRails::LaunchTime");
    Job job{helper, {}, 0, {}};
    job.stay.name = name;
    job.stay.arrival = arrival;
    job.stay.run = helper.Prepare(m_rails.empty() ? 1 : m_rails[0].GetPortsPerGpu());
    const ParallelismPlan& plan = job.stay.run->GetJob().GetTask().plan;
    job.request = {name, plan.GetRanks() / plan.scaleUp, servers};
    Check(job);
    const uint32_t number = m_jobs.size();
    job.helper.GetOpus().SetNetworkNumber(number);
    job.helper.GetOpus().SetControllerAttribute("TakeDownAtEnd", BooleanValue(true));
    if (!m_admission)
    {
        m_admission = std::make_unique<ServerAdmission>(m_rails[0].GetGpus(), m_overtaking);
    }
    if (!m_waits)
    {
        job.turn = m_admission->Arrive(job.request);
        const std::vector<ServerGrant> grants = m_admission->Admit();
        NS_ABORT_MSG_IF(grants.empty(),
                        "SharedRails: job " << name << " can't have servers of its own: "
                                            << m_admission->GetWhyNot(job.turn)
                                            << "; give it others, or let jobs wait (Waits)");
        job.stay.servers = grants[0].servers;
    }
    m_jobs.push_back(job);
    Simulator::Schedule(arrival - Simulator::Now(), &SharedRails::Arrive, this, number);
    return number;
}

bool
SharedRails::HasJobs() const
{
    return !m_jobs.empty();
}

uint32_t
SharedRails::GetJobs() const
{
    return m_jobs.size();
}

const SharedRails::Job&
SharedRails::Get(uint32_t job) const
{
    NS_ABORT_MSG_UNLESS(job < m_jobs.size(),
                        "SharedRails: there is no job " << job << "; there are " << m_jobs.size()
                                                        << ", counted from 0");
    return m_jobs[job];
}

const JobStay&
SharedRails::GetStay(uint32_t job) const
{
    return Get(job).stay;
}

void
SharedRails::Change(uint32_t job, JobStay::State state)
{
    JobStay& stay = m_jobs[job].stay;
    stay.state = state;
    NS_LOG_INFO("job " << stay.name << " is " << ToString(state)
                       << (state == JobStay::State::WAITING ? ": " + stay.whyNot : ""));
    m_stateChanged(job, stay);
}

void
SharedRails::Arrive(uint32_t job)
{
    NS_LOG_FUNCTION(this << job);
    m_instant.Add({ARRIVED, job, 0}, [this, job]() {
        if (m_waits)
        {
            m_jobs[job].turn = m_admission->Arrive(m_jobs[job].request);
            m_arrived.push_back(job);
        }
        else
        {
            Launch(job, m_jobs[job].stay.servers);
        }
    });
}

void
SharedRails::Admit()
{
    NS_LOG_FUNCTION(this);
    for (const ServerGrant& grant : m_admission->Admit())
    {
        Launch(m_arrived[grant.job], grant.servers);
    }
    for (const uint32_t job : m_arrived)
    {
        if (m_jobs[job].stay.state == JobStay::State::EXPECTED)
        {
            m_jobs[job].stay.whyNot = m_admission->GetWhyNot(m_jobs[job].turn);
            Change(job, JobStay::State::WAITING);
        }
    }
}

void
SharedRails::Launch(uint32_t job, const std::vector<uint32_t>& servers)
{
    NS_LOG_FUNCTION(this << job);
    Job& one = m_jobs[job];
    one.stay.servers = servers;
    one.stay.admitted = Simulator::Now();
    one.stay.start = one.stay.admitted + m_launchTime;
    const Ptr<TrainingRun> run = one.stay.run;
    one.helper.InstallPrepared(run, SelectRails(m_rails, servers));
    run->Launch(
        m_launchTime,
        [this, job]() { Ended(job); },
        MakeCallback(&SharedRails::HandleDecision, this).Bind(job));
    Change(job, JobStay::State::RUNNING);
}

void
SharedRails::Ended(uint32_t job)
{
    NS_LOG_FUNCTION(this << job);
    JobStay& stay = m_jobs[job].stay;
    stay.end = Simulator::Now();
    Change(job, JobStay::State::ENDING);
    if (!stay.run->plane.controller || stay.run->plane.GetMessages() == 0)
    {
        Return(job); // it has set up no circuits
    }
}

void
SharedRails::HandleDecision(uint32_t job, const ControllerNote& note)
{
    if (note.kind == ControllerNote::Kind::RETURNED &&
        m_jobs[job].stay.state == JobStay::State::ENDING)
    {
        Return(job);
    }
}

void
SharedRails::Return(uint32_t job)
{
    NS_LOG_FUNCTION(this << job);
    m_instant.Add({RETURNED, job, 0}, [this, job]() {
        JobStay& stay = m_jobs[job].stay;
        stay.returned = Simulator::Now();
        stay.run->StopObserving();
        if (m_waits)
        {
            m_admission->Return(m_jobs[job].turn);
        }
        Change(job, JobStay::State::OVER);
    });
}

void
SharedRails::Require() const
{
    for (const Job& job : m_jobs)
    {
        NS_ABORT_MSG_UNLESS(job.stay.state == JobStay::State::OVER,
                            "SharedRails: job "
                                << job.stay.name << " is " << ToString(job.stay.state)
                                << " at the end of the run" << (job.stay.whyNot.empty() ? "" : ": ")
                                << job.stay.whyNot);
        job.stay.run->Require();
    }
}

} // namespace ns3
