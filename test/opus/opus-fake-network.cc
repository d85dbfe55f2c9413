/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-fake-network.h"

#include "ns3/controller-core.h"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <utility>

namespace ns3
{

namespace
{

/** @return the path of a message to the controller */
std::string
PathOf(const OpusMessage& message)
{
    const bool isAgent =
        message.Is<OpusDone>() || message.Is<OpusAlarm>() || message.Is<OpusAccept>();
    return isAgent ? "from rail " + std::to_string(message.rail.Get())
                   : "from server " + std::to_string(message.server.Get());
}

/** A controller takes all messages of an instant. @return its outgoing messages */
ControllerCore::Outbox
TakeAll(ControllerCore& core, const std::vector<OpusMessage>& messages, Picoseconds now)
{
    for (std::size_t i = 0; i + 1 < messages.size(); ++i)
    {
        core.Collect(messages[i]);
    }
    return core.Take(messages.back(), now);
}

} // namespace

FakeNetwork::FakeNetwork(uint32_t seed,
                         std::shared_ptr<const Cabling> cabling,
                         const ControllerSettings& settings,
                         FakeFaults faults)
    : m_random(seed),
      m_cabling(cabling),
      m_faults(faults),
      m_settings(settings),
      m_inCharge(std::make_unique<ControllerCore>(cabling, settings)),
      m_twin(std::make_unique<ControllerCore>(cabling, settings)),
      m_switches(cabling)
{
}

FakeNetwork::~FakeNetwork() = default;

void
FakeNetwork::Register(GroupId group, const std::vector<RankId>& ranks, const std::string& name)
{
    std::set<ServerId> servers;
    for (const RankId rank : ranks)
    {
        servers.insert(m_cabling->GetServer(rank));
    }
    for (const ServerId server : servers)
    {
        FlatMessage<OpusRegisterGroup> message;
        message.server = server;
        message.group = group;
        for (const RankId rank : ranks)
        {
            if (m_cabling->GetServer(rank) == server)
            {
                message.ranks.push_back(rank);
            }
        }
        message.whole = ranks.size();
        message.digest = GetDigest(ranks);
        message.name = name;
        EXPECT_TRUE(m_inCharge->Take(message, 0).empty());
        m_twin->Take(message, 0);
        m_registrations.push_back(message);
    }
}

void
FakeNetwork::RunEvents()
{
    if (m_faults.takeover)
    {
        At(Draw(2000 * MICROSECOND), [this] { Crash(); });
    }
    while (!testing::Test::HasFailure())
    {
        const Picoseconds deadline = m_inCharge->GetNextDeadline();
        if (m_events.empty() && deadline == NEVER)
        {
            break;
        }
        if (m_events.empty() || deadline < m_events.begin()->first)
        {
            m_now = std::max(m_now, deadline);
            m_twin->TimePassed(m_now);
            Post(m_inCharge->TimePassed(m_now));
            continue;
        }
        const auto event = m_events.extract(m_events.begin());
        m_now = event.key();
        event.mapped()();
    }
    EXPECT_EQ(m_inCharge->Describe(), m_twin->Describe());
}

bool
FakeNetwork::Chance(uint32_t percent)
{
    return m_random() % 100 < percent;
}

Picoseconds
FakeNetwork::Draw(Picoseconds limit)
{
    return m_random() % limit + 1;
}

void
FakeNetwork::At(Picoseconds delay, std::function<void()> event)
{
    m_events.emplace(m_now + delay, std::move(event));
}

void
FakeNetwork::Carry(const std::string& path, const std::function<void()>& arrive)
{
    const Picoseconds loss = Chance(m_faults.losses) ? 100 * MICROSECOND : 0;
    Picoseconds& last = m_paths[path];
    last = std::max(last, m_now + Draw(20 * MICROSECOND) + loss);
    last = (last + m_faults.grid - 1) / m_faults.grid * m_faults.grid;
    m_events.emplace(last, arrive);
    if (Chance(m_faults.duplicates))
    {
        m_events.emplace(last + Draw(300 * MICROSECOND), arrive);
    }
}

void
FakeNetwork::ToController(const OpusMessage& message)
{
    Carry(PathOf(message) + " of term " + std::to_string(message.term), [this, message] {
        if (m_crashed)
        {
            return;
        }
        if (m_arrived.empty())
        {
            m_events.emplace(m_now, [this] { EndInstant(); });
        }
        m_arrived.push_back(message);
    });
}

void
FakeNetwork::EndInstant()
{
    std::vector<OpusMessage> arrived;
    arrived.swap(m_arrived);
    if (m_crashed)
    {
        return;
    }
    std::map<std::string, uint32_t> places;
    for (const OpusMessage& message : arrived)
    {
        places.emplace(PathOf(message), arrived.size() > 1 ? m_random() : 0);
    }
    std::vector<OpusMessage> shuffled = arrived;
    std::stable_sort(shuffled.begin(), shuffled.end(), [&](const auto& one, const auto& other) {
        return places.at(PathOf(one)) < places.at(PathOf(other));
    });
    TakeAll(*m_twin, shuffled, m_now);
    Post(TakeAll(*m_inCharge, arrived, m_now));
}

void
FakeNetwork::Post(const ControllerOutbox::Messages& outbox)
{
    for (const OutgoingMessage& outgoing : outbox)
    {
        const uint32_t age = m_age;
        const bool survives = Chance(50);
        const OpusMessage& message = outgoing.message;
        const std::string to = outgoing.toAgent
                                   ? "to rail " + std::to_string(message.rail.Get())
                                   : "to server " + std::to_string(message.server.Get());
        const std::string path = to + " of term " + std::to_string(message.term);
        std::set<uint64_t> open;
        if (outgoing.toAgent)
        {
            open = FindOpen(message.rail);
            m_sent[message.rail].insert(message.Get<OpusProgram>().plan);
        }
        Carry(path, [this, outgoing, age, survives, path, open] {
            if (age != m_age && (!survives || m_cut.count(path) != 0))
            {
                m_cut.insert(path);
                return; // it was in the one that crashed, and so were those after it
            }
            outgoing.toAgent ? TakeByAgent(FlatMessage<OpusProgram>(outgoing.message), open)
                             : TakeByShim(outgoing.message);
        });
    }
}

std::set<uint64_t>
FakeNetwork::FindOpen(RailId rail)
{
    std::set<uint64_t> open;
    for (const uint64_t number : m_sent[rail])
    {
        if (m_inCharge->GetLedger().IsOpen(number))
        {
            open.insert(number);
        }
    }
    return open;
}

void
FakeNetwork::Crash()
{
    EXPECT_EQ(m_inCharge->Describe(), m_twin->Describe());
    m_crashed = true;
    m_arrived.clear();
    ++m_age;
    At(200 * MICROSECOND, [this] {
        m_crashed = false;
        m_inCharge = std::make_unique<ControllerCore>(m_cabling, m_settings);
        m_twin = std::make_unique<ControllerCore>(m_cabling, m_settings);
        m_twin->BeginTerm(1, m_now);
        Post(m_inCharge->BeginTerm(1, m_now));
        for (uint32_t rail = 0; rail < m_cabling->GetRails(); ++rail)
        {
            Carry("to rail " + std::to_string(rail) + " of term 1", [this, rail] {
                Agent& agent = m_agents[RailId(rail)];
                agent.term = 1;
                agent.owes = true;
                Accept(RailId(rail));
            });
        }
        NoteTerm();
    });
}

void
FakeNetwork::Accept(RailId rail)
{
    Agent& agent = m_agents[rail];
    const auto isReconfiguring = [](const auto& plan) { return !plan.second.has_value(); };
    if (!agent.owes || std::any_of(agent.answers.begin(), agent.answers.end(), isReconfiguring))
    {
        return;
    }
    agent.owes = false;
    FlatMessage<OpusAccept> accept;
    accept.term = agent.term;
    accept.rail = rail;
    for (const Circuit& circuit : m_switches.GetCircuits()[rail.Get()].GetCircuits())
    {
        accept.circuits.push_back({circuit.low, circuit.high});
    }
    ToController(accept);
}

void
FakeNetwork::TakeByAgent(const FlatMessage<OpusProgram>& program, const std::set<uint64_t>& open)
{
    Agent& agent = m_agents[program.rail];
    if (program.term < agent.term)
    {
        return;
    }
    agent.term = program.term;
    const auto [known, isNew] = agent.answers.try_emplace(program.plan);
    if (!isNew)
    {
        if (known->second)
        {
            Answer(program.rail, program.plan);
        }
        return;
    }
    OpusMessage answer{0, ServerId(), program.rail, OpusDone{program.plan, {}}};
    const bool silent = Chance(m_faults.silences);
    const CircuitPlan plan = MakePlan(program);
    const bool fits = m_switches.Fits(program.rail, plan);
    EXPECT_TRUE(fits || IsInTheWay(agent, plan, open)) << "a plan that does not fit";
    if (!fits || Chance(m_faults.alarms))
    {
        const std::string reason = fits ? "the mirrors are stuck" : "it does not fit";
        answer.content = OpusAlarm{program.plan, {}, reason, false, {}};
        agent.refused.emplace(program.plan, plan);
        known->second = answer;
        return Answer(program.rail, program.plan, silent);
    }
    std::vector<Circuit> dark;
    OpusAlarm alarm{program.plan, {}, "no light", true, {}};
    for (const Circuit& circuit : plan.GetConnects())
    {
        if (Chance(m_faults.alarms))
        {
            alarm.dark.push_back({circuit.low, circuit.high});
            dark.push_back(circuit);
        }
    }
    if (!dark.empty())
    {
        answer.content = alarm;
    }
    m_switches.Start(program.rail, plan);
    At(Draw(50 * MICROSECOND), [this, plan, number = program.plan, answer, silent, dark] {
        m_switches.End(answer.rail, plan, dark);
        m_agents[answer.rail].answers[number] = answer;
        Answer(answer.rail, number, silent);
        Accept(answer.rail);
    });
}

bool
FakeNetwork::IsInTheWay(const Agent& agent, const CircuitPlan& plan, const std::set<uint64_t>& open)
{
    const std::vector<PortId> ports = plan.GetPorts();
    return std::any_of(agent.refused.begin(), agent.refused.end(), [&](const auto& refused) {
        const std::vector<PortId> left = refused.second.GetPorts();
        return open.count(refused.first) != 0 &&
               std::any_of(left.begin(), left.end(), [&ports](PortId port) {
                   return std::find(ports.begin(), ports.end(), port) != ports.end();
               });
    });
}

void
FakeNetwork::Answer(RailId rail, uint64_t plan, bool silent)
{
    Agent& agent = m_agents[rail];
    OpusMessage answer = *agent.answers.at(plan);
    answer.term = agent.term;
    if (!silent)
    {
        ToController(answer);
    }
}

} // namespace ns3
