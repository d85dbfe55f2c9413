/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scale-up-helper.h"

#include "ns3/abort.h"
#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ScaleUpHelper");

ScaleUpHelper::ScaleUpHelper()
{
    m_factory.SetTypeId(ScaleUpDomain::GetTypeId());
}

void
ScaleUpHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

void
ScaleUpHelper::SuggestAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Suggest(name, value);
}

std::vector<Ptr<ScaleUpDomain>>
ScaleUpHelper::Install(const NodeContainer& gpus, uint32_t perServer) const
{
    NS_ABORT_MSG_IF(perServer == 0 || gpus.GetN() % perServer != 0,
                    "ScaleUpHelper: " << gpus.GetN() << " GPUs are no whole number of servers of "
                                      << perServer << "; give a multiple");
    std::vector<Ptr<ScaleUpDomain>> domains;
    for (uint32_t g = 0; g < gpus.GetN(); ++g)
    {
        if (g % perServer == 0)
        {
            domains.push_back(m_factory.Create<ScaleUpDomain>());
        }
        domains.back()->AddMember(gpus.Get(g));
    }
    NS_LOG_INFO(domains.size() << " servers of " << perServer << " GPUs have fabrics");
    return domains;
}

std::vector<Ptr<ScaleUpTransport>>
ScaleUpHelper::MakeTransports(const std::vector<Ptr<ScaleUpDomain>>& domains)
{
    std::vector<Ptr<ScaleUpTransport>> transports;
    for (const Ptr<ScaleUpDomain>& domain : domains)
    {
        const uint32_t first = transports.size();
        for (uint32_t here = 0; here < domain->GetMembers(); ++here)
        {
            Ptr<ScaleUpTransport> transport = CreateObject<ScaleUpTransport>();
            transport->Join(domain, MemberId(here), RankId(first + here));
            for (uint32_t there = 0; there < domain->GetMembers(); ++there)
            {
                if (there != here)
                {
                    transport->AddPeer(RankId(first + there), MemberId(there));
                }
            }
            transports.push_back(transport);
        }
    }
    return transports;
}

} // namespace ns3
