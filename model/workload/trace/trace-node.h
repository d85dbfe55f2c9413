/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_NODE_H
#define PHOTONIC_RAILS_TRACE_NODE_H

#include "ns3/collective-kind.h"
#include "ns3/demand-matrix.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** The largest number of ranks of a trace; a larger number is an error. */
constexpr uint32_t MAX_TRACE_RANKS = uint32_t{1} << 18;

/** One operation of one rank in a trace. */
struct TraceNode
{
    /** The kind of operation. */
    enum class Kind : uint8_t
    {
        COMPUTE,    //!< takes time without other ranks; memory operations too
        COLLECTIVE, //!< with all ranks of a group
        SEND,       //!< to another rank
        RECEIVE,    //!< from another rank
        ITERATION,  //!< another iteration begins; takes no time. Of whole programs only
    };

    uint64_t id{0};     //!< unique among the nodes of the rank
    std::string name{}; //!< shown in reports
    Kind kind{Kind::COMPUTE};
    /** Computing of a stream is sequential; in whole programs all operations of a stream are. */
    uint32_t stream{0};
    Picoseconds duration{0}; //!< of computing

    CollectiveKind collective{CollectiveKind::ALL_REDUCE};
    /** Of a collective, by its name in the trace; in whole programs of a send or receive too. */
    std::string group{};
    std::optional<uint32_t> root; //!< of BROADCAST and REDUCE: a rank of the job; else the first
    bool ofShare{false};          //!< bytes are a rank's share: the buffer is that for each rank
    std::string algorithm{};      //!< of a collective, by name; empty: chosen by cost
    uint32_t straggler{0};        //!< of a collective: place in the group of a rank that is late
    std::shared_ptr<const DemandMatrix> demand{}; //!< of an ALL_TO_ALL_V

    uint64_t bytes{0}; //!< the buffer (see CollectiveKind), or the bytes of a send or receive
    uint32_t peer{0};  //!< of a send or receive: the other rank
    uint64_t tag{0};   //!< of a send or receive: only equal tags match

    std::vector<uint64_t> after{}; //!< nodes of the rank that must have ended before it, by id
    /** The same, unless they are circular; used by TraceCollection::MergeControlOf(). */
    std::vector<uint64_t> control{};
    std::vector<uint64_t> begun{}; //!< nodes of the rank that must have begun before it, by id

    uint64_t place{0}; //!< place in the file: the line, or the offset of its first byte
};

/** A group of a whole program. */
struct TraceProgramGroup
{
    uint32_t number{0}; //!< of the job's groups, which are in this order; its name in nodes
    std::string name{}; //!< shown in reports
    uint64_t place{0};  //!< place in the file, as that of a node
};

/** An error in a trace, with its place. */
struct TraceError
{
    std::string file;               //!< its path, or the caller's name for it
    uint64_t line{0};               //!< counted from 1; 0: there are no lines
    std::optional<uint64_t> offset; //!< of a binary file: the byte, counted from 0
    std::string expected;           //!< expected input
    std::string found;              //!< found input

    /** @return the error in one line: "job.goal:7: expected a rank below 4, found 9" */
    std::string ToString() const;
};

/** The result of a reader: none means success. */
using TraceResult = std::optional<TraceError>;

/**
 * @ingroup photonic-rails
 * @brief Receives the contents of a trace from a reader, piece by piece.
 *
 * Readers pass nodes one by one and keep none, so a trace may be larger than memory. If a reader
 * returns an error, the nodes before it are no complete job and must be discarded (ReadTrace() does
 * so). A method returns an error in its arguments, or an empty string; the reader adds the place.
 */
class TraceConsumer
{
  public:
    virtual ~TraceConsumer() = default;

    /**
     * A file begins. The next calls refer to it.
     * @param hasLines whether TraceNode::place is a line; else it is an offset
     */
    virtual void File(const std::string& file, bool hasLines);

    /** @param ranks number of ranks of the job @return the error, if there is one */
    virtual std::string Ranks(uint32_t ranks);

    /**
     * Adds a group. Several groups may have one name if they have no rank in common: then the name
     * denotes the one of the node's rank.
     * @param name the name in nodes
     * @param ranks of the job, in order, each once; none: all ranks
     * @return the error, if there is one
     */
    virtual std::string Group(const std::string& name, const std::vector<uint32_t>& ranks);

    /** Adds a node of a rank. @return the error, if there is one */
    virtual std::string Node(uint32_t rank, const TraceNode& node) = 0;

    /**
     * The nodes of a rank are a whole program, as ChakraTraceWriter and GoalTraceWriter write it:
     * its operations in their order, each on its stream. Then so must be those of all ranks.
     * @param groups of the rank, in the order of its program
     * @return the error, if there is one
     */
    virtual std::string Program(uint32_t rank, const std::vector<TraceProgramGroup>& groups);

    /**
     * Some ranks have the same nodes as another rank, and no nodes of their own.
     * @param rank the rank with the nodes
     * @param first of the ranks without nodes
     * @return the error, if there is one
     */
    virtual std::string Alike(uint32_t rank, uint32_t first, uint32_t count);

    /**
     * Parts of the trace can't be simulated, and are left out.
     * @param reason the same for all parts that are alike
     * @param count of parts
     * @return the error, if they may not be left out
     */
    virtual std::string Skip(const std::string& reason, uint64_t count = 1);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_NODE_H */
