/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-event-order.h"

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3
{

namespace
{

/** @return the simulator that a program uses by default */
std::string
GetSimulatorInOrder()
{
    StringValue name;
    GlobalValue::GetValueByName("SimulatorImplementationType", name);
    return name.Get();
}

} // namespace

void
SetEventOrder(uint64_t salt)
{
    static const std::string inOrder = GetSimulatorInOrder();
    const std::string chosen = salt == 0 ? inOrder : "ns3::ShuffledSimulatorImpl";
    GlobalValue::Bind("SimulatorImplementationType", StringValue(chosen));
    if (salt != 0)
    {
        Config::SetDefault("ns3::ShuffledSimulatorImpl::Salt", UintegerValue(salt));
    }
}

} // namespace ns3
