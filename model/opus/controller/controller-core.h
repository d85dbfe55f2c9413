/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_CORE_H
#define PHOTONIC_RAILS_CONTROLLER_CORE_H

#include "agent-answers.h"
#include "circuit-setup.h"
#include "controller-inbox.h"
#include "controller-outbox.h"
#include "controller-phase.h"
#include "controller-record.h"
#include "controller-settings.h"
#include "grant-attempts.h"
#include "job-starts.h"
#include "open-phases.h"
#include "phase-endings.h"
#include "phase-grants.h"
#include "phase-releases.h"
#include "phase-turns.h"
#include "phase-voting.h"
#include "port-ledger.h"
#include "program-plans.h"
#include "rail-traffic.h"
#include "request-admission.h"
#include "request-votes.h"
#include "slot-rotation.h"
#include "term-takeover.h"

#include "ns3/cabling.h"
#include "ns3/circuit-policy.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The decisions of a controller: messages and the time go in, outgoing messages come out.
 *
 * A phase goes through these states:
 *
 * | state       | until                                                                     |
 * |-------------|---------------------------------------------------------------------------|
 * | VOTING      | all ranks have asked; again if one takes a guess back, or all give back   |
 * | WAITING     | its ports are free                                                        |
 * | PROGRAMMING | all agents are DONE; not at all if nothing changes                        |
 * | PREPARED    | all ranks have called it: it was a guess, of SpeculationRule::PREPARE;    |
 * |             | then it is WAITING again                                                  |
 * | GRANTED     | all ranks have released it                                                |
 *
 * The core is the front of the classes that own what a controller knows. At the end of each instant
 * it asks them in order, and sends what they have to say. A REQUEST passes through them like this:
 *
 * | class            | what it does                                                         |
 * |------------------|----------------------------------------------------------------------|
 * | ControllerInbox  | puts the messages of an instant in order                             |
 * | RequestAdmission | checks groups, ports, and whether the phase is over                  |
 * | RequestVotes     | opens the phase in OpenPhases, and counts the votes                  |
 * | PhaseVoting      | finds the votes complete                                             |
 * | PhaseTurns       | puts the phase into the queues of its ranks (WaitingPhases)          |
 * | GrantAttempts    | gets circuits of the CircuitPolicy when nothing is in the way        |
 * | CircuitSetup     | claims the circuits in the PortLedger                                |
 * | ProgramPlans     | has the agents told what changes                                     |
 * | AgentAnswers     | takes their DONEs                                                    |
 * | PhaseGrants      | grants the phase                                                     |
 * | ControllerOutbox | has a GRANT for every server                                         |
 *
 * After that PhaseReleases takes the RELEASEs, and PhaseEndings knows what became of the phase.
 * JobStarts, SlotRotation and TermTakeover have circuits set up that no REQUEST asks for.
 *
 * - A rank votes with a REQUEST of its server. A speculative vote counts, can be made good by a
 *   REQUEST that is not speculative, and can be withdrawn by a RELEASE that is speculative:
 *   "unused". Phases that no rank has really asked for are never refused for good.
 * - Phases of a flow (a group, or the sends from a rank to another) that share a rank are
 *   granted in the order of operation and stage; others in order of complete votes, but that one
 *   whose ports are not free lets later ones pass for a while (WaitingPhases).
 * - A grant is atomic: all rails or none. An ALARM or a late answer refuses the phase to all; what
 *   other rails have changed stays, and is in the ledger. A plan that is not answered leaves its
 *   ports in doubt, and no phase gets them until it is.
 * - A phase that changes nothing is granted though others have traffic on the same circuits. One
 *   that changes something needs ports that have no traffic and are not reconfiguring; other ports
 *   of its ranks may.
 * - A grant is for the operations up to `until`: the least that the ranks want, and not beyond what
 *   those are through with that have been there before. When a rank gives it back earlier than
 *   that, the others are told (RECALL) and the rest is asked for anew, by all.
 * - Messages of one instant are taken together, before anything is decided. Phases whose votes
 *   become complete at one instant stand in the queues in the order in which the messages make them
 *   complete: what a rank calls first it needs first.
 * - Everything is remembered that is needed to answer what comes twice as it was answered once.
 *
 * Ranks' shims see to the rest. Asks of a rank for a phase are numbered in `plan` of REQUEST, from
 * 0; one that asks again after it has released a grant or a guess unused takes the next number.
 * GRANT and RELEASE carry that of the ask they belong to: a GRANT for an earlier ask is not to be
 * acted on. The same goes for a RECALL that is speculative: all is given back, unused, and asked
 * for again. A GRANT that its ranks do not want any more is released unused. What was asked and not
 * answered, and every release that may not have arrived, is said again when a message of a new term
 * comes. A REFUSE that is speculative is for those that only asked in advance: they may ask again.
 *
 * It is a pure function of its inputs. What it knows is also known to agents and shims: so another
 * one that is to go on in a new term begins with BeginTerm(), and learns it anew (TermTakeover).
 * Until then the rails, and the circuits that may be in use, are not touched (PortLedger), phases
 * that are held are granted to no other ranks, and jobs whose circuits are for good wait.
 * @code
 * ControllerCore core(cabling, settings);
 * Send(core.Start(now));
 * core.Collect(first);                     // one of several that come at an instant
 * Send(core.Take(last, now));              // the last one, or the only one
 * Send(core.TimePassed(now));              // at core.GetNextDeadline()
 * @endcode
 */
