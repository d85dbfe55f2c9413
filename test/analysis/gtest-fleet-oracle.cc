/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The rule of FleetReplay, written a second time without a closed form: every instant is lived
// through, iterations are counted as they end, and which servers work is looked up in the faults.

#include "ns3/fleet-replay.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** Times that are drawn: short ones. */
class DrawnTimes : public FleetTimes
{
  public:
    explicit DrawnTimes(uint64_t seed)
        : m_seed(seed)
    {
    }

    FleetIteration GetIteration(const FleetForm& form) override
    {
        const uint64_t draw = Draw(form.replicas * 2 + form.isDetoured);
        return {static_cast<Picoseconds>(2 + draw % 7),
                static_cast<Picoseconds>(draw / 7 % 3),
                draw / 21 % 4,
                draw / 84 % 3};
    }

    FleetTransition GetTransition(const FleetTransitionCase& one) override
    {
        const uint64_t draw =
            Draw(1000 + one.replicas * 1000 + static_cast<uint64_t>(one.step) * 100 +
                 one.stage * 10 + (one.kind == FaultKind::GPU_FAILURE));
        return {static_cast<Picoseconds>(1 + draw % 5),
                static_cast<Picoseconds>(1 + draw / 5 % 7),
                draw / 35 % 2 == 1,
                draw / 70 % 5};
    }

  private:
    uint64_t Draw(uint64_t what) const
    {
        std::mt19937_64 draw(m_seed * 1000003 + what);
        return draw();
    }

    uint64_t m_seed;
};

/** A cluster that is lived through, instant by instant. */
class LivedFleet
{
  public:
    LivedFleet(const FleetPlan& plan,
               FleetReaction reaction,
               int interval,
               FleetTimes& times,
               const std::vector<FleetFault>& faults)
        : m_plan(plan),
          m_reaction(reaction),
          m_interval(interval),
          m_times(times),
          m_faults(faults)
    {
        int next = 0;
        for (const uint32_t servers : plan.ListAdmitted())
        {
            Job job;
            job.former.resize(servers);
            for (uint32_t s = 0; s < servers; ++s)
            {
                job.servers.push_back(next++);
                job.former[s] = job.servers[s];
            }
            job.runs.assign(servers / plan.replicaServers, 1);
            m_jobs.push_back(job);
        }
        m_reserve = plan.servers - next;
    }

    FleetTally Live(int horizon)
    {
        for (m_now = 0; m_now < horizon; ++m_now)
        {
            m_begun = 0;
            for (Job& job : m_jobs)
            {
                EndSpan(job);
            }
            for (m_begun = 0; m_begun < m_faults.size(); ++m_begun)
            {
                if (m_faults[m_begun].begin == m_now)
                {
                    Hit(m_faults[m_begun]);
                }
            }
            m_repairs = true;
            Hand();
            Pass();
            m_repairs = false;
        }
        for (Job& job : m_jobs)
        {
            Close(job, true);
            tally.jobs += static_cast<FleetTime>(horizon) * job.servers.size();
        }
        return tally;
    }

  private:
    struct Job
    {
        std::vector<int> servers; // -1: none
        std::vector<int> former;
        std::vector<char> runs; // by replica
        bool detoured{false};

        enum
        {
            TRAIN,
            DOWN,
            WAIT,
            UP
        } does{TRAIN};

        int left{0}; // of DOWN or UP
        FleetTransitionCase step;
        FleetTransition cost;
        int lost{0};
        int grows{-1};
        // training since the last checkpoint, and in all since it trains steadily
        int ofIteration{0};
        int ofCheckpoint{0};
        int ended{0};    // iterations since the last checkpoint
        int64_t safe{0}; // iterations up to the last checkpoint
        int64_t checkpoints{0};
        int64_t trained{0}; // time
    };

    /** @return whether a server works, with the faults of this instant up to the present one */
    bool Works(int server) const
    {
        for (std::size_t f = 0; f < m_faults.size(); ++f)
        {
            const FleetFault& fault = m_faults[f];
            const bool begun =
                fault.begin < m_now || (fault.begin == m_now && (m_repairs || f < m_begun));
            const bool over = m_repairs ? fault.end <= m_now : fault.end < m_now;
            if (static_cast<int>(fault.server) == server && begun && !over)
            {
                return false;
            }
        }
        return true;
    }

