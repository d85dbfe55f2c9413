/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_FAKE_NETWORK_H
#define PHOTONIC_RAILS_OPUS_FAKE_NETWORK_H

#include "opus-fake-switches.h"

#include "ns3/controller-core.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** What goes wrong in a FakeNetwork. */
struct FakeFaults
{
    uint32_t duplicates{0};   //!< percent of messages that come twice
    uint32_t losses{0};       //!< percent of messages that come late, by a repetition
    uint32_t wrongGuesses{0}; //!< percent of the guesses
    uint32_t promises{0};     //!< percent of asks that are for more than the rank may go through
    uint32_t alarms{0};       //!< percent of plans: nothing changes, or some circuits get no light
    uint32_t silences{0};     //!< percent of plans that are carried out, or not, without an answer
    bool takeover{false};
    Picoseconds grid{1}; //!< messages arrive at multiples of it
};

/**
 * What is around a ControllerCore but for the ranks: agents with switches that turn; messages that
 * take their time, come twice or late, and between two peers in order; another controller; and a
 * twin of the one in charge, which takes what comes at an instant in another order, but for
 * messages of one peer. It fails the test as soon as a switch is told to turn a port with traffic,
 * a circuit is used that is not there, or a plan does not fit the switch, unless one before it, of
 * which the controller had no answer yet, changed nothing.
 */
