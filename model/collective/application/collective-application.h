/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_APPLICATION_H
#define PHOTONIC_RAILS_COLLECTIVE_APPLICATION_H

#include "bootstrap-network.h"
#include "collective-ledger.h"
#include "collective-run.h"
#include "rank-program.h"
#include "send-rendezvous.h"

#include "ns3/application.h"
#include "ns3/circuit-broker.h"
#include "ns3/collective-transport.h"
#include "ns3/communication-group.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** What an operation of a rank's came to. */
struct OperationRecord
{
    RankId rank;
    uint32_t operation{0};   //!< its number in the rank's program
    RankOperation call;      //!< what it was
    std::string group{};     //!< the name of the group, if there is one
    uint64_t number{0};      //!< in the group, or among the sends between two ranks
    std::string algorithm{}; //!< that was run
    uint32_t rounds{0};      //!< of the algorithm
    Picoseconds start{0};    //!< the rank called it
    Picoseconds end{0};      //!< all was settled, and all had come
    Picoseconds waited{0};   //!< with nothing granted: for circuits
    uint64_t messagesSent{0};
    uint64_t bytesSent{0};
    uint64_t messagesReceived{0};
    uint64_t bytesReceived{0};
    bool fellBack{false}; //!< the fallback was run
    bool host{false};     //!< it went over the network of the hosts, by choice
    std::string reason{}; //!< why it was chosen to be done like that, if there was a choice
    std::string why{};    //!< why it was the fallback, or why it failed
};

/**
 * @ingroup photonic-rails
 * @brief The communication library and the training loop of one rank: runs a rank program.
 *
 * One on each GPU's node. Streams go on side by side; an operation is over when the last message of
 * this rank's is settled and the last for it has come. Operations of a group go in the order in
 * which they stand in the program, on whatever streams; so all ranks number them alike. A message
 * that comes before its operation is called waits for it. Sends of more than EagerLimit wait until
 * their receive is called, on circuits and packet switches alike (SendRendezvous). Whom to send
 * what follows from the algorithm's schedule; circuits are asked for stage by stage.
 *
 * Which algorithm that is each rank works out by itself, from what all ranks of the group have:
 * the call, the attributes, what can be joined. Where the broker's costs are a rank's own
 * (CircuitBroker::HasOwnCosts()), the first rank of the group, of a send the sender, chooses when
 * it calls the operation, and tells the others, who begin when they know (BootstrapNetwork). So no
 * choice depends on which rank calls first.
 *
 * It models the data path of a library like NCCL: chunks, messages, queue pairs, and no more: the
 * work of the GPU itself (adding, copying) takes no time, nor does calling an operation.
 *
 * What can go wrong is found: calls that do not match, an operation that nothing has happened in
 * for StallLimit, a message that fails. Each stops the simulation with who, what and why, or with
 * AbortOnFailure false, fires a trace source and ends the rank's program there.
 *
 * CollectiveHelper makes these.
 */
class CollectiveApplication : public Application
{
  public:
    /** What it has counted. */
    struct Counters
    {
        uint64_t started{0}; //!< operations, computing included
        uint64_t ended{0};
        uint64_t failed{0};
        uint64_t messagesSent{0};
        uint64_t bytesSent{0};
        uint64_t messagesReceived{0};
        uint64_t bytesReceived{0};
        uint64_t mostEarly{0}; //!< messages that waited for their operation at once, at most
    };

    /** The groups of a program, in its order. */
    using Groups = std::vector<std::shared_ptr<const CommunicationGroup>>;

    /** @return the type */
    static TypeId GetTypeId();

    CollectiveApplication();
    ~CollectiveApplication() override;

    /** @param rank whose it is */
    void SetRank(RankId rank);
    /** @return whose it is */
    RankId GetRank() const;

    /** @param transport for messages between servers */
    void SetRail(Ptr<Transport> transport);
    /** @param transport for messages inside the server; null: there is none */
    void SetScaleUp(Ptr<Transport> transport);
    /** @param transport for messages over the hosts' network; null: there is none */
    void SetHostNetwork(Ptr<Transport> transport);
    /** @param broker gives circuits */
    void SetBroker(Ptr<CircuitBroker> broker);
    /** @param ledger of the job */
    void SetLedger(Ptr<CollectiveLedger> ledger);

    /** @param network to the other ranks of the job */
    void SetBootstrap(Ptr<BootstrapNetwork> network);

