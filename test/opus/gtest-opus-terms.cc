/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/controller-term.h"

#include <array>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Step = ControllerTerm::Step;
using State = ControllerTerm::State;

ControllerTerm
MakeTerm(uint32_t index, uint32_t agents)
{
    ControllerTerm term;
    term.SetIndex(index);
    for (uint32_t rail = 0; rail < agents; ++rail)
    {
        term.AddAgent(RailId(rail));
    }
    return term;
}

/** Two controllers and agents, whose messages are lost, late and out of order. */
class Election
{
  public:
    Election(uint32_t seed, uint32_t agents)
        : m_random(seed),
          m_agents(agents)
    {
        for (const uint32_t index : {0U, 1U})
        {
            m_terms[index] = MakeTerm(index, agents);
        }
        m_terms[0].BeginFirst();
        m_begun[0] = 0;
    }

    void Run()
    {
        for (uint32_t i = 0; i < 400; ++i)
        {
            const uint32_t who = m_random() % 2;
            if (m_random() % 10 == 0 && m_terms[who].GetState() == State::RESTING)
            {
                Propose(who);
            }
            if (m_random() % 40 == 0)
            {
                m_terms[who].Withdraw(); // it crashes
            }
            if (!m_messages.empty())
            {
                const std::size_t which = m_random() % m_messages.size();
                const Message message = m_messages[which];
                if (m_random() % 4 != 0) // else it comes again
                {
                    m_messages.erase(m_messages.begin() + which);
                }
                if (m_random() % 4 != 0) // else it is lost
                {
                    message.toAgent ? TakeByAgent(message) : TakeByController(message);
                }
            }
        }
    }

    /** No message is lost any more. @return whether one of them comes to a term */
    bool Settle()
    {
        m_messages.clear();
        m_terms[0].Withdraw();
        m_terms[1].Withdraw();
        for (uint32_t i = 0; i < 10 && m_terms[0].GetState() != State::EFFECTIVE; ++i)
        {
            Propose(0);
            while (!m_messages.empty())
            {
                const Message message = m_messages.front();
                m_messages.erase(m_messages.begin());
                message.toAgent ? TakeByAgent(message) : TakeByController(message);
            }
        }
        return m_terms[0].GetState() == State::EFFECTIVE;
    }

    std::map<uint32_t, uint32_t> m_begun; //!< by term, the controller that decides in it

  private:
    struct Message
    {
        bool toAgent{false};
        bool accepts{false};
        uint32_t controller{0};
        RailId rail;
        uint32_t term{0};
        bool isProposal{false};
    };

    /** The promise of an agent, and the controller that it was made to. */
    struct Agent
    {
        TermPromise promise;
        uint32_t owner{0};
    };

    void Propose(uint32_t who)
    {
        Claim(who, m_terms[who].Propose(), true);
    }

    void Claim(uint32_t who, uint32_t term, bool isProposal)
    {
        for (uint32_t rail = 0; rail < m_agents.size(); ++rail)
        {
            m_messages.push_back({true, false, who, RailId(rail), term, isProposal});
        }
    }

    void TakeByAgent(Message message)
    {
        Agent& agent = m_agents[message.rail.Get()];
        message.toAgent = false;
        message.accepts =
            agent.promise.WouldAccept(message.term, agent.owner == message.controller);
        if (!message.accepts)
        {
            message.term = agent.promise.term;
        }
        else if (!message.isProposal)
        {
            agent.promise.term = message.term;
            agent.owner = message.controller;
        }
        m_messages.push_back(message);
    }

    void TakeByController(const Message& message)
    {
        ControllerTerm& term = m_terms[message.controller];
        if (!message.accepts)
        {
            term.NoteTerm(message.term);
            return;
        }
        const Step step = term.Accepted(message.rail, message.term, message.isProposal);
        if (step == Step::CLAIM)
        {
            Claim(message.controller, term.GetClaim(), false);
        }
        else if (step == Step::BEGIN)
        {
            ASSERT_TRUE(m_begun.emplace(message.term, message.controller).second)
                << "term " << message.term << " begins twice";
            std::size_t promised = 0;
            for (const Agent& agent : m_agents)
            {
                promised += agent.promise.term >= message.term ? 1 : 0;
            }
            ASSERT_GT(2 * promised, m_agents.size()) << "no earlier one has a majority any more";
        }
    }

