/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_MAP_PICTURE_H
#define PHOTONIC_RAILS_CIRCUIT_MAP_PICTURE_H

#include <cstddef>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A picture of the circuits of a switch at an instant: its ports on a circle, circuits as
 * curves between them. Plain data, from a simulation or from a database of results.
 *
 * Ports of one host are beside each other; an arc with the name of the host spans them. A port with
 * light is a disc, one whose circuit has no light a ring, one without a circuit a cross. Circuits
 * without light are dashed. A legend below counts them.
 * @code
 * CircuitMapPicture picture;
 * picture.title = "Circuits of rail 0 at 25 ms";
 * picture.ports = {{"host 0", "0"}, {"host 1", "1"}, {"host 2", "2"}};
 * picture.circuits = {{0, 1, true, "dp"}};
 * page << picture.Draw();
 * @endcode
 */
struct CircuitMapPicture
{
    /** A port of the switch. */
    struct Port
    {
        std::string host; //!< at the other end of its fiber; empty: none
        std::string name; //!< short, such as its number
    };

    /** A circuit between two ports. */
    struct Arc
    {
        std::size_t from;   //!< place of a port in `ports`
        std::size_t to;     //!< of the other one
        bool isUp{true};    //!< whether it carries light; if not, the switch reconfigures
        std::string kind{}; //!< has a colour and a line in the legend, such as a parallelism;
                            //!< empty: the first colour
    };

    std::string title;         //!< with the switch and the instant
    std::vector<Port> ports;   //!< in the order of the circle, clockwise from the top
    std::vector<Arc> circuits; //!< a port has at most one

    /**
     * @return the picture, an element `svg`: by itself the contents of a file, or a part of a page
     *         of HTML. Curves have the attributes data-circuit, such as "0-1", of the names of
     * ports, and data-light, "up" or "dark".
     */
    std::string Draw() const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_MAP_PICTURE_H */
