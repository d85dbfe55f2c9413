/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_NODE_H
#define PHOTONIC_RAILS_TRACE_NODE_H

#include "ns3/collective-kind.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** The most ranks that a trace may have: more is taken for a mistake in the file. */
constexpr uint32_t MAX_TRACE_RANKS = uint32_t{1} << 18;

/** One operation of one rank, as a trace has it. */
struct TraceNode
{
    /** The kind of operation. */
    enum class Kind : uint8_t
    {
        COMPUTE,    //!< takes time, and no other rank; memory operations too
        COLLECTIVE, //!< with all ranks of a group
        SEND,       //!< to another rank
        RECEIVE,    //!< from another rank
    };

    uint64_t id{0};     //!< its own among the nodes of the rank
    std::string name{}; //!< for people
    Kind kind{Kind::COMPUTE};
    uint32_t stream{0};      //!< of computing: computing of a stream goes one after another
    Picoseconds duration{0}; //!< of computing

    CollectiveKind collective{CollectiveKind::ALL_REDUCE};
    std::string group{};          //!< of a collective, as the trace names it
    std::optional<uint32_t> root; //!< of BROADCAST and REDUCE: a rank of the job; else the first
    bool ofShare{false};          //!< bytes are a rank's share: the buffer is that for each rank

    uint64_t bytes{0}; //!< the buffer (see CollectiveKind), or what is sent or received
    uint32_t peer{0};  //!< of a send or receive: the other rank
    uint64_t tag{0};   //!< of a send or receive: only equal tags match

    std::vector<uint64_t> after{}; //!< not before these nodes of the rank are over, by id
    std::vector<uint64_t> begun{}; //!< not before these have begun

    uint64_t place{0}; //!< where it stands in the file: the line, or the offset of its first byte
};

/** Where and why a trace can't be read. */
struct TraceError
{
    std::string file;               //!< its path, or what the caller calls it
    uint64_t line{0};               //!< counted from 1; 0: there are no lines
    std::optional<uint64_t> offset; //!< of a binary file: the byte, counted from 0
    std::string expected;           //!< what should have been there
    std::string found;              //!< what was

    /** @return all of it in one line: "job.goal:7: expected a rank below 4, found 9" */
    std::string ToString() const;
};

/** What a reader returns: nothing if all went well. */
using TraceResult = std::optional<TraceError>;

/**
 * @ingroup photonic-rails
 * @brief Takes what a reader of traces finds, piece by piece.
 *
 * Readers hand nodes over one by one and keep none, so a trace may be larger than memory. If a
 * reader returns an error, what was handed over before it is no job: throw it away (ReadTrace()
 * does). A method returns what is wrong with what it was given, or nothing; the reader adds where.
 */
class TraceConsumer
{
  public:
    virtual ~TraceConsumer() = default;

    /**
     * A file begins. What comes next stands in it.
     * @param hasLines whether TraceNode::place is a line; else it is an offset
     */
    virtual void File(const std::string& file, bool hasLines);

    /** @param ranks the job has @return what is wrong, if anything */
    virtual std::string Ranks(uint32_t ranks);

    /**
     * A group. Several may have one name if they have no rank in common: then a node means the one
     * that its rank is in.
     * @param name as nodes name it
     * @param ranks of the job, in order, each once; none: all ranks
     * @return what is wrong, if anything
     */
    virtual std::string Group(const std::string& name, const std::vector<uint32_t>& ranks);

    /** @param rank whose it is @param node what it does @return what is wrong, if anything */
    virtual std::string Node(uint32_t rank, const TraceNode& node) = 0;

    /**
     * Some ranks do what another does. They have no nodes of their own.
     * @param rank which other
     * @param first of those ranks
     * @return what is wrong, if anything
     */
    virtual std::string Alike(uint32_t rank, uint32_t first, uint32_t count);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_NODE_H */
