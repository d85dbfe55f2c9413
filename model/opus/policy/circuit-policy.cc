/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-policy.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/log.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CircuitPolicy");

NS_OBJECT_ENSURE_REGISTERED(CircuitPolicy);

TypeId
CircuitPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::CircuitPolicy").SetParent<Object>().SetGroupName("PhotonicRails");
    return tid;
}

CircuitPolicy::CircuitPolicy() = default;

CircuitPolicy::~CircuitPolicy() = default;

Ptr<CircuitPolicy>
CircuitPolicy::Create(const ObjectFactory& factory, std::shared_ptr<const Cabling> cabling)
{
    const Ptr<CircuitPolicy> policy = factory.Create<CircuitPolicy>();
    NS_ABORT_MSG_UNLESS(policy,
                        factory.GetTypeId().GetName()
                            << " is no policy; derive its type from ns3::CircuitPolicy, by "
                               "SetParent<CircuitPolicy>() or that of another policy");
    policy->SetCabling(std::move(cabling));
    return policy;
}

void
CircuitPolicy::SetCabling(std::shared_ptr<const Cabling> cabling)
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(m_cabling || !cabling, "CircuitPolicy: give the cabling once");
    m_cabling = std::move(cabling);
    NotifyCabling();
}

CircuitTarget
CircuitPolicy::GetInitial(const JobDemand&, const RailCircuits&)
{
    return {};
}

std::string
CircuitPolicy::GetWhyNever(const std::vector<JoinedRanks>&) const
{
    return "";
}

bool
CircuitPolicy::IsForGood() const
{
    return false;
}

bool
CircuitPolicy::IsMultiHop() const
{
    return false;
}

bool
CircuitPolicy::AllowsDetours() const
{
    return false;
}

bool
CircuitPolicy::NeedsControlPlane() const
{
    return true;
}

Time
CircuitPolicy::GetSlot() const
{
    return Time(0);
}

CircuitTarget
CircuitPolicy::GetRotation(uint64_t, const RailCircuits&)
{
    return {};
}

uint64_t
CircuitPolicy::GetCacheHits() const
{
    return 0;
}

void
CircuitPolicy::NotifyCabling()
{
}

const std::shared_ptr<const Cabling>&
CircuitPolicy::ShareCabling() const
{
    return m_cabling;
}

const Cabling&
CircuitPolicy::GetCabling() const
{
    NS_ASSERT_MSG(m_cabling, "the cabling is given before anything is asked");
    return *m_cabling;
}

} // namespace ns3
