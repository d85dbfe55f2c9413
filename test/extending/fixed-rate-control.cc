/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A user's own congestion control: each queue pair sends at one rate, and no event changes it.

#include "ns3/congestion-control.h"
#include "ns3/data-rate.h"

#include <algorithm>

namespace ns3
{

/** The state of a queue pair: frames have the distance that a rate requires. */
class FixedRateState : public CongestionState
{
  public:
    explicit FixedRateState(uint64_t bitsPerSecond)
        : m_rate(bitsPerSecond)
    {
    }

    bool IsPaced() const override
    {
        return true;
    }

    Picoseconds OnSent(Picoseconds first, uint64_t wireBytes) override
    {
        const uint64_t bits = 8 * wireBytes; // preamble and gap included
        return first + (bits * 1'000'000'000'000 + m_rate - 1) / m_rate;
    }

  private:
    uint64_t m_rate;
};

/** The parameters, and the factory of the state. */
class FixedRateControl : public CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::FixedRateControl")
                                .SetParent<CongestionControl>()
                                .AddConstructor<FixedRateControl>()
                                .AddAttribute("Rate",
                                              "At which each queue pair sends on each port.",
                                              DataRateValue(DataRate("100Gbps")),
                                              MakeDataRateAccessor(&FixedRateControl::m_rate),
                                              MakeDataRateChecker());
        return tid;
    }

    std::unique_ptr<CongestionState> MakeState(DataRate lineRate) const override
    {
        return std::make_unique<FixedRateState>(
            std::min(m_rate.GetBitRate(), lineRate.GetBitRate()));
    }

  private:
    DataRate m_rate;
};

NS_OBJECT_ENSURE_REGISTERED(FixedRateControl);

} // namespace ns3
