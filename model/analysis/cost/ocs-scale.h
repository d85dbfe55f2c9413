/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OCS_SCALE_H
#define PHOTONIC_RAILS_OCS_SCALE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The largest number of GPUs on photonic rails of a technology.
 *
 * A rail is one optical switch, and a server has one GPU on it. So a rail has radix / 2 servers
 * where a GPU takes two ports of the switch, and the cluster has that many times the GPUs of a
 * server. This is the table of technologies in "Photonic Rails in ML Datacenters" (arXiv
 * 2507.08119). Servers are whole: remaining ports are unused.
 */
struct OcsScale
{
    std::string name;     //!< of the technology
    std::string product;  //!< its kind, and an example of a maker
    Time reconfiguration; //!< from the command to light on the new circuit
    uint32_t radix;       //!< ports of one switch
    uint32_t servers;     //!< on one rail
    uint64_t gpus;        //!< of all rails
};

/**
 * @param gpusPerServer GPUs on the scale-up fabric of a server; there is a rail for each
 * @param portsPerGpu ports of a rail's switch that a GPU takes, 1 or more
 * @return by technology, in the order of OcsTechnology::GetAll()
 */
std::vector<OcsScale> ListOcsScale(uint32_t gpusPerServer, uint32_t portsPerGpu = 2);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OCS_SCALE_H */
