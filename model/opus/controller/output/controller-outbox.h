/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_OUTBOX_H
#define PHOTONIC_RAILS_CONTROLLER_OUTBOX_H

#include "ns3/cabling.h"
#include "ns3/circuit-plan.h"
#include "ns3/identifier.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

struct ControllerPhase;

/** A message and its receiver: the agent of message.rail, or the shim of message.server. */
struct OutgoingMessage
{
    bool toAgent{false};
    OpusMessage message;
};

/**
 * @ingroup photonic-rails
 * @brief The messages of a controller that have not been sent yet, in order, and the term that they
 * carry.
 *
 * A message about a phase goes to each server that has ranks of the phase, and names those ranks.
 * Ranks of a server share a message if its content is equal for all of them. A server gets the
 * circuits at its own ranks only, so that the bytes sent grow linearly with the ranks and not with
 * their square.
 */
class ControllerOutbox
{
  public:
    using Messages = std::vector<OutgoingMessage>;

    /** @param cabling that has the places of ranks */
    explicit ControllerOutbox(std::shared_ptr<const Cabling> cabling);

    /** Sets the term of all later messages. */
    void BeginTerm(uint32_t term);
    uint32_t GetTerm() const;

    /**
     * Requests an agent to change circuits.
     * @param number of the plan
     * @param phase that it is for
     */
    void SendProgram(uint64_t number, RailId rail, const CircuitPlan& plan, const OpusPhase& phase);
    /**
     * Grants a phase to those of some ranks that want it, which hold it from now on.
     * @param joins whether others hold it already
     */
    void SendGrant(ControllerPhase& phase, const std::vector<RankId>& ranks, bool joins);
    /**
     * Requests the ranks that hold a phase to release it.
     * @param until the last operation that they may use it for
     * @param all whether they release it at once, unused
     */
    void SendRecall(const ControllerPhase& phase, uint64_t until, bool all);
    /** Refuses a phase to all its ranks. @param isFinal whether they may not request it again */
    void SendRefusal(const ControllerPhase& phase, const std::string& reason, bool isFinal);
    /** Refuses a server's request. @param isFinal whether it may not repeat the request */
    void SendRefusal(ServerId server,
                     const OpusPhase& phase,
                     const std::vector<RankId>& ranks,
                     const std::string& reason,
                     bool isFinal);

    /** Informs a server of the rank that called an operation last. */
    void SendLateness(ServerId server, OpusLateness lateness);

    /** Has a server report the carrier of its ports. @param rail of the ports */
    void SendWatch(ServerId server, RailId rail, OpusWatch watch);

    /** Removes the messages. @return them, in order */
    Messages Take();

  private:
    /** @return ranks by server */
    std::map<ServerId, std::vector<RankId>> ByServer(const std::vector<RankId>& ranks) const;

    /** The receiver of a grant, and those of its fields that may differ between ranks. */
    struct Answer
    {
        ServerId server;
        std::tuple<uint64_t, bool, Picoseconds, Picoseconds, Picoseconds> fields;
        RankId rank;
    };

    /**
     * Notes that those of some ranks that want a phase hold it.
     * @return the answers to them, those that share a message one after the other
     */
    std::vector<Answer> Hold(ControllerPhase& phase,
                             const std::vector<RankId>& ranks,
                             bool joins) const;
    /** @return the circuits of a phase at the ranks of servers that get answers, by server */
    std::vector<std::pair<ServerId, RankCircuit>> ListCircuits(
        const ControllerPhase& phase,
        const std::vector<Answer>& answers) const;
    /** Adds a message to a shim. @return its content, which is to be filled */
    template <typename Content>
    Content& AddTo(ServerId server);

    std::shared_ptr<const Cabling> m_cabling;
    uint32_t m_term{0};
    Messages m_messages;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_OUTBOX_H */
