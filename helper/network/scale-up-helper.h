/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCALE_UP_HELPER_H
#define PHOTONIC_RAILS_SCALE_UP_HELPER_H

#include "suggestible-factory.h"

#include "ns3/node-container.h"
#include "ns3/scale-up-domain.h"
#include "ns3/scale-up-transport.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Connects the GPUs of each server by a ScaleUpDomain.
 *
 * @code
 * ScaleUpHelper helper;
 * helper.SetAttribute("Generation", StringValue("nvlink5"));
 * const auto domains = helper.Install(gpus, 8);           // gpus 0 to 7 are server 0
 * const auto transports = ScaleUpHelper::MakeTransports(domains); // of rank 0, 1, ...
 * @endcode
 */
class ScaleUpHelper
{
  public:
    ScaleUpHelper();

    /** @param name an attribute of ScaleUpDomain */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /** Sets an attribute that the user has not set. */
    void SuggestAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param gpus all GPUs, server by server
     * @param perServer GPUs of a server
     * @return the fabric of each server, in which GPU l of the server is member l
     */
    std::vector<Ptr<ScaleUpDomain>> Install(const NodeContainer& gpus, uint32_t perServer) const;

    /**
     * @param domains the fabrics of the servers, whose GPUs are ranks 0, 1, and so on in order
     * @return the transport of each rank, which reaches the other ranks of its server
     */
    static std::vector<Ptr<ScaleUpTransport>> MakeTransports(
        const std::vector<Ptr<ScaleUpDomain>>& domains);

  private:
    SuggestibleFactory m_factory;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_HELPER_H */