class ControllerCore
{
  public:
    using Outbox = ControllerOutbox::Messages;

    /** @param cabling where fibers lead, and whose ports are whose */
    ControllerCore(std::shared_ptr<const Cabling> cabling, const ControllerSettings& settings);
    ControllerCore(const ControllerCore&) = delete; // its parts know each other
    ControllerCore& operator=(const ControllerCore&) = delete;

    /** Circuits that jobs start with are set up. @return the messages to send */
    Outbox Start(Picoseconds now);
    /** Instead of Start(): another controller was in charge, of whose decisions nothing is known.
     * @param term greater than any before @return the messages to send */
    Outbox BeginTerm(uint32_t term, Picoseconds now);

    /** A message of an instant of which more is to come. */
    void Collect(const OpusMessage& message);
    /**
     * A server was not told of what was granted to it, or perhaps was: it cannot be reached. The
     * ranks that wait for it there are called back when the instant is over.
     * @param grant that was given up
     */
    void NotTold(const OpusMessage& grant);
    /** The last message of an instant. @return the messages to send */
    Outbox Take(const OpusMessage& message, Picoseconds now);
    /**
     * An instant is over in which no message comes after those that were collected, if any. Waits
     * that are over their limit end.
     * @return the messages to send
     */
    Outbox TimePassed(Picoseconds now);

    /** @return when TimePassed() is to be called next, in picoseconds; NEVER if not */
    Picoseconds GetNextDeadline() const;
    uint32_t GetTerm() const;
    /** @return inputs that it has taken, of all kinds */
    uint64_t GetInputs() const;
    /** @return what it has done */
    ControllerCounters GetCounters() const;
    /** @return what it knows of ports */
    const PortLedger& GetLedger() const;
    /** @return phases that it deals with at the moment */
    const std::map<OpusPhase, ControllerPhase>& GetPhases() const;
    /** @return what it did and found since the last call; to be taken now and then, or it grows */
    std::vector<ControllerNote> TakeNotes();

    /** @return all of its state in words, the same for equal ones */
    std::string Describe() const;
    /** @return whether both are in the same state */
    bool operator==(const ControllerCore& other) const;

  private:
    /** Takes all that came at an instant, ends waits, and lets phases go. */
    void Decide();
    /** Takes a message. */
    void Hear(const OpusMessage& message);
    /** Looks at all phases that may go now. */
    void Settle();
    /** The wait of a phase is over its limit. */
    void Expire(ControllerPhase& phase);
    /** @return all outgoing messages, and ends the input */
    Outbox Finish();

    std::shared_ptr<const Cabling> m_cabling;
    Ptr<CircuitPolicy> m_policy;
    uint64_t m_inputs{0};
    // each is given those before it that it works with
    ControllerRecord m_record;
    ControllerInbox m_inbox;
    ControllerOutbox m_outbox;
    PortLedger m_ledger;
    RailTraffic m_traffic;
    OpenPhases m_phases;
    PhaseTurns m_turns;
    PhaseEndings m_endings;
    PhaseVoting m_voting;
    PhaseGrants m_grants;
    ProgramPlans m_plans;
    CircuitSetup m_setup;
    SlotRotation m_rotation;
    JobStarts m_starts;
    GrantAttempts m_attempts;
    AgentAnswers m_answers;
    RequestAdmission m_admission;
    RequestVotes m_votes;
    PhaseReleases m_releases;
    TermTakeover m_takeover;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_CORE_H */
