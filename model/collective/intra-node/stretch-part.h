/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STRETCH_PART_H
#define PHOTONIC_RAILS_STRETCH_PART_H

#include "ns3/picoseconds.h"
#include "ns3/scale-up-ports.h"
#include "ns3/stretch-rank.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * A part of a stretch, on ports that are idle at its first call: a collective operation, those that
 * some ranks call before it is over at all, and the computations up to the next part. All times are
 * from the first call on.
 */
struct StretchPart
{
    /** An operation of a rank. */
    struct Span
    {
        Picoseconds start{0};
        Picoseconds end{0};
    };

    std::shared_ptr<const StretchSteps> of; //!< the stretch
    std::size_t steps{0};                   //!< their number
    std::vector<std::vector<Span>> spans;   //!< by place and step
    std::vector<ScaleUpBusy> busy;          //!< by place: of its port, then
    std::vector<uint64_t> waited; //!< by place: the most messages that had waited for a call
    Picoseconds last{0};          //!< end of the last collective operation
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STRETCH_PART_H */
