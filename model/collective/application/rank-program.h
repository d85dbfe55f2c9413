/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANK_PROGRAM_H
#define PHOTONIC_RAILS_RANK_PROGRAM_H

#include "ns3/circuit-broker.h"
#include "ns3/collective-kind.h"
#include "ns3/demand-matrix.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/** One operation of a rank. */
struct RankOperation
{
    /** The kind of operation. */
    enum class Kind : uint8_t
    {
        COMPUTE,    //!< the GPU computes: takes time, without other ranks
        COLLECTIVE, //!< a collective operation with all ranks of a group
        SEND,       //!< a send to another rank of a group
        RECEIVE,    //!< a receive from another rank of a group
        ITERATION,  //!< reports to the broker that another iteration begins; takes no time
        CIRCUITS,   //!< gives the broker a circuit hint; takes no time, except ACQUIRE
    };

    Kind kind{Kind::COMPUTE};
    uint32_t stream{0};            //!< operations of a stream run one after another
    std::vector<uint32_t> after{}; //!< numbers of earlier operations that it depends on
    std::string label{};           //!< for readers of traces: "forward 3"

    Time duration{0}; //!< of COMPUTE

    uint32_t group{0}; //!< index of one of the groups that the rank has with its program
    CollectiveKind collective{CollectiveKind::ALL_REDUCE};
    uint64_t bytes{0}; //!< the buffer (see CollectiveKind), or the size of the send or receive
    std::string algorithm{}; //!< by name; empty: chosen by cost
    uint32_t place{0};       //!< in the group: the root, or the other rank of a send or receive
    uint32_t straggler{0};   //!< in the group: the rank that is expected to be late
    std::shared_ptr<const DemandMatrix> demand{}; //!< of an ALL_TO_ALL_V
    bool isOverHosts{false};  //!< over the network of the hosts, whatever circuits would take
    bool isBackground{false}; //!< no iteration waits for it: state that is copied beside training
    std::optional<uint32_t> checkpoint{}; //!< it copies the state after so many iterations

    CircuitHint::Kind hint{CircuitHint::Kind::PREFETCH}; //!< of CIRCUITS
    uint32_t first{0}; //!< of CIRCUITS: the first operation that the circuits are for, by number
    uint32_t last{0};  //!< of CIRCUITS: the last one, in the same group and direction
    Time due{0};       //!< of CIRCUITS: the expected time from the hint to the first operation

    RankOperation() = default;
    ~RankOperation() = default;
    RankOperation(const RankOperation& other) = default;
    RankOperation& operator=(const RankOperation& other) = default;
    // Time does not declare that it moves without exceptions; a growing program must not copy
    RankOperation(RankOperation&& other) noexcept = default;
    RankOperation& operator=(RankOperation&& other) noexcept = default;

    /** @return whether other ranks take part in it */
    bool IsExchange() const
    {
        return kind == Kind::COLLECTIVE || kind == Kind::SEND || kind == Kind::RECEIVE;
    }
};

/**
 * @return what an operation does in a word: compute, send, receive, iteration, circuits, or the
 *         name of its collective
 */
const char* NameOfKind(const RankOperation& operation);

/** One of several sends that are posted together. */
struct GroupedSend
{
    uint32_t from{0}; //!< the sender: a place in the group
    uint32_t to{0};   //!< the receiver: another place
    uint64_t bytes{0};
};

/**
 * @ingroup photonic-rails
 * @brief The work of a rank: operations on streams, with dependencies.
 *
 * An operation begins when the previous one on its stream and its dependencies are over. The
 * program names groups by number, and a rank has the groups beside the program. So ranks with the
 * same work share one program.
 * @code
 * RankProgram program;
 * const uint32_t forward = program.Compute(0, MilliSeconds(2), "forward");
 * const uint32_t gradients = program.Collective(1, 0, CollectiveKind::ALL_REDUCE, 1 << 30);
 * program.After(gradients, forward);
 * @endcode
 */
class RankProgram
{
  public:
    /** Adds an operation, whose dependencies must have been added before. @return its number */
    uint32_t Add(const RankOperation& operation);

    /** Adds a computation. @return its number */
    uint32_t Compute(uint32_t stream, Time duration, const std::string& label = "");

    /**
     * Adds a collective operation.
     * @param stream that it runs on
     * @param group index among the rank's groups
     * @param bytes of the buffer
     * @param algorithm by name; empty: chosen by cost
     * @return its number
     */
    uint32_t Collective(uint32_t stream,
                        uint32_t group,
                        CollectiveKind kind,
                        uint64_t bytes,
                        const std::string& algorithm = "");

    /** Adds a send. @param to the receiver: a place in the group @return its number */
    uint32_t Send(uint32_t stream, uint32_t group, uint32_t to, uint64_t bytes);

    /** Adds a receive. @param from the sender: a place in the group @return its number */
    uint32_t Receive(uint32_t stream, uint32_t group, uint32_t from, uint64_t bytes);

    /**
     * Adds sends and receives that are posted together, as between ncclGroupStart() and
     * ncclGroupEnd(), or by batch_isend_irecv(). It is one operation of the group. All of its ranks
     * call it with the same list, also those that neither send nor receive. So each has all pairs,
     * and the circuits for all of them are requested at once. It runs by "grouped-sends": directly
     * from rank to rank, at once if every rank has a port for each partner, else matching by
     * matching.
     * @param group index among the rank's groups
     * @param ranks number of ranks in the group
     * @param sends all of them; the bytes of those with the same sender and receiver are added
     * @return its number
     */
    uint32_t SendReceiveGroup(uint32_t stream,
                              uint32_t group,
                              uint32_t ranks,
                              const std::vector<GroupedSend>& sends);

    /**
     * Begins another iteration: after all operations added so far, but those in the background, and
     * before all later ones.
     * Control planes that look ahead expect it to be much like the previous one.
     * @return the number of this operation, on stream 0
     */
    uint32_t BeginIteration();

    /**
     * Adds a circuit hint for a control plane that leaves the schedule to rank programs (the policy
     * co-scheduled). Edit() sets its operations, `first` and `last`; they may be added later.
     * @return the number of the hint
     */
    uint32_t Hint(uint32_t stream, CircuitHint::Kind hint);

    /**
     * Adds a dependency: an operation begins after another is over.
     * @param operation a number
     * @param earlier a smaller number
     */
    void After(uint32_t operation, uint32_t earlier);

    /** Gives back memory that is kept for more operations. */
    void Shrink();

    /** @return the operations, by number */
    const std::vector<RankOperation>& GetOperations() const;

    /** @return an operation, to set members that the functions above do not set */
    RankOperation& Edit(uint32_t operation);

    /** @return the number of groups: one more than the largest index that the program names */
    uint32_t GetGroups() const;

    /** @return the number of streams: one more than the largest number */
    uint32_t GetStreams() const;

  private:
    std::vector<RankOperation> m_operations;
    std::map<uint32_t, uint32_t> m_lastOf; //!< by stream: the last operation
    std::optional<uint32_t> m_iteration; //!< number of the operation that begins the last iteration
    std::set<uint32_t> m_begun;          //!< streams that have an operation of the last iteration
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANK_PROGRAM_H */
