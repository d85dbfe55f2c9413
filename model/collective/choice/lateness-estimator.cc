/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "lateness-estimator.h"

#include "ns3/assert.h"

#include <algorithm>
#include <vector>

namespace ns3
{

LatenessEstimator::LatenessEstimator(uint32_t window)
    : m_window(window)
{
    NS_ASSERT_MSG(window > 0, "a median of no samples");
}

void
LatenessEstimator::Add(uint32_t slot, const LatenessSample& sample, Picoseconds now)
{
    std::deque<Known>& known = m_slots[slot];
    known.push_back({sample, now});
    if (known.size() > m_window + 1) // the last may not count yet
    {
        known.pop_front();
    }
}

std::optional<LatenessSample>
LatenessEstimator::Get(uint32_t slot, Picoseconds before) const
{
    const auto found = m_slots.find(slot);
    if (found == m_slots.end())
    {
        return std::nullopt;
    }
    std::vector<LatenessSample> samples;
    for (const Known& one : found->second)
    {
        if (one.since < before)
        {
            samples.push_back(one.sample);
        }
    }
    if (samples.size() > m_window)
    {
        samples.erase(samples.begin());
    }
    std::map<RankId, std::vector<Picoseconds>> late;
    for (const LatenessSample& sample : samples)
    {
        late[sample.rank].push_back(sample.lateness);
    }
    std::optional<LatenessSample> most;
    for (auto& [rank, times] : late)
    {
        times.resize(samples.size()); // it was not late in the others
        std::sort(times.begin(), times.end());
        const Picoseconds median = times[(times.size() - 1) / 2];
        if (median > (most ? most->lateness : 0))
        {
            most = {rank, median};
        }
    }
    return most;
}

} // namespace ns3
