/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Lab 9: a solution. Sends have some ports for themselves, and collective operations have the
// others.

#include "ns3/circuit-planner.h"
#include "ns3/circuit-policy.h"
#include "ns3/rails-extension.h"
#include "ns3/uinteger.h"

namespace ns3
{

/** A send gets a number of links at most, and a pair of a collective operation another one. */
class MyPolicy : public CircuitPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::MyPolicy")
                                .SetParent<CircuitPolicy>()
                                .AddConstructor<MyPolicy>()
                                .AddAttribute("SendLinks",
                                              "Links of a send, at most.",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&MyPolicy::m_sendLinks),
                                              MakeUintegerChecker<uint32_t>(1))
                                .AddAttribute("CollectiveLinks",
                                              "Links of each pair of a collective, at most.",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&MyPolicy::m_collectiveLinks),
                                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    CircuitTarget GetTarget(const CircuitQuestion& question) override
    {
        CircuitQuestion fewer = question;
        fewer.links = question.phase.pointToPoint ? m_sendLinks : m_collectiveLinks;
        return PlanCircuits(fewer, GetCabling());
    }

  private:
    uint32_t m_sendLinks;
    uint32_t m_collectiveLinks;
};

NS_OBJECT_ENSURE_REGISTERED(MyPolicy);

} // namespace ns3
