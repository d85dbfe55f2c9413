/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OCS_TECHNOLOGY_H
#define PHOTONIC_RAILS_OCS_TECHNOLOGY_H

#include "ns3/picoseconds.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What a kind of optical circuit switch can do, and what it takes.
 *
 * The known ones stand in one array, OcsTechnology::GetAll(), with their sources in
 * ocs-technology.cc. A script adds one in a line:
 * @code
 * OcsTechnology::GetAll().push_back({"mine", "My lab", 3'000'000, 64, 2.0, 0.5, 400.0, false});
 * @endcode
 */
struct OcsTechnology
{
    std::string name;                     //!< what scripts call it
    std::string product;                  //!< kind and example of a maker
    Picoseconds reconfiguration;          //!< from the command to light on the new circuit
    uint32_t radix;                       //!< ports of one switch
    std::optional<double> lossDb;         //!< insertion loss through a circuit, in dB
    std::optional<double> wattsPerPort;   //!< drawn by the switch, over its ports
    std::optional<double> dollarsPerPort; //!< price of the switch, over its ports
    bool wholeSwitch;                     //!< a change darkens all ports, not only those it names

    /** @return the known technologies; add to it before switches are created */
    static std::vector<OcsTechnology>& GetAll();

    /** @return the technology of that name, or null */
    static const OcsTechnology* Find(const std::string& name);

    /**
     * @param name a name; an unknown one aborts and lists the known ones
     * @return the technology of that name
     */
    static const OcsTechnology& Get(const std::string& name);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OCS_TECHNOLOGY_H */
