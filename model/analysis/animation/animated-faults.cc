/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "animated-faults.h"

#include "ns3/simulator.h"

namespace ns3
{

void
AnimatedFaults::Animate(FaultInjector& injector, const std::shared_ptr<AnimationScene>& scene)
{
    const auto source = Create<AnimatedFaults>(scene);
    for (const Fault& fault : injector.GetActive())
    {
        source->Note("fault", fault);
    }
    Listen(injector, "FaultBegan", MakeCallback(&AnimatedFaults::Began, source));
    Listen(injector, "FaultEnded", MakeCallback(&AnimatedFaults::Ended, source));
}

void
AnimatedFaults::Began(const Fault& fault, const std::string&)
{
    Note("fault", fault);
}

void
AnimatedFaults::Ended(const Fault& fault, const std::string&)
{
    Note("repaired", fault);
}

void
AnimatedFaults::Note(const std::string& what, const Fault& fault)
{
    const std::string target = DescribeTarget(fault);
    m_scene->Note(Simulator::Now(),
                  what + ": " + ToString(fault.kind) + (target.empty() ? "" : " of " + target));
}

} // namespace ns3
