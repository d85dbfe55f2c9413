/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_CORE_H
#define PHOTONIC_RAILS_CONTROLLER_CORE_H

#include "controller-inbox.h"

#include "ns3/agent-answers.h"
#include "ns3/cabling.h"
#include "ns3/call-comparisons.h"
#include "ns3/circuit-policy.h"
#include "ns3/circuit-setup.h"
#include "ns3/controller-outbox.h"
#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/controller-settings.h"
#include "ns3/grant-attempts.h"
#include "ns3/grant-decisions.h"
#include "ns3/grant-extent.h"
#include "ns3/grant-recalls.h"
#include "ns3/grants-in-the-way.h"
#include "ns3/group-register.h"
#include "ns3/group-registrations.h"
#include "ns3/held-phases.h"
#include "ns3/job-ends.h"
#include "ns3/job-starts.h"
#include "ns3/open-phases.h"
#include "ns3/opus-message.h"
#include "ns3/other-rails.h"
#include "ns3/pair-agreement.h"
#include "ns3/phase-endings.h"
#include "ns3/phase-grants.h"
#include "ns3/phase-outcomes.h"
#include "ns3/phase-ranks.h"
#include "ns3/phase-releases.h"
#include "ns3/phase-setup.h"
#include "ns3/phase-turns.h"
#include "ns3/phase-voting.h"
#include "ns3/picoseconds.h"
#include "ns3/port-ledger.h"
#include "ns3/program-plans.h"
#include "ns3/rail-traffic.h"
#include "ns3/report-admission.h"
#include "ns3/reported-refusals.h"
#include "ns3/request-admission.h"
#include "ns3/request-checks.h"
#include "ns3/request-votes.h"
#include "ns3/resumed-phases.h"
#include "ns3/slot-change.h"
#include "ns3/slot-rotation.h"
#include "ns3/term-takeover.h"
#include "ns3/unnamed-ranks.h"
#include "ns3/whole-network.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The decisions of a controller: its inputs are messages and the time, its outputs are
 * outgoing messages.
 *
 * A phase has these states:
 *
 * | state       | until                                                                     |
 * |-------------|---------------------------------------------------------------------------|
 * | VOTING      | all ranks have requested it; again after the withdrawal of a guess, or    |
 * |             | the release by all ranks                                                  |
 * | WAITING     | its ports are free                                                        |
 * | PROGRAMMING | all agents have sent DONE; skipped if no circuit changes                  |
 * | PREPARED    | all ranks have called it: it was a guess, of SpeculationRule::PREPARE;    |
 * |             | then it is WAITING again                                                  |
 * | GRANTED     | all ranks have released it                                                |
 *
 * The core is the interface of the classes that own the state of a controller. At the end of each
 * instant it calls them in order, and sends their outgoing messages. A REQUEST passes through them
 * as follows:
 *
 * | class            | action                                                               |
 * |------------------|----------------------------------------------------------------------|
 * | ControllerInbox  | sorts the messages of an instant                                     |
 * | RequestAdmission | checks whether the phase is over                                     |
 * | RequestChecks    | checks ports, groups and pairs                                       |
 * | PairAgreement    | combines the pairs that ranks name, and settles disagreements        |
 * | PhaseRanks       | opens the phase in OpenPhases, and adds its ranks and rails          |
 * | RequestVotes     | counts the votes                                                     |
 * | PhaseVoting      | detects that the votes are complete                                  |
 * | PhaseTurns       | puts the phase into the queues of its ranks (WaitingPhases)          |
 * | GrantDecisions   | gets circuits of the CircuitPolicy when there is no obstacle         |
 * | GrantAttempts    | carries out the decision                                             |
 * | PhaseSetup       | takes the phase from here to the grant                               |
 * | CircuitSetup     | reserves the circuits in the PortLedger                              |
 * | ProgramPlans     | sends the changes to the agents                                      |
 * | AgentAnswers     | takes their DONE messages                                            |
 * | PhaseGrants      | grants the phase                                                     |
 * | GrantExtent      | sets the last operation that the grant serves                        |
 * | ControllerOutbox | makes a GRANT for every server                                       |
 *
 * After that GrantRecalls may recall it, PhaseReleases takes the RELEASEs, PhaseEndings ends the
 * phase, and PhaseOutcomes has its outcome. JobStarts and SlotRotation set up circuits without a
 * REQUEST, and HeldPhases takes over those of an earlier term.
 *
 * - A rank votes with a REQUEST of its server. A speculative vote counts. A REQUEST that is not
 *   ahead of its call confirms it, and an unused RELEASE withdraws it. A phase with
 *   speculative votes only is never refused for good.
 * - Phases of a flow (a group, or the sends from a rank to another) that share a rank are granted
 *   in the order of operation and stage; others are granted in the order in which their votes
 *   become complete, except that a phase whose ports are not free lets later ones pass for a
 *   limited time (WaitingPhases).
 * - A grant is atomic: all rails or none. An ALARM or a late answer refuses the phase to all ranks;
 *   the changes of other rails stay, and are in the ledger. A plan without an answer leaves its
 *   ports uncertain, and no phase gets them until the answer comes.
 * - A phase that changes no circuit is granted although others have traffic on the same circuits.
 *   The ports that a phase changes must have no traffic and must not be reconfiguring; this does
 *   not apply to other ports of its ranks.
 * - With CircuitGranularity::NETWORK all rails are reconfigured as one (WholeNetwork).
 * - A grant is for the operations up to `until`: the least that the ranks request, limited by the
 *   progress of ranks that were in the phase before. When a rank releases it earlier, the others
 *   get a RECALL, and all ranks request the remaining operations again.
 * - Messages of one instant are taken together, before any decision. Phases whose votes become
 *   complete at one instant join the queues in the order in which the messages complete them: a
 *   rank needs its earlier call first.
 * - The core keeps all state that it needs to answer a repeated message as it answered the first
 *   one.
 *
 * Shims do the remaining work. They number the requests of a rank for a phase (`number` of
 * OpusRequest), from 0; a rank that requests again, after it has released a grant or a guess
 * unused, takes the next number. GRANT and RELEASE carry the number of their request. A shim
 * ignores a GRANT for an earlier request. The same holds for a RECALL of a whole phase: a shim
 * releases all circuits, unused, and requests them again. It releases a GRANT that its ranks do not
 * want any more, unused. When a message of a new term comes, it repeats each request without an
 * answer, and each release that may not have arrived. A REFUSE that is not final is for ranks that
 * requested in advance only: they may request again.
 *
 * The core is a pure function of its inputs. Agents and shims also have all of its state. So the
 * core of a new term begins with BeginTerm(), and collects the state again (TermTakeover). Until
 * then the rails, and the circuits that may be in use, are not changed (PortLedger), phases that
 * are held are granted to no other ranks, and jobs whose circuits are for good wait.
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

    /** @param cabling of fibers, and the owners of ports */
    ControllerCore(std::shared_ptr<const Cabling> cabling, const ControllerSettings& settings);

    // Not copyable: its parts have references to each other
    ControllerCore(const ControllerCore&) = delete;
    ControllerCore& operator=(const ControllerCore&) = delete;

    /** Sets up the circuits that jobs start with. @return the messages to send */
    Outbox Start(Picoseconds now);
    /**
     * Starts a new term, instead of Start(): another controller was in charge, and its decisions
     * are not known.
     * @param term greater than any before
     * @return the messages to send
     */
    Outbox BeginTerm(uint32_t term, Picoseconds now);

    /** Notes that all ranks have left: all circuits are taken down as soon as nothing needs them.
     */
    void AllLeft();
    /**
     * Notes that the ranks have been stopped, with requests and grants as they were: their phases
     * are refused, and all circuits are taken down. @param reason in words
     */
    void Abandon(const std::string& reason);
    /** Takes a message of an instant with more messages to come. */
    void Collect(OpusMessage message);
    /**
     * Notes that a server could not be reached with a grant, which it may have or not. The ranks
     * that wait for it there are called back when the instant is over.
     * @param grant that was given up
     */
    void NotDelivered(const OpusMessage& grant);
    /** Takes the last message of an instant. @return the messages to send */
    Outbox Take(const OpusMessage& message, Picoseconds now);
    /**
     * Ends an instant in which no message comes after the collected ones, if any. Waits over their
     * limit end.
     * @return the messages to send
     */
    Outbox TimePassed(Picoseconds now);

    /**
     * @return the time of the next call of TimePassed(), in picoseconds; NEVER if none is needed
     */
    Picoseconds GetNextDeadline() const;
    /** @return the present term */
    uint32_t GetTerm() const;
    /** @return the number of inputs that it has taken, of all kinds */
    uint64_t GetInputs() const;
    /** @return the counters of its decisions */
    ControllerCounters GetCounters() const;
    /** @return the ledger of ports */
    const PortLedger& GetLedger() const;
    /** @return the open phases */
    const std::map<OpusPhase, ControllerPhase>& GetPhases() const;
    /** @return its notes since the last call; call it from time to time, or the notes accumulate */
    std::vector<ControllerNote> TakeNotes();

    /** @return the whole state in words; equal states have equal words */
    std::string Describe() const;
    /** @return whether both are in the same state */
    bool operator==(const ControllerCore& other) const;

  private:
    /** Takes all messages of an instant, and ends it. */
    void Decide();
    /** Ends waits, and grants the phases that can be granted. */
    void EndInstant();
    /** Takes a message. */
    void Process(const OpusMessage& message);
    /** Tries all phases that may go now. */
    void Settle();
    /** Ends the wait of a phase that is over its limit. */
    void Expire(ControllerPhase& phase);
    /** Ends the input. @return all outgoing messages */
    Outbox Finish();

    std::shared_ptr<const Cabling> m_cabling;
    Ptr<CircuitPolicy> m_policy;
    uint64_t m_inputs{0};
    // each has references to earlier ones that it works with
    ControllerRecord m_record;
    ControllerInbox m_inbox;
    ControllerOutbox m_outbox;
    PortLedger m_ledger;
    RailTraffic m_traffic;
    OpenPhases m_phases;
    PhaseTurns m_turns;
    PhaseOutcomes m_outcomes;
    PhaseEndings m_endings;
    PhaseVoting m_voting;
    GrantExtent m_extent;
    GrantRecalls m_recalls;
    PhaseGrants m_grants;
    ProgramPlans m_plans;
    CircuitSetup m_setup;
    JobStarts m_starts;
    JobEnds m_ends;
    RingFallback m_fallback;
    OtherRails m_otherRails;
    PhaseSetup m_phaseSetup;
    SlotChange m_slotChange;
    SlotRotation m_rotation;
    WholeNetwork m_network;
    GrantDecisions m_decisions;
    GrantsInTheWay m_inTheWay;
    GrantAttempts m_attempts;
    AgentAnswers m_answers;
    GroupRegister m_groups;
    GroupRegistrations m_registrations;
    RequestChecks m_checks;
    RequestAdmission m_admission;
    PhaseRanks m_ranks;
    PairAgreement m_agreement;
    RequestVotes m_votes;
    PhaseReleases m_releases;
    CallComparisons m_comparisons;
    ReportAdmission m_reports;
    HeldPhases m_held;
    ReportedRefusals m_refusals;
    ResumedPhases m_resumed;
    UnnamedRanks m_unnamed;
    TermTakeover m_takeover;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_CORE_H */
