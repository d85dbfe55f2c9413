/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-shim-cluster.h"

#include "ns3/controller-core.h"
#include "ns3/phase-history.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/shim-core.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

namespace ns3
{

ShimCluster::ShimCluster(uint32_t seed,
                         std::shared_ptr<const Cabling> cabling,
                         const ControllerSettings& settings,
                         ShimMode mode,
                         const ShimDelays& delays)
    : m_random(seed),
      m_delays(delays),
      m_cabling(cabling),
      m_settings(settings),
      m_inCharge(std::make_unique<ControllerCore>(cabling, settings)),
      m_switches(cabling),
      m_mode(mode)
{
}

ShimCluster::~ShimCluster() = default;

void
ShimCluster::Join(RankId rank, const CommunicationGroup& group)
{
    ShimOf(rank).Join(rank, group);
    FlushLater(m_cabling->GetServer(rank));
}

std::size_t
ShimCluster::Add(const ShimOperation& operation)
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

bool
ShimCluster::TakesPart(RankId rank, std::size_t operation) const
{
    return !StagesOf(rank, operation).empty();
}

void
ShimCluster::Run(bool takeover)
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

void
ShimCluster::ExpectAllOver() const
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

uint64_t
ShimCluster::Count(uint64_t ShimCounters::*counter) const
{
    uint64_t sum = 0;
    for (const auto& [server, shim] : m_shims)
    {
        sum += shim->GetCounters().*counter;
    }
    return sum;
}

std::string
ShimCluster::Describe() const
{
    std::string words = m_inCharge->Describe() + "\n";
    for (const auto& [server, shim] : m_shims)
    {
        words += shim->Describe();
    }
    return words;
}

Picoseconds
ShimCluster::Draw(Picoseconds limit)
{
    return m_delays.isExact ? limit : static_cast<Picoseconds>(m_random() % limit) + 1;
}

void
ShimCluster::At(Picoseconds delay, std::function<void()> event)
{
    m_events.emplace(m_now + delay, std::move(event));
}

void
ShimCluster::Carry(const std::string& path, std::function<void()> arrive)
{
    Picoseconds& last = m_paths[path];
    last = std::max(last, m_now + Draw(m_delays.message));
    m_events.emplace(last, std::move(arrive));
}

// ---- shims

ShimCore&
ShimCluster::ShimOf(RankId rank)
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

void
ShimCluster::TakeNotes(ServerId server)
{
    for (const ShimNote& note : m_shims.at(server)->TakeNotes())
    {
        ASSERT_EQ(note.answered, ToTime(m_now));
        ASSERT_GE(std::min({note.exposed, note.hidden, note.others, note.reconfiguration}),
                  Time(0));
        ASSERT_EQ(note.exposed + note.others, note.answered - note.requested);
        ASSERT_EQ(note.hidden + std::min(note.exposed, note.reconfiguration), note.reconfiguration);
        ASSERT_TRUE(!note.covered || note.answered == note.requested);
        m_waits[server][note.rank].Add((note.answered - note.exposed).GetTimeStep(),
                                       note.answered.GetTimeStep());
        m_notes.push_back(note);
    }
    Picoseconds exposed = 0;
    for (const auto& [rank, waits] : m_waits[server])
    {
        exposed += waits.GetLength();
    }
    ASSERT_EQ(m_shims.at(server)->GetExposed(), ToTime(exposed));
}

void
ShimCluster::Handle(ServerId server, const ShimOutcome& outcome)
{
    TakeNotes(server);
    FlushLater(server);
    for (const ShimAnswer& answer : outcome.answers)
    {
        Answered(answer);
    }
}

void
ShimCluster::FlushLater(ServerId server)
{
    At(0, [this, server] {
        ShimCore& shim = *m_shims.at(server);
        const std::string name = std::to_string(server.Get());
        for (const OpusMessage& outgoing : shim.Flush(m_now).outbox)
        {
            Carry("from " + name, [this, outgoing] {
                if (!m_crashed) // else it has no receiver
                {
                    Post(m_inCharge->Take(outgoing, m_now));
                }
            });
        }
    });
}

// ---- the controller

void
ShimCluster::Post(const ControllerOutbox::Messages& outbox)
{
    for (const OutgoingMessage& outgoing : outbox)
    {
        const OpusMessage& message = outgoing.message;
        if (outgoing.toAgent)
        {
            Carry("rail " + std::to_string(message.rail.Get()),
                  [this, message] { TakeByAgent(FlatMessage<OpusProgram>(message)); });
            continue;
        }
        Carry("to " + std::to_string(message.server.Get()), [this, message] {
            Handle(message.server, m_shims.at(message.server)->Take(message, m_now));
        });
    }
}

void
ShimCluster::Crash()
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
        FlatMessage<OpusTerm> news;
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
                Post(m_inCharge->Take(news,
                                      m_now)); // no server is left that could hold anything
            }
        }
    });
}

