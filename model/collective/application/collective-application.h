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
 * @brief The communication library and the training loop of one rank: runs a rank program.
 *
 * One on each GPU's node. Streams go on side by side; an operation is over when the last message of
 * this rank is settled and the last one for it has come. Operations of a group go in the order in
 * which they stand in the program, on whatever streams; so all ranks number them alike. A message
 * that comes before its operation is called waits for it. Sends of more than EagerLimit wait until
 * their receive is called, on circuits and packet switches alike (SendRendezvous). The messages
 * follow from the algorithm's schedule; circuits are requested stage by stage.
 *
 * Each rank chooses the algorithm by itself, from what all ranks of the group have: the call, the
 * attributes, the circuits that are possible. Where the broker's costs are a rank's own
 * (CircuitBroker::HasOwnCosts()), the first rank of the group, of a send the sender, chooses when
 * it calls the operation, and tells the others, which begin when they know (BootstrapNetwork). So
 * no choice depends on which rank calls first.
 *
 * It models the data path of a library like NCCL: chunks, messages, queue pairs, and no more: the
 * work of the GPU itself (adding, copying) takes no time, nor does calling an operation.
 *
 * Mistakes are found: calls that do not match, an operation in which nothing has happened for
 * StallLimit, a message that fails. Each stops the simulation with a report, or, with
 * AbortOnFailure false, fires a trace source and ends the rank's program there.
 *
 * The application holds the attributes, the connections and the trace sources. ProgramRunner begins
 * operations, OperationsInFlight does those that send, OperationChoices and CircuitHints prepare
 * them, and StallWatch sees that something happens.
 *
 * CollectiveHelper makes these.
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
            0}; //!< messages of a flow that waited for their operation at once, at most
    };

    /** The groups of a program, in its order. */
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
    /** @param transport for messages inside the server; null: there is none */
    void SetScaleUp(Ptr<Transport> transport);
    /** @param transport for messages over the hosts' network; null: there is none */
    void SetHostNetwork(Ptr<Transport> transport);
    /** @param broker grants circuits */
    void SetBroker(Ptr<CircuitBroker> broker);
    /** @param ledger of the job, the same for all ranks */
    void SetLedger(Ptr<CollectiveLedger> ledger);

    /** @param network to the other ranks of the job */
    void SetBootstrap(Ptr<BootstrapNetwork> network);

    /**
     * Sets the program that runs from the start of the application on. Once.
     * @param program may be shared by ranks
     * @param groups those that the program names by number; this rank is in each
     */
    void SetProgram(std::shared_ptr<const RankProgram> program, const Groups& groups);

    /**
     * Fixes the draws of ComputeFactor.
     * @param stream the first stream number
     * @return the number of streams used
     */
    int64_t AssignComputeStream(int64_t stream);

    /** @return the counts, up to the operations that are over */
    const Counters& GetCounters() const;

    /** @return whether it has started; most attributes can't be set any more then */
    bool HasStarted() const;

    /** @return whether all operations of the program are over */
    bool IsOver() const;

    /**
     * The first rank of a group tells how an operation is done.
     * @param number of the operation in its flow
     */
    void HandleChoice(const FlowKey& flowKey,
                      uint64_t number,
                      std::shared_ptr<const AlgorithmChoice> choice);

    /** @return the operations and streams that wait, and for what; empty if none does */
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
    /** Computing that goes on. */
    struct Computing
    {
        Picoseconds start{0};
        EventId end; //!< when it is over
    };

    void StartApplication() override;
    void StopApplication() override;

    // OperationsInFlight::Listener
    void NoteProgress() override;
    void OperationStarted(const OperationRecord& record) override;
    void OperationEnded(const OperationRecord& record) override;
    void OperationFailed(const OperationRecord& record, const std::string& description) override;
    void MessageIsEarly(std::size_t waiting) override;

    /** Has a transport report to the operations in flight. */
    void ListenTo(Ptr<Transport> transport);
    /** @return the attributes as they are now */
    CollectiveSettings MakeSettings() const;
    /** Begins an operation. */
    void Begin(uint32_t operation);
    /** Begins computing. */
    void Compute(uint32_t operation);
    /** Computing is over. */
    void Computed(uint32_t operation);
    /** @return the time that computing takes on this occasion, from the time by the program */
    Picoseconds DrawDuration(Picoseconds duration);
    /** An operation that leaves no record is over. */
    void EndQuietly(uint32_t operation);
    /** An operation is over, and has been counted. */
    void End(uint32_t operation);
    /** Nothing has happened for StallLimit. */
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
    CollectiveSettings m_settings; //!< from the start on
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
