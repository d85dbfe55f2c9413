/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_CORE_H
#define PHOTONIC_RAILS_CONTROLLER_CORE_H

#include "controller-phase.h"
#include "controller-settings.h"
#include "group-register.h"
#include "port-ledger.h"
#include "rank-progress.h"
#include "waiting-phases.h"

#include "ns3/cabling.h"
#include "ns3/circuit-policy.h"
#include "ns3/opus-message.h"
#include "ns3/phase-history.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
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
 * - A rank votes with a REQUEST of its server, which names the pairs that it is in, how many ranks
 *   take part and the digest of all their pairs (NamedPairs); two digests are a disagreement. A
 *   speculative vote counts, can be made good by a REQUEST that is not speculative, and can be
 *   withdrawn by a RELEASE that is speculative: "unused". Phases that nobody has really asked for
 *   are never refused for good.
 * - Phases of a flow (a group, or the sends from a rank to another) that share a rank are
 *   granted in the order of operation and stage; others in order of complete votes, but that one
 *   whose ports are not free lets later ones pass for a while (WaitingPhases).
 * - A grant is atomic. The circuits that stand are claimed, the agents of all rails that change
 *   are sent a PROGRAM, and when all are DONE, every server is sent a GRANT. An ALARM or a late
 *   answer refuses the phase to all; what other rails have changed stays, and is in the ledger. A
 *   plan that is not answered leaves its ports in doubt, and nobody gets them until it is.
 * - Of all that is decided at one instant, each rail's agent gets one plan. If it fails for some
 *   circuits, the phases that need those are refused; if it is refused as a whole, each phase gets
 *   a plan of its own, so that what is wrong with one of them does not concern the others.
 * - A phase that changes nothing is granted though others have traffic on the same circuits. One
 *   that changes something needs ports with no traffic, and which do not turn; other ports of its
 *   ranks may.
 * - A grant is for the operations up to `until`: the least that the ranks want, and not beyond what
 *   those are through with that have been there before. When a rank gives it back earlier than
 *   that, the others are told (RECALL) and the rest is asked for anew, by all. A rank that has come
 *   further than a phase counts as through with it.
 * - Where a policy rotates circuits, they are called back at the end of each slot and changed when
 *   nothing is in flight any more; phases whose pairs are joined then are granted. While nobody
 *   wants circuits the rotation rests; it goes on in the slot in which it would be.
 * - Where a whole rail has to be free of others' traffic, those who have circuits there are asked
 *   to give them back when they are idle: a RECALL with the greatest `until`.
 * - Messages of one instant are taken together, before anything is decided: first agents' by rail,
 *   then shims' by job and server, those of one peer in the order in which it sent them. Phases
 *   whose votes become complete at one instant stand in the queues in the order in which that makes
 *   them complete: what a rank calls first it needs first.
 * - Everything is remembered that is needed to answer what comes twice as it was answered once.
 *
 * Ranks' shims see to the rest. Asks of a rank for a phase are numbered in `plan` of REQUEST, from
 * 0; one that asks again after it has released a grant or a guess unused takes the next number.
 * GRANT and RELEASE carry that of the ask they belong to: a GRANT for an earlier ask is not to be
 * acted on. The same goes for a RECALL that is speculative: all is given back, unused, and asked
 * for again. A GRANT that nobody wants any more is released unused. What was asked and not
 * answered, and every release that may not have arrived, is said again when a message of a new term
 * comes. A REFUSE that is speculative is for those that only asked in advance: they may ask again.
 *
 * It is a pure function of its inputs. What it knows is also known to agents and shims: so another
 * one that is to go on in a new term begins with BeginTerm(), and learns it anew. An ACCEPT of an
 * agent says which circuits stand; HOLDs of a shim say what its ranks hold and are through with,
 * and a TERM that this was all; what they want is asked for as always. Until then the rails, and
 * the circuits that may be in use, are not touched (PortLedger), phases that are held are granted
 * to nobody else, and jobs whose circuits are for good wait. Plans have the term in the upper half
 * of their numbers.
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
    using Outbox = std::vector<OutgoingMessage>;

    /** @param cabling given at set-up @param settings likewise */
    ControllerCore(std::shared_ptr<const Cabling> cabling, ControllerSettings settings);

    /** Circuits that jobs start with are set up. @return what to send @param now the time */
    Outbox Start(Picoseconds now);
    /** A message of an instant of which more is to come. @param message that came */
    void Collect(const OpusMessage& message);
    /**
     * A server was not told of what was granted to it, or perhaps was: it cannot be reached. Those
     * who wait for it there are called back when the instant is over.
     * @param grant that was given up
     */
    void NotTold(const OpusMessage& grant);
    /** The last message of an instant. @return what to send @param message it @param now the time
     */
    Outbox Take(const OpusMessage& message, Picoseconds now);
    /**
     * An instant is over in which no message comes after those that were collected, if any. Waits
     * that are over their limit end.
     * @param now the time
     * @return what to send
     */
    Outbox TimePassed(Picoseconds now);
    /**
     * Instead of Start(): another one was in charge, of whose decisions nothing is known.
     * @return what to send
     * @param term greater than any before
     * @param now the time
     */
    Outbox BeginTerm(uint32_t term, Picoseconds now);

    /** @return when TimePassed() is to be called next; NEVER if not */
    Picoseconds GetNextDeadline() const;
    /** @return the term */
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
    /** @return whether both are in the same state @param other one */
    bool operator==(const ControllerCore& other) const;

  private:
    using State = ControllerPhase::State;

    // Instants
    /** Takes all that came at an instant, ends waits, and lets phases go. */
    void Decide(Picoseconds now);
    /** Takes a message. */
    void Hear(const OpusMessage& message);
    /** Grants of which a rank was not told are called back from the others. */
    void CallBackUntold();
    /** Phases whose votes became complete at this instant get their turns, in that order. */
    void AssignTurns();

    // Messages
    void TakeRegistration(const OpusMessage& message);
    void TakeRequest(const OpusMessage& message);
    void TakeRelease(const OpusMessage& message);
    void TakeDone(const OpusMessage& message);
    void TakeAlarm(const OpusMessage& message);
    void TakeAccept(const OpusMessage& message);
    void TakeHold(const OpusMessage& message);
    void TakeRefusal(const OpusMessage& message);
    void TakeTerm(const OpusMessage& message);
    /** @return whether a message is of a server and ranks on it */
    bool IsFromServer(const OpusMessage& message) const;
    /** @return whether a request is to be counted as votes; if not, it was answered */
    bool IsAdmitted(const OpusMessage& message);
    /** @return the words on a rank in a request's pairs that is not the job's, or nothing */
    std::string FindForeignRank(const OpusMessage& message) const;
    /**
     * A request names pairs that can never be joined, which others of its phase need not name:
     * nobody gets anything, unless it is a guess, or of a server that has no part in the job.
     */
    void RefuseAll(const OpusMessage& message, const std::string& reason);
    /** @return the phase of a request, which may be new; null if it was answered */
    ControllerPhase* FindOrOpen(const OpusMessage& message);
    /** Takes the pairs and ranks that a request names. @return why they can't be, or nothing */
    std::string AddNamed(ControllerPhase& phase, const OpusMessage& message);
    /** @return whether a phase's pairs can be what its ranks say of them; if not, it is refused */
    bool IsConsistent(ControllerPhase& phase);
    /**
     * A request is for other pairs than those that a phase has. A guess gives way to what is
     * called; if both are called, nobody gets anything, but for what is under way.
     * @return whether the phase is gone, and the request may open another
     */
    bool Disagree(ControllerPhase& phase, const OpusMessage& message);
    /** @return the words on two servers that want other pairs joined for a phase */
    std::string DescribeDisagreement(const ControllerPhase& phase,
                                     const OpusMessage& message) const;
    /** Counts the votes of a request. @return whether it says anything new */
    bool Vote(ControllerPhase& phase, const OpusMessage& message);
    /**
     * @return the operation that a rank is through with: `until`, or the one before the first of
     * the flow that it asks for or holds, after the phase that it releases
     */
    uint64_t BeforeAsked(const OpusPhase& phase, RankId rank, uint64_t until) const;
    /** Counts the releases of a message. @return whether it says anything new */
    bool Release(ControllerPhase& phase, const OpusMessage& message);
    /** Ranks that are further than open phases of a flow are through with them. */
    void CountFurther(const OpusPhase& flowKey, const std::vector<RankId>& ranks);
    /** The same for a phase. @return whether it says anything new */
    bool CountFurther(ControllerPhase& phase, const std::vector<RankId>& ranks) const;
    /** @return whether a phase waits for a whole rail; not where none changes circuits for itself
     */
    bool HasWholeRails() const;
    /** Phases that may wait for whole rails are looked at. */
    void LookAtRails(const std::set<RailId>& rails);
    /** An agent has answered a plan. @return the phases that wait for it, if any */
    std::vector<OpusPhase> CloseAnswered(const OpusMessage& message);
    /** @return whether a phase is to have one of these circuits */
    bool NeedsAny(const ControllerPhase& phase,
                  RailId rail,
                  const std::vector<Circuit>& circuits) const;

    // Phases
    /** Puts a phase into the state that its votes lead to, and its flow in order. */
    void Update(ControllerPhase& phase);
    /** A phase's votes are complete. */
    void Complete(ControllerPhase& phase);
    /** A phase leaves the queues. */
    void LeaveQueues(ControllerPhase& phase);
    /** Phases join or leave the queues where an earlier one of their flow has changed. */
    void Review(const OpusPhase& flowKey);
    /** @return whether an earlier phase of its flow is to be granted first */
    bool IsHeld(const ControllerPhase& phase) const;
    /** @return whether a phase may be granted as its votes are */
    bool IsFirm(const ControllerPhase& phase) const;
    /** Looks at all phases that may go now. */
    void Settle();
    /** Lets a phase go if it can. */
    void Attempt(ControllerPhase& phase);
    /** @return why a phase cannot go now, whatever circuits it gets */
    std::string FindObstacle(const ControllerPhase& phase) const;
    /** @return why circuits cannot be made now */
    std::string FindObstacle(const CircuitTarget& target) const;
    /** @return the words on a port that is not the job's, or nothing */
    std::string FindForeignPort(const OpusPhase& phase, const CircuitTarget& target) const;
    /** A phase has to wait. */
    void Delay(ControllerPhase& phase, const std::string& why);
    /** Sets up circuits for a phase. */
    void Program(ControllerPhase& phase, const CircuitTarget& target);
    /** A rail's circuits are changed for a phase, by one plan with those of others. */
    void Change(ControllerPhase& phase, RailId rail, const CircuitPlan& plan);
    /** All agents have done their part. */
    void Programmed(ControllerPhase& phase);
    /** A plan for a phase and others was refused: it tries by itself. */
    void TryAlone(ControllerPhase& phase);
    /** Notes how long circuits took to turn, and how much of that somebody waited for. */
    void NoteReconfigured(const ControllerPhase& phase);
    /** A phase's circuits are up. */
    void Grant(ControllerPhase& phase);
    /** @return the last operation that a phase is to serve */
    uint64_t AgreeOn(const ControllerPhase& phase) const;
    /** A rank has given back a phase that is granted: others go only as far as it did. */
    void Shorten(ControllerPhase& phase, uint64_t until);
    /** A phase that is granted is called back if a rank is missing, so that it may never end. */
    void CallBackIfTorn(ControllerPhase& phase);
    /** A phase that is granted is to be given back when it is idle. */
    void CallIn(ControllerPhase& phase);
    /** A phase that is granted is called back, as it is. */
    void CallBack(ControllerPhase& phase, const std::string& why);
    /** Phases in the way of one that waits are called back where they would not end else. */
    void MakeWay(const ControllerPhase& waiting);
    /** @return whether a phase that is granted keeps one that waits from a rail */
    bool IsInTheWay(const ControllerPhase& granted, const ControllerPhase& waiting) const;
    /** A phase's circuits are not its any more. */
    void EndFlight(ControllerPhase& phase);
    /** A phase gets nothing; for good, unless all of it was a guess. */
    void Refuse(ControllerPhase& phase, const std::string& reason);
    /** A phase gets nothing. */
    void Refuse(ControllerPhase& phase, const std::string& reason, bool isFinal);
    /** A phase is forgotten. */
    void Forget(const OpusPhase& phase);
    /** A wait is over its limit. */
    void Expire(ControllerPhase& phase);
    /** Sets when a wait is to end. */
    void SetDeadline(ControllerPhase& phase, Picoseconds deadline);
    /** Notes when a phase's votes are complete and firm. */
    void NoteFirm(ControllerPhase& phase);
    /** @return the end of the wait for votes */
    Picoseconds GetVoteDeadline(const ControllerPhase& phase) const;
    /** @return the words on a vote that is missing */
    std::string DescribeMissing(const ControllerPhase& phase) const;

    // Terms
    /** The circuits that jobs start with are set up. */
    void StartJobs();
    /** @return the phase of a HOLD, granted in an earlier term */
    ControllerPhase& FindOrResume(const OpusMessage& message);
    /** What there is more to know of an agent or a shim is known. */
    void LookAtKnown();
    /** Ranks take part that are through, and do not ask: when their groups are whole, that is
     * known.
     */
    void FindLateRanks();
    /** @return whether all is known of a phase that was granted in an earlier term */
    bool IsKnown(const ControllerPhase& phase) const;
    /** All is known of a phase that was granted in an earlier term: it goes on. */
    void Resume(ControllerPhase& phase);
    /** @return whether each pair of a phase has a circuit, those that stand included from now on */
    bool FindCircuits(ControllerPhase& phase);

    // Rotation
    /** What the rotation of a policy is at. */
    struct Rotation
    {
        /** How far it is. */
        enum class State : uint8_t
        {
            RESTING,       //!< nobody wants circuits
            STANDING,      //!< the slot's circuits are up
            RECALLING,     //!< the slot is over, and circuits are called back
            RECONFIGURING, //!< those of the next slot are set up
        };

        State state{State::RESTING};
        uint64_t slot{0};
        Picoseconds end{NEVER}; //!< of the slot that stands
    };

    /** @return whether the policy rotates circuits */
    bool Rotates() const;
    /** @return whether a phase stands for a change of slots */
    static bool IsRotation(const OpusPhase& phase);
    /** @return whether any rank wants circuits or has them */
    bool IsWanted() const;
    /** The rotation goes on, if it can. */
    void Rotate();
    /** A slot is over. */
    void EndSlot();
    /** The circuits of a slot are to be set up. */
    void RotateTo(uint64_t slot);
    /** The circuits of a slot are up. */
    void BeginSlot();
    /** A phase that stands for a change of slots is over. */
    void EndRotation(ControllerPhase& phase);

    // Letters
    void SendProgram(uint64_t plan);
    /** Tells agents of the plans that were made since the last input. */
    void SendPrograms();
    /** Sends a grant to the servers of these ranks. */
    void SendGrant(ControllerPhase& phase, const std::vector<RankId>& ranks, bool joins);
    /** Calls a phase back from those who hold it. */
    void SendRecall(const ControllerPhase& phase, uint64_t until, bool all);
    /** Says again what was said of a phase that is granted. */
    void SendAgain(ControllerPhase& phase);
    /** @return circuits at the ranks of each server */
    std::map<ServerId, std::vector<RankCircuit>> CircuitsByServer(
        const ControllerPhase& phase) const;
    /** @return the time from a rank's ask to complete and firm votes */
    Picoseconds GetWaitForOthers(const ControllerPhase& phase, RankId rank) const;
    /** Sends a refusal to the servers of all ranks. */
    void SendRefusal(const ControllerPhase& phase, const std::string& reason, bool isFinal);
    /** Says to a server again that a phase was refused. */
    void SendRefusalAgain(const OpusMessage& message, const std::string& reason);
    /** Refuses what a server asked, to it alone. */
    void RefuseSender(const OpusMessage& message, const std::string& reason, bool isFinal);
    /** @return ranks by server */
    std::map<ServerId, std::vector<RankId>> ByServer(const std::vector<RankId>& ranks) const;
    /** @return an outgoing message to a shim */
    OutgoingMessage& OutgoingTo(ServerId server, OpusMessage::Type type, const OpusPhase& phase);
    void Note(ControllerNote::Kind kind, const OpusPhase& phase, const std::string& words = "");
    /** @return a phase in words, but for its name */
    static std::string Describe(const ControllerPhase& phase);
    /** @return all outgoing messages, and ends the input */
    Outbox Finish();

    std::shared_ptr<const Cabling> m_cabling;
    ControllerSettings m_settings;
    std::unique_ptr<CircuitPolicy> m_policy;
    CircuitPlanner m_planner; //!< for what no policy can do
    GroupRegister m_groups;
    PortLedger m_ledger;
    PhaseHistory m_history;
    RankProgress m_progress;
    Rotation m_rotation;
    WaitingPhases m_waiting;
    std::map<OpusPhase, ControllerPhase> m_phases;
    std::map<OpusPhase, std::set<OpusPhase>> m_byFlow;  //!< their phases
    std::map<uint64_t, std::vector<OpusPhase>> m_plans; //!< not answered, and for whom
    std::set<uint64_t> m_unsent;                        //!< plans, until the input is over
    std::map<RailId, uint64_t> m_shared;                //!< of them, those that may grow
    std::set<std::pair<Picoseconds, OpusPhase>> m_deadlines;
    std::map<RailId, std::map<std::string, uint32_t>> m_railFlights; //!< phases, by parallelism
    std::map<JobId, std::string> m_refusedJobs;
    std::vector<OpusMessage> m_arrived; //!< at an instant that is not over
    std::set<OpusPhase> m_untold;       //!< at that instant, of which a rank was not told
    std::vector<OpusPhase> m_completed; //!< their votes, at this instant, the first first
    ControllerCounters m_counters;
    uint32_t m_term{0};
    bool m_isLearning{false}; //!< in this term, not everything has been said yet
    uint64_t m_turns{0};
    uint64_t m_planNumbers{0};
    uint64_t m_inputs{0};
    Picoseconds m_now{0};
    Outbox m_outbox;
    std::vector<ControllerNote> m_notes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_CORE_H */
