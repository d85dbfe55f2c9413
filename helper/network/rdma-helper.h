/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_HELPER_H
#define PHOTONIC_RAILS_RDMA_HELPER_H

#include "attribute-check.h"

#include "ns3/congestion-control-names.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-engine.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Installs an RdmaEngine on nodes, with all their RailNetDevices as its ports, in order.
 */
class RdmaHelper
{
  public:
    RdmaHelper();

    /** @param name an attribute of RdmaEngine */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Sets the attribute CongestionControl of RdmaEngine.
     * @code
     * rdma.SetCongestionControl("ns3::DcqcnControl", "MinimumRate", StringValue("1Gbps"));
     * @endcode
     * @param control a type that derives from ns3::CongestionControl, or a short name
     *        (GetCongestionControlAliases())
     * @param attributes names and values of its attributes, alternating
     */
    template <typename... Attributes>
    void SetCongestionControl(const std::string& control, const Attributes&... attributes)
    {
        ObjectFactory factory = GetCongestionControlAliases().MakeFactory(control);
        SetCheckedAttributes(factory, attributes...);
        SetAttribute("CongestionControl", ObjectFactoryValue(factory));
    }

    /**
     * @param nodes must be on rails already
     */
    void Install(const NodeContainer& nodes) const;

    /** @param node must be on rails already */
    void Install(Ptr<Node> node) const;

    /** @param node a node on rails, by its name in ns-3's Names */
    void Install(const std::string& node) const;

  private:
    ObjectFactory m_factory;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RDMA_HELPER_H */
