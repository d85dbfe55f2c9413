/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIBER_END_H
#define PHOTONIC_RAILS_FIBER_END_H

#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/wire-frame.h"

#include <optional>

namespace ns3
{

class OpticalFiber;

/** The optical power of a transceiver, of each of its wavelengths. */
struct TransceiverPower
{
    double launchDbm;      //!< that goes into the fiber, at least
    double sensitivityDbm; //!< that it needs from the fiber, at least
};

/**
 * @ingroup photonic-rails
 * @brief A device at one end of a fiber, as the fiber sees it: it receives the frames and the light
 * of the fiber.
 *
 * All instants are in picoseconds, as they are at the device. FiberPort implements the rest of a
 * device.
 */
class FiberEnd : public NetDevice
{
  public:
    /**
     * A frame has left the fiber, now: down to its last bit, or at GetHandOver().
     * @param frame the frame; its times are those at this port
     */
    virtual void ReceiveFrame(WireFrame&& frame) = 0;

    /**
     * @param frame a frame in flight; its times are those at this port
     * @return the instant at which this port takes it: at its last bit, or between its first and
     *         its last bit
     */
    virtual Picoseconds GetHandOver(const WireFrame& frame) const
    {
        return frame.last;
    }

    /** @return whether Announce() may take frames */
    virtual bool TakesAnnouncements() const
    {
        return false;
    }

    /**
     * A frame comes out of the fiber at GetHandOver(), unless something changes before: a port of a
     * switch may process it ahead of that instant, with the same results.
     * @param frame whose times are those at this port; moved from if the port takes it
     * @return whether the port takes it; else it gets ReceiveFrame() at its instant
     */
    virtual bool Announce([[maybe_unused]] WireFrame& frame)
    {
        return false;
    }

    /**
     * Something changes that frames may meet, or is counted: announced frames that have not come
     * out of the fiber before now go back into it, and are received at their instants.
     */
    virtual void Withdraw()
    {
    }

    /**
     * The light at this end of the fiber has changed, now.
     * @param light whether there is light
     */
    virtual void ReceiveLight(bool light) = 0;

    /**
     * Sets the state of the light since before the simulation began. Called while a scenario is
     * built, never during a run.
     * @param light whether there is light
     */
    virtual void PresetLight(bool light) = 0;

    /** @return whether this port sends light into its fiber from the start */
    virtual bool EmitsLight() const = 0;

    /**
     * The fiber's delay is about to change, in the course of the simulation. A port whose state
     * depends on the present delay stops the run.
     * @param delay the new delay
     */
    virtual void CheckDelayChange([[maybe_unused]] Time delay) const
    {
    }

    /**
     * The frames that go in from now on have other properties, or are counted. A port that puts
     * frames in late puts those in that began before now.
     */
    virtual void PutPending()
    {
    }

    /**
     * @return whether this port puts each frame into a fiber to another process of a distributed
     *         simulation as soon as the instant of its first bit is over; others may be later
     */
    virtual bool IsPrompt() const
    {
        return false;
    }

    /** @return the power of the transceiver at this port; none at a switch that passes light on */
    virtual std::optional<TransceiverPower> GetTransceiverPower() const
    {
        return std::nullopt;
    }

    /** Called by the fiber when it is attached. GetChannel() is null until then. */
    virtual void SetFiber(Ptr<OpticalFiber> fiber) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIBER_END_H */
