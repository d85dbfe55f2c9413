/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_TERM_H
#define PHOTONIC_RAILS_CONTROLLER_TERM_H

#include "opus-contents.h"

#include <cstddef>
#include <cstdint>
#include <set>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The state by which a controller comes to decide: the greatest term that it has received,
 * and the agents that have accepted the term that it claims.
 *
 * A controller decides in its own term: of the numbers in OpusMessage::term, controller 0 of a pair
 * claims the even ones, controller 1 the odd ones, each number only once. So two never share a
 * term. A term takes effect when more than half of the agents have accepted it. An agent that has
 * accepted a term takes no plan of an earlier one any more (TermPromise); any two majorities share
 * an agent, so of two controllers one is refused by at least one agent, and receives the later
 * term.
 *
 * A controller first requests whether agents would accept, which has no effect on them: a
 * controller that reaches only a few of them does not end the term of one that reaches the others.
 *
 *     RESTING --Propose()--> PROPOSING --most would--> CLAIMING --most have--> EFFECTIVE
 *        ^-----------------+---a later term---------+------------------------'
 *
 * Plain C++: no simulator. The greatest term survives a crash, as if it were on disk, even where
 * all other state is lost.
 * @code
 * Send(CLAIM of term.Propose(), a query, to all agents);
 * switch (term.Accepted(agent, message.term, accept.isQuery))
 * case Step::CLAIM: Send(CLAIM of term.GetClaim(), to all agents);
 * case Step::BEGIN: the controller is in charge;
 * @endcode
 */
class ControllerTerm
{
  public:
    /** The number of controllers of a pair. */
    static constexpr uint32_t CONTROLLERS = 2;

    /** The state of a claim. */
    enum class State : uint8_t
    {
        RESTING,
        PROPOSING,
        CLAIMING,
        EFFECTIVE,
    };

    /** The next step after an answer. */
    enum class Step : uint8_t
    {
        NOTHING,
        CLAIM, //!< the claim goes to all agents
        BEGIN, //!< the term takes effect
    };

    /** @param index of the controller in its pair, which decides its terms */
    void SetIndex(uint32_t index);
    /** @param rail of an agent that counts for the majority */
    void AddAgent(RailId rail);

    /**
     * Begins the first term, which is in effect without a claim: all applications have it from
     * set-up.
     */
    void BeginFirst();
    /** Begins to request whether agents would accept a term. @return the term */
    uint32_t Propose();
    /**
     * Counts the answer of an agent that would accept, or has accepted.
     * @param rail of the agent
     * @param term in the answer
     * @param isProposal whether it was only requested whether it would accept
     * @return the next step
     */
    Step Accepted(RailId rail, uint32_t term, bool isProposal);
    /** Takes the term of a message. @return whether it ends a claim, or a term in effect */
    bool NoteTerm(uint32_t term);
    /** Ends the requests, the claim or the term. */
    void Withdraw();

    /** @return the state */
    State GetState() const;
    /** @return the term that it requests, claims, or decides in */
    uint32_t GetClaim() const;
    /** @return the greatest term that it has received or claimed */
    uint32_t GetGreatest() const;
    /**
     * @param term of a CLAIM
     * @param isProposal of the CLAIM
     * @return whether agents still have to get it
     */
    bool IsOpen(uint32_t term, bool isProposal) const;
    /** @return the smallest number of agents that is more than half of them */
    std::size_t GetMajority() const;

  private:
    uint32_t m_index{0};
    std::set<RailId> m_agents;
    State m_state{State::RESTING};
    uint32_t m_claim{0};
    uint32_t m_greatest{0};
    std::set<RailId> m_accepted; //!< agents that have accepted, in this state
};

/** An agent's promise: it takes no plan of a term earlier than the one that it accepted. */
struct TermPromise
{
    /**
     * @param claimed a term
     * @param isAgain whether it is of the controller whose term was accepted last
     * @return whether the agent would accept the term
     */
    bool WouldAccept(uint32_t claimed, bool isAgain) const
    {
        return claimed > term || (claimed == term && isAgain);
    }

    uint32_t term{0}; //!< the greatest accepted term
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_TERM_H */
