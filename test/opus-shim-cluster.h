/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_SHIM_CLUSTER_H
#define PHOTONIC_RAILS_OPUS_SHIM_CLUSTER_H

#include "opus-fake-switches.h"

#include "ns3/controller-core.h"
#include "ns3/opus-words.h"
#include "ns3/phase-history.h"
#include "ns3/shim-core.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** An operation that ranks call together: a collective, or a send. */
struct ShimOperation
{
    CircuitRequest request;       //!< its rank and stage are filled in
    std::vector<CallPairs> pairs; //!< by stage
};

/** A step of a rank's program. */
struct ShimStep
{
    bool isMarker{false}; //!< an iteration begins, when all is over; else an operation
    std::size_t operation{0};
    bool isAside{false}; //!< the program goes on while it is under way
};

/** How long things take in a ShimCluster. */
struct ShimDelays
{
    bool isExact{false}; //!< just as long; else up to that, drawn
    Picoseconds message{30'000'000};
    Picoseconds reconfiguration{100'000'000};
    Picoseconds computing{100'000'000};          //!< before an operation
    Picoseconds sending{80'000'000};             //!< once all have been answered
    std::map<RankId, Picoseconds> computingMore; //!< of some ranks
};

/**
 * Shims of several servers, a controller with a standby, agents with switches that turn, and ranks
 * that run programs of operations, one after the other or side by side. Messages take their time,
 * and between two peers arrive in order. An operation of a rank is through some time after all that
 * have to have been answered. What shims note of times must add up.
 */
class ShimCluster
{
  public:
    ShimCluster(uint32_t seed,
                std::shared_ptr<const Cabling> cabling,
                const ControllerSettings& settings,
                ShimMode mode,
                const ShimDelays& delays = {})
        : m_random(seed),
          m_delays(delays),
          m_cabling(cabling),
          m_settings(settings),
          m_inCharge(std::make_unique<ControllerCore>(cabling, settings)),
          m_switches(cabling),
          m_mode(mode)
    {
    }

    /** A rank takes part in a group. */
    void Join(RankId rank, const CommunicationGroup& group)
    {
        ShimOf(rank).Join(rank, group);
        FlushLater(m_cabling->GetServer(rank));
    }

    /** @return a new operation */
    std::size_t Add(const ShimOperation& operation)
    {
        m_operations.push_back({operation, {}});
        Operation& added = m_operations.back();
        for (const CallPairs& pairs : operation.pairs)
        {
            added.stages.emplace_back();
            for (const auto& [one, other] : *pairs)
            {
                added.stages.back().missing.insert({one, other});
            }
        }
        return m_operations.size() - 1;
    }

    std::vector<ShimStep>& ProgramOf(RankId rank)
    {
        return m_ranks[rank].program;
    }

    /** @return whether a rank sends or receives in an operation */
    bool TakesPart(RankId rank, std::size_t operation) const
    {
        return !StagesOf(rank, operation).empty();
    }

