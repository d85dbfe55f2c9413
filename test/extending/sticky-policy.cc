/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A user's own policy, in a file that programs load: circuits stay unless they are in the way.

#include "ns3/circuit-planner.h"
#include "ns3/circuit-policy.h"
#include "ns3/port-use.h"
#include "ns3/rails-extension.h"

namespace ns3
{

/**
 * A phase whose pairs are joined takes the circuits that stand. Another one gets a link for each
 * pair, and the circuits of its ranks' other ports stay.
 */
class StickyPolicy : public CircuitPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::StickyPolicy").SetParent<CircuitPolicy>().AddConstructor<StickyPolicy>();
        return tid;
    }

    CircuitTarget GetTarget(const CircuitQuestion& question) override
    {
        CircuitTarget standing;
        for (const JoinedRanks& pair : NormalizePairs(question.pairs))
        {
            const std::size_t before = standing.circuits.size();
            for (const RankCircuit& one : FindCircuits(pair, question.circuits, GetCabling()))
            {
                const auto [port, other] = GetRailPorts(one, GetCabling());
                if (!question.use.IsReconfiguring(port) && !question.use.IsReconfiguring(other))
                {
                    standing.circuits.push_back(one);
                }
            }
            if (standing.circuits.size() == before)
            {
                CircuitQuestion fewer = question;
                fewer.links = 1;
                return PlanCircuits(fewer, GetCabling()); // keeps what fits
            }
        }
        return standing;
    }
};

NS_OBJECT_ENSURE_REGISTERED(StickyPolicy);

} // namespace ns3
