/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATIONS_IN_FLIGHT_H
#define PHOTONIC_RAILS_OPERATIONS_IN_FLIGHT_H

#include "collective-operation.h"
#include "collective-settings.h"
#include "intra-node-fabric.h"
#include "message-poster.h"
#include "numbered-program.h"
#include "operation-choices.h"
#include "operation-flow.h"
#include "operation-record.h"
#include "program-runner.h"
#include "rank-connections.h"

#include "ns3/circuit-broker.h"
#include "ns3/collective-transport.h"
#include "ns3/flow-key.h"
#include "ns3/picoseconds.h"
#include "ns3/transport-times.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The operations of a rank that are in flight, and their flows. It finds the operation of a
 * message or an answer.
 *
 * A message that comes before its operation is called is kept until it is. An answer for an
 * operation that is over is dropped. An operation that failed stays, so that a report names it, but
 * it gets no messages.
 */
class OperationsInFlight : private CollectiveOperation::Owner, private IntraNodeRank
{
  public:
    /** Gets the events of operations. */
    class Listener
    {
      public:
        virtual ~Listener() = default;
        /** Called when something happens: the rank is not stalled. */
        virtual void NoteProgress() = 0;
        /** Called when something has happened. @param at the instant, now or earlier */
        virtual void NoteEarlierProgress(Picoseconds at) = 0;
        /** Called when the choice of an operation that has been called is known. */
        virtual void OperationStarted(const OperationRecord& record) = 0;
        /** Called when an operation is over. */
        virtual void OperationEnded(const OperationRecord& record) = 0;
        /**
         * Called when an operation can't go on.
         * @param description of it in words, followed by a reason
         */
        virtual void OperationFailed(const OperationRecord& record,
                                     const std::string& description) = 0;
        /**
         * Called when an operation takes the messages that have waited for it.
         * @param waiting the messages of its flow that have come before this instant
         */
        virtual void MessagesWereEarly(std::size_t waiting) = 0;
    };

    OperationsInFlight(const NumberedProgram& program,
                       const RankConnections& connections,
                       const ProgramRunner& runner,
                       OperationChoices& choices,
                       const CollectiveSettings& settings,
                       Listener& listener);

    /** Makes the flows of the program, and joins the fabric of the server. */
    void Load();

    /** Reads the settings, which are constant from now on. */
    void Start();

    /** Begins an operation, which the rank calls. @param number of an exchange in the program */
    void Begin(uint32_t number);

    /** @return whether an operation is the next of its flow, and nothing of it has come */
    bool IsNext(uint32_t operation) const;

    /** @return whether the program has operations of a flow */
    bool HasFlow(const FlowKey& flowKey) const;

    /** Starts an operation whose choice has become known, if it has been called. */
    void StartIfCalled(const FlowKey& flowKey,
                       uint64_t number,
                       const OperationChoices::Choice& choice);

    /**
     * @return whether an operation follows that of another rail (RailFold), which detects what
     *         makes it stall
     */
    bool FollowsRail() const;

    // Called by transports
    /** Takes a message for this rank, from a rail or the fabric in the server. */
    void Arrived(const TransportMessage& message);
    /** Takes a message for this rank, from the network of the hosts. */
    void ArrivedFromHost(const TransportMessage& message);
    /** Notes that the other end has a message of this rank. */
    void Settled(const TransportMessage& message);
    /** Handles the failure of a message of this rank. */
    void Failed(const TransportMessage& message, const std::string& why);

    /** The rank's GPU fails, now: nothing that comes after this instant counts. */
    void HaltAfter(Picoseconds at);

    /** All operations go on by messages: something may happen that those worked out as one lack. */
    void GoOnByMessages() const;

    /** @return the most messages of a flow that have waited for operations that are worked out as
     * one and not over */
    uint64_t GetMostEarly() const;

    /** @return the last instant by now at which an operation that is worked out as one has sent or
     * received something; 0: none has */
    Picoseconds GetLastActivity() const;

    /** Drops all operations and flows. */
    void Clear();

    /** @return whether the program has been stopped, or the GPU failed at an earlier instant */
    bool IsStopped() const override;

    /** @return what each operation waits for, in words; empty if there is no operation */
    std::string Describe() const;

  private:
    // CollectiveOperation::Owner
    void RequestCircuits(const CollectiveOperation& operation, uint32_t place) override;
    void NoteEarlierProgress(Picoseconds at) override;
    void MessagesWereEarly(std::size_t waiting) override;
    void OperationStarted(const OperationRecord& record) override;
    void OperationEnded(const OperationRecord& record) override;
    void OperationFailed(const OperationRecord& record, const std::string& description) override;

    // IntraNodeRank
    bool HasGroup(GroupId group) const override;
    void KeepEarly(const TransportMessage& message, Picoseconds at) override;
    void NoteEarly(uint64_t most) override;
    void NoteActivity(Picoseconds at) override;

    /** Starts an operation that has been called. */
    void Start(CollectiveOperation& operation, const OperationChoices::Choice& choice);
    /**
     * @param which the operation's number in the program, and the stage's place among the rank's
     * stages
     */
    void Answered(uint64_t which, const CircuitAnswer& answer);
    /** @return the network that brought a message which is not from the network of the hosts */
    TransportKind GetKind(const TransportMessage& message) const;
    /** @return the flow of a message for this rank */
    OperationFlow& FindFlow(const FlowKey& flowKey, const TransportMessage& message);
    /** Takes a message for this rank. */
    void Take(const TransportMessage& message, TransportKind kind);
    /** @return a message in the terms of its operation */
    FlowMessage MakeFlowMessage(const OperationFlow& flow,
                                const TransportMessage& message,
                                TransportKind kind) const;

    const NumberedProgram& m_program;
    const RankConnections& m_connections;
    const ProgramRunner& m_runner;
    OperationChoices& m_choices;
    const CollectiveSettings& m_settings;
    Listener& m_listener;
    MessagePoster m_poster;
    Picoseconds m_haltedAt{NEVER};      //!< the last instant that counts
    std::vector<OperationFlow> m_flows; //!< by number in the program
    std::map<uint32_t, std::unique_ptr<CollectiveOperation>> m_running; //!< by program number
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATIONS_IN_FLIGHT_H */
