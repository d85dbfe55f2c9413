/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A user's own policy: a few links for each pair; the other ports stay dark.

#include "ns3/circuit-planner.h"
#include "ns3/circuit-policy.h"
#include "ns3/uinteger.h"

namespace ns3
{

/** Each pair of a phase gets a given number of links at most. */
class OneLinkPolicy : public CircuitPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::OneLinkPolicy")
                                .SetParent<CircuitPolicy>()
                                .AddConstructor<OneLinkPolicy>()
                                .AddAttribute("Links",
                                              "Links of each pair, at most.",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&OneLinkPolicy::m_links),
                                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    CircuitTarget GetTarget(const CircuitQuestion& question) override
    {
        CircuitQuestion fewer = question;
        fewer.links = m_links;
        return PlanCircuits(fewer, GetCabling());
    }

  private:
    uint32_t m_links;
};

NS_OBJECT_ENSURE_REGISTERED(OneLinkPolicy);

} // namespace ns3
