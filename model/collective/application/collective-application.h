/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_APPLICATION_H
#define PHOTONIC_RAILS_COLLECTIVE_APPLICATION_H

#include "bootstrap-network.h"
#include "circuit-hints.h"
#include "collective-ledger.h"
#include "collective-settings.h"
#include "flow-key.h"
#include "numbered-program.h"
#include "operation-choices.h"
#include "operation-record.h"
#include "operations-in-flight.h"
#include "program-runner.h"
#include "rank-connections.h"
#include "rank-program.h"
#include "stall-watch.h"

#include "ns3/application.h"
#include "ns3/circuit-broker.h"
#include "ns3/collective-transport.h"
#include "ns3/communication-group.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
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
 * It models the data path of a library like NCCL: chunks, messages, queue pairs. The work of the
 * GPU itself (adding, copying) takes no time, and neither does the call of an operation.
 *
 * It finds mistakes: calls that do not match, an operation in which nothing has happened for
 * StallLimit, a message that fails. Each stops the simulation with a report, or, with
 * AbortOnFailure false, fires a trace source and ends the rank's program there.
 *
 * The application holds the attributes, the connections and the trace sources. ProgramRunner begins
 * operations, OperationsInFlight runs those that send, OperationChoices and CircuitHints prepare
 * them, and StallWatch detects stalls.
 *
 * CollectiveHelper installs it.
 */
class CollectiveApplication : public Application, private OperationsInFlight::Listener
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
        uint64_t mostEarly{
            0}; //!< the most messages of a flow that waited for their operation at once
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
    RankId GetRank() const;

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

    /** @param network to the other ranks of the job */
    void SetBootstrap(Ptr<BootstrapNetwork> network);

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

    /** @return the counts of operations and messages so far */
    const Counters& GetCounters() const;

    /** @return whether it has started, after which most attributes can't be set */
    bool HasStarted() const;

    /** @return whether all operations of the program are over */
    bool IsOver() const;

    /**
     * Receives the choice that the first rank of a group made for an operation.
     * @param number of the operation in its flow
     */
    void HandleChoice(const FlowKey& flowKey,
                      uint64_t number,
                      std::shared_ptr<const AlgorithmChoice> choice);

    /**
     * @return a report of the operations and streams that wait, with reasons; empty if none does
     */
    std::string GetReport() const;

    /** Signature of OperationStarted, OperationEnded, OperationFailed. */
    typedef void (*RecordCallback)(const OperationRecord& record);
    /** Signature of Stalled: a report. */
    typedef void (*ReportCallback)(const std::string& report);
    /** Signature of ProgramEnded. */
    typedef void (*RankCallback)(RankId rank);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /** A computation that is in progress. */
    struct Computing
    {
        Picoseconds start{0};
        EventId end; //!< fires at its end
    };

    void StartApplication() override;
    void StopApplication() override;

    // OperationsInFlight::Listener
    void NoteProgress() override;
    void OperationStarted(const OperationRecord& record) override;
    void OperationEnded(const OperationRecord& record) override;
    void OperationFailed(const OperationRecord& record, const std::string& description) override;
    void MessageIsEarly(std::size_t waiting) override;

    /** Makes a transport report to the operations in flight. */
    void ListenTo(Ptr<Transport> transport);
    /** @return the attributes as they are now */
    CollectiveSettings MakeSettings() const;
    /** Begins an operation of any kind. */
    void Begin(uint32_t operation);
    /** Begins computing. */
    void Compute(uint32_t operation);
    /** Ends a computation. */
    void Computed(uint32_t operation);
    /**
     * @param duration in the program
     * @return the duration of the computation in this run
     */
    Picoseconds DrawDuration(Picoseconds duration);
    /** Ends an operation that leaves no record. */
    void EndQuietly(uint32_t operation);
    /** Ends an operation that has been counted. */
    void End(uint32_t operation);
    /** Reports that nothing has happened for StallLimit. */
    void Stalled();

    uint64_t m_messageSize;
    uint64_t m_pointToPointSize;
    uint64_t m_insideSize;
    uint32_t m_channels;
    bool m_bidirectional;
    bool m_fallback;
    bool m_mayUseHost;
    uint64_t m_eagerBytes;
    uint32_t m_eagerSends;
    Time m_bootstrapLatency;
    uint64_t m_bytesPerSecond;
    Time m_hopLatency;
    Ptr<RandomVariableStream> m_computeFactor;
    Time m_stallLimit;
    bool m_abort;

    RankConnections m_connections;
    CollectiveSettings m_settings; //!< constant from the start
    NumberedProgram m_program;
    ProgramRunner m_runner;
    OperationChoices m_choices;
    CircuitHints m_hints;
    OperationsInFlight m_inFlight;
    StallWatch m_watch;
    std::map<uint32_t, Computing> m_computing; //!< by operation
    Counters m_counters;

    TracedCallback<const OperationRecord&> m_operationStarted;
    TracedCallback<const OperationRecord&> m_operationEnded;
    TracedCallback<const OperationRecord&> m_operationFailed;
    TracedCallback<const std::string&> m_stalled;
    TracedCallback<RankId> m_programEnded;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_APPLICATION_H */
