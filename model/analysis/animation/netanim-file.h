/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NETANIM_FILE_H
#define PHOTONIC_RAILS_NETANIM_FILE_H

#include "ns3/nstime.h"
#include "ns3/readable-file.h"

#include <cstdint>
#include <functional>
#include <ostream>
#include <sstream>
#include <string>

namespace ns3
{

/** A place in an animation: x to the right, y downwards. */
struct AnimationPoint
{
    double x{0};
    double y{0};

    bool operator==(const AnimationPoint& other) const
    {
        return x == other.x && y == other.y;
    }
};

/** A colour in an animation. */
struct AnimationColour
{
    uint8_t red{255};
    uint8_t green{255};
    uint8_t blue{255};

    bool operator==(const AnimationColour& other) const
    {
        return red == other.red && green == other.green && blue == other.blue;
    }
};

/** @return seconds as a decimal number in which no picosecond is lost: "0.0005251" */
std::string ToExactSeconds(Time time);

/** @return a text as the value of an XML attribute, in quotes; bytes that XML forbids become '?' */
std::string ToXmlAttribute(const std::string& text);

/**
 * @ingroup photonic-rails
 * @brief A file of NetAnim, the animator of ns-3, element by element.
 *
 * It has the elements that ns-3's AnimationInterface writes, with the same names, and instants in
 * whole picoseconds. Nodes are numbered from 0 without a gap, which NetAnim takes for granted. The
 * nodes of a link come before it. NetAnim draws nodes in the order of the file, the later ones on
 * top, and all links below them.
 *
 * What was written is a whole XML document at any instant.
 * @code
 * NetanimFile file("animation.xml");
 * file.AddNode(0, {10, 10});
 * file.AddNode(1, {20, 10});
 * file.AddLink(0, 1);
 * file.Move(MicroSeconds(5), 1, {20, 20});
 * file.WriteOut();
 * @endcode
 */
class NetanimFile
{
  public:
    /**
     * @param filename aborts if it cannot be written
     * @param complete adds the last elements when an error ends the program; may be empty
     */
    explicit NetanimFile(const std::string& filename, const std::function<void()>& complete = {});

    /** Adds a node. @param id the next number */
    void AddNode(uint32_t id, AnimationPoint at);
    /**
     * Adds a link between two nodes, which is there from 0 on.
     * @param fromName of its end there, which NetAnim shows by its button IP; may be empty
     * @param toName of the other end
     */
    void AddLink(uint32_t from,
                 uint32_t to,
                 const std::string& fromName = "",
                 const std::string& toName = "");
    /** Adds a counter that nodes have. @param id the next number */
    void AddCounter(uint32_t id, const std::string& name);

    /** A node, with the ends of its links, is in a place from an instant on. */
    void Move(Time when, uint32_t node, AnimationPoint to);
    /** A node has a colour from an instant on. */
    void Paint(Time when, uint32_t node, AnimationColour colour);
    /** A node has a diameter from an instant on. */
    void Resize(Time when, uint32_t node, double diameter);
    /** A node has a text from an instant on. */
    void Describe(Time when, uint32_t node, const std::string& text);
    /** A counter of a node has a value from an instant on. */
    void Count(Time when, uint32_t counter, uint32_t node, uint64_t value);

    /** Writes the elements so far. */
    void WriteOut();

  private:
    /** Begins an update of a node. @param property by its letter in NetAnim */
    std::ostream& Update(char property, Time when, uint32_t node);

    ReadableFile m_file;
    std::ostringstream m_elements; //!< not written yet
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_NETANIM_FILE_H */
