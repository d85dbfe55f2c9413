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

    /** Gives everything back to packet events, now. @param why for the log */
    virtual void Leave(const std::string& why) = 0;

    /** The simulation is over: forgets everything. */
    virtual void Abandon() = 0;

    /** Works out what was before now, so that an offload may be told something. */
    virtual void CatchUp() = 0;

    /** The same, if it is only told that there is more to send: runs that go on stay whole. */
    virtual void Advance() = 0;

    /** Works out all that was before now, and counts it where frames are counted. */
    virtual void CatchUpWholly() = 0;

    /** An offload has something to send, now. @param end its end of the circuit, 0 or 1 */
    virtual void Kick(uint32_t end) = 0;

    /** @return whether what an offload is told now lies in the past */
    virtual bool IsInThePast() const = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_BATCH_MODE_H */
