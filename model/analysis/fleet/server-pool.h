/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SERVER_POOL_H
#define PHOTONIC_RAILS_SERVER_POOL_H

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The servers of a cluster: which work, and which are of a job. One that works and is of no
 * job is free: a spare.
 *
 * Plain C++: no simulator.
 */
class ServerPool
{
  public:
    /**
     * @param servers of the cluster, which all work and are free
     * @param serversPerRack consecutive servers
     */
    ServerPool(uint32_t servers, uint32_t serversPerRack);

    /** A fault of a server begins. @return whether the server worked until now */
    bool Break(uint32_t server);
    /** A fault of a server ends. @return whether the server works again */
    bool Repair(uint32_t server);

    /** @return whether a server works */
    bool Works(uint32_t server) const
    {
        return m_faults.at(server) == 0;
    }

    /** @return the job of a server; none: of no job */
    std::optional<uint32_t> FindOwner(uint32_t server) const
    {
        return m_owners.at(server);
    }

    /** Gives a free server to a job. */
    void Give(uint32_t server, uint32_t job);
    /** Takes a server from its job: it is free if it works. */
    void Return(uint32_t server);

    /** @return a free server: of the rack of the given one, else of any; the lowest number */
    std::optional<uint32_t> FindFree(uint32_t near) const;
    /** @return the first free servers of the first rack that has so many; empty: none has */
    std::vector<uint32_t> FindFreeInRack(uint32_t number) const;

    /** @return the number of free servers */
    uint32_t CountFree() const
    {
        return m_free.size();
    }

    /** @return the number of servers that are of no job and do not work */
    uint32_t CountLost() const
    {
        return m_lost;
    }

  private:
    uint32_t m_serversPerRack;
    std::vector<uint32_t> m_faults;                //!< by server: open ones
    std::vector<std::optional<uint32_t>> m_owners; //!< by server
    std::set<uint32_t> m_free;
    uint32_t m_lost{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SERVER_POOL_H */
