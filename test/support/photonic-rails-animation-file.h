/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ANIMATION_FILE_H
#define PHOTONIC_RAILS_ANIMATION_FILE_H

#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * An animation as it is in its file, read by tests as NetAnim reads it.
 */

namespace ns3
{

/** The picture of an animation at an instant. */
struct AnimationPicture
{
    std::set<std::pair<std::string, std::string>> lines; //!< beams, by names of ports: lower first
    std::map<std::string, std::string> colours;          //!< of named ports: "0 158 115"
    std::set<std::string> texts;                         //!< all that are not empty
    std::string headline;
    std::map<std::string, std::string> counters; //!< by name and number of the node: "circuits 5"
};

/** The content of a file. */
class AnimationFile
{
  public:
    /** Reads an animation, which has an element a line. */
    explicit AnimationFile(const std::string& filename);

    /** @return what is wrong with the file; empty: nothing */
    const std::string& GetMistake() const;
    /** @return the instants of steps, ascending, 0 first */
    const std::vector<Picoseconds>& GetInstants() const;
    /** @return the picture after the step of an instant, or the last one before it */
    AnimationPicture GetAt(Picoseconds instant) const;
    /** @return the names of the ends of links that stay, by pairs */
    const std::set<std::pair<std::string, std::string>>& GetFibers() const;

  private:
    /** An element, by attribute; its name is at "". */
    using Element = std::map<std::string, std::string>;

    /** Reads a line. @return the element; without a name: it is none */
    static Element ReadElement(const std::string& line);
    /** Adds an element of the head. */
    void TakeHead(const Element& element);
    /** Adds an update. */
    void TakeUpdate(const Element& element);
    /** Notes a mistake. */
    void Blame(const std::string& what);

    std::string m_mistake;
    std::set<std::string> m_nodes;                              //!< numbers
    std::map<std::string, std::string> m_names;                 //!< of nodes at named ends of links
    std::map<std::pair<std::string, std::string>, int> m_pairs; //!< links without names, there
    std::set<std::pair<std::string, std::string>> m_fibers;
    std::map<std::string, std::string> m_counters; //!< names by number
    std::string m_headline;                        //!< number of its node
    std::vector<std::pair<Picoseconds, Element>> m_updates;
    std::vector<Picoseconds> m_instants;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ANIMATION_FILE_H */
