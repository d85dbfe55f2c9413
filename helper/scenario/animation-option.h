/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ANIMATION_OPTION_H
#define PHOTONIC_RAILS_ANIMATION_OPTION_H

#include "ns3/rail-animation.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class ScenarioOptions;

/**
 * @ingroup photonic-rails
 * @brief The option `--netanim`: a file for an animation, or one for each run.
 */
struct AnimationOption
{
    std::string file; //!< empty: none

    /** Adds the option. */
    void Add(ScenarioOptions& options);

    /**
     * Refuses the option if there are too many ports.
     * @param rails their number
     * @param gpus of each rail
     * @param ports NIC ports of each GPU
     */
    void Check(const ScenarioOptions& options, uint64_t rails, uint64_t gpus, uint64_t ports) const;

    /** Registers the files of runs. @param runs their names; a single run has the file itself */
    void Claim(ScenarioOptions& options, const std::vector<std::string>& runs) const;

    /**
     * @param run its name; empty: it is the only one
     * @return the animation of a run; null without the option
     */
    std::unique_ptr<RailAnimation> Make(const std::string& run = "") const;

  private:
    /** @return the file of a run. @param run its name; empty: it is the only one */
    std::string GetFile(std::string run) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ANIMATION_OPTION_H */