    std::vector<int> Free() const
    {
        std::vector<int> free;
        for (int s = 0; s < static_cast<int>(m_plan.servers); ++s)
        {
            bool owned = false;
            for (const Job& job : m_jobs)
            {
                owned = owned || std::count(job.servers.begin(), job.servers.end(), s) > 0;
            }
            if (!owned && Works(s))
            {
                free.push_back(s);
            }
        }
        return free;
    }

    int Pick(int near) const
    {
        const std::vector<int> free = Free();
        for (const int s : free)
        {
            if (m_plan.GetRack(s) == m_plan.GetRack(near))
            {
                return s;
            }
        }
        return free.empty() ? -1 : free.front();
    }

    std::vector<int> PickRack(std::size_t number) const
    {
        std::map<uint32_t, std::vector<int>> racks;
        for (const int s : Free())
        {
            racks[m_plan.GetRack(s)].push_back(s);
        }
        for (auto& [rack, servers] : racks)
        {
            if (servers.size() >= number)
            {
                servers.resize(number);
                return servers;
            }
        }
        return {};
    }

    uint32_t Running(const Job& job) const
    {
        return std::count(job.runs.begin(), job.runs.end(), 1);
    }

    bool Complete(const Job& job) const
    {
        for (std::size_t p = 0; p < job.servers.size(); ++p)
        {
            if (job.runs[p / m_plan.replicaServers] &&
                (job.servers[p] < 0 || !Works(job.servers[p])))
            {
                return false;
            }
        }
        return true;
    }

    /** Training is over: what is kept counts. */
    void Close(Job& job, bool keeps)
    {
        if (job.does == Job::TRAIN)
        {
            const FleetIteration its = m_times.GetIteration({Running(job), job.detoured});
            const FleetIteration whole =
                m_times.GetIteration({static_cast<uint32_t>(job.runs.size()), false});
            const int64_t n = job.servers.size();
            const int64_t kept = job.safe + (keeps ? job.ended : 0);
            const int64_t useful = kept * whole.iteration * Running(job) * m_plan.replicaServers;
            tally.useful += useful;
            tally.smaller += kept * its.iteration * n - useful;
            tally.checkpoints += job.checkpoints * its.checkpoint * n;
            tally.lostWork +=
                (job.trained - kept * its.iteration - job.checkpoints * its.checkpoint) * n;
            tally.iterations += job.safe + job.ended;
            tally.reconfigurations += (job.safe + job.ended) * its.reconfigurations +
                                      job.checkpoints * its.checkpointReconfigurations;
        }
        job.ofIteration = job.ofCheckpoint = job.ended = 0;
        job.safe = job.checkpoints = job.trained = 0;
    }

    void BeginStep(Job& job, const FleetTransitionCase& step)
    {
        ++tally.steps;
        job.step = step;
        job.cost = m_times.GetTransition(step);
        job.does = Job::DOWN;
        job.left = job.cost.down;
    }

    void Rise(Job& job)
    {
        tally.reconfigurations += job.cost.reconfigurations;
        job.does = Job::UP;
        job.left = job.cost.up;
    }

    void EndSpan(Job& job)
    {
        if (job.does == Job::TRAIN)
        {
            Grow(job);
        }
        else if (job.does == Job::DOWN && job.left == 0)
        {
            if (Complete(job))
            {
                Rise(job);
            }
            else
            {
                job.does = Job::WAIT;
                ++tally.waits;
            }
        }
        else if (job.does == Job::UP && job.left == 0)
        {
            job.does = Job::TRAIN;
            job.detoured = job.detoured || job.step.step == FleetStep::DETOUR;
        }
    }

    FleetTransitionCase GrowthOf(const Job& job) const
    {
        return {FleetStep::GROW, Running(job), 0, FaultKind::SERVER_LOSS};
    }

