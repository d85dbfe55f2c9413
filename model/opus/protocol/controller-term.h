/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_TERM_H
#define PHOTONIC_RAILS_CONTROLLER_TERM_H

#include "opus-message.h"

#include <cstddef>
#include <cstdint>
#include <set>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief How a controller comes to decide: which terms it has heard of, and who has accepted the
 * one that it claims.
 *
 * A controller decides in a term that is its own: of OpusMessage::term, controller 0 of a pair
 * claims the even ones, controller 1 the odd ones, each a number only once. So two never share a
 * term. A term takes effect when more than half of the agents have accepted it. An agent that has
 * accepted a term takes no plan of an earlier one any more (TermPromise); any two majorities share
 * an agent, so of two controllers one is refused by at least one agent, and hears of the later
 * term.
 *
 * Agents are asked first whether they would accept, which binds nobody: a controller that reaches
 * only a few of them does not put an end to the term of one that reaches the others.
 *
 *     RESTING --Ask()--> ASKING --most would--> CLAIMING --most have--> EFFECTIVE
 *        ^-----------------+---a later term---------+------------------------'
 *
 * Plain C++: no simulator. Even where all else is lost, the greatest term survives a crash, as if
 * it was written down.
 * @code
 * Send(CLAIM of term.Ask(), speculative, to all agents);
 * switch (term.Accepted(agent, message.term, message.speculative))
 * case Step::CLAIM: Send(CLAIM of term.GetClaim(), to all agents);
 * case Step::BEGIN: the controller is in charge;
 * @endcode
 */
class ControllerTerm
{
  public:
    /** Controllers of a pair. */
    static constexpr uint32_t CONTROLLERS = 2;

    /** How far a claim is. */
    enum class State : uint8_t
    {
        RESTING,
        ASKING,
        CLAIMING,
        EFFECTIVE,
    };

    /** What is to be done after an answer. */
    enum class Step : uint8_t
    {
        NOTHING,
        CLAIM, //!< all agents are to be told of the claim
        BEGIN, //!< the term takes effect
    };

    /** @param index of the controller in its pair: which terms are its own */
    void SetIndex(uint32_t index);
    /** @param rail whose agent is one of those whose majority counts */
    void AddAgent(RailId rail);

    /** The first term is in effect without a claim: all were told of it when they were set up. */
    void BeginFirst();
    /** It is to find out whether agents would accept a term. @return the term */
    uint32_t Ask();
    /** An agent would accept, or has accepted. @return what is to be done @param rail of the agent
     * @param term that it speaks of @param onlyAsked whether it has only been asked */
    Step Accepted(RailId rail, uint32_t term, bool onlyAsked);
    /** Somebody speaks of a term. @return whether a claim, or a term in effect, is over by that
     * @param term of a message */
    bool Hear(uint32_t term);
    /** It does not ask any more, nor claim, nor decide. */
    void Withdraw();

    /** @return how far it is */
    State GetState() const;
    /** @return the term that it asks for, claims, or decides in */
    uint32_t GetClaim() const;
    /** @return the greatest term that is known to have been claimed */
    uint32_t GetGreatest() const;
    /** @return whether agents are still to be asked @param term of a CLAIM @param onlyAsked of it
     */
    bool IsOpen(uint32_t term, bool onlyAsked) const;
    /** @return how many agents more than half of them are */
    std::size_t GetMajority() const;

  private:
    uint32_t m_index{0};
    std::set<RailId> m_agents;
    State m_state{State::RESTING};
    uint32_t m_claim{0};
    uint32_t m_greatest{0};
    std::set<RailId> m_accepted; //!< by these agents, in this state
};

/** What an agent has promised: to take no plans of earlier terms than the one that it accepted. */
struct TermPromise
{
    /** @return whether it would accept a term @param claimed it @param isAgain whether it is of
     * whom it accepted last */
    bool WouldAccept(uint32_t claimed, bool isAgain) const
    {
        return claimed > term || (claimed == term && isAgain);
    }

    uint32_t term{0}; //!< the greatest that it has accepted
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_TERM_H */