class FakeNetwork
{
  public:
    FakeNetwork(uint32_t seed,
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

    virtual ~FakeNetwork() = default;

    /** All servers register a group of all ranks, before anything is lost or late. */
    void Register(GroupId group, const std::vector<RankId>& ranks, const std::string& name)
    {
        std::set<ServerId> servers;
        for (const RankId rank : ranks)
        {
            servers.insert(m_cabling->GetServer(rank));
        }
        for (const ServerId server : servers)
        {
            OpusMessage message;
            message.type = OpusMessage::Type::REGISTER_GROUP;
            message.server = server;
            message.phase.group = group;
            for (const RankId rank : ranks)
            {
                if (m_cabling->GetServer(rank) == server)
                {
                    message.ranks.push_back(rank);
                }
            }
            message.whole = ranks.size();
            message.digest = GetDigest(ranks);
            message.reason = name;
            EXPECT_TRUE(m_inCharge->Take(message, 0).empty());
            m_twin->Take(message, 0);
            m_registrations.push_back(message);
        }
    }

    const ControllerCore& GetController() const
    {
        return *m_inCharge;
    }

    const ControllerCore& GetTwin() const
    {
        return *m_twin;
    }

  protected:
    static constexpr Picoseconds MICROSECOND = 1'000'000;

    /** A message of the controller has come. */
    virtual void TakeByShim(const OpusMessage& message) = 0;
    /** Another controller is in charge. */
    virtual void HearOfTerm() = 0;

    /** All that happens. */
    void RunEvents()
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

    bool Chance(uint32_t percent)
    {
        return m_random() % 100 < percent;
    }

    Picoseconds Draw(Picoseconds limit)
    {
        return m_random() % limit + 1;
    }

    void At(Picoseconds delay, std::function<void()> event)
    {
        m_events.emplace(m_now + delay, std::move(event));
    }

    /** A message arrives after those before it on its path, lost and repeated ones included; and
     * perhaps again. */
    void Carry(const std::string& path, const std::function<void()>& arrive)
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

    void ToController(const OpusMessage& message)
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

    std::mt19937 m_random;
    std::shared_ptr<const Cabling> m_cabling;
    FakeFaults m_faults;
    ControllerSettings m_settings;
    std::vector<OpusMessage> m_registrations;
    std::unique_ptr<ControllerCore> m_inCharge;
    std::unique_ptr<ControllerCore> m_twin;
    FakeSwitches m_switches;
    Picoseconds m_now{0};

  private:
    struct Agent
    {
        uint32_t term{0};
        bool owes{false}; //!< an ACCEPT
        std::map<uint64_t, std::optional<OpusMessage>>
            answers;                             //!< none: it is still reconfiguration
        std::map<uint64_t, CircuitPlan> refused; //!< nothing was changed
    };

    static std::string PathOf(const OpusMessage& message)
    {
        const bool isAgent = message.type == OpusMessage::Type::DONE ||
                             message.type == OpusMessage::Type::ALARM ||
                             message.type == OpusMessage::Type::ACCEPT;
        return isAgent ? "from rail " + std::to_string(message.rail.Get())
                       : "from server " + std::to_string(message.server.Get());
    }

    static ControllerCore::Outbox TakeAll(ControllerCore& core,
                                          const std::vector<OpusMessage>& messages,
                                          Picoseconds now)
    {
        for (std::size_t i = 0; i + 1 < messages.size(); ++i)
        {
            core.Collect(messages[i]);
        }
        return core.Take(messages.back(), now);
    }

    /** Both controllers take all that has arrived. */
    void EndInstant()
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

    void Post(const ControllerCore::Outbox& outbox)
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
                m_sent[message.rail].insert(message.plan);
            }
            Carry(path, [this, outgoing, age, survives, path, open] {
                if (age != m_age && (!survives || m_cut.count(path) != 0))
                {
                    m_cut.insert(path);
                    return; // it was in the one that crashed, and so were those after it
                }
                outgoing.toAgent ? TakeByAgent(outgoing.message, open)
                                 : TakeByShim(outgoing.message);
            });
        }
    }

    /** @return the plans that an agent was sent, and did not answer as far as is known */
    std::set<uint64_t> FindOpen(RailId rail)
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

    void Crash()
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
            HearOfTerm();
        });
    }

    /** An agent says what stands, if nothing is reconfiguring. */
    void Accept(RailId rail)
    {
        Agent& agent = m_agents[rail];
        const auto isReconfiguring = [](const auto& plan) { return !plan.second.has_value(); };
        if (!agent.owes || std::any_of(agent.answers.begin(), agent.answers.end(), isReconfiguring))
        {
            return;
        }
        agent.owes = false;
        OpusMessage accept;
        accept.type = OpusMessage::Type::ACCEPT;
        accept.term = agent.term;
        accept.rail = rail;
        for (const Circuit& circuit : m_switches.GetCircuits()[rail.Get()].GetCircuits())
        {
            accept.up.push_back({circuit.low, circuit.high});
        }
        ToController(accept);
    }

    /** @param open plans that had not been answered when this one was sent */
    void TakeByAgent(const OpusMessage& program, const std::set<uint64_t>& open)
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
        OpusMessage answer;
        answer.type = OpusMessage::Type::DONE;
        answer.rail = program.rail;
        answer.plan = program.plan;
        const bool silent = Chance(m_faults.silences);
        const CircuitPlan plan = MakePlan(program);
        const bool fits = m_switches.Fits(program.rail, plan);
        EXPECT_TRUE(fits || IsInTheWay(agent, plan, open)) << "a plan that does not fit";
        if (!fits || Chance(m_faults.alarms))
        {
            answer.type = OpusMessage::Type::ALARM;
            answer.reason = fits ? "the mirrors are stuck" : "it does not fit";
            agent.refused.emplace(program.plan, plan);
            known->second = answer;
            return Answer(program.rail, program.plan, silent);
        }
        std::vector<Circuit> dark;
        for (const Circuit& circuit : plan.GetConnects())
        {
            if (Chance(m_faults.alarms))
            {
                answer.type = OpusMessage::Type::ALARM;
                answer.reason = "no light";
                answer.speculative = true;
                answer.down.push_back({circuit.low, circuit.high});
                dark.push_back(circuit);
            }
        }
        m_switches.Start(program.rail, plan);
        At(Draw(50 * MICROSECOND), [this, plan, answer, silent, dark] {
            m_switches.End(answer.rail, plan, dark);
            m_agents[answer.rail].answers[answer.plan] = answer;
            Answer(answer.rail, answer.plan, silent);
            Accept(answer.rail);
        });
    }

    /** @return whether what a plan needs was not taken down by one of which nobody knew better */
    static bool IsInTheWay(const Agent& agent,
                           const CircuitPlan& plan,
                           const std::set<uint64_t>& open)
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

    void Answer(RailId rail, uint64_t plan, bool silent = false)
    {
        Agent& agent = m_agents[rail];
        OpusMessage answer = *agent.answers.at(plan);
        answer.term = agent.term;
        if (!silent)
        {
            ToController(answer);
        }
    }

    std::vector<OpusMessage> m_arrived; //!< at this instant
    bool m_crashed{false};
    uint32_t m_age{0};
    std::map<RailId, Agent> m_agents;
    std::map<RailId, std::set<uint64_t>> m_sent; //!< plans
    std::map<std::string, Picoseconds> m_paths;  //!< the last arrival on each
    std::set<std::string> m_cut;                 //!< paths of the one that crashed
    std::multimap<Picoseconds, std::function<void()>> m_events;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_FAKE_NETWORK_H */
