/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GROUP_REGISTER_H
#define PHOTONIC_RAILS_GROUP_REGISTER_H

#include "ns3/cabling.h"
#include "ns3/circuit-planner.h"
#include "ns3/identifier-table.h"
#include "ns3/mix-bits.h"
#include "ns3/opus-contents.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The groups that shims have registered at a controller.
 *
 * Each server that has ranks of a group registers these before its first request in the group, with
 * the number of ranks of the group and their digest: all servers must have the same ranks in the
 * same order. When all servers have registered theirs, all ranks are known. The first word of the
 * name of a group ("dp 0") is the parallelism of the group, and of sends that name the group. Sends
 * between two ranks need no registered group.
 */
class GroupRegister
{
  public:
    /** @param cabling that has the places and the owners of ranks */
    explicit GroupRegister(std::shared_ptr<const Cabling> cabling);

    /** The outcome of a registration. */
    struct Check
    {
        std::string refusal; //!< the reason why it does not count
        bool isNew{false};   //!< the server had not registered all of these ranks before
    };

    /** Registers ranks of a server. @return the outcome */
    Check Register(ServerId server, const OpusRegisterGroup& registration);

    /**
     * @param server that requests
     * @param phase that it requests
     * @param ranks of the server that want it
     * @return the reason why the group does not allow it; empty if it does
     */
    std::string GetWhyNot(ServerId server,
                          const OpusPhase& phase,
                          const std::vector<RankId>& ranks) const;

    /**
     * @param pairs to be joined for the phase
     * @return the reason of a refusal because a rank is not in the group, as far as all its ranks
     * are known; empty if there is no such rank
     */
    std::string GetWhyNot(const OpusPhase& phase, const std::vector<JoinedRanks>& pairs) const;

    /**
     * @param whole number of ranks that take part in the phase
     * @return the ranks of its group, in order, if it has as many and all are known; else none
     */
    const std::vector<RankId>& FindAll(const OpusPhase& phase, uint32_t whole) const;

    /** @return the parallelism of a phase */
    std::string GetParallelism(const OpusPhase& phase) const;

    /** @return the register in words; equal registers have equal words */
    std::string Describe() const;

  private:
    using Key = std::pair<JobId, GroupId>;

    /** A group. */
    struct Group
    {
        uint32_t whole{0};             //!< number of its ranks
        uint64_t digest{0};            //!< of all ranks
        IdentifierSet<RankId> members; //!< that are registered
        std::string name;
        IdentifierSet<ServerId> servers; //!< that have registered their ranks
        ServerId first;                  //!< the first of these servers
    };

    /** @return the bits of a group's numbers, mixed */
    struct HashKey
    {
        std::size_t operator()(const Key& key) const
        {
            return MixBits(uint64_t{key.first.Get()} << 32 | key.second.Get());
        }
    };

    /** @return a group; null if no server has registered it */
    const Group* Find(const OpusPhase& phase) const;

    /** @return the group in words */
    static std::string ToWords(const Key& key, const std::string& name);
    /** @return the reason why ranks can't be a group of a job on that server; empty if they can */
    std::string GetWhyNotRanks(ServerId server, const OpusRegisterGroup& registration) const;

    std::shared_ptr<const Cabling> m_cabling;
    std::unordered_map<Key, Group, HashKey> m_groups;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GROUP_REGISTER_H */
