/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMOIZED_OPERATION_H
#define PHOTONIC_RAILS_MEMOIZED_OPERATION_H

#include "followed-recordings.h"
#include "memo-candidates.h"
#include "memo-recording.h"
#include "memo-store.h"
#include "memoized-call.h"
#include "memoized-circuits.h"
#include "memoized-ports.h"
#include "memoized-ranks.h"
#include "operation-on-circuits.h"
#include "sends-on-circuits.h"

#include "ns3/batch-mode.h"
#include "ns3/collective-transport.h"
#include "ns3/event-id.h"
#include "ns3/identifier.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"
#include "ns3/rdma-engine.h"
#include "ns3/rdma-transport.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One operation of all its ranks, on circuits, or the sends between two ranks that overlap
 * in time: it either turns out to be like one that was simulated before, or is simulated, and
 * perhaps kept for later ones.
 *
 * A rank *enters* when it is active and has circuits. An operation is like another if it is of the
 * same kind (schedule, bytes, message size, protocol), all ranks become active and enter at the
 * same times from the first entry on, their messages take equal ways, and each circuit is quiet
 * when the first of its ranks enters. Between that and the end nothing has a part but clocks,
 * fibers and idle queue pairs, whose times do not depend on the instant at which they begin. So
 * both end alike.
 *
 * While a known operation may be like this one, its messages are held. When all ranks have entered,
 * one event a rank is left, and at the last one the counts of queue pairs, ports, fibers and
 * switches go up. If another turns out to be wrong, or something else happens to one of the
 * circuits, or a count is read, the messages are made up for: they are sent in the past
 * (PastEvents), up to now, and the operation goes on by messages.
 *
 * A known operation may be one that goes by messages right now, and began at the same instant or
 * before (MemoRecording): many groups of a job call the same operation at once. Then this one ends
 * as that does, rank by rank, as long as nothing else has come to its circuits. Sends, and
 * operations with messages inside servers, wait for no other.
 *
 * Rings and the like (OperationOnCircuits) need no earlier one: when all ranks have entered, all
 * follows from their entries. Until then no rank can end, and messages are held, also those that
 * come to a rank before it calls the operation.
 *
 * Messages inside servers wait for no circuits: an operation with some begins when its first rank
 * is active. Then the times count from there on, and each port of a fabric must be quiet when the
 * first of the ranks that use it is active. What comes to a rank before that counts as well.
 *
 * Of sends each call of a rank has a place, in the order in which they enter: two ranks may send to
 * each other at once over one circuit, and what one does depends on the other. They begin with the
 * first that enters, and are over when all that have entered are.
 */
