/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SWITCH_FLOWS_H
#define PHOTONIC_RAILS_SWITCH_FLOWS_H

#include <cstdint>
#include <vector>

namespace ns3
{

/** Data from one NIC port to another through a switch. */
struct SwitchFlow
{
    uint32_t from{0}; //!< end that sends
    uint32_t to{0};   //!< end that receives
    uint32_t frameBytes{0}; //!< bytes on the wire for each of its frames, at least, but for few
};

/**
 * @ingroup photonic-rails
 * @brief The flows through a packet switch, and how fast its queues grow at most while there are no
 * others.
 *
 * A flow counts with the whole rate of its NIC, whether it sends or not. So the bound holds when
 * messages are posted to a flow that is included, and a flow that has nothing to send for a while
 * may stay.
 *
 * Plain C++: no simulator.
 */
class SwitchFlows
{
  public:
    /** Adds a flow; of equal ones the smaller frames count. */
    void Add(const SwitchFlow& flow);

    /** Adds the flows of another. */
    void Add(const SwitchFlows& other);

    /** Removes all. */
    void Clear()
    {
        m_flows.clear();
    }

    /** @return whether each flow of another is here, with frames that are no larger */
    bool Includes(const SwitchFlows& other) const;

    /** @return whether there is a flow from an end to another */
    bool Has(uint32_t from, uint32_t to) const;

    /** @return the flows, by their ends */
    const std::vector<SwitchFlow>& Get() const
    {
        return m_flows;
    }

    /**
     * @param inRates bits a second of the NICs, by end
     * @param outRates the same of the ports of the switch
     * @param answer bytes on the wire of an answer
     * @return bits a second by which the queue of each port grows at most: where flows meet, and by
     *         an answer to each frame that the NIC there sends
     */
    std::vector<uint64_t> GetGrowth(const std::vector<uint64_t>& inRates,
                                    const std::vector<uint64_t>& outRates,
                                    uint32_t answer) const;

  private:
    std::vector<SwitchFlow> m_flows; //!< by from and to
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SWITCH_FLOWS_H */