void
ShimCluster::Accept(RailId rail)
{
    if (m_reconfiguring[rail] > 0 || m_owing.erase(rail) == 0)
    {
        return;
    }
    FlatMessage<OpusAccept> accept;
    accept.term = m_terms[rail];
    accept.rail = rail;
    for (const Circuit& circuit : m_switches.GetCircuits()[rail.Get()].GetCircuits())
    {
        accept.circuits.push_back({circuit.low, circuit.high});
    }
    Done(accept);
}

void
ShimCluster::TakeByAgent(const FlatMessage<OpusProgram>& program)
{
    FlatMessage<OpusDone> answer;
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

void
ShimCluster::Done(OpusMessage answer)
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

std::vector<uint32_t>
ShimCluster::StagesOf(RankId rank, std::size_t operation) const
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

bool
ShimCluster::CanBegin(const Rank& state, const ShimStep& step) const
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

void
ShimCluster::Next(RankId rank)
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
           [this, rank, operation = step.operation] { RequestNext(rank, operation); });
    }
    if (state.next == state.program.size() && state.running.empty())
    {
        ShimOf(rank).End(rank);
    }
    FlushLater(m_cabling->GetServer(rank));
}

CircuitRequest
ShimCluster::MakeRequest(RankId rank, std::size_t operation, uint32_t stage) const
{
    const ShimOperation& what = m_operations[operation].what;
    CircuitRequest request = what.request;
    request.rank = rank;
    request.stage = stage;
    request.stages = what.pairs.size();
    request.pairs = what.pairs[stage];
    return request;
}

void
ShimCluster::RequestNext(RankId rank, std::size_t operation)
{
    Running& running = m_ranks.at(rank).running.at(operation);
    if (running.requested < running.stages.size())
    {
        const uint32_t stage = running.stages[running.requested++];
        Request(rank, MakeRequest(rank, operation, stage));
    }
}

void
ShimCluster::Request(RankId rank, const CircuitRequest& request)
{
    Handle(m_cabling->GetServer(rank), ShimOf(rank).Request(request, m_now));
}

void
ShimCluster::Finish(RankId rank, const CircuitRequest& request)
{
    m_switches.EndTraffic(PhaseOf(request), rank);
    Handle(m_cabling->GetServer(rank), ShimOf(rank).Finish(request, m_now));
}

OpusPhase
ShimCluster::PhaseOf(const CircuitRequest& request)
{
    OpusPhase phase;
    phase.group = request.group;
    phase.pointToPoint = request.pointToPoint;
    phase.from = request.from;
    phase.to = request.to;
    phase.operation = request.operation;
    phase.stage = request.stage;
    return phase;
}

void
ShimCluster::Answered(const ShimAnswer& answer)
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
        At(Draw(20 * MICROSECOND), [this, rank, operation, request = answer.request] {
            Finish(rank, request);
            Request(rank, request);
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
    if (running.requested > 0 && running.stages[running.requested - 1] == answer.request.stage)
    {
        RequestNext(rank, operation);
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

void
ShimCluster::Through(RankId rank, std::size_t operation, uint32_t at, uint64_t number)
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
    Finish(rank, MakeRequest(rank, operation, at));
    if (running.through == running.stages.size())
    {
        state.isBusy = state.isBusy && running.isAside;
        state.running.erase(operation);
        Next(rank);
    }
}

} // namespace ns3
