/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_TARGETS_H
#define PHOTONIC_RAILS_FAULT_TARGETS_H

#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class CollectiveApplication;
class OpusShimApp;

/**
 * @ingroup photonic-rails
 * @brief Finds what runs on a GPU or a server at the instant of a fault: jobs come and go.
 */
class FaultTargets : public Object
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    /**
     * @param server of the cluster
     * @param gpu on its server
     * @return the application of the rank that runs there now; null: none does
     */
    virtual Ptr<CollectiveApplication> FindRank(uint32_t server, uint32_t gpu) const = 0;

    /** @return the shims that run on a server now, by job */
    virtual std::vector<Ptr<OpusShimApp>> FindShims(uint32_t server) const = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_TARGETS_H */
