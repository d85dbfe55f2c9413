/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FABRIC_BILL_H
#define PHOTONIC_RAILS_FABRIC_BILL_H

#include "network-inputs.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The bill of a fabric for S servers of g GPUs: parts, watts and dollars.
 *
 * Price and power of a switch count by its used ports: a switch of 64 ports with 45 used ports
 * counts 45/64. NICs and fibers are not included: they are the same in all fabrics.
 *
 * *Electrical rails* (MakeElectricalRails) are those of the cost study of Opus (arXiv 2602.12521).
 * A rail is a pod of a three-tier folded Clos of switches with k ports: k = sqrt(4 S), rounded, so
 * that a pod of k/2 edge and k/2 aggregation switches has k^2/4 = S hosts. Such a pod has 2 floor(S
 * / floor(k/2)) switches, and floor(g S / k) spines connect the g rails. All have k ports,
 * independent of real switches. Every GPU and every port of a switch has a transceiver. The
 * rounding follows the study, and is a little too small where divisions have a remainder: for 512
 * servers a rail's edge has 23 x 22 = 506 ports.
 *
 * *A fat tree* (MakeFatTree) is a folded Clos that never blocks, of real switches with K ports, in
 * the least number of tiers t: t tiers connect 2 (K/2)^t hosts: K in one tier, K^2/2 in two, K^3/4
 * in three (Al-Fares, Loukissas, Vahdat: "A Scalable, Commodity Data Center Network Architecture",
 * SIGCOMM 2008, for three). N = g S GPUs use one port of a top switch and two of a switch in each
 * lower tier: N (2 t - 1) ports. The lower tiers have ceil(N / (K/2)) switches each, the top ceil(N
 * / K); several links may connect the same two of them.
 *
 * *Photonic rails* (MakePhotonicRails): a rail is one optical switch with 2 ports a GPU, and there
 * is one transceiver a GPU, which sends and receives on one fiber (bidirectional).
 *
 * The count of parts that can fail: every transceiver, switch and used port of a switch is one
 * part, optical if light passes through it unconverted or ends in it (optical switches, their
 * ports, transceivers), electrical if it forwards packets (switches, their ports). Failure rates
 * are not included.
 */
struct FabricBill
{
    std::string fabric;          //!< name of the fabric
    std::string remark{};        //!< a note on its shape
    uint32_t radix{0};           //!< required ports of one of its switches
    uint64_t switches{0};        //!< packet switches
    uint64_t switchPorts{0};     //!< used ports of packet switches
    uint64_t opticalSwitches{0}; //!< OCSes
    uint64_t opticalPorts{0};    //!< used ports of OCSes
    uint64_t transceivers{0};    //!< of GPUs and switches
    double watts{0};             //!< total power
    double dollars{0};           //!< total price

    /** @return parts that can fail and that light passes or ends in */
    uint64_t GetOpticalParts() const;
    /** @return parts that can fail and that forward packets */
    uint64_t GetElectricalParts() const;
};

/** The savings of one fabric compared with another. */
struct FabricComparison
{
    double costRatio;   //!< dollars of the other, divided by those of the one
    double powerRatio;  //!< watts of the other, divided by those of the one
    double costSaving;  //!< saved share of the other's dollars
    double powerSaving; //!< saved share of the other's watts
};

/**
 * @param servers number of servers, up to 1,000,000
 * @param gpusPerServer GPUs of each, up to 1,024
 * @return the reason for which there is no bill; empty if there is one
 */
std::string GetFabricMistake(const NetworkInputs& inputs, uint32_t servers, uint32_t gpusPerServer);

/**
 * The bill of electrical rails. Aborts on a mistake by GetFabricMistake().
 * @param gpusPerServer GPUs of each: the number of rails
 * @return the bill
 */
FabricBill MakeElectricalRails(const NetworkInputs& inputs,
                               uint32_t servers,
                               uint32_t gpusPerServer);

/**
 * The bill of a fat tree of all GPUs. Aborts on a mistake by GetFabricMistake().
 * @param gpusPerServer GPUs of each
 * @return the bill
 */
FabricBill MakeFatTree(const NetworkInputs& inputs, uint32_t servers, uint32_t gpusPerServer);

/**
 * The bill of photonic rails. Aborts on a mistake by GetFabricMistake().
 * @param gpusPerServer GPUs of each: the number of rails
 * @return the bill
 */
FabricBill MakePhotonicRails(const NetworkInputs& inputs, uint32_t servers, uint32_t gpusPerServer);

/**
 * @param one a fabric, such as photonic rails
 * @param other another, such as electrical rails
 * @return the savings of `one`
 */
FabricComparison CompareFabrics(const FabricBill& one, const FabricBill& other);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FABRIC_BILL_H */
