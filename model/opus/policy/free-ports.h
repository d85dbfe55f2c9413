/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FREE_PORTS_H
#define PHOTONIC_RAILS_FREE_PORTS_H

#include "ns3/cabling.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The free ports of a job's ranks, while circuits are assigned to them: each can be taken
 * once.
 */
class FreePorts
{
  public:
    /**
     * @param job that owns the ports
     * @param cabling of the ports; it must outlive this object
     */
    FreePorts(JobId job, const Cabling& cabling);

    /** @return the free ports of a rank, lowest first */
    const std::vector<uint32_t>& Get(RankId rank);
    /** @return whether a port of a rank is free */
    bool IsFree(RankId rank, uint32_t port);
    /** @return whether two ranks have a free port each, on the same rail */
    bool CanJoin(RankId one, RankId other);

    /** Takes a free port of a rank. */
    void Take(RankId rank, uint32_t port);
    /** @return a circuit of the lowest free ports of two ranks, which it takes */
    RankCircuit Join(RankId one, RankId other);

  private:
    JobId m_job;
    const Cabling& m_cabling;
    std::map<RankId, std::vector<uint32_t>> m_free;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FREE_PORTS_H */