class MemoizedOperation : public MemoizedCall::Operation,
                          public BatchAhead,
                          private BatchWatch,
                          private MemoRecording::Listener
{
  public:
    /** The ranks and queue pairs of a job. */
    class Ranks
    {
      public:
        virtual ~Ranks() = default;
        /** @return the engine of a rank */
        virtual RdmaEngine& GetEngine(RankId rank) = 0;
        /** @return the context of a rank's events */
        virtual uint32_t GetContext(RankId rank) = 0;
        /** @return both ends of a queue pair, the sender's first, made if there is none */
        virtual RdmaEngine::Ends GetEnds(const TransportMessage& way) = 0;
        /** The messages of operations are made up for. @param operations none: no more */
        virtual void SetMakingUp(const std::vector<Ptr<MemoizedOperation>>& operations) = 0;
        /** An operation was held to its end. */
        virtual void CountMemoized() = 0;
        /** Of these: it was worked out, as no earlier one was like it. */
        virtual void CountWorkedOut() = 0;
        /** An operation is simulated, and is kept if nothing disturbs it. */
        virtual void CountRecorded() = 0;
        /** The messages of an operation have been made up for. */
        virtual void CountMadeUp() = 0;
        /** All ranks have ended an operation, or are gone. */
        virtual void Forget(const MemoizedOperation& operation) = 0;
    };

    /** @param ranks of the group, by place */
    MemoizedOperation(const MemoStore::Kind& kind,
                      const std::vector<RankId>& ranks,
                      const Ptr<MemoStore>& memory,
                      Ranks& job);
    /** Sends between two ranks. @param mayWorkOut whether they may wait for others by themselves */
    MemoizedOperation(const Ptr<MemoStore>& memory, Ranks& job, bool mayWorkOut);
    ~MemoizedOperation() override;

    // MemoizedCall::Operation
    void Add(MemoizedCall& call) override;
    uint32_t Join(MemoizedCall& call) override;
    void Activate(MemoizedCall& call, bool early) override;
    bool BeginInside(MemoizedCall& call,
                     const MemoizedInside& inside,
                     uint64_t early,
                     std::unique_ptr<MemoizedPast> past) override;
    bool Enter(MemoizedCall& call,
               const MemoizedWays& ways,
               std::unique_ptr<MemoizedPast> past) override;
    void Refuse() override;
    bool Leave(MemoizedCall& call) override;
    void End(MemoizedCall& call, const MessageTotals& totals, uint64_t mostEarly) override;
    void Remove(MemoizedCall& call) override;

    // BatchAhead
    /** Goes on by messages, if they are held. */
    void Disturb() override;
    bool HandOver(const BatchMode& circuit,
                  const std::array<Picoseconds, 2>& from,
                  BatchAhead& to) override;

    /** Nobody is to wait for what becomes of it any more. */
    void EndRecording()
    {
        CloseRecording(true);
    }

    /**
     * A message has come to a rank that has not called its operation, perhaps this one. That counts
     * at the rank when it calls, and those who wait for this operation have no such message.
     */
    void MessageIsEarly();

    /**
     * Takes a message for a rank while messages are made up for.
     * @return whether the rank has entered; else it takes the message itself
     */
    bool TakeArrived(RankId rank, const TransportMessage& message);

    /** The same for a message of a rank that is settled. */
    bool TakeSettled(RankId rank, const TransportMessage& message);

  private:
    /** How the operation is run. */
    enum class Mode : uint8_t
    {
        BEGINS,   //!< no rank may send
        HOLDS,    //!< it may be like a known one, and sends no messages
        KNOWN,    //!< it is like a known one
        RECORDS,  //!< it goes by messages, and may be kept
        MESSAGES, //!< it goes by messages
    };

    /** A way of messages from a rank. */
    struct Way
    {
        RdmaEngine::Ends ends;
        MemoizedCircuits::End from;
        QueuePairProgress before{};
        FrameTotals frames{}; //!< that it is to have, of data
    };

    /** A rank of the group. */
    struct Place
    {
        RankId rank;
        MemoizedCall* call{nullptr};      //!< null: it has not called it, or is gone
        std::optional<MemoizedSend> send; //!< none: a collective operation
        bool isActive{false};
        bool hasEntered{false};
        bool hasEnded{false};
        bool isInside{false}; //!< it has messages inside its server
        bool isArmed{false};  //!< its end is known, and scheduled in this instant or before
        Picoseconds active{0};
        Picoseconds entered{0};
        MemoizedRank its;      //!< what it does, times from the first entry on
        std::vector<Way> ways; //!< out
        std::vector<std::pair<uint32_t, QueuePairOrder>> turns; //!< port, and turn of each way
        std::unique_ptr<MemoizedPast> past;
        MemoizedHistory history;
        EventId due;
    };

    /** A rank that is held: the messages that it sends. */
    struct Held
    {
        uint32_t place;
        bool isInside; //!< those that need no circuits; else those on circuits
    };

    /** @return what a send is, as a part of a path */
    MemoPath Describe(const Place& place) const;
    /** @return whether sends have their receives, and receives their sends */
    bool AreWhole() const;
    /** Takes the ports inside a server that a rank uses. @return whether all are quiet */
    bool Take(Place& place, const MemoizedInside& inside);
    /** Takes the circuits and queue pairs of a rank that enters. @return whether all are quiet */
    bool Take(Place& place, const MemoizedWays& ways);
    /** Takes a way of messages. @param isOut whether the rank sends them */
    bool Take(Place& place, const TransportMessage& way, bool isOut);
    /** Takes the queue pair of a way out. @return whether it is idle */
    bool TakeOut(Place& place, const TransportMessage& way, const MemoizedCircuits::End& end);
    /** Adds to a rank's path what its queue pairs have in turn at a port, after earlier ones. */
    void AddOrder(Place& place);
    /** No known one is like it: finds out whether it can be worked out, as far as is known. */
    void TryToWorkOut();
    /** The same when a rank enters. */
    void FollowWays(uint32_t place);
    /** @return what becomes of the ranks, which have all entered */
    std::shared_ptr<const MemoizedRanks> WorkOut();
    /** @return the ways out of a place that has entered; nothing: answers don't go first */
    std::optional<std::vector<WayOnCircuit>> ListWays(const Place& place) const;
    /** One end of a send enters. @return whether it is held, as all are worked out */
    bool HoldSend(uint32_t place);
    /** All have entered that do in this instant: sees what becomes of the sends. */
    void WorkOutSends();
    /** @return what becomes of the sends that have entered */
    std::shared_ptr<const MemoizedRanks> FindOutcome();
    /** The first rank may send. @return whether the operation may be like a known one */
    bool Begin(Place& place);
    /** @return the operations that this one may be like, as far as it has come */
    MemoCandidates FindCandidates();
    /**
     * Something has happened, or its time is over: drops the known operations that this one can't
     * be like any more, looks for others if none is left, and goes on by messages without any.
     * @return whether it is held
     */
    bool MayBeLikeOne();
    /** None of those that it might have been like is left: looks for others. @return as Begin() */
    bool LookForOthers();
    /** A rank has become active in an operation that is held. @return whether it is still held */
    bool FollowActive(uint32_t place, Picoseconds at);
    /** A rank has entered that goes by messages. */
    void Record(Place& place);
    /** @return whether others may wait for this operation, or it for them */
    bool MayBeFollowed() const;
    /** Others may wait for what becomes of this operation. */
    void OpenRecording();
    /** They may not any more. @param isBroken whether those who wait are to go on by messages */
    void CloseRecording(bool isBroken);
    /** A rank has ended: says so to those who wait. */
    void RecordEnd(const Place& place);
    /** From now on it is notified when something else happens to its circuits, while it is
     * recorded. */
    void Watch(const Place& place);
    /** It does: nobody is to wait any more. */
    void Interfere() override;
    /** @return the number of a rank, the same in operations that are alike */
    int64_t GetNumber(RankId rank) const;
    /** @return the place that was held and that a message belongs to; null: there is none */
    Place* FindHeld(RankId rank, const TransportMessage& message);
    /** A rank has ended. */
    void CountEnd(Place& place);
    /** All ranks have entered, and the operation is like a known one. */
    void Know(std::shared_ptr<const MemoizedRanks> known);
    /** Has the end at a rank scheduled, in its context, once it is known. */
    void ArmLater(uint32_t place);
    /** Schedules the end at a rank, which is known. */
    void Arm(uint32_t place);
    /** Looks at the operations that it waits for. */
    void LookAtRecordings();
    // MemoRecording::Listener
    void RecordingChanged() override;
    /** The end at a rank. */
    void Deliver(uint32_t place);
    /** All ranks have ended: the counts go up. */
    void Settle();
    /** All ranks have ended, by messages: keeps the operation, if it was undisturbed. */
    void Keep();
    /** All became known: says so to those who wait. @return it */
    std::shared_ptr<const MemoizedRanks> Share(MemoizedRanks ranks);
    /** Schedules the instant at which no known operation may be like this one. */
    void AwaitNext();
    /** That instant has come. */
    void TimeOut();
    /** @return the frames that a rank is to send on a way */
    static FrameTotals ListFrames(const Way& way, uint32_t number, const MemoizedPast& past);
    /** Lists the frames that a rank is to send. */
    void Expect(Place& place, const MemoizedPast& past);
    /** Adds the frames of a way to those of its circuit. */
    void AddFrames(const Way& way, const QueuePairProgress& sent);
    /** Shows them to sinks. */
    void ShowToSinks(const Way& way, const MemoizedTraffic& sent) const;
    /** Messages are neither held nor recorded any more. */
    void GiveUp();
    /** Messages were made up for: the operation may be over at a rank. */
    void Proceed(uint32_t place);
    /** Those that have had circuits from one another, in the order of their beginnings. */
    using Sharing = std::vector<Ptr<MemoizedOperation>>;

    /** @return it, and all that it shares circuits with by way of others */
    Sharing FindSharing();
    /** It shares circuits with no other any more. */
    void Part();
    /** It was refused circuits, or goes by messages: those that have handed some over do, too. */
    void DisturbEarlier();
    /** Its messages are to be made up for. */
    void StopHolding();
    /** They have been. */
    void GoOn();
    /** Sends the messages of operations up to now. */
    static void SendPast(const Sharing& all, Picoseconds now);

    MemoStore::Kind m_kind; //!< of sends: that of the first
    bool m_areSends{false};
    Ptr<MemoStore> m_memory;
    Ranks& m_job;
    Mode m_mode{Mode::BEGINS};
    Picoseconds m_begin{0}; //!< the first rank may send
    std::deque<Place> m_places;
    uint32_t m_entered{0};
    uint32_t m_ended{0};
    std::vector<Held> m_order; //!< in the order of times
    MemoCandidates m_candidates;
    std::unique_ptr<OperationOnCircuits> m_workedOut; //!< null: it can't be, or none has tried
    bool m_hasTried{false};                           //!< to work it out
    std::unique_ptr<SendsOnCircuits> m_sends;         //!< that are worked out; null: none are
    bool m_areNew{false};                             //!< sends like these were not known
    MemoizedCircuits m_circuits;
    std::vector<MemoizedOperation*> m_earlier; //!< that have handed circuits over to it
    std::vector<MemoizedOperation*> m_later;   //!< to which it has
    MemoizedPorts m_ports;
    std::vector<std::pair<Ptr<RdmaEngine>, uint32_t>> m_nicPorts; //!< of circuits
    Ptr<MemoRecording> m_recording; //!< null: nobody may wait for this operation
    FollowedRecordings m_followed;
    bool m_hadEarly{false}; //!< see MessageIsEarly()
    bool m_looks{false};    //!< an event does in this instant
    std::shared_ptr<const MemoizedRanks> m_known;
    EventId m_watch;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMOIZED_OPERATION_H */
