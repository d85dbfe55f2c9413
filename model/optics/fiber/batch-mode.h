/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BATCH_MODE_H
#define PHOTONIC_RAILS_BATCH_MODE_H

#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The batch mode of a circuit, as the fibers and NIC ports of the circuit see it.
 *
 * While a circuit is in batch mode, its frames have no events of their own. So a fiber or a port
 * calls Leave() before anything changes that batch mode does not do, and CatchUpWholly() before a
 * count is read.
 */
class BatchMode : public SimpleRefCount<BatchMode>
{
  public:
    virtual ~BatchMode() = default;

    /** Returns to packet events, now. @param why the reason, for the log */
    virtual void Leave(const std::string& why) = 0;

    /** The simulation is over: drops all state. */
    virtual void Abandon() = 0;

    /** Computes everything before now, so that an offload may be called. */
    virtual void CatchUp() = 0;

    /** The same, for a call that only adds frames to send: open runs stay whole. */
    virtual void Advance() = 0;

    /** Computes and counts everything before now. */
    virtual void CatchUpWholly() = 0;

    /** An offload has frames to send, now. @param end the number of its end */
    virtual void Kick(uint32_t end) = 0;

    /** @return whether the present calls to an offload belong to a past instant */
    virtual bool IsInThePast() const = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_BATCH_MODE_H */
