/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PACKET_SWITCH_OPTIONS_H
#define PHOTONIC_RAILS_PACKET_SWITCH_OPTIONS_H

#include <cstdint>
#include <string>

namespace ns3
{

class ScenarioOptions;
class TrainingJobHelper;

/**
 * @ingroup photonic-rails
 * @brief The packet switches of electrical rails as options: `--switch-radix` and `--marks`.
 */
struct PacketSwitchOptions
{
    uint32_t radix{64};       //!< ports of each; 0: one switch a rail, as large as needed
    std::string marks{"own"}; //!< own or common

    /** Adds the options. */
    void Add(ScenarioOptions& options);
    /** Refuses mistakes. */
    void Require(const ScenarioOptions& options) const;
    /** Sets up a helper. */
    void SetUp(TrainingJobHelper& helper) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PACKET_SWITCH_OPTIONS_H */
