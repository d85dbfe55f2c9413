/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fleet-replay.h"

#include "fleet-progress.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{

FleetReplay::FleetReplay(const FleetPlan& plan,
                         FleetReaction reaction,
                         uint32_t interval,
                         FleetTimes& times)
    : m_plan(plan),
      m_reaction(reaction),
      m_interval(interval),
      m_times(times),
      m_spares(0),
      m_pool(plan.servers, plan.serversPerRack)
{
    NS_ABORT_MSG_UNLESS(plan.FindMistake().empty(), "FleetReplay: " << plan.FindMistake());
    NS_ABORT_MSG_IF(interval == 0, "FleetReplay: 0 iterations between checkpoints; give 1 or more");
    uint32_t next = 0;
    for (const uint32_t servers : plan.ListAdmitted())
    {
        FleetJob job;
        job.number = m_jobs.size();
        job.replicaServers = plan.replicaServers;
        job.trains.assign(servers / plan.replicaServers, true);
        for (uint32_t place = 0; place < servers; ++place, ++next)
        {
            m_pool.Give(next, job.number);
            job.places.push_back({next, next});
        }
        m_jobs.push_back(job);
    }
    m_spares = m_pool.CountFree();
}

FleetTally
FleetReplay::Run(const FleetFaults& faults, FleetTime horizon)
{
    NS_ABORT_MSG_IF(m_counted > 0, "FleetReplay: it has run; make another one");
    const std::vector<FleetFault>& begins = faults.GetFaults();
    std::vector<std::pair<FleetTime, uint32_t>> repairs; // instant and server
    for (const FleetFault& fault : begins)
    {
        repairs.emplace_back(fault.end, fault.server);
    }
    std::sort(repairs.begin(), repairs.end());
    std::size_t begin = 0;
    std::size_t repair = 0;
    while (true)
    {
        FleetTime now = horizon;
        for (const FleetJob& job : m_jobs)
        {
            now = std::min(now, job.until);
        }
        now = begin < begins.size() ? std::min(now, begins[begin].begin) : now;
        now = repair < repairs.size() ? std::min(now, repairs[repair].first) : now;
        CountSpares(now);
        if (now >= horizon)
        {
            break;
        }
        for (FleetJob& job : m_jobs)
        {
            if (job.until == now)
            {
                EndPhase(job, now);
            }
        }
        for (; begin < begins.size() && begins[begin].begin == now; ++begin)
        {
            Break(begins[begin], now);
        }
        for (; repair < repairs.size() && repairs[repair].first == now; ++repair)
        {
            m_pool.Repair(repairs[repair].second);
        }
        Serve(now);
    }
    for (FleetJob& job : m_jobs)
    {
        Settle(job, horizon, true);
        m_tally.jobs += horizon * static_cast<FleetTime>(job.places.size());
    }
    return m_tally;
}

void
FleetReplay::CountSpares(FleetTime now)
{
    const FleetTime since = now - m_counted;
    const uint32_t repair = std::min(m_spares, m_pool.CountLost());
    const uint32_t inUse = m_spares - std::min(m_spares, m_pool.CountFree());
    m_tally.repair += since * repair;
    m_tally.reserve += since * (m_spares - repair);
    m_tally.inUse += since * inUse;
    if (since > 0)
    {
        m_tally.mostInUse = std::max(m_tally.mostInUse, inUse);
    }
    m_counted = now;
}

void
FleetReplay::Settle(FleetJob& job, FleetTime now, bool keepsIterations)
{
    const FleetTime servers = job.places.size();
    const FleetTime elapsed = now - job.since;
    job.since = now;
    switch (job.phase)
    {
    case FleetJob::Phase::DOWN:
    case FleetJob::Phase::UP:
        m_tally.transitions += elapsed * servers;
        return;
    case FleetJob::Phase::WAITING:
        m_tally.waiting += elapsed * servers;
        return;
    case FleetJob::Phase::TRAINING:
        break;
    }
    const FleetIteration times = m_times.GetIteration(job.GetForm());
    const uint32_t all = job.trains.size();
    const FleetIteration whole = m_times.GetIteration({all, false});
    const FleetProgress progress = FleetProgress::Count(elapsed, times, m_interval);
    const int64_t kept = keepsIterations ? progress.iterations : progress.checkpoints * m_interval;
    const FleetTime iterations = kept * static_cast<FleetTime>(times.iteration);
    const FleetTime checkpoints = progress.checkpoints * static_cast<FleetTime>(times.checkpoint);
    const FleetTime useful =
        kept * static_cast<FleetTime>(whole.iteration) * job.CountReplicas() * job.replicaServers;
    m_tally.useful += useful;
    m_tally.smaller += iterations * servers - useful;
    m_tally.checkpoints += checkpoints * servers;
    m_tally.lostWork += (elapsed - iterations - checkpoints) * servers;
    m_tally.iterations += progress.iterations;
    m_tally.reconfigurations += progress.iterations * times.reconfigurations +
                                progress.checkpoints * times.checkpointReconfigurations;
}

