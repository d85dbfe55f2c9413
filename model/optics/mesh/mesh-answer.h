/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESH_ANSWER_H
#define PHOTONIC_RAILS_MESH_ANSWER_H

#include "mesh-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** The result of a search for routes. */
struct MeshAnswer
{
    /** The outcomes of a search. */
    enum Outcome
    {
        FOUND,
        IMPOSSIBLE, //!< proved: no setting of the cells joins all ends
        NOT_FOUND,  //!< within the limit of the search; there may be routes
    };

    Outcome outcome{NOT_FOUND};
    std::vector<MeshRoute> routes; //!< in the order of the demands
    uint64_t steps{0};             //!< of the search
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESH_ANSWER_H */