    std::mt19937 m_random;
    std::vector<Agent> m_agents;
    std::array<ControllerTerm, 2> m_terms;
    std::vector<Message> m_messages;
};

} // namespace

TEST(OpusTerms, AMajorityIsMoreThanHalf)
{
    const std::vector<std::size_t> majorities{0, 1, 2, 2, 3, 3, 4};
    for (uint32_t agents = 1; agents < majorities.size(); ++agents)
    {
        EXPECT_EQ(MakeTerm(0, agents).GetMajority(), majorities[agents]) << agents;
    }
}

TEST(OpusTerms, AClaimBeginsWhenMostHaveAcceptedItTwice)
{
    ControllerTerm term = MakeTerm(1, 3);
    EXPECT_EQ(term.Propose(), 1U);
    EXPECT_EQ(term.Accepted(RailId(0), 1, true), Step::NOTHING);
    EXPECT_EQ(term.Accepted(RailId(0), 1, true), Step::NOTHING) << "the same agent";
    EXPECT_EQ(term.Accepted(RailId(2), 1, false), Step::NOTHING) << "nobody has claimed it";
    EXPECT_EQ(term.Accepted(RailId(2), 1, true), Step::CLAIM);
    EXPECT_EQ(term.Accepted(RailId(0), 1, true), Step::NOTHING) << "that is over";
    EXPECT_EQ(term.Accepted(RailId(0), 1, false), Step::NOTHING);
    EXPECT_EQ(term.Accepted(RailId(7), 1, false), Step::NOTHING) << "no agent";
    EXPECT_EQ(term.Accepted(RailId(1), 1, false), Step::BEGIN);
    EXPECT_EQ(term.Accepted(RailId(2), 1, false), Step::NOTHING) << "it has begun";
    EXPECT_EQ(term.GetState(), State::EFFECTIVE);
}

TEST(OpusTerms, TermsAreNeverShared)
{
    ControllerTerm zero = MakeTerm(0, 1);
    ControllerTerm one = MakeTerm(1, 1);
    EXPECT_EQ(zero.Propose(), 2U) << "term 0 was its own from the start";
    zero.NoteTerm(5);
    EXPECT_EQ(zero.Propose(), 6U);
    EXPECT_EQ(one.Propose(), 1U);
    one.NoteTerm(6);
    EXPECT_EQ(one.Propose(), 7U);
}

TEST(OpusTerms, ALaterTermEndsWhatIsEarlier)
{
    ControllerTerm term = MakeTerm(0, 1);
    term.BeginFirst();
    EXPECT_FALSE(term.NoteTerm(0));
    EXPECT_TRUE(term.NoteTerm(1));
    EXPECT_EQ(term.GetState(), State::RESTING);
    EXPECT_FALSE(term.NoteTerm(1)) << "there is nothing to end";
    EXPECT_EQ(term.Propose(), 2U);
    EXPECT_FALSE(term.NoteTerm(1));
    EXPECT_TRUE(term.NoteTerm(2)) << "somebody knows of it who was not asked";
    EXPECT_EQ(term.Propose(), 4U);
    EXPECT_EQ(term.Accepted(RailId(0), 4, true), Step::CLAIM);
    EXPECT_FALSE(term.NoteTerm(4));
    EXPECT_TRUE(term.IsOpen(4, false));
    term.Withdraw();
    EXPECT_FALSE(term.IsOpen(4, false));
    EXPECT_EQ(term.Propose(), 6U) << "each number once";
}

TEST(OpusTerms, WhateverIsLostNoTermHasTwoAndAMajorityIsPromisedToTheLatest)
{
    std::size_t terms = 0;
    for (uint32_t seed = 0; seed < 2000 && !HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        Election election(seed, 1 + seed % 5);
        election.Run();
        EXPECT_TRUE(election.Settle());
        for (const auto& [term, controller] : election.m_begun)
        {
            EXPECT_EQ(term % 2, controller);
        }
        terms += election.m_begun.size();
    }
    EXPECT_GT(terms, 4000U) << "many take over";
}
