/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CAPTURE_OPTION_H
#define PHOTONIC_RAILS_CAPTURE_OPTION_H

#include "ns3/photonic-rail-helper.h"
#include "ns3/rail.h"

#include <cstdint>
#include <string>

namespace ns3
{

class ScenarioOptions;

/**
 * @ingroup photonic-rails
 * @brief The option `--pcap` of a program with two hosts of one NIC port each.
 */
struct CaptureOption
{
    std::string prefix; //!< of the names of the files; empty: none

    /** Adds the option. @param help its description */
    void Add(ScenarioOptions& options, const std::string& help);

    /**
     * Refuses captures of tens of gigabytes, and files that cannot be written.
     * @param bytes value of the option `--bytes`: the payload of the run
     */
    void Check(ScenarioOptions& options, uint64_t bytes) const;

    /** Captures the frames of all NIC ports, if the option is given. */
    void Enable(PhotonicRailHelper& helper, const Rail& rail) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CAPTURE_OPTION_H */