    /** The replica that waits begins, if this is the end of an iteration or a checkpoint. */
    void Grow(Job& job)
    {
        if (job.grows < 0)
        {
            return;
        }
        const FleetTransitionCase step = GrowthOf(job);
        const bool keeps = m_times.GetTransition(step).keepsIterations;
        const bool fresh = job.ofIteration == 0 && job.ofCheckpoint == 0 && job.ended == 0;
        const bool between =
            job.ofIteration == 0 && job.ofCheckpoint == 0 && job.ended < m_interval;
        if (keeps ? between : fresh)
        {
            Close(job, keeps);
            job.runs[job.grows] = 1;
            job.grows = -1;
            ++tally.grown;
            BeginStep(job, step);
        }
    }

    void Release(Job& job)
    {
        if (job.grows >= 0)
        {
            for (uint32_t s = 0; s < m_plan.replicaServers; ++s)
            {
                job.servers[job.grows * m_plan.replicaServers + s] = -1;
            }
            job.grows = -1;
        }
    }

    void Put(Job& job, std::size_t place, int server)
    {
        job.servers[place] = job.former[place] = server;
        ++tally.placed;
    }

    void Hit(const FleetFault& fault)
    {
        const int server = fault.server;
        if (!Works(server))
        {
            ++tally.faultsOfLost;
            return;
        }
        for (Job& job : m_jobs)
        {
            const auto at = std::find(job.servers.begin(), job.servers.end(), server);
            if (at != job.servers.end())
            {
                const std::size_t place = at - job.servers.begin();
                const bool idle = !job.runs[place / m_plan.replicaServers];
                Release(job);
                ++(idle ? tally.faultsOfSpares : tally.faultsOfJobs);
                if (!idle)
                {
                    ++m_begun; // it does not work from now on
                    Lose(job, place, fault.kind);
                    --m_begun;
                }
                return;
            }
        }
        ++tally.faultsOfSpares;
    }

    void Lose(Job& job, std::size_t place, FaultKind kind)
    {
        const bool stays = m_reaction == FleetReaction::STOP || m_reaction == FleetReaction::MOVE;
        if (!stays)
        {
            job.servers[place] = -1;
        }
        if (job.does == Job::WAIT)
        {
            return;
        }
        if (job.does != Job::DOWN)
        {
            job.lost = m_now;
        }
        FleetTransitionCase step{m_reaction == FleetReaction::DETOUR ? FleetStep::DETOUR
                                                                     : FleetStep::SPLICE,
                                 Running(job),
                                 static_cast<uint32_t>(place % m_plan.replicaServers),
                                 kind};
        const std::vector<int> rack = PickRack(job.servers.size());
        const int spare = stays ? -1 : Pick(job.former[place]);
        const bool moves = m_reaction == FleetReaction::MOVE && !rack.empty();
        const bool shrinks = m_reaction == FleetReaction::SHRINK && spare < 0 && Running(job) > 1;
        step.step = moves ? FleetStep::MOVE : shrinks ? FleetStep::SHRINK : step.step;
        Close(job, m_times.GetTransition(step).keepsIterations);
        if (moves)
        {
            Move(job, rack);
        }
        else if (shrinks)
        {
            const std::size_t replica = place / m_plan.replicaServers;
            job.runs[replica] = 0;
            ++tally.shrunk;
            for (uint32_t s = 0; s < m_plan.replicaServers; ++s)
            {
                job.servers[replica * m_plan.replicaServers + s] = -1;
            }
        }
        else if (spare >= 0)
        {
            Put(job, place, spare);
        }
        BeginStep(job, step);
    }

    void Move(Job& job, const std::vector<int>& rack)
    {
        for (std::size_t p = 0; p < job.servers.size(); ++p)
        {
            Put(job, p, rack[p]);
        }
        ++tally.moved;
    }

    std::vector<Job*> InOrder()
    {
        std::vector<Job*> jobs;
        for (Job& job : m_jobs)
        {
            jobs.push_back(&job);
        }
        std::stable_sort(jobs.begin(), jobs.end(), [](const Job* a, const Job* b) {
            return a->lost < b->lost;
        });
        return jobs;
    }

