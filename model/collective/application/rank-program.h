/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANK_PROGRAM_H
#define PHOTONIC_RAILS_RANK_PROGRAM_H

#include "ns3/circuit-broker.h"
#include "ns3/collective-kind.h"
#include "ns3/demand-matrix.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/** One thing that a rank does. */
struct RankOperation
{
    /** What kind of thing. */
    enum class Kind : uint8_t
    {
        COMPUTE,    //!< takes time, without other ranks
        COLLECTIVE, //!< with all ranks of a group
        SEND,       //!< to another rank of a group
        RECEIVE,    //!< from another rank of a group
        ITERATION,  //!< tells the broker that another iteration begins; takes no time
        CIRCUITS,   //!< tells the broker what circuits are for; takes none, but for ACQUIRE
    };

    Kind kind{Kind::COMPUTE};
    uint32_t stream{0};            //!< operations of a stream go one after another
    std::vector<uint32_t> after{}; //!< and not before these are over: earlier ones, by number
    std::string label{};           //!< for people: "forward 3"

    Picoseconds duration{0}; //!< of computing

    uint32_t group{0}; //!< which of the groups that the rank was given with its program
    CollectiveKind collective{CollectiveKind::ALL_REDUCE};
    uint64_t bytes{0};       //!< the buffer (see CollectiveKind), or what is sent or received
    std::string algorithm{}; //!< by name; empty: it is chosen
    uint32_t place{0};       //!< in the group: the root, or the other rank of a send or receive
    uint32_t straggler{0};   //!< in the group: who is thought to be late
    std::shared_ptr<const DemandMatrix> demand{}; //!< of an ALL_TO_ALL_V

    CircuitHint::Kind hint{CircuitHint::Kind::PREFETCH}; //!< of CIRCUITS
    uint32_t first{0}; //!< of CIRCUITS: the first operation that they are for, by number
    uint32_t last{0};  //!< the last one, in the same group and direction

    /** @return whether others take part in it */
    bool IsExchange() const
    {
        return kind == Kind::COLLECTIVE || kind == Kind::SEND || kind == Kind::RECEIVE;
    }
};

/** One of several sends that are posted together. */
struct GroupedSend
{
    uint32_t from{0}; //!< a place in the group
    uint32_t to{0};   //!< another
    uint64_t bytes{0};
};

/**
 * @ingroup photonic-rails
 * @brief What a rank does: operations on streams, with dependencies.
 *
 * An operation begins when the one before it on its stream is over and those it comes after are.
 * Groups are numbers here, and which groups they are is told with the program: so ranks that do the
 * same share one.
 * @code
 * RankProgram program;
 * const uint32_t forward = program.Compute(0, 2'000'000'000, "forward"); // 2 ms
 * const uint32_t gradients = program.Collective(1, 0, CollectiveKind::ALL_REDUCE, 1 << 30);
 * program.After(gradients, forward);
 * @endcode
 */
class RankProgram
{
  public:
    /**
     * Adds an operation.
     * @param operation it; what it comes after is there already
     * @return its number
     */
    uint32_t Add(const RankOperation& operation);

    /** Adds computing. @param stream @param duration @param label @return its number */
    uint32_t Compute(uint32_t stream, Picoseconds duration, const std::string& label = "");

    /**
     * Adds a collective operation.
     * @param stream where
     * @param group which group
     * @param kind what
     * @param bytes the buffer
     * @param algorithm by name; empty: it is chosen
     * @return its number
     */
    uint32_t Collective(uint32_t stream,
                        uint32_t group,
                        CollectiveKind kind,
                        uint64_t bytes,
                        const std::string& algorithm = "");

    /** Adds a send. @param stream @param group @param to a place in it @param bytes @return number
     */
    uint32_t Send(uint32_t stream, uint32_t group, uint32_t to, uint64_t bytes);

    /** Adds a receive. @param stream @param group @param from a place @param bytes @return number
     */
    uint32_t Receive(uint32_t stream, uint32_t group, uint32_t from, uint64_t bytes);

    /**
     * Adds sends and receives that are posted together, as between ncclGroupStart() and
     * ncclGroupEnd(), or by batch_isend_irecv(). It is one operation of the group, which all of its
     * ranks call with the same list, those without a part in it too: so each knows all pairs, and
     * circuits for all of them are asked for at once. It runs by "grouped-sends": straight from
     * rank to rank, at once if every rank has a port for each partner, else matching by matching.
     * @param stream where
     * @param group which group
     * @param ranks of the group
     * @param sends all of them; those from a rank to the same other one add up
     * @return its number
     */
    uint32_t SendReceiveGroup(uint32_t stream,
                              uint32_t group,
                              uint32_t ranks,
                              const std::vector<GroupedSend>& sends);

    /**
     * Another iteration begins here: after all that was added so far, and before all that will be.
     * Control planes that look ahead expect it to be much like the one before.
     * @return the number of this operation, on stream 0
     */
    uint32_t BeginIteration();

    /**
     * Says what circuits are for, to a control plane that leaves it to rank programs (the policy
     * co-scheduled). Which operations, by Edit(): `first` and `last`; they may be added later.
     * @param stream where
     * @param hint what is said
     * @return its number
     */
    uint32_t Hint(uint32_t stream, CircuitHint::Kind hint);

    /** An operation comes after another. @param operation a number @param earlier a smaller one */
    void After(uint32_t operation, uint32_t earlier);

    /** @return the operations, by number */
    const std::vector<RankOperation>& GetOperations() const;

    /** @return an operation, to set what is rarely set @param operation its number */
    RankOperation& Edit(uint32_t operation);

    /** @return the number of groups that it names: one more than the largest number */
    uint32_t GetGroups() const;

    /** @return the number of streams: one more than the largest number */
    uint32_t GetStreams() const;

  private:
    std::vector<RankOperation> m_operations;
    std::map<uint32_t, uint32_t> m_lastOf; //!< by stream: the last operation
    std::optional<uint32_t> m_iteration;   //!< where the last iteration begins
    std::set<uint32_t> m_begun;            //!< streams that have an operation of it
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANK_PROGRAM_H */
