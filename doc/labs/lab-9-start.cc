/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Lab 9: a policy to begin with. Copy it, compile it, and change it.

#include "ns3/circuit-planner.h"
#include "ns3/circuit-policy.h"
#include "ns3/rails-extension.h"
#include "ns3/uinteger.h"

namespace ns3
{

/** Each pair of a phase gets a number of links at most; the other ports stay as they are. */
class MyPolicy : public CircuitPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::MyPolicy")
                                .SetParent<CircuitPolicy>()
                                .AddConstructor<MyPolicy>()
                                .AddAttribute("Links",
                                              "Links of each pair, at most.",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&MyPolicy::m_links),
                                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    CircuitTarget GetTarget(const CircuitQuestion& question) override
    {
        CircuitQuestion fewer = question;
        fewer.links = m_links;
        return PlanCircuits(fewer, GetCabling()); // keeps what fits, and takes dark ports first
    }

  private:
    uint32_t m_links;
};

NS_OBJECT_ENSURE_REGISTERED(MyPolicy);

} // namespace ns3
