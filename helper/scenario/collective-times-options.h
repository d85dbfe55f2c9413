/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_TIMES_OPTIONS_H
#define PHOTONIC_RAILS_COLLECTIVE_TIMES_OPTIONS_H

#include "ns3/collective-helper.h"
#include "ns3/nstime.h"
#include "ns3/transport-times.h"

#include <string>

namespace ns3
{

class ScenarioOptions;

/**
 * @ingroup photonic-rails
 * @brief The times that a communication library takes, and its protocol, as options of a command
 * line: those of CollectiveTimes on rails and in servers, and CollectiveApplication::Protocol.
 *
 * Each member is the default of the option of its name. `--times=nccl` has the times of NCCL's
 * tuning (GetNcclTimes()); a time that is given counts in place of it.
 * @code
 * CollectiveTimesOptions times;
 * times.Add(scenario.GetOptions());
 * ...
 * times.Complete(scenario.GetOptions());
 * times.SetUp(collectives);
 * @endcode
 */
struct CollectiveTimesOptions
{
    std::string times{"none"}; //!< none or nccl
    Time railStart{0};
    Time railStep{0};
    Time railMessage{0};
    Time scaleUpStart{0};
    Time scaleUpStep{0};
    Time scaleUpMessage{0};
    std::string protocol{"Simple"};

    /** Adds the options. */
    void Add(ScenarioOptions& options);

    /** Takes the times of a profile that are not given. @param options all options */
    void Complete(ScenarioOptions& options);

    /** Sets attributes of the ranks. */
    void SetUp(CollectiveHelper& helper) const;

    /** @return the longest of the times */
    Time GetLongest() const;

    /** @return whether protocols or times differ from their defaults */
    bool AreSet() const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_TIMES_OPTIONS_H */
