/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIDELITY_H
#define PHOTONIC_RAILS_FIDELITY_H

namespace ns3
{

/**
 * How frames on circuits are simulated. Both give the same results; the global value
 * `PhotonicRailsFidelity` selects one.
 */
enum PhotonicRailsFidelity
{
    PACKET_EVENTS, //!< events for every frame
    PACKET_TRAINS, //!< events only where something becomes visible outside the circuit
};

/**
 * @return the present setting of the global value `PhotonicRailsFidelity`
 */
PhotonicRailsFidelity GetPhotonicRailsFidelity();

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIDELITY_H */
