/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_APPLICATION_H
#define PHOTONIC_RAILS_COLLECTIVE_APPLICATION_H

#include "bootstrap-network.h"
#include "circuit-hints.h"
#include "collective-application-base.h"
#include "collective-ledger.h"
#include "intra-node-fabric.h"
#include "numbered-program.h"
#include "operation-choices.h"
#include "operation-record.h"
#include "operations-in-flight.h"
#include "program-runner.h"
#include "rank-computations.h"
#include "rank-connections.h"
#include "rank-program.h"
#include "rank-stretches.h"
#include "stall-watch.h"
#include "straggler-awareness.h"

#include "ns3/circuit-broker.h"
#include "ns3/collective-transport.h"
#include "ns3/communication-group.h"
#include "ns3/flow-key.h"
#include "ns3/nstime.h"
#include "ns3/picoseconds.h"
#include "ns3/rail-fold.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The communication library and the training loop of one rank. It runs a rank program.
 *
 * Each GPU's node has one. Streams run in parallel. An operation is over when the last message of
 * this rank is settled and the last message for the rank has come. Operations of a group run in the
 * order of the program, on all streams, so all ranks number them alike. A message that comes before
 * its operation is called waits for it. A send of more than EagerLimit waits until its receive is
 * called, on circuits and on packet switches (SendRendezvous). The messages follow from the
 * algorithm's schedule; circuits are requested stage by stage.
 *
 * Each rank chooses the algorithm by itself, from data that all ranks of the group have: the call,
 * the attributes, the possible circuits. Where the broker's costs are a rank's own
 * (CircuitBroker::HasOwnCosts()), the first rank of the group, of a send the sender, chooses when
 * it calls the operation, and sends its choice to the others, which begin when they have it
 * (BootstrapNetwork). So no choice depends on which rank calls first.
 *
 * It models the data path of a library like NCCL: chunks, messages, queue pairs, and the bytes that
 * a protocol adds to data (CollectiveProtocol). The work of the GPU and of the library (launching,
 * adding, copying, posting) takes a start-up time, a time for each step and a time for each
 * message, by network (CollectiveTimes); all are 0 by default.
 *
 * It finds mistakes: calls that do not match, an operation in which nothing has happened for
 * StallLimit, a message that fails. Each stops the simulation with a report, or, with
 * AbortOnFailure false, fires a trace source and ends the rank's program there.
 *
 * CollectiveApplicationBase has the attributes and the trace sources. ProgramRunner begins
 * operations, OperationsInFlight runs those that send, RankComputations those that compute.
 * OperationChoices and CircuitHints prepare operations, and StallWatch detects stalls.
 *
 * CollectiveHelper installs it.
 */
