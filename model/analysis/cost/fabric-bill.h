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
 * @brief What a fabric for S servers of g GPUs takes: parts, watts and dollars.
 *
 * Switches are paid for, and draw power, by the ports that are used: a switch of 64 ports of which
 * 45 are used counts 45/64. NICs and fibers are left out: all fabrics have the same.
 *
 * *Electrical rails* (MakeElectricalRails) are those of the cost study of Opus (arXiv 2602.12521).
 * A rail is a pod of a three-tier folded Clos of switches with k ports: k = sqrt(4 S), rounded, so
 * that a pod of k/2 edge and k/2 aggregation switches has k^2/4 = S hosts. Such a pod has
 * 2 floor(S / floor(k/2)) switches, and floor(g S / k) spines join the g rails. All have k ports,
 * however many a real one has. A transceiver is at every GPU and every port of a switch. This is
 * rounded as the study rounds it, and so a little too small where it does not come out even: of 512
 * servers a rail's edge has room for 23 x 22 = 506.
 *
 * *A fat tree* (MakeFatTree) is a folded Clos that never blocks, of real switches with K ports, in
 * as few tiers t as it takes: t tiers join 2 (K/2)^t hosts: K in one tier, K^2/2 in two, K^3/4 in
 * three (Al-Fares, Loukissas, Vahdat: "A Scalable, Commodity Data Center Network Architecture",
 * SIGCOMM 2008, for three). N = g S GPUs use one port of a top switch and two of a switch in each
 * lower tier: N (2 t - 1) ports. The lower tiers have ceil(N / (K/2)) switches each, the top
 * ceil(N / K); several links may join the same two of them.
 *
 * *Photonic rails* (MakePhotonicRails): a rail is one optical switch with 2 ports a GPU, and there
 * is one transceiver a GPU, which sends and receives on one fiber (bidirectional).
 *
 * Parts that can fail are counted like this: every transceiver, switch and used port of a switch is
 * one part, optical if light passes through it unconverted or ends in it (optical switches, their
 * ports, transceivers), electrical if it forwards packets (switches, their ports). How often a part
 * fails is not said.
 */
struct FabricBill
{
    std::string fabric;          //!< which
    std::string remark{};        //!< what one should know of its shape
    uint32_t radix{0};           //!< ports that one of its switches must have
    uint64_t switches{0};        //!< packet switches
    uint64_t switchPorts{0};     //!< of them, used
    uint64_t opticalSwitches{0}; //!< OCSes
    uint64_t opticalPorts{0};    //!< of them, used
    uint64_t transceivers{0};    //!< of GPUs and switches
    double watts{0};             //!< drawn by all
    double dollars{0};           //!< price of all

    /** @return parts that can fail and that light goes through or ends in */
    uint64_t GetOpticalParts() const;
    /** @return parts that can fail and that forward packets */
    uint64_t GetElectricalParts() const;
};

/** How much less one fabric takes than another. */
struct FabricComparison
{
    double costRatio;   //!< how many times as many dollars the other takes
    double powerRatio;  //!< and watts
    double costSaving;  //!< the share of the other's dollars that is saved
    double powerSaving; //!< and of its watts
};

/**
 * @param servers how many, up to 1,000,000
 * @param gpusPerServer GPUs of each, up to 1,024
 * @return why there is no bill for that; empty if there is
 */
std::string GetFabricMistake(const NetworkInputs& inputs, uint32_t servers, uint32_t gpusPerServer);

/**
 * The bill of electrical rails. What GetFabricMistake() finds aborts.
 * @param gpusPerServer GPUs of each: the number of rails
 * @return the bill
 */
FabricBill MakeElectricalRails(const NetworkInputs& inputs,
                               uint32_t servers,
                               uint32_t gpusPerServer);

/**
 * The bill of a fat tree of all GPUs. What GetFabricMistake() finds aborts.
 * @param gpusPerServer GPUs of each
 * @return the bill
 */
FabricBill MakeFatTree(const NetworkInputs& inputs, uint32_t servers, uint32_t gpusPerServer);

/**
 * The bill of photonic rails. What GetFabricMistake() finds aborts.
 * @param gpusPerServer GPUs of each: the number of rails
 * @return the bill
 */
FabricBill MakePhotonicRails(const NetworkInputs& inputs, uint32_t servers, uint32_t gpusPerServer);

/**
 * @param one a fabric, such as photonic rails
 * @param other another, such as electrical rails
 * @return what the one saves
 */
FabricComparison CompareFabrics(const FabricBill& one, const FabricBill& other);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FABRIC_BILL_H */
