/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OCS_TECHNOLOGY_H
#define PHOTONIC_RAILS_OCS_TECHNOLOGY_H

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The properties of a kind of optical circuit switch: reconfiguration time, radix, loss,
 * power and price.
 *
 * The known ones stand in one array, OcsTechnology::GetAll(), with their sources in
 * ocs-technology.cc. A script adds one like this:
 * @code
 * OcsTechnology::GetAll().push_back(
 *     {"mine", "My lab", MicroSeconds(3), 64, 2.0, 0.5, 400.0, false});
 * @endcode
 */
struct OcsTechnology
{
    std::string name;                     //!< its name in scripts
    std::string product;                  //!< kind and example of a maker
    Time reconfiguration;                 //!< from the command to light on the new circuit
    uint32_t radix;                       //!< ports of one switch
    std::optional<double> lossDb;         //!< insertion loss through a circuit, in dB
    std::optional<double> wattsPerPort;   //!< power of the switch, divided by its ports
    std::optional<double> dollarsPerPort; //!< price of the switch, divided by its ports
    bool wholeSwitch; //!< a change takes the light of all ports, not only of those it names

    /** @return the known technologies; add to it before switches are created */
    static std::vector<OcsTechnology>& GetAll();

    /** @return the technology of that name, or null */
    static const OcsTechnology* Find(const std::string& name);

    /**
     * @param name an unknown name aborts with a list of the known names
     * @return the technology of that name
     */
    static const OcsTechnology& Get(const std::string& name);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OCS_TECHNOLOGY_H */