class CollectiveApplication : public CollectiveApplicationBase,
                              private OperationsInFlight::Listener,
                              private RankStretches::Listener
{
  public:
    /** Counts of operations and messages. */
    struct Counters
    {
        uint64_t started{0}; //!< operations, computing included
        uint64_t ended{0};
        uint64_t failed{0};
        uint64_t messagesSent{0};
        uint64_t bytesSent{0};
        uint64_t messagesReceived{0};
        uint64_t bytesReceived{0};
        uint64_t asOne{0};       //!< operations worked out as one, without events for messages
        uint64_t inStretches{0}; //!< of these, in stretches that were worked out as a whole
        uint64_t stragglAr{0};   //!< operations by StragglAR
        uint64_t mostEarly{0}; //!< most messages of a flow that waited for their operation at once
    };

    /** The groups of a program, in its order of numbers. */
    using Groups = CommunicationGroups;

    /** @return the type */
    static TypeId GetTypeId();

    CollectiveApplication();
    ~CollectiveApplication() override;

    /** Sets the rank, before SetProgram(). */
    void SetRank(RankId rank);

    /** @return the rank */
    RankId GetRank() const
    {
        return m_connections.rank;
    }

    /** @param transport for messages between servers */
    void SetRail(Ptr<Transport> transport);
    /** @param transport for messages inside the server; null: there is no scale-up fabric */
    void SetScaleUp(Ptr<Transport> transport);
    /** @param transport for messages over the network of the hosts; null: there is none */
    void SetHostNetwork(Ptr<Transport> transport);
    /** @param broker that grants circuits */
    void SetBroker(Ptr<CircuitBroker> broker);
    /** @param ledger of the job, shared by all ranks */
    void SetLedger(Ptr<CollectiveLedger> ledger);

    /** @param intraNode works out operations of the server as one; null: they go by messages */
    void SetIntraNode(Ptr<IntraNodeFabric> intraNode);

    /** @param network to the other ranks of the job */
    void SetBootstrap(Ptr<BootstrapNetwork> network);

    /** @param fold of the rails of the job; default: each rail is simulated */
    void SetFold(Ptr<RailFold> fold);

    /** @param memo of the job; null: no operation is like an earlier one */
    void SetMemo(Ptr<OperationMemo> memo);

    /**
     * Sets the program that runs from the start of the application. Can be called once.
     * @param program may be shared by ranks
     * @param groups that the program names by number; this rank is in each of them
     */
    void SetProgram(std::shared_ptr<const RankProgram> program, const Groups& groups);

    /**
     * Fixes the draws of ComputeFactor.
     * @param stream the first stream number
     * @return the number of streams used
     */
    int64_t AssignComputeStream(int64_t stream);

    /**
     * The rank's GPU fails, now: its program ends for good. What happens at this instant still
     * counts, whatever the order of events; nothing that comes later does. Its circuits are given
     * back, as the shim notices the end of the process. The peers of its operations notice it by
     * the retry limits of their messages, or stall. The scale-up fabric still delivers what it has
     * been given.
     */
    void Halt();

    /** @return whether the GPU has failed */
    bool IsHalted() const
    {
        return m_isHalted;
    }

    /**
     * @param factor of the times of computations, also of what is left of those in progress: above
     *        1 is slower, 1 is as fast as ever; up to 1,000
     */
    void SetSlowFactor(double factor);

    /** @return the counts of operations and messages so far */
    const Counters& GetCounters() const;

    void CatchUp() const override;

    bool HasStarted() const override;

    /** @return whether all operations of the program are over */
    bool IsOver() const;

    /**
     * Ends the process of the rank, now: it computes, calls and sends nothing any more, and its
     * operations that are not over have failed. The trace ProcessEnded fires. Its queue pairs stay
     * as they are: see RdmaEngine::Reset(). Does nothing if it was called before.
     * @param leaves whether the broker is notified, so that others need not wait for the circuits
     *        that it holds; not if the whole server is lost
     */
    void EndProcess(bool leaves);

    /**
     * Receives the choice that the first rank of a group made for an operation.
     * @param number of the operation in its flow
     */
    void HandleChoice(const FlowKey& flowKey,
                      uint64_t number,
                      std::shared_ptr<const AlgorithmChoice> choice);

    /** Receives the call of a rank of a group whose first rank this is. */
    void HandleCall(GroupId group, const RankCall& call);

    /**
     * @return a report of the operations and streams that wait, with reasons; empty if none does
     */
    std::string GetReport() const;

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    // OperationsInFlight::Listener
    void NoteProgress() override;
    void NoteEarlierProgress(Picoseconds at) override;
    void OperationStarted(const OperationRecord& record) override;
    void OperationEnded(const OperationRecord& record) override;
    void OperationFailed(const OperationRecord& record, const std::string& description) override;
    void MessagesWereEarly(std::size_t waiting) override;

    // RankStretches::Listener
    std::optional<double> GetFactor() const override;
    void StretchIsLeftAt(uint32_t operation) override;
    void OperationOver(const OperationRecord& record) override;
    void StretchEnded() override;

    /** Makes a transport report what becomes of messages to the operations in flight. */
    void ListenTo(Ptr<Transport> transport);
    /** Begins an operation of any kind. */
    void Begin(uint32_t operation);
    /** Begins computing. */
    void Compute(uint32_t operation);
    /** Ends a computation. */
    void Computed(uint32_t operation, Time start);
    /**
     * @param duration in the program
     * @return the duration of the computation in this run
     */
    Time DrawDuration(Time duration);
    /** Ends an operation that leaves no record. */
    void EndQuietly(uint32_t operation);
    /** Counts an operation that is over, and reports it. */
    void Count(const OperationRecord& record);
    /** Ends an operation that has been counted. */
    void End(uint32_t operation);
    /** Goes on with the program. */
    void GoOn();
    /** Reports that nothing has happened for StallLimit. */
    void Stalled();

    bool m_hasEnded{false}; //!< by EndProcess()
    RankConnections m_connections;
    CollectiveSettings m_settings; //!< constant from the start
    NumberedProgram m_program;
    ProgramRunner m_runner;
    StragglerAwareness m_stragglers;
    OperationChoices m_choices;
    CircuitHints m_hints;
    OperationsInFlight m_inFlight;
    RankComputations m_computations;
    RankStretches m_stretches;
    StallWatch m_watch;
    bool m_isHalted{false};      //!< the GPU has failed
    mutable Counters m_counters; //!< mostEarly of operations in flight is added when it is read
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_APPLICATION_H */
