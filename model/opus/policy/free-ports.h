/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FREE_PORTS_H
#define PHOTONIC_RAILS_FREE_PORTS_H

#include "ns3/cabling.h"
#include "ns3/identifier.h"
#include "ns3/opus-message.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The ports of a job's ranks while they are given to circuits: each can be taken once.
 */
class FreePorts
{
  public:
    /** @param job whose ports @param cabling where they are; it must outlive this */
    FreePorts(JobId job, const Cabling& cabling);

    /** @return ports of a rank that are left, lowest first @param rank any */
    const std::vector<uint32_t>& Get(RankId rank);
    /** @return whether a port is left @param rank any @param port any */
    bool IsFree(RankId rank, uint32_t port);
    /** @return whether two ranks have a port left each, on the same rail @param one @param other */
    bool CanJoin(RankId one, RankId other);

    /** Takes a port that is left. @param rank whose @param port which */
    void Take(RankId rank, uint32_t port);
    /** @return a circuit of the lowest ports of two ranks, which it takes @param one @param other
     */
    RankCircuit Join(RankId one, RankId other);

  private:
    JobId m_job;
    const Cabling& m_cabling;
    std::map<RankId, std::vector<uint32_t>> m_free;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FREE_PORTS_H */