    void Run(bool takeover)
    {
        for (auto& [rank, state] : m_ranks)
        {
            const RankId mine = rank;
            At(Draw(200 * MICROSECOND), [this, mine] { Next(mine); });
        }
        if (takeover)
        {
            At(Draw(5000 * MICROSECOND), [this] { Crash(); });
        }
        uint64_t events = 0;
        while (!testing::Test::HasFailure())
        {
            Picoseconds deadline = m_inCharge->GetNextDeadline();
            for (const auto& [server, shim] : m_shims)
            {
                deadline = std::min(deadline, shim->GetNextDeadline());
            }
            if (m_events.empty() && deadline == NEVER)
            {
                break;
            }
            ASSERT_LT(++events, 300'000U) << "it does not end\n" << Describe();
            if (m_events.empty() || deadline < m_events.begin()->first)
            {
                m_now = std::max(m_now, deadline);
                ASSERT_GE(m_now - m_progress, 0);
                ASSERT_LT(m_now - m_progress, 5'000'000 * MICROSECOND) << Describe();
                Post(m_inCharge->TimePassed(m_now));
                for (auto& [server, shim] : m_shims)
                {
                    Handle(server, shim->TimePassed(m_now));
                }
                continue;
            }
            const auto event = m_events.extract(m_events.begin());
            m_now = event.key();
            event.mapped()();
        }
    }

    /** Fails if something is not over. */
    void ExpectAllOver() const
    {
        for (const auto& [rank, state] : m_ranks)
        {
            EXPECT_TRUE(state.next == state.program.size() && state.running.empty())
                << "rank " << rank << " is stuck";
        }
        for (const Operation& operation : m_operations)
        {
            for (const Stage& stage : operation.stages)
            {
                EXPECT_TRUE(stage.missing.empty());
            }
        }
        for (const auto& [server, shim] : m_shims)
        {
            EXPECT_TRUE(shim->IsIdle()) << shim->Describe();
        }
        EXPECT_TRUE(m_inCharge->GetPhases().empty()) << m_inCharge->Describe();
    }

    /** @return the sum of a counter over all shims */
    uint64_t Count(uint64_t ShimCounters::*counter) const
    {
        uint64_t sum = 0;
        for (const auto& [server, shim] : m_shims)
        {
            sum += shim->GetCounters().*counter;
        }
        return sum;
    }

    /** @return what shims noted so far */
    const std::vector<ShimNote>& GetNotes() const
    {
        return m_notes;
    }

    std::string Describe() const
    {
        std::string words = m_inCharge->Describe() + "\n";
        for (const auto& [server, shim] : m_shims)
        {
            words += shim->Describe();
        }
        return words;
    }

    Picoseconds GetTime() const
    {
        return m_now;
    }

  private:
    static constexpr Picoseconds MICROSECOND = 1'000'000;

    /** A stage of an operation. */
    struct Stage
    {
        std::set<RankId> missing;           //!< those that are not through with it
        std::map<RankId, uint64_t> sending; //!< those that were answered, and by which answer
    };

    struct Operation
    {
        ShimOperation what;
        std::vector<Stage> stages;
    };

    /** An operation that a rank has called. */
    struct Running
    {
        std::vector<uint32_t> stages; //!< in which it takes part
        std::size_t asked{0};         //!< of them
        std::size_t through{0};       //!< of them
        bool isAside{false};
    };

    struct Rank
    {
        std::vector<ShimStep> program;
        std::size_t next{0}; //!< step
        bool isBusy{false};  //!< with something that is not aside
        std::map<std::size_t, Running> running;
    };

    Picoseconds Draw(Picoseconds limit)
    {
        return m_delays.isExact ? limit : static_cast<Picoseconds>(m_random() % limit) + 1;
    }

    void At(Picoseconds delay, std::function<void()> event)
    {
        m_events.emplace(m_now + delay, std::move(event));
    }

    /** A message arrives, after all earlier ones between the same two. */
    void Carry(const std::string& path, std::function<void()> arrive)
    {
        Picoseconds& last = m_paths[path];
        last = std::max(last, m_now + Draw(m_delays.message));
        m_events.emplace(last, std::move(arrive));
    }

    // ---- shims

    ShimCore& ShimOf(RankId rank)
    {
        std::unique_ptr<ShimCore>& shim = m_shims[m_cabling->GetServer(rank)];
        if (!shim)
        {
            ShimSettings settings;
            settings.server = m_cabling->GetServer(rank);
            settings.mode = m_mode;
            settings.ports = m_cabling->GetPorts(rank).size();
            shim = std::make_unique<ShimCore>(settings);
        }
        return *shim;
    }

    /** Fails if what a shim says of the times of an answer does not add up. */
    void TakeNotes(ServerId server)
    {
        for (const ShimNote& note : m_shims.at(server)->TakeNotes())
        {
            ASSERT_EQ(note.answered, m_now);
            ASSERT_GE(std::min({note.exposed, note.hidden, note.others, note.reconfiguration}), 0);
            ASSERT_EQ(note.exposed + note.others, note.answered - note.requested);
            ASSERT_EQ(note.hidden + std::min(note.exposed, note.reconfiguration),
                      note.reconfiguration);
            ASSERT_TRUE(!note.covered || note.answered == note.requested);
            m_notes.push_back(note);
        }
    }

    void Handle(ServerId server, const ShimOutcome& outcome)
    {
        TakeNotes(server);
        FlushLater(server);
        for (const ShimAnswer& answer : outcome.answers)
        {
            Answered(answer);
        }
    }

    void FlushLater(ServerId server)
    {
        At(0, [this, server] {
            ShimCore& shim = *m_shims.at(server);
            const std::string name = std::to_string(server.Get());
            for (const OpusMessage& outgoing : shim.Flush(m_now).outbox)
            {
                Carry("from " + name, [this, outgoing] {
                    if (!m_crashed) // else nobody hears it
                    {
                        Post(m_inCharge->Take(outgoing, m_now));
                    }
                });
            }
        });
    }

    // ---- the controller

    void Post(const ControllerCore::Outbox& outbox)
    {
        for (const OutgoingMessage& outgoing : outbox)
        {
            const OpusMessage& message = outgoing.message;
            if (outgoing.toAgent)
            {
                Carry("rail " + std::to_string(message.rail.Get()),
                      [this, message] { TakeByAgent(message); });
                continue;
            }
            Carry("to " + std::to_string(message.server.Get()), [this, message] {
                Handle(message.server, m_shims.at(message.server)->Take(message, m_now));
            });
        }
    }

    void Crash()
    {
        m_crashed = true;
        At(200 * MICROSECOND, [this] {
            m_crashed = false;
            m_inCharge = std::make_unique<ControllerCore>(m_cabling, m_settings);
            Post(m_inCharge->BeginTerm(1, m_now));
            for (uint32_t rail = 0; rail < m_cabling->GetRails(); ++rail)
            {
                Carry("rail " + std::to_string(rail), [this, rail] {
                    m_terms[RailId(rail)] = 1;
                    m_owing.insert(RailId(rail));
                    Accept(RailId(rail));
                });
            }
            OpusMessage news;
            news.type = OpusMessage::Type::TERM;
            news.term = 1;
            for (uint32_t rank = 0; m_cabling->IsKnown(RankId(rank)); ++rank)
            {
                news.server = m_cabling->GetServer(RankId(rank));
                if (m_shims.count(news.server) != 0)
                {
                    Post({{false, news}});
                }
                else
                {
                    Post(m_inCharge->Take(news, m_now)); // nobody is there who could hold anything
                }
            }
        });
    }

    /** An agent says what stands, if nothing is reconfiguring. */
    void Accept(RailId rail)
    {
        if (m_reconfiguring[rail] > 0 || m_owing.erase(rail) == 0)
        {
            return;
        }
        OpusMessage accept;
        accept.type = OpusMessage::Type::ACCEPT;
        accept.term = m_terms[rail];
        accept.rail = rail;
        for (const Circuit& circuit : m_switches.GetCircuits()[rail.Get()].GetCircuits())
        {
            accept.up.push_back({circuit.low, circuit.high});
        }
        Done(accept);
    }

    void TakeByAgent(const OpusMessage& program)
    {
        OpusMessage answer;
        answer.type = OpusMessage::Type::DONE;
        answer.term = program.term;
        answer.rail = program.rail;
        answer.plan = program.plan;
        if (program.term < m_terms[program.rail])
        {
            return;
        }
        if (!m_plans.insert(program.plan).second)
        {
            if (m_turned.count(program.plan) != 0)
            {
                Done(answer);
            }
            return;
        }
        const CircuitPlan plan = MakePlan(program);
        m_switches.Start(program.rail, plan);
        ++m_reconfiguring[program.rail];
        At(Draw(m_delays.reconfiguration), [this, plan, answer] {
            m_switches.End(answer.rail, plan);
            m_turned.insert(answer.plan);
            --m_reconfiguring[answer.rail];
            Done(answer);
            Accept(answer.rail);
        });
    }

    void Done(OpusMessage answer)
    {
        answer.term = m_terms[answer.rail];
        Carry("done " + std::to_string(answer.rail.Get()), [this, answer] {
            if (!m_crashed)
            {
                Post(m_inCharge->Take(answer, m_now));
            }
        });
    }

    // ---- ranks

    std::vector<uint32_t> StagesOf(RankId rank, std::size_t operation) const
    {
        std::vector<uint32_t> stages;
        const auto& pairs = m_operations[operation].what.pairs;
        for (uint32_t stage = 0; stage < pairs.size(); ++stage)
        {
            if (std::any_of(pairs[stage]->begin(), pairs[stage]->end(), [rank](const auto& pair) {
                    return pair.first == rank || pair.second == rank;
                }))
            {
                stages.push_back(stage);
            }
        }
        return stages;
    }

    /** @return whether a step can begin */
    bool CanBegin(const Rank& state, const ShimStep& step) const
    {
        if (step.isMarker)
        {
            return state.running.empty();
        }
        const OpusPhase mine = GetFlowKey(PhaseOf(m_operations[step.operation].what.request));
        return std::none_of(state.running.begin(), state.running.end(), [&](const auto& other) {
            return GetFlowKey(PhaseOf(m_operations[other.first].what.request)) == mine;
        });
    }

    /** A rank goes on with its program as far as it can. */
    void Next(RankId rank)
    {
        m_progress = m_now;
        Rank& state = m_ranks.at(rank);
        while (!state.isBusy && state.next < state.program.size() &&
               CanBegin(state, state.program[state.next]))
        {
            const ShimStep& step = state.program[state.next++];
            if (step.isMarker)
            {
                ShimOf(rank).BeginIteration(rank);
                continue;
            }
            Running running;
            running.stages = StagesOf(rank, step.operation);
            running.isAside = step.isAside;
            state.running[step.operation] = running;
            state.isBusy = !step.isAside;
            const auto more = m_delays.computingMore.find(rank);
            At(Draw(m_delays.computing) + (more == m_delays.computingMore.end() ? 0 : more->second),
               [this, rank, operation = step.operation] { AskNext(rank, operation); });
        }
        if (state.next == state.program.size() && state.running.empty())
        {
            ShimOf(rank).End(rank);
        }
        FlushLater(m_cabling->GetServer(rank));
    }

    CircuitRequest AskFor(RankId rank, std::size_t operation, uint32_t stage) const
    {
        const ShimOperation& what = m_operations[operation].what;
        CircuitRequest ask = what.request;
        ask.rank = rank;
        ask.stage = stage;
        ask.stages = what.pairs.size();
        ask.pairs = what.pairs[stage];
        return ask;
    }

    void AskNext(RankId rank, std::size_t operation)
    {
        Running& running = m_ranks.at(rank).running.at(operation);
        if (running.asked < running.stages.size())
        {
            const uint32_t stage = running.stages[running.asked++];
            Ask(rank, AskFor(rank, operation, stage));
        }
    }

    void Ask(RankId rank, const CircuitRequest& ask)
    {
        Handle(m_cabling->GetServer(rank), ShimOf(rank).Request(ask, m_now));
    }

    void Finish(RankId rank, const CircuitRequest& ask)
    {
        m_switches.EndTraffic(PhaseOf(ask), rank);
        Handle(m_cabling->GetServer(rank), ShimOf(rank).Finish(ask, m_now));
    }

    static OpusPhase PhaseOf(const CircuitRequest& ask)
    {
        OpusPhase phase;
        phase.group = ask.group;
        phase.pointToPoint = ask.pointToPoint;
        phase.from = ask.from;
        phase.to = ask.to;
        phase.operation = ask.operation;
        phase.stage = ask.stage;
        return phase;
    }

    void Answered(const ShimAnswer& answer)
    {
        const RankId rank = answer.request.rank;
        Rank& state = m_ranks.at(rank);
        OpusPhase wanted = PhaseOf(answer.request);
        wanted.stage = 0;
        const auto found =
            std::find_if(state.running.begin(), state.running.end(), [&](const auto& running) {
                return PhaseOf(m_operations[running.first].what.request) == wanted;
            });
        ASSERT_TRUE(found != state.running.end()) << "an answer to nobody";
        const std::size_t operation = found->first;
        const Running& running = found->second;
        Stage& stage = m_operations[operation].stages[answer.request.stage];
        if (answer.answer.network == CircuitAnswer::Network::WITHDRAWN)
        {
            ASSERT_EQ(stage.sending.erase(rank), 1U);
            At(Draw(20 * MICROSECOND), [this, rank, operation, ask = answer.request] {
                Finish(rank, ask);
                Ask(rank, ask);
            });
            return;
        }
        ASSERT_TRUE(answer.answer.network == CircuitAnswer::Network::RAIL)
            << "rank " << rank << " at " << m_now << ": " << answer.answer.why << "\n"
            << Describe();
        ASSERT_EQ(stage.missing.count(rank), 1U) << "answered when it was through";
        std::vector<RankCircuit> circuits;
        for (const auto& [one, other] : *answer.request.pairs)
        {
            const RankId partner = one == rank ? other : one;
            if (one != rank && other != rank)
            {
                continue;
            }
            const std::vector<RailLink> links = answer.answer.links->GetLinks(rank, partner);
            ASSERT_FALSE(links.empty()) << "rank " << rank << " is not joined to " << partner;
            for (const RailLink& link : links)
            {
                circuits.push_back({rank, link.here, partner, link.there});
            }
        }
        m_switches.BeginTraffic(PhaseOf(answer.request), rank, circuits);
        ASSERT_TRUE(stage.sending.emplace(rank, ++m_answers).second) << "answered twice";
        if (running.asked > 0 && running.stages[running.asked - 1] == answer.request.stage)
        {
            AskNext(rank, operation);
        }
        if (stage.sending.size() < stage.missing.size())
        {
            return;
        }
        for (const auto& [one, number] : stage.sending)
        {
            At(Draw(m_delays.sending),
               [this, who = one, which = number, operation, at = answer.request.stage] {
                   Through(who, operation, at, which);
               });
        }
    }

    /** A rank is through with a stage, unless its circuits have been withdrawn. */
    void Through(RankId rank, std::size_t operation, uint32_t at, uint64_t number)
    {
        Stage& stage = m_operations[operation].stages[at];
        const auto sending = stage.sending.find(rank);
        if (sending == stage.sending.end() || sending->second != number)
        {
            return;
        }
        Rank& state = m_ranks.at(rank);
        Running& running = state.running.at(operation);
        if (running.stages[running.through] != at)
        {
            At(10 * MICROSECOND, [this, rank, operation, at, number] {
                Through(rank, operation, at, number); // stages are over in order
            });
            return;
        }
        stage.sending.erase(sending);
        ASSERT_EQ(stage.missing.erase(rank), 1U) << "through twice";
        ++running.through;
        Finish(rank, AskFor(rank, operation, at));
        if (running.through == running.stages.size())
        {
            state.isBusy = state.isBusy && running.isAside;
            state.running.erase(operation);
            Next(rank);
        }
    }

    std::mt19937 m_random;
    ShimDelays m_delays;
    std::vector<ShimNote> m_notes;
    std::shared_ptr<const Cabling> m_cabling;
    ControllerSettings m_settings;
    std::unique_ptr<ControllerCore> m_inCharge;
    bool m_crashed{false};
    FakeSwitches m_switches;
    ShimMode m_mode;
    std::map<ServerId, std::unique_ptr<ShimCore>> m_shims;
    std::map<RailId, uint32_t> m_terms;         //!< that agents have accepted
    std::map<RailId, uint32_t> m_reconfiguring; //!< plans
    std::set<RailId> m_owing;                   //!< an ACCEPT
    std::set<uint64_t> m_plans;
    std::set<uint64_t> m_turned;
    std::vector<Operation> m_operations;
    std::map<RankId, Rank> m_ranks;
    uint64_t m_answers{0};
    Picoseconds m_now{0};
    Picoseconds m_progress{0};
    std::map<std::string, Picoseconds> m_paths;
    std::multimap<Picoseconds, std::function<void()>> m_events;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_SHIM_CLUSTER_H */
