/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_OPERATION_H
#define PHOTONIC_RAILS_COLLECTIVE_OPERATION_H

#include "arrival-steps.h"
#include "collective-settings.h"
#include "intra-node-fabric.h"
#include "message-poster.h"
#include "numbered-program.h"
#include "operation-circuits.h"
#include "operation-flow.h"
#include "operation-past.h"
#include "operation-record.h"
#include "operation-sender.h"
#include "operation-timing.h"
#include "operation-ways.h"
#include "rank-connections.h"

#include "ns3/algorithm-choice.h"
#include "ns3/circuit-broker.h"
#include "ns3/collective-run.h"
#include "ns3/collective-transport.h"
#include "ns3/event-id.h"
#include "ns3/flow-key.h"
#include "ns3/folded-call.h"
#include "ns3/memoized-call.h"
#include "ns3/send-rendezvous.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One operation of a rank that is in flight: a collective operation, a send or a receive.
 *
 * It begins when the rank calls it, and starts when its choice is known. It requests circuits stage
 * by stage. A start-up time after its start it is active: it sends the messages that its run allows
 * on the path that each stage is granted, and takes each message for it one step after its arrival.
 * It releases circuits when a stage is over or withdrawn. It is over when its messages are settled,
 * it has taken the messages for it, and all stages are over.
 *
 * A send waits until SendRendezvous lets it go. A receive reports its call to its sender, if
 * SendRendezvous requires it.
 *
 * An operation whose group is inside a server may be worked out as one with those of the other
 * ranks (IntraNodeFabric). Then it has no run and sends no messages, unless it goes on by messages.
 *
 * On a rail that does the same as another it may have no messages, and ends with the operation of
 * that rail (RailFold). One that is like an earlier one may have none either (OperationMemo).
 */
