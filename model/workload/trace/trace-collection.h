/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_COLLECTION_H
#define PHOTONIC_RAILS_TRACE_COLLECTION_H

#include "trace-node.h"

#include "ns3/job-programs.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** The data of one rank in a collection. */
struct TraceRank
{
    std::vector<TraceNode> nodes;                   //!< in the order of the file
    std::unordered_map<uint64_t, uint32_t> numbers; //!< indices of the nodes, by id
    uint32_t file{0};                               //!< index of their file
    uint32_t like{0};         //!< the rank with the same nodes, or this rank itself
    Picoseconds computing{0}; //!< the sum of computing
    /** Of a whole program: its groups. */
    std::optional<std::vector<TraceProgramGroup>> program;
};

/**
 * @ingroup photonic-rails
 * @brief Collects the nodes of all ranks of a trace, from which MakeTracePrograms() makes programs.
 *
 * @code
 * TraceCollection collection;
 * JobPrograms job;
 * TraceResult error = ReadTrace({"run.%d.et"}, collection);
 * error = error ? error : MakeTracePrograms(collection, job);
 * @endcode
 *
 * A group without a name ("") holds all ranks, and so does "0" if no file defines such a group: the
 * default process group of PyTorch and ASTRA-sim.
 */
class TraceCollection : public TraceConsumer
{
  public:
    /** @param most largest number of nodes: a limit of memory; a node takes about 300 bytes */
    explicit TraceCollection(uint64_t most = uint64_t{1} << 24);

    void File(const std::string& file, bool hasLines) override;
    std::string Ranks(uint32_t ranks) override;
    std::string Group(const std::string& name, const std::vector<uint32_t>& ranks) override;
    std::string Node(uint32_t rank, const TraceNode& node) override;
    std::string Program(uint32_t rank, const std::vector<TraceProgramGroup>& groups) override;
    std::string Alike(uint32_t rank, uint32_t first, uint32_t count) override;
    std::string Skip(const std::string& reason, uint64_t count = 1) override;

    /**
     * All nodes of a rank are there: makes dependencies of its control dependencies, see
     * MergeControl().
     * @return the error, if some that must be left out may not be
     */
    std::string MergeControlOf(uint32_t rank);

    /**
     * All nodes and groups are there: collectives of groups that no file defines take no time.
     * @return the error, if they may not be left out
     */
    std::string LeaveOutUnknownGroups();

    /** @return whether the nodes of all ranks are whole programs; false if only some are */
    bool AreWhole() const;

    /** @param strict whether a part that can't be simulated is an error */
    void SetStrict(bool strict);

    /** @return the number of parts that can't be simulated, by reason */
    const std::map<std::string, uint64_t>& GetSkipped() const
    {
        return m_skipped;
    }

    /** @return the number of ranks */
    uint32_t GetRanks() const
    {
        return m_ranks.size();
    }

    /** @return the nodes of a rank, or those of another rank that are the same */
    const TraceRank& Get(uint32_t rank) const;

    /** @return the number of groups: those that files define, and last that of all ranks */
    uint32_t GetGroups() const
    {
        return m_groups.size() + 1;
    }

    /** @return the ranks of a group @param group below GetGroups() */
    const std::vector<uint32_t>& GetMembers(uint32_t group) const;

    /** @return the name of a group @param group below GetGroups() */
    std::string GetGroupName(uint32_t group) const;

    /** @return the group that a name denotes for a rank, if there is one */
    std::optional<uint32_t> FindGroup(const std::string& name, uint32_t rank) const;

    /** @return the largest number of nodes */
    uint64_t GetLimit() const
    {
        return m_most;
    }

    /** @return an error at a node */
    TraceError MakeError(uint32_t rank,
                         const TraceNode& node,
                         const std::string& expected,
                         const std::string& found) const;

  private:
    /** A file. */
    struct Source
    {
        std::string name;
        bool hasLines;
    };

    uint64_t m_most;
    bool m_strict{false};
    std::map<std::string, uint64_t> m_skipped;
    uint64_t m_nodes{0};
    std::vector<Source> m_files;
    std::vector<TraceRank> m_ranks;
    std::vector<JobPrograms::Group> m_groups; //!< groups without ranks hold all ranks
    std::vector<uint32_t> m_all;              //!< all ranks
    /** The group by name and rank. */
    std::unordered_map<std::string, std::unordered_map<uint32_t, uint32_t>> m_groupOf;
    std::unordered_map<std::string, uint32_t> m_ofAllRanks; //!< groups of all ranks, by name
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_COLLECTION_H */