    void Hand()
    {
        for (Job* job : InOrder())
        {
            if ((job->does != Job::DOWN && job->does != Job::WAIT) || Complete(*job))
            {
                continue;
            }
            const std::vector<int> rack = PickRack(job->servers.size());
            if (m_reaction == FleetReaction::MOVE && !rack.empty())
            {
                Move(*job, rack);
                job->step.step = FleetStep::MOVE;
                const FleetTransition cost = m_times.GetTransition(job->step);
                job->cost.up = cost.up;
                job->cost.reconfigurations = cost.reconfigurations;
            }
            for (std::size_t p = 0; p < job->servers.size(); ++p)
            {
                if (job->servers[p] < 0 && job->runs[p / m_plan.replicaServers])
                {
                    const int spare = Pick(job->former[p]);
                    if (spare >= 0)
                    {
                        Put(*job, p, spare);
                    }
                }
            }
        }
        for (Job* job : InOrder())
        {
            if (job->does == Job::WAIT && Complete(*job))
            {
                Rise(*job);
            }
        }
        for (Job* job : InOrder())
        {
            const auto ended = std::find(job->runs.begin(), job->runs.end(), 0);
            if (job->does == Job::TRAIN && job->grows < 0 && ended != job->runs.end() &&
                Free().size() >= m_plan.replicaServers)
            {
                job->grows = ended - job->runs.begin();
                for (uint32_t s = 0; s < m_plan.replicaServers; ++s)
                {
                    const std::size_t p = job->grows * m_plan.replicaServers + s;
                    Put(*job, p, Pick(job->former[p]));
                }
                Grow(*job);
            }
        }
    }

    /** An instant passes. */
    void Pass()
    {
        int owned = 0; // broken servers of jobs
        int broken = 0;
        for (Job& job : m_jobs)
        {
            const int64_t n = job.servers.size();
            switch (job.does)
            {
            case Job::DOWN:
            case Job::UP:
                tally.transitions += n;
                --job.left;
                break;
            case Job::WAIT:
                tally.waiting += n;
                break;
            case Job::TRAIN:
                Train(job);
                break;
            }
            for (const int s : job.servers)
            {
                owned += s >= 0 && !Works(s);
            }
        }
        for (uint32_t s = 0; s < m_plan.servers; ++s)
        {
            broken += !Works(s);
        }
        const int free = Free().size();
        const int repair = std::min(m_reserve, broken - owned);
        tally.repair += repair;
        tally.reserve += m_reserve - repair;
        const uint32_t inUse = std::max(0, m_reserve - free);
        tally.inUse += inUse;
        tally.mostInUse = std::max(tally.mostInUse, inUse);
    }

    void Train(Job& job)
    {
        const FleetIteration its = m_times.GetIteration({Running(job), job.detoured});
        ++job.trained;
        if (job.ended < m_interval)
        {
            if (++job.ofIteration == its.iteration)
            {
                job.ofIteration = 0;
                ++job.ended;
            }
        }
        else
        {
            ++job.ofCheckpoint;
        }
        if (job.ended == m_interval && job.ofCheckpoint == its.checkpoint)
        {
            job.ofCheckpoint = 0;
            job.safe += job.ended;
            job.ended = 0;
            ++job.checkpoints;
        }
    }

    FleetPlan m_plan;
    FleetReaction m_reaction;
    int m_interval;
    FleetTimes& m_times;
    std::vector<FleetFault> m_faults;
    std::vector<Job> m_jobs;
    int m_reserve{0};
    int m_now{0};
    std::size_t m_begun{0};
    bool m_repairs{false};
    FleetTally tally;
};