class CollectiveOperation : private CollectiveRun::Owner,
                            private IntraNodeOperation,
                            private FoldedCall::Owner,
                            private MemoizedCall::Owner
{
  public:
    /** The set of operations that contains this one. */
    class Owner
    {
      public:
        virtual ~Owner() = default;
        /** @return whether the rank has stopped, so that no operation continues */
        virtual bool IsStopped() const = 0;
        /** Requests the circuits of a stage, by its place; Answered() may be called at once. */
        virtual void RequestCircuits(const CollectiveOperation& operation, uint32_t place) = 0;
        /** Something has happened to its messages. @param at the instant, now or earlier */
        virtual void NoteEarlierProgress(Picoseconds at) = 0;
        /** Messages have waited for the operation, which takes its own now. */
        virtual void MessagesWereEarly(std::size_t waiting) = 0;
        /** The choice is known. */
        virtual void OperationStarted(const OperationRecord& record) = 0;
        /** The operation is over; the owner destroys it. */
        virtual void OperationEnded(const OperationRecord& record) = 0;
        /** The operation can't go on. @param description of it, from Describe() */
        virtual void OperationFailed(const OperationRecord& record,
                                     const std::string& description) = 0;
    };

    /**
     * @param number of the operation in the program: an exchange, which the rank calls now
     * @param flow of the operation
     * @param poster of the rank's messages
     */
    CollectiveOperation(const NumberedProgram& program,
                        uint32_t number,
                        OperationFlow& flow,
                        const RankConnections& connections,
                        MessagePoster& poster,
                        Owner& owner);
    ~CollectiveOperation() override;
    CollectiveOperation(const CollectiveOperation&) = delete;
    CollectiveOperation& operator=(const CollectiveOperation&) = delete;

    /**
     * Starts the operation when its choice is known. The operation may be over, and destroyed, when
     * this returns.
     * @param settings of the rank
     * @param messageSize the largest size of a message, in bytes of data
     */
    void Start(std::shared_ptr<const AlgorithmChoice> choice,
               const CollectiveSettings& settings,
               uint64_t messageSize);

    /** @return whether the choice is known */
    bool IsDecided() const
    {
        return m_choice != nullptr;
    }

    /** @return whether it has no messages, and follows the operation of another rail */
    bool FollowsRail() const
    {
        return m_fold && m_fold->IsHeld();
    }

    /** @return whether the choice is the network of the hosts, which needs no circuits */
    bool IsOnHostNetwork() const
    {
        return m_choice->host;
    }

    /** @return the number in the flow */
    uint64_t GetNumber() const
    {
        return m_record.number;
    }

    /** @return the number in the program */
    uint32_t GetProgramNumber() const
    {
        return m_record.operation;
    }

    /** @return the request for a stage, by its place among the rank's */
    const CircuitRequest& GetRequest(uint32_t place) const
    {
        return m_circuits.GetStages()[place].request;
    }

    // Each of the following functions may end the operation, and so destroy it.

    /** Handles the broker's answer to the request for a stage, by its place among the rank's. */
    void Answered(uint32_t place, const CircuitAnswer& answer);
    /** Takes a message that has come and that the operation awaits. */
    void Arrived(const FlowMessage& message);
    /** Notes that a message of the operation is settled. */
    void Settled(const TransportMessage& message);
    /**
     * Notes that a message of the operation has failed, and has not arrived.
     * @return whether it is sent again when the stage has other circuits; else the operation can't
     * go on
     */
    bool SendAgain(const TransportMessage& message);
    /** Reports that the operation can't go on. */
    void Fail(const std::string& why, std::optional<RankId> unreachable = std::nullopt);
    /** Continues a send when the flow's rendezvous has more receives. */
    void ReceiverIsReady();

    /** @return whether the operation has begun to take messages, and awaits this one */
    bool Awaits(const FlowMessage& message) const;

    /** @return the operation in words: "rank 3, operation 4 of its program (...): " */
    std::string Describe() const;
    /** @return what the operation waits for, in words */
    std::string DescribeWaiting() const;
    /** @return what a message of the operation goes through, in words */
    std::string DescribePath(const TransportMessage& message) const;

  private:
    // CollectiveRun::Owner
    void SendMessage(CollectiveRun& run, const CollectiveRun::Message& message) override;

    // IntraNodeOperation
    void IsOverAsOne() override;
    void GoOnByMessages(const IntraNodeHistory& history) override;

    // FoldedCall::Owner
    void UseOwnMessages() override;
    void FollowLeader() override;

    // MemoizedCall::Owner
    void EndMemoized() override;
    void GoOnByMessages(const MemoizedHistory& history) override;

    /** Makes the part in an operation that may be like an earlier one. */
    void Memoize();
    /**
     * Enters a plain operation, if it has circuits and is active.
     * @return whether its messages are held, as it may be like an earlier one
     */
    bool Enter();
    /** Tells the part in an operation that may be like an earlier one that it is active. */
    void ActivateMemo();
    /** Opens the stages that have circuits. */
    void OpenStages();
    /** @return what a send is, or its receive */
    MemoizedSend MakeMemoizedSend() const;
    /** @return what makes up for the messages */
    std::unique_ptr<MemoizedPast> MakePast() const;
    /** @return the operation as those who make up for its messages need it */
    OperationPast::Operation MakePastOperation() const;
    /** Of a send that was held: its receive is called. */
    void TakeReport();

    /** @return whether messages are held, as the operation is like an earlier one */
    bool IsMemoized() const
    {
        return m_memo && m_memo->IsHeld();
    }

    /** Makes the part in an operation of several rails, if rails do the same. */
    void Fold();
    /** @return the messages of a stage that is open, by its place among the rank's */
    FoldedPath MakeFoldedPath(uint32_t place) const;
    /** @return whether the messages of a stage are done @param place of it among the rank's */
    bool IsStageOver(uint32_t place) const;

    /** @return the record of an operation that ends now @param record so far */
    OperationRecord MakeFinalRecord(OperationRecord record) const;
    /** Writes the choice into the record, and has the ledger compare it with the other ranks'. */
    void RecordChoice();
    /** Finds the rank's part of the schedule. */
    void FindPart();
    /** Makes the run, unless there is one. */
    void MakeRun();
    /** @return whether the operation can be worked out as one, as far as the rank knows */
    bool MayBeOne() const;
    /** Calls the operation at the fabric inside the server. @return whether it is worked out */
    bool CallAsOne();
    /** @return the start-up time */
    Time GetStartUp() const;
    /** The start-up is over: begins to send and to take messages, unless they are held. */
    void Activate();
    /** The same, in an event of its own. */
    void StartUpIsOver();
    /** Begins to send and to take messages. */
    void BeginMessages();
    /** Sends the messages that may go now, as no other rail is followed. */
    void SendOwnMessages();
    /** @return the messages of an operation that is over */
    MessageTotals GetTotals() const;
    /** Takes the messages that came before the operation was active. */
    void TakeEarly();
    /**
     * Gives a message to the run when its step is over, or aborts with the mistake in it.
     * @return whether that is now
     */
    bool TakeStep(const FlowMessage& message);
    /** Gives a message to the run whose step is over. */
    void StepIsOver(const FlowMessage& message);
    /** Gives a message to the run, or aborts with the mistake in it. */
    void Deliver(const FlowMessage& message);
    /** Requests the circuits of the next stage. */
    void RequestNextStage();
    /** Sends the report of a called receive to the sender, once there is a path. */
    void ReportToSender();
    /**
     * Acts on a change: releases circuits of stages that are over or withdrawn, and ends the
     * operation if it is over.
     */
    void Follow();
    /** Releases the circuits of stages that are over or withdrawn. */
    void FollowStages();
    /** @return the place in the group of the receiver of a message */
    uint32_t GetPeerOf(const TransportMessage& message) const;
    /** @return whether a report to the sender is due, or is not settled */
    bool IsReporting() const;
    /** @return whether the operation is over */
    bool IsOver() const;

    /** How the operation is worked out. */
    enum class AsOne : uint8_t
    {
        NO,
        RUNNING,
        OVER,
    };

    const NumberedProgram& m_program;
    const RankConnections& m_connections;
    OperationFlow& m_flow;
    Owner& m_owner;
    OperationRecord m_record; //!< without the counts of the run and the circuits
    FlowKey m_flowKey;
    std::vector<RankId> m_ranks; //!< by place
    std::shared_ptr<const AlgorithmChoice> m_choice;
    std::shared_ptr<const RankSchedule> m_part;
    uint64_t m_messageSize{0};
    std::unique_ptr<CollectiveRun> m_run; //!< null before it is needed
    std::unique_ptr<FoldedCall> m_fold;   //!< null: each rail is simulated
    std::unique_ptr<MemoizedCall> m_memo; //!< null: the operation is simulated
    bool m_hasBegunMessages{false};
    OperationCircuits m_circuits;
    OperationWays m_ways;
    OperationSender m_sender;
    EagerLimits m_eager;
    OperationTiming m_timing;
    std::unique_ptr<ArrivalSteps> m_steps; //!< null before it is needed
    EventId m_startUp;
    AsOne m_asOne{AsOne::NO};
    MessageTotals m_totals;  //!< of an operation that is worked out as one
    uint64_t m_mostEarly{0}; //!< messages that came before it was active
    bool m_allowsAsOne{false};
    bool m_allowsMemo{false};
    bool m_isPlain{false};         //!< it has one stage on a rail, and takes no time of its own
    bool m_isInside{false};        //!< it has messages inside servers, too
    bool m_isActiveForMemo{false}; //!< the part in that is active
    bool m_hasEntered{false};      //!< and has circuits
    /** One that is over at its call is not counted: other events of that instant decide how. */
    bool m_isCountedAsOne{false};
    bool m_begun{false};      //!< Start() has been called, and no other function runs it
    bool m_isActive{false};   //!< the start-up is over
    Picoseconds m_active{0};  //!< when it was
    bool m_hasPath{false};    //!< there is a path for reports to the sender
    bool m_following{false};  //!< Follow() is under way
    bool m_again{false};      //!< it was called again meanwhile
    bool m_held{false};       //!< of a send: the receiver is not known to be ready
    bool m_mustReport{false}; //!< of a receive: a report to the sender is due
    uint32_t m_notices{0};    //!< of a receive: messages to the sender that are not settled
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_OPERATION_H */
