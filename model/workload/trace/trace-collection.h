/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_COLLECTION_H
#define PHOTONIC_RAILS_TRACE_COLLECTION_H

#include "trace-node.h"

#include "ns3/rank-program.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** A group of a job: what CollectiveHelper::MakeGroup() is to be given. */
struct TraceGroup
{
    std::string name;            //!< for people
    std::vector<uint32_t> ranks; //!< of the job, in order; two or more
};

/** What a rank does: what CollectiveHelper::SetProgram() is to be given. */
struct TraceProgram
{
    std::shared_ptr<const RankProgram> program; //!< ranks that do the same may share one
    std::vector<uint32_t> groups;               //!< by the program's number: one of the job's
};

/** A job that can be run. */
struct TraceJob
{
    std::vector<TraceGroup> groups;
    std::vector<TraceProgram> ranks; //!< by rank
};

/** What a collection holds of one rank. */
struct TraceRank
{
    std::vector<TraceNode> nodes;                   //!< in the order of the file
    std::unordered_map<uint64_t, uint32_t> numbers; //!< of the nodes, by id
    uint32_t file{0};                               //!< which file they stand in
    uint32_t like{0};                               //!< the rank that it does the same as, or it
    Picoseconds computing{0};                       //!< all of it together
};

/**
 * @ingroup photonic-rails
 * @brief Gathers the nodes of all ranks, and makes rank programs of them.
 *
 * @code
 * TraceCollection collection;
 * TraceJob job;
 * TraceResult error = ReadTrace({"run.%d.et"}, collection);
 * error = error ? error : collection.MakePrograms(job);
 * @endcode
 *
 * Nodes of a rank come in any order and may name later ones. Programs keep what a trace asks for:
 * - Every dependency. A node that comes after the beginning of another is put behind a marker,
 * which takes no time and stands before that other one on its stream.
 * - Computing of one TraceNode::stream goes one after another, in the order in which the job as a
 *   whole can do it (by file order, where that leaves a choice). A trace's engine that takes
 *   whatever is ready first may order it otherwise.
 * - Collectives of a group have a stream of their own, and so have the sends from one rank to
 *   another, and the receives. So what does not depend on each other can go on at once, as far as
 *   the communication library allows: operations of a group go one after another.
 *
 * Ranks match calls by order, as NCCL does: the k-th collective of a group in one rank is the k-th
 * in all, in file order where dependencies leave a choice. The k-th send with a tag matches the
 * k-th receive with it. A pair of ranks talks in a group of two, "0-4"; only where sends and
 * receives with several tags come in different order has each tag a group, "0-4 tag 7".
 *
 * Collectives of nothing and collectives of a group of one take no time, and call nobody.
 * A group that is not named ("") holds all ranks, and so does "0" if no file tells of such a group:
 * the default process group of PyTorch and ASTRA-sim.
 */
class TraceCollection : public TraceConsumer
{
  public:
    /** @param most nodes that it takes: a limit to memory, of which a node takes about 300 bytes */
    explicit TraceCollection(uint64_t most = uint64_t{1} << 24);

    void File(const std::string& file, bool hasLines) override;
    std::string Ranks(uint32_t ranks) override;
    std::string Group(const std::string& name, const std::vector<uint32_t>& ranks) override;
    std::string Node(uint32_t rank, const TraceNode& node) override;
    std::string Alike(uint32_t rank, uint32_t first, uint32_t count) override;

    /** @return the number of ranks */
    uint32_t GetRanks() const
    {
        return m_ranks.size();
    }

    /** @return what a rank does, which may be told of another @param rank it */
    const TraceRank& Get(uint32_t rank) const;

    /** @return how many groups there are: those that files tell of, and last that of all ranks */
    uint32_t GetGroups() const
    {
        return m_groups.size() + 1;
    }

    /** @return the ranks of a group @param group one of GetGroups() */
    const std::vector<uint32_t>& GetMembers(uint32_t group) const;

    /** @return the name of a group @param group one of GetGroups() */
    std::string GetGroupName(uint32_t group) const;

    /** @return which of the groups a name means to a rank, if any @param name @param rank */
    std::optional<uint32_t> FindGroup(const std::string& name, uint32_t rank) const;

    /** @return the most nodes that it takes */
    uint64_t GetLimit() const
    {
        return m_most;
    }

    /** @return an error at a node @param rank whose @param node it @param expected @param found */
    TraceError MakeError(uint32_t rank,
                         const TraceNode& node,
                         const std::string& expected,
                         const std::string& found) const;

    /**
     * Makes what can be run. Refused with words: a dependency on what is not there or on itself, an
     * unknown group, a rank that there is not, calls of a group that differ, a send without its
     * receive, ranks that wait for each other.
     * @param [out] job it; untouched if there is an error
     * @return the first error, if any
     */
    TraceResult MakePrograms(TraceJob& job) const;

  private:
    /** A file. */
    struct Source
    {
        std::string name;
        bool hasLines;
    };

    uint64_t m_most;
    uint64_t m_nodes{0};
    std::vector<Source> m_files;
    std::vector<TraceRank> m_ranks;
    std::vector<TraceGroup> m_groups; //!< those without ranks hold all
    std::vector<uint32_t> m_all;      //!< all ranks
    /** By name and rank: which group. */
    std::unordered_map<std::string, std::unordered_map<uint32_t, uint32_t>> m_groupOf;
    std::unordered_map<std::string, uint32_t> m_everybody; //!< groups of all ranks, by name
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_COLLECTION_H */