void
FleetReplay::EndPhase(FleetJob& job, FleetTime now)
{
    switch (job.phase)
    {
    case FleetJob::Phase::TRAINING: {
        NS_ASSERT_MSG(job.growing, "an end of training without a reason");
        const FleetTransitionCase step{FleetStep::GROW,
                                       job.CountReplicas(),
                                       0,
                                       FaultKind::SERVER_LOSS};
        Settle(job, now, m_times.GetTransition(step).keepsIterations);
        job.trains[*job.growing] = true;
        job.growing.reset();
        ++m_tally.grown;
        BeginStep(job, step, now);
        return;
    }
    case FleetJob::Phase::DOWN:
        Settle(job, now, true);
        if (IsWhole(job))
        {
            BeginUp(job, now);
        }
        else
        {
            job.phase = FleetJob::Phase::WAITING;
            job.until = FLEET_NEVER;
            ++m_tally.waits;
        }
        return;
    case FleetJob::Phase::UP:
        Settle(job, now, true);
        job.phase = FleetJob::Phase::TRAINING;
        job.until = FLEET_NEVER;
        job.isDetoured = job.isDetoured || job.step.step == FleetStep::DETOUR;
        return;
    case FleetJob::Phase::WAITING:
        NS_ASSERT_MSG(false, "a wait has no end of its own");
    }
}

void
FleetReplay::Break(const FleetFault& fault, FleetTime now)
{
    if (!m_pool.Break(fault.server))
    {
        ++m_tally.faultsOfLost;
        return;
    }
    const std::optional<uint32_t> owner = m_pool.FindOwner(fault.server);
    if (!owner)
    {
        ++m_tally.faultsOfSpares;
        return;
    }
    FleetJob& job = m_jobs[*owner];
    const uint32_t place = job.FindPlace(fault.server);
    const bool isHeld = !job.trains[place / job.replicaServers];
    StopGrowing(job);
    if (isHeld) // for a replica that was to begin again
    {
        ++m_tally.faultsOfSpares;
        return;
    }
    ++m_tally.faultsOfJobs;
    LosePlace(job, place, fault.kind, now);
}

void
FleetReplay::LosePlace(FleetJob& job, uint32_t place, FaultKind kind, FleetTime now)
{
    if (VacatesPlaces(m_reaction))
    {
        m_pool.Return(*job.places[place].server);
        job.places[place].server.reset();
    }
    if (job.phase == FleetJob::Phase::WAITING)
    {
        return;
    }
    if (job.phase != FleetJob::Phase::DOWN)
    {
        job.lostAt = now;
    }
    FleetTransitionCase step;
    step.replicas = job.CountReplicas();
    step.stage = place % job.replicaServers;
    step.kind = kind;
    step.step = React(job, place);
    Settle(job, now, m_times.GetTransition(step).keepsIterations);
    if (step.step == FleetStep::SHRINK) // up to now the replica trained
    {
        EndReplica(job, place);
    }
    BeginStep(job, step, now);
}

FleetStep
FleetReplay::React(FleetJob& job, uint32_t place)
{
    if (m_reaction == FleetReaction::STOP)
    {
        return FleetStep::SPLICE;
    }
    if (m_reaction == FleetReaction::MOVE)
    {
        const std::vector<uint32_t> servers = m_pool.FindFreeInRack(job.places.size());
        if (servers.empty())
        {
            return FleetStep::SPLICE;
        }
        Move(job, servers);
        return FleetStep::MOVE;
    }
    const std::optional<uint32_t> spare = m_pool.FindFree(job.places[place].former);
    if (spare)
    {
        Place(job, place, *spare);
    }
    else if (m_reaction == FleetReaction::SHRINK && job.CountReplicas() > 1)
    {
        return FleetStep::SHRINK;
    }
    return m_reaction == FleetReaction::DETOUR ? FleetStep::DETOUR : FleetStep::SPLICE;
}

void
FleetReplay::EndReplica(FleetJob& job, uint32_t place)
{
    const uint32_t replica = place / job.replicaServers;
    job.trains[replica] = false;
    for (uint32_t stage = 0; stage < job.replicaServers; ++stage)
    {
        FleetPlace& other = job.places[replica * job.replicaServers + stage];
        if (other.server)
        {
            m_pool.Return(*other.server);
            other.server.reset();
        }
    }
    ++m_tally.shrunk;
}

