/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIBER_END_H
#define PHOTONIC_RAILS_FIBER_END_H

#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/wire-frame.h"

namespace ns3
{

class OpticalFiber;

/**
 * @ingroup photonic-rails
 * @brief A device at one end of a fiber, as the fiber sees it: it takes the frames and the light
 * that come out there.
 *
 * All instants are in picoseconds, as they are at the device. FiberPort implements the rest of a
 * device.
 */
class FiberEnd : public NetDevice
{
  public:
    /**
     * A frame has come out of the fiber, down to its last bit or as far as GetHandOver() says, now.
     * @param frame the frame; its times are those at this port
     */
    virtual void ReceiveFrame(WireFrame&& frame) = 0;

    /**
     * @param frame a frame on its way; its times are those at this port
     * @return when this port wants it: at its last bit, or before that and after its first
     */
    virtual Picoseconds GetHandOver(const WireFrame& frame) const
    {
        return frame.last;
    }

    /**
     * The light that comes out of the fiber has come or gone, now.
     * @param light whether there is light
     */
    virtual void ReceiveLight(bool light) = 0;

    /**
     * The light has been like this since before the simulation began. Called while a scenario is
     * built, never during a run.
     * @param light whether there is light
     */
    virtual void PresetLight(bool light) = 0;

    /** @return whether this port sends light into its fiber from the start */
    virtual bool EmitsLight() const = 0;

    /**
     * The fiber's delay is about to change, in the course of the simulation. A port that has
     * worked something out from the present one stops the run.
     * @param delay the new one
     */
    virtual void CheckDelayChange(Time /* delay */) const
    {
    }

    /** Called by the fiber when it is attached. GetChannel() is null until then. */
    virtual void SetFiber(Ptr<OpticalFiber> fiber) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIBER_END_H */
