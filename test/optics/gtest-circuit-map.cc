/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/circuit-map.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace ns3;

namespace
{

CircuitMap
MapOf(uint32_t ports)
{
    CircuitMap map;
    for (uint32_t i = 0; i < ports; ++i)
    {
        map.AddPort();
    }
    return map;
}

PortId
P(uint32_t number)
{
    return PortId(number);
}

/** The rule itself: a set of pairs in which no port occurs twice. */
class Reference
{
  public:
    explicit Reference(uint32_t ports)
        : m_ports(ports)
    {
    }

    /** Carries a plan out, or leaves everything as it is. @return whether it did */
    bool Apply(const CircuitPlan& plan)
    {
        std::set<Circuit> next = m_circuits;
        for (const Circuit& circuit : plan.GetDisconnects())
        {
            if (next.erase(circuit) == 0)
            {
                return false;
            }
        }
        std::set<Circuit> wanted;
        for (const Circuit& circuit : plan.GetConnects())
        {
            if (circuit.low == circuit.high || !wanted.insert(circuit).second)
            {
                return false;
            }
            next.insert(circuit); // may be there already
        }
        std::set<PortId> used;
        for (const Circuit& circuit : next)
        {
            for (PortId port : {circuit.low, circuit.high})
            {
                if (port.Get() >= m_ports || !used.insert(port).second)
                {
                    return false;
                }
            }
        }
        m_circuits = next;
        return true;
    }

    std::vector<Circuit> GetCircuits() const
    {
        return {m_circuits.begin(), m_circuits.end()};
    }

  private:
    uint32_t m_ports;
    std::set<Circuit> m_circuits;
};

/** A plan that is sometimes valid: it often takes down circuits that stand. */
CircuitPlan
RandomPlan(std::mt19937_64& random, const CircuitMap& map)
{
    CircuitPlan plan;
    const uint32_t ports = map.GetPorts();
    const auto circuits = map.GetCircuits();
    for (uint64_t n = random() % 4; n > 0 && !circuits.empty(); --n)
    {
        const Circuit& circuit = circuits[random() % circuits.size()];
        plan.Disconnect(circuit.low, random() % 20 == 0 ? P(random() % ports) : circuit.high);
    }
    for (uint64_t n = random() % 4; n > 0; --n)
    {
        plan.Connect(P(random() % (ports + (random() % 50 == 0))), P(random() % ports));
    }
    return plan;
}

} // namespace