    /**
     * Sets what to do from the start of the application on. Once.
     * @param program what; it may be others' too
     * @param groups which groups it means; this rank is in each
     */
    void SetProgram(std::shared_ptr<const RankProgram> program, const Groups& groups);

    /**
     * Fixes the draws of ComputeFactor.
     * @param stream the first stream number
     * @return the number of streams used
     */
    int64_t AssignComputeStream(int64_t stream);

    /** @return what it has counted, up to the operations that are over */
    const Counters& GetCounters() const;

    /** @return whether it has started: most attributes are read by then, and can't be set any more
     */
    bool HasStarted() const;

    /** @return whether all operations of the program are over */
    bool IsOver() const;

    /**
     * The first rank of a group tells how an operation is done.
     * @param flow the operation's
     * @param number of it there
     * @param choice how it is done
     */
    void HandleChoice(const FlowKey& flowKey,
                      uint64_t number,
                      std::shared_ptr<const AlgorithmChoice> choice);

    /** @return who waits for whom and on what, in words; empty if nobody waits */
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
    struct Operation;
    friend struct Operation;

    /** A message, as its operation knows it. */
    struct Incoming
    {
        uint32_t tag{0};
        uint32_t peer{0}; //!< a place among the operation's ranks
        uint16_t channel{0};
        uint64_t bytes{0};
    };

    /** A group, or the sends between two ranks, as this rank takes part in it. */
    struct Exchange
    {
        uint32_t group{0};          //!< of the program's
        uint64_t called{0};         //!< operations that have been given a number
        uint64_t over{0};           //!< operations that are over: the number of the next
        Operation* now{nullptr};    //!< the one that runs
        std::deque<Incoming> early; //!< messages of operations that are not called yet
        SendRendezvous rendezvous;  //!< of sends: what is known of their receives
        std::shared_ptr<const RankSchedule> part; //!< of the last operation: often the next one's
        /** How operations are done that are not over, as far as it is known, by number. */
        std::map<uint64_t, std::shared_ptr<const AlgorithmChoice>> choices;
    };

    /** Computing that goes on. */
    struct Computing
    {
        Picoseconds start{0};
        EventId end; //!< when it is over
    };

    void SetEagerBytes(uint64_t bytes);
    uint64_t GetEagerBytes() const;
    void SetEagerSends(uint32_t sends);
    uint32_t GetEagerSends() const;

    void StartApplication() override;
    void StopApplication() override;