/** A small cluster, at random. */
struct DrawnFleet
{
    explicit DrawnFleet(uint64_t seed)
    {
        std::mt19937_64 draw(seed);
        plan.replicaServers = 1 + draw() % 2;
        plan.serversPerRack = 2 + draw() % 4;
        plan.servers = 0;
        for (uint64_t job = 0, jobs = 1 + draw() % 3; job < jobs; ++job)
        {
            plan.jobs.push_back(plan.replicaServers * (1 + draw() % 3));
            plan.servers += plan.jobs.back();
        }
        plan.spares = draw() % 5;
        plan.servers += plan.spares;
        reaction = static_cast<FleetReaction>(draw() % 5);
        interval = 1 + draw() % 3;
        horizon = 100 + draw() % 300;
        std::vector<FleetFault> drawn;
        for (uint64_t fault = 0, faults = draw() % 25; fault < faults; ++fault)
        {
            const FleetTime begin = draw() % horizon;
            const FleetTime end = begin + 1 + draw() % (draw() % 4 == 0 ? 200 : 30);
            drawn.push_back({begin,
                             draw() % 20 == 0 ? FLEET_NEVER : end,
                             static_cast<uint32_t>(draw() % plan.servers),
                             draw() % 2 == 0 ? FaultKind::GPU_FAILURE : FaultKind::SERVER_LOSS});
        }
        faults = FleetFaults(drawn, plan.servers);
    }

    FleetPlan plan;
    FleetReaction reaction;
    uint32_t interval;
    int horizon;
    FleetFaults faults;
};

std::map<std::string, int64_t>
ToCounts(const FleetTally& tally)
{
    const auto whole = [](FleetTime time) { return static_cast<int64_t>(time); };
    return {{"useful", whole(tally.useful)},
            {"smaller", whole(tally.smaller)},
            {"checkpoints", whole(tally.checkpoints)},
            {"lost work", whole(tally.lostWork)},
            {"transitions", whole(tally.transitions)},
            {"waiting", whole(tally.waiting)},
            {"reserve", whole(tally.reserve)},
            {"repair", whole(tally.repair)},
            {"jobs", whole(tally.jobs)},
            {"in use", whole(tally.inUse)},
            {"most in use", tally.mostInUse},
            {"placed", tally.placed},
            {"faults of jobs", tally.faultsOfJobs},
            {"faults of spares", tally.faultsOfSpares},
            {"faults of lost servers", tally.faultsOfLost},
            {"steps", tally.steps},
            {"waits", tally.waits},
            {"shrunk", tally.shrunk},
            {"grown", tally.grown},
            {"moved", tally.moved},
            {"iterations", tally.iterations},
            {"reconfigurations", tally.reconfigurations}};
}

TEST(FleetReplay, IsAsIfEveryInstantWereLivedThrough)
{
    std::map<std::string, int64_t> seen;
    for (uint64_t seed = 1; seed <= 2000; ++seed)
    {
        const DrawnFleet drawn(seed);
        DrawnTimes times(seed);
        FleetReplay replay(drawn.plan, drawn.reaction, drawn.interval, times);
        const FleetTally tally = replay.Run(drawn.faults, drawn.horizon);
        LivedFleet lived(drawn.plan,
                         drawn.reaction,
                         drawn.interval,
                         times,
                         drawn.faults.GetFaults());
        ASSERT_EQ(ToCounts(tally), ToCounts(lived.Live(drawn.horizon)))
            << "seed " << seed << ", reaction " << static_cast<int>(drawn.reaction);
        for (const auto& [name, value] : ToCounts(tally))
        {
            seen[name] += value != 0;
        }
    }
    for (const auto& [name, cases] : seen)
    {
        EXPECT_GT(cases, 10) << name << ": the drawn clusters have too little in them";
    }
}

TEST(FleetReplay, EachPicosecondOfEachServerHasOneCause)
{
    for (uint64_t seed = 10000; seed < 15000; ++seed)
    {
        const DrawnFleet drawn(seed);
        DrawnTimes times(seed);
        FleetReplay replay(drawn.plan, drawn.reaction, drawn.interval, times);
        const FleetTally tally = replay.Run(drawn.faults, drawn.horizon);
        ASSERT_TRUE(tally.GetTotal() == static_cast<FleetTime>(drawn.plan.servers) * drawn.horizon)
            << "seed " << seed;
        for (const FleetTime time : {tally.useful,
                                     tally.checkpoints,
                                     tally.lostWork,
                                     tally.transitions,
                                     tally.waiting,
                                     tally.reserve,
                                     tally.repair})
        {
            ASSERT_TRUE(time >= 0) << "seed " << seed;
        }
    }
}

} // namespace
