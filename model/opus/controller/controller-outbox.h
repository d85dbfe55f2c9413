/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_OUTBOX_H
#define PHOTONIC_RAILS_CONTROLLER_OUTBOX_H

#include "controller-phase.h"

#include "ns3/cabling.h"
#include "ns3/circuit-plan.h"
#include "ns3/identifier.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** A message and whom it is for: the agent of message.rail, or the shim of message.server. */
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
 * Ranks of a server share a message if all that it says is true of each of them. A server is told
 * of the circuits at its own ranks only, so that the bytes sent grow with the ranks and not with
 * their square.
 */
class ControllerOutbox
{
  public:
    using Messages = std::vector<OutgoingMessage>;

    /** @param cabling where ranks are */
    explicit ControllerOutbox(std::shared_ptr<const Cabling> cabling);

    /** Messages carry this term from now on. */
    void BeginTerm(uint32_t term);
    uint32_t GetTerm() const;

    /** An agent is to change circuits. @param number of the plan @param phase that it is for */
    void SendProgram(uint64_t number, RailId rail, const CircuitPlan& plan, const OpusPhase& phase);
    /**
     * A phase is granted to those of some ranks that want it, which hold it from now on.
     * @param joins others hold it already
     */
    void SendGrant(ControllerPhase& phase, const std::vector<RankId>& ranks, bool joins);
    /**
     * The ranks that hold a phase are to give it back.
     * @param until the last operation that they may use it for
     * @param all it is given back at once, unused
     */
    void SendRecall(const ControllerPhase& phase, uint64_t until, bool all);
    /** All ranks of a phase are refused it. @param isFinal they may not ask again */
    void SendRefusal(const ControllerPhase& phase, const std::string& reason, bool isFinal);
    /** A server is refused what it asked for. @param isFinal it may not ask again */
    void SendRefusal(const OpusMessage& request, const std::string& reason, bool isFinal);

    /** @return the messages since the last call, in order */
    Messages Take();

  private:
    /** @return ranks by server */
    std::map<ServerId, std::vector<RankId>> ByServer(const std::vector<RankId>& ranks) const;
    /** @return circuits at the ranks of each server */
    std::map<ServerId, std::vector<RankCircuit>> CircuitsByServer(
        const ControllerPhase& phase) const;
    /** Adds a message to a shim. @return the message, until the next one is added */
    OpusMessage& AddTo(ServerId server, OpusMessage::Type type, const OpusPhase& phase);

    std::shared_ptr<const Cabling> m_cabling;
    uint32_t m_term{0};
    Messages m_messages;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_OUTBOX_H */