TEST(CircuitMap, AtMostOneCircuitAPortUnderRandomPlans)
{
    std::mt19937_64 random(5);
    CircuitMap map = MapOf(12);
    Reference reference(12);
    int accepted = 0;
    for (int i = 0; i < 10'000; ++i)
    {
        const CircuitPlan plan = RandomPlan(random, map);
        const auto before = map.GetCircuits();
        const PlanCheck check = map.Check(plan);
        ASSERT_EQ(check.IsAccepted(), reference.Apply(plan)) << plan << ": " << check.message;
        if (check.IsAccepted())
        {
            map.Apply(plan);
            ++accepted;
        }
        else
        {
            ASSERT_FALSE(check.message.empty());
            ASSERT_EQ(map.GetCircuits(), before);
        }
        ASSERT_EQ(map.GetCircuits(), reference.GetCircuits());
        for (const Circuit& circuit : map.GetCircuits())
        {
            ASSERT_EQ(map.GetPeer(circuit.low), circuit.high);
            ASSERT_EQ(map.GetPeer(circuit.high), circuit.low);
            ASSERT_EQ(map.GetEpoch(circuit.low), map.GetEpoch(circuit.high));
        }
    }
    // the test has tried plans that are allowed and plans that are not
    EXPECT_GT(accepted, 1000);
    EXPECT_LT(accepted, 9000);
}

TEST(CircuitMap, EveryCircuitIsAnEpochOfItsOwn)
{
    CircuitMap map = MapOf(4);
    map.Apply(CircuitPlan().Connect(P(0), P(1)).Connect(P(2), P(3)));
    const uint64_t first = map.GetEpoch(P(0));
    EXPECT_NE(first, map.GetEpoch(P(2)));
    map.Apply(CircuitPlan().Disconnect(P(0), P(1)).Connect(P(0), P(1)));
    EXPECT_GT(map.GetEpoch(P(0)), first);
    // a circuit that is there already stays the same circuit
    const uint64_t second = map.GetEpoch(P(0));
    EXPECT_TRUE(map.Apply(CircuitPlan().Connect(P(1), P(0))).IsEmpty());
    EXPECT_EQ(map.GetEpoch(P(0)), second);
}

TEST(CircuitMap, RefusalsNameThePortsTheLimitAndTheRemedy)
{
    CircuitMap map = MapOf(4);
    map.Apply(CircuitPlan().Connect(P(0), P(1)));

    const struct
    {
        CircuitPlan plan;
        CircuitPlanRefusal refusal;
        const char* words;
    } cases[] = {
        {CircuitPlan().Connect(P(2), P(9)),
         CircuitPlanRefusal::UNKNOWN_PORT,
         "no port 9; the switch has 4 ports"},
        {CircuitPlan().Connect(P(2), P(2)),
         CircuitPlanRefusal::PORT_TO_ITSELF,
         "two different ports"},
        {CircuitPlan().Connect(P(2), P(3)).Connect(P(3), P(0)),
         CircuitPlanRefusal::SAME_PORT_TWICE,
         "names port 3 twice"},
        {CircuitPlan().Disconnect(P(2), P(3)),
         CircuitPlanRefusal::NO_SUCH_CIRCUIT,
         "port 2 is joined to none"},
        {CircuitPlan().Disconnect(P(0), P(3)),
         CircuitPlanRefusal::NO_SUCH_CIRCUIT,
         "port 0 is joined to port 1"},
        {CircuitPlan().Connect(P(0), P(2)),
         CircuitPlanRefusal::PORT_IN_USE,
         "port 0 is in use by circuit 0-1; disconnect"},
    };

    for (const auto& one : cases)
    {
        const PlanCheck check = map.Check(one.plan);
        EXPECT_EQ(check.refusal, one.refusal) << one.plan;
        EXPECT_NE(check.message.find(one.words), std::string::npos) << check.message;
        EXPECT_STRNE(ToString(one.refusal), "unknown");
    }
}

TEST(CircuitMap, PlansTowardsAnyMatchingAreCarriedOutAndNameOnlyWhatDiffers)
{
    std::mt19937_64 random(6);
    CircuitMap map = MapOf(10);
    for (int i = 0; i < 1000; ++i)
    {
        std::vector<uint32_t> ports(10);
        for (uint32_t p = 0; p < 10; ++p)
        {
            ports[p] = p;
        }
        std::shuffle(ports.begin(), ports.end(), random);
        std::vector<Circuit> wanted;
        std::vector<PortId> bare;
        const std::size_t joined = 2 * (random() % 6);
        for (std::size_t p = 0; p < 10; p += 2)
        {
            if (p < joined)
            {
                wanted.emplace_back(P(ports[p]), P(ports[p + 1]));
            }
            else
            {
                bare.push_back(P(ports[p]));
                bare.push_back(P(ports[p + 1]));
            }
        }
        const auto before = map.GetCircuits();
        const CircuitPlan plan = map.PlanTowards(wanted, bare);
        ASSERT_TRUE(map.Check(plan).IsAccepted()) << map.Check(plan).message;
        for (const Circuit& circuit : plan.GetConnects())
        {
            ASSERT_EQ(std::count(before.begin(), before.end(), circuit), 0);
        }
        map.Apply(plan);
        std::sort(wanted.begin(), wanted.end());
        ASSERT_EQ(map.GetCircuits(), wanted);
    }
}