    /** Is told by a transport from now on. */
    void ListenTo(Ptr<Transport> transport);
    /** Gives each operation its number in its flow. */
    void Number();
    /** Starts whatever can start. */
    void Proceed();
    /** @return the first operation of the program that can start now, if there is any */
    std::optional<uint32_t> FindNext() const;
    /** @return whether an operation can start now */
    bool CanStart(uint32_t operation) const;
    /** Starts an operation. */
    void Begin(uint32_t operation);
    /** Starts one that others take part in, or that the broker is told. */
    void BeginExchange(uint32_t operation);
    /** Computing is over. */
    void Computed(uint32_t operation);
    /** Makes the parameters of the algorithm of a call. */
    CollectiveParameters MakeParameters(const RankOperation& call) const;
    /** @return whether all ranks of a group are in one server, whose fabric joins them */
    bool IsIntraNode(const CommunicationGroup& group) const;
    /** @return whether the other rank of a send or receive is in the same server */
    bool IsBesideMe(const RankOperation& call) const;
    /** @return bytes of a message at most */
    uint64_t GetMessageSize(const RankOperation& call) const;
    /** @return the ranks that take part in an operation, in order; of a send two */
    std::vector<RankId> RanksOf(uint32_t operation) const;
    /** @return what a call's algorithm is chosen by */
    AlgorithmPreference MakePreference(uint32_t operation) const;
    /** @return how an operation is done; null: the rank that chooses has not told yet */
    std::shared_ptr<const AlgorithmChoice> GetChoice(uint32_t operation);
    /** It is known how an operation is done that has been called. */
    void Start(Operation& operation, std::shared_ptr<const AlgorithmChoice> choice);
    /** Gives an operation its messages that came early. */
    void TakeEarly(Operation& operation, Exchange& exchange);
    /** Tells the sender that its receive has been called, once there is a path. */
    void TellSender(Operation& operation);
    /** The receiver has called receives. */
    void ReceiverIsReady(const FlowKey& flowKey, uint32_t word);
    /** Asks for the circuits of the next stage. */
    void Ask(Operation& operation);
    /** Asks for the circuits of a stage, by its place among the rank's. */
    void AskFor(Operation& operation, uint32_t stage);
    /** @return the ask for a stage of the schedule of an operation, but for the bytes */
    CircuitRequest MakeRequest(const FlowKey& flowKey,
                               uint64_t number,
                               const std::vector<RankId>& ranks,
                               const AlgorithmChoice& choice,
                               uint32_t stage) const;
    /** Tells the broker what circuits are for. */
    void Hint(uint32_t operation);
    /** The broker has answered a hint. */
    void Hinted(uint64_t operation, const CircuitAnswer& answer);
    /** Something that takes no time is over. */
    void EndAtOnce(uint32_t operation);
    /** @return how long computing takes this time @param duration by the program */
    Picoseconds DrawDuration(Picoseconds duration);
    /** The broker has answered: the operation's number, and which of the rank's stages. */
    void Answered(uint64_t which, const CircuitAnswer& answer);
    /** Sends a message of an operation's. */
    void Send(Operation& operation, const CollectiveRun::Message& message);
    /** Sends something on the path of a message of an operation's. */
    void SendOn(Operation& operation,
                const CollectiveRun::Message& path,
                const TransportMessage& out);
    /** @return the flow of a message */
    FlowKey FlowKeyOf(const TransportMessage& message) const;
    void Arrived(const TransportMessage& message);
    /** A message is one of an operation that runs. @return what is wrong with it, or nothing */
    std::string Deliver(Operation& operation, const Incoming& message);
    void Settled(const TransportMessage& message);
    void Failed(const TransportMessage& message, const std::string& why);
    /** Says which stages are over, and ends an operation that is. */
    void Follow(Operation& operation);
    /** Says which stages are over, or given back. */
    void FollowStages(Operation& operation);
    /** An operation that others take part in is over. */
    void EndExchange(Operation& operation);
    /** An operation is over. */
    void End(uint32_t operation);
    /** An operation can't go on. */
    void GiveUp(Operation& operation, const std::string& why);
    /** Something happened: nobody is stalled. */
    void NoteProgress();
    /** Finds out whether anything has happened lately. */
    void CheckStall();
    /** @return an operation's state in words */
    std::string Tell(const Operation& operation) const;

    uint64_t m_messageSize;
    uint64_t m_pointToPointSize;
    uint64_t m_insideSize;
    uint32_t m_channels;
    bool m_bidirectional;
    bool m_fallback;
    bool m_mayUseHost;
    EagerLimits m_eager;
    Time m_bootstrapLatency;
    uint64_t m_bytesPerSecond;
    Time m_hopLatency;
    Ptr<RandomVariableStream> m_computeFactor;
    Time m_stallLimit;
    bool m_abort;

    RankId m_rank;
    Ptr<Transport> m_rail;
    Ptr<Transport> m_scaleUp;
    Ptr<Transport> m_host;
    Ptr<CircuitBroker> m_broker;
    Ptr<CollectiveLedger> m_ledger;
    Ptr<BootstrapNetwork> m_bootstrap;
    std::shared_ptr<const RankProgram> m_program;
    Groups m_groups;

    std::vector<FlowKey> m_flowKey;               //!< by operation
    std::vector<uint64_t> m_number;               //!< by operation: in its flow
    std::vector<bool> m_done;                     //!< by operation
    std::vector<std::vector<uint32_t>> m_streams; //!< operations of each
    std::vector<uint32_t> m_next;                 //!< by stream: the place of the next
    std::vector<bool> m_busy;                     //!< by stream
    std::map<FlowKey, Exchange> m_exchanges;
    std::map<uint32_t, std::unique_ptr<Operation>> m_running; //!< by number in the program
    std::map<uint32_t, Computing> m_computing;                //!< by number
    std::vector<uint32_t> m_undecided; //!< hints for operations of which the choice is not known
    bool m_started{false};
    bool m_stopped{false};
    bool m_proceeding{false};
    bool m_again{false}; //!< something else can start
    Picoseconds m_progress{0};
    EventId m_stallCheck;
    Counters m_counters;

    TracedCallback<const OperationRecord&> m_operationStarted;
    TracedCallback<const OperationRecord&> m_operationEnded;
    TracedCallback<const OperationRecord&> m_operationFailed;
    TracedCallback<const std::string&> m_stalled;
    TracedCallback<RankId> m_programEnded;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_APPLICATION_H */