void
FleetReplay::Move(FleetJob& job, const std::vector<uint32_t>& servers)
{
    for (std::size_t place = 0; place < job.places.size(); ++place)
    {
        m_pool.Return(*job.places[place].server);
        Place(job, place, servers[place]);
    }
    ++m_tally.moved;
}

void
FleetReplay::BeginStep(FleetJob& job, const FleetTransitionCase& step, FleetTime now)
{
    ++m_tally.steps;
    job.step = step;
    job.phase = FleetJob::Phase::DOWN;
    job.until = now + m_times.GetTransition(step).down;
    if (job.until == now)
    {
        EndPhase(job, now);
    }
}

void
FleetReplay::BeginUp(FleetJob& job, FleetTime now)
{
    const FleetTransition times = m_times.GetTransition(job.step);
    m_tally.reconfigurations += times.reconfigurations;
    job.phase = FleetJob::Phase::UP;
    job.until = now + times.up;
    if (job.until == now)
    {
        EndPhase(job, now);
    }
}

void
FleetReplay::StopGrowing(FleetJob& job)
{
    if (!job.growing)
    {
        return;
    }
    for (uint32_t stage = 0; stage < job.replicaServers; ++stage)
    {
        FleetPlace& place = job.places[*job.growing * job.replicaServers + stage];
        m_pool.Return(*place.server);
        place.server.reset();
    }
    job.growing.reset();
    job.until = FLEET_NEVER;
}

template <typename Condition>
std::vector<FleetJob*>
FleetReplay::ListJobs(const Condition& condition)
{
    std::vector<FleetJob*> jobs;
    for (FleetJob& job : m_jobs)
    {
        if (condition(job))
        {
            jobs.push_back(&job);
        }
    }
    std::stable_sort(jobs.begin(), jobs.end(), [](const FleetJob* one, const FleetJob* other) {
        return one->lostAt < other->lostAt;
    });
    return jobs;
}

void
FleetReplay::Serve(FleetTime now)
{
    const auto lacks = [this](const FleetJob& job) {
        return job.phase != FleetJob::Phase::TRAINING && !IsWhole(job);
    };
    for (FleetJob* job : ListJobs(lacks))
    {
        Fill(*job);
    }
    for (FleetJob& job : m_jobs)
    {
        if (job.phase == FleetJob::Phase::WAITING && IsWhole(job))
        {
            Settle(job, now, true);
            BeginUp(job, now);
        }
    }
    const auto canGrow = [](const FleetJob& job) {
        return job.phase == FleetJob::Phase::TRAINING && !job.growing && job.FindEnded();
    };
    for (FleetJob* job : ListJobs(canGrow))
    {
        if (m_pool.CountFree() >= job->replicaServers)
        {
            BeginGrowing(*job, now);
        }
    }
}

void
FleetReplay::Fill(FleetJob& job)
{
    if (m_reaction == FleetReaction::MOVE)
    {
        const std::vector<uint32_t> servers = m_pool.FindFreeInRack(job.places.size());
        if (!servers.empty())
        {
            Move(job, servers);
            job.step.step = FleetStep::MOVE;
        }
        return;
    }
    for (uint32_t place = 0; place < job.places.size() && m_pool.CountFree() > 0; ++place)
    {
        if (!job.places[place].server && job.trains[place / job.replicaServers])
        {
            Place(job, place, *m_pool.FindFree(job.places[place].former));
        }
    }
}

void
FleetReplay::BeginGrowing(FleetJob& job, FleetTime now)
{
    const uint32_t replica = *job.FindEnded();
    for (uint32_t stage = 0; stage < job.replicaServers; ++stage)
    {
        const uint32_t place = replica * job.replicaServers + stage;
        Place(job, place, *m_pool.FindFree(job.places[place].former));
    }
    const FleetProgress progress =
        FleetProgress::Count(now - job.since, m_times.GetIteration(job.GetForm()), m_interval);
    const bool keeps =
        m_times.GetTransition({FleetStep::GROW, job.CountReplicas(), 0, FaultKind::SERVER_LOSS})
            .keepsIterations;
    job.growing = replica;
    job.until = now + (keeps ? progress.toNext : progress.toCheckpoint);
}

void
FleetReplay::Place(FleetJob& job, uint32_t place, uint32_t server)
{
    m_pool.Give(server, job.number);
    job.places[place] = {server, server};
    ++m_tally.placed;
}

bool
FleetReplay::IsWhole(const FleetJob& job) const
{
    for (std::size_t place = 0; place < job.places.size(); ++place)
    {
        const std::optional<uint32_t> server = job.places[place].server;
        if (job.trains[place / job.replicaServers] && !(server && m_pool.Works(*server)))
        {
            return false;
        }
    }
    return true;
}

} // namespace ns3
