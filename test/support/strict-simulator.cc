/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Linked into a program, it has ns-3 refuse events in the past, as ns-3 itself does where it is
// built with asserts. Distributions' libraries are not: there such an event takes the clock back.

#include "ns3/abort.h"
#include "ns3/default-simulator-impl.h"

#include <cstdlib>
#include <unistd.h>

namespace ns3
{

/** ns-3's simulator, with an error for an event in the past. */
class StrictSimulatorImpl : public DefaultSimulatorImpl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::StrictSimulatorImpl")
                                .SetParent<DefaultSimulatorImpl>()
                                .SetGroupName("PhotonicRailsTests")
                                .AddConstructor<StrictSimulatorImpl>();
        return tid;
    }

    EventId Schedule(const Time& delay, EventImpl* event) override
    {
        CheckDelay(delay);
        return DefaultSimulatorImpl::Schedule(delay, event);
    }

    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override
    {
        CheckDelay(delay);
        DefaultSimulatorImpl::ScheduleWithContext(context, delay, event);
    }

  private:
    void CheckDelay(const Time& delay) const
    {
        NS_ABORT_MSG_IF(delay.IsStrictlyNegative(),
                        "an event in the past: at " << Now() << ", a delay of " << delay);
    }
};

NS_OBJECT_ENSURE_REGISTERED(StrictSimulatorImpl);

namespace
{

/**
 * Begins the program anew with this simulator, before main(): ns-3 reads the variable when it is
 * loaded, and what is chosen later ends with the next Config::Reset().
 */
__attribute__((constructor)) void
BeginStrictly(int, char* argv[], char*[])
{
    if (std::getenv("NS_GLOBAL_VALUE") == nullptr)
    {
        setenv("NS_GLOBAL_VALUE", "SimulatorImplementationType=ns3::StrictSimulatorImpl", 0);
        execv("/proc/self/exe", argv);
    }
}

} // namespace

} // namespace ns3
