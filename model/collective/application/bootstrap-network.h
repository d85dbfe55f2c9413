/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BOOTSTRAP_NETWORK_H
#define PHOTONIC_RAILS_BOOTSTRAP_NETWORK_H

#include "collective-ledger.h"

#include "ns3/algorithm-choice.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class CollectiveApplication;

/**
 * @ingroup photonic-rails
 * @brief How the communication libraries of a job's ranks agree on what none can work out alone:
 * which algorithm an operation takes, where costs are a rank's own.
 *
 * It stands for the TCP connections between hosts that NCCL makes when a communicator is set up
 * (its bootstrap network). A word takes a latency; bytes and other traffic do not count.
 */
class BootstrapNetwork : public SimpleRefCount<BootstrapNetwork>
{
  public:
    BootstrapNetwork();
    ~BootstrapNetwork();

    /** Adds the next rank. @param application its */
    void Add(Ptr<CollectiveApplication> application);

    /**
     * Tells a rank how an operation is done.
     * @param to the rank
     * @param latency until it knows
     * @param flow the operation's
     * @param number of it there
     * @param choice how it is done
     */
    void Tell(RankId to,
              Time latency,
              const FlowKey& flowKey,
              uint64_t number,
              std::shared_ptr<const AlgorithmChoice> choice) const;

    /** Lets go of all. */
    void Clear();

  private:
    std::vector<Ptr<CollectiveApplication>> m_applications; //!< by rank
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_BOOTSTRAP_NETWORK_H */
