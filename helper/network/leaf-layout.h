/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_LEAF_LAYOUT_H
#define PHOTONIC_RAILS_LEAF_LAYOUT_H

#include "ns3/divide-up.h"

#include <cstdint>

namespace ns3
{

/** How the ports of GPUs are divided among the leaf switches of an electrical rail, in order. */
struct LeafLayout
{
    uint32_t leaves;     //!< 1: a rail of one switch, without spines
    uint32_t portsALeaf; //!< for GPUs; the last leaf may have fewer

    /**
     * @param ports of GPUs
     * @param radix ports of a switch, half of them for spines if there are several leaves; 0: one
     *        switch has as many as it takes
     * @return the layout
     */
    static constexpr LeafLayout Of(uint32_t ports, uint32_t radix)
    {
        return radix == 0 || ports <= radix
                   ? LeafLayout{1, ports}
                   : LeafLayout{static_cast<uint32_t>(DivideUp(ports, radix / 2)), radix / 2};
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_LEAF_LAYOUT_H */
