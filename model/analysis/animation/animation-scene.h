/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ANIMATION_SCENE_H
#define PHOTONIC_RAILS_ANIMATION_SCENE_H

#include "netanim-file.h"

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** Where a text stands, from its place. */
enum class AnimationSide
{
    RIGHT,
    LEFT,
    ABOVE,
    BELOW,
    MIDDLE, //!< the place is its middle
};

/**
 * @ingroup photonic-rails
 * @brief A picture that changes: nodes, texts, links and beams in square panels, beside a legend
 * and a headline. It becomes a file of NetAnim.
 *
 * NetAnim has no links that come and go, but links follow their nodes. So a *beam* is a link
 * between a node and an end that nobody sees. The end is at its own node, and the link has no
 * length, or at another node, and the link joins the two. A beam has several links, since one is
 * pale.
 *
 * Changes of one instant are one step of the picture, and only the last of each counts. The
 * headline has the instant and its notes, in the order in which they came. The state at the end of
 * the first instant is that of the picture from 0 on, so panels, nodes, beams and keys must be
 * added by then. A step is in the file when the next one begins. If the program ends by an error,
 * the last one is in it too.
 * @code
 * AnimationScene scene("animation.xml");
 * const uint32_t panel = scene.AddPanel(Time(0), 20);
 * const uint32_t one = scene.AddNode(panel, {-10, 0}, 2, GREY);
 * const uint32_t other = scene.AddNode(panel, {10, 0}, 2, GREY);
 * scene.AddBeam(one);
 * scene.Aim(MicroSeconds(5), one, other); // a line
 * scene.Note(MicroSeconds(5), "there is light");
 * scene.Aim(MicroSeconds(9), one, one);   // none
 * scene.Finish();
 * @endcode
 */
class AnimationScene
{
  public:
    static constexpr std::size_t MOST_NOTES = 12;   //!< of a step, in the headline
    static constexpr std::size_t LONGEST_NOTE = 76; //!< in characters

    /** @param filename an existing file is replaced; aborts if it cannot be written */
    explicit AnimationScene(const std::string& filename);
    ~AnimationScene();
    AnimationScene(const AnimationScene&) = delete;
    AnimationScene& operator=(const AnimationScene&) = delete;

    /**
     * Adds a panel, in which places are relative to its middle.
     * @param when now: the first panel begins the first step
     * @param radius of its contents, without texts
     */
    uint32_t AddPanel(Time when, double radius);
    /** Adds a node. @return its number */
    uint32_t AddNode(uint32_t panel, AnimationPoint at, double diameter, AnimationColour colour);
    /** Adds a text. @return its number, which is that of a node */
    uint32_t AddText(uint32_t panel,
                     AnimationPoint at,
                     AnimationSide side,
                     const std::string& text);
    /** Gives a node a beam. */
    void AddBeam(uint32_t node);
    /** Adds a link that stays. @param oneName of its end at the first node */
    void AddLink(uint32_t one,
                 uint32_t other,
                 const std::string& oneName = "",
                 const std::string& otherName = "");
    /** Adds a line to the legend, unless it has this text. */
    void AddKey(AnimationColour colour, const std::string& text);
    /** Adds a counter, which nodes have by number. @return the number of the counter */
    uint32_t AddCounter(const std::string& name);

    /** The beam of a node leads to another one; to itself: there is none. */
    void Aim(Time when, uint32_t node, uint32_t target);
    /** A node has a colour. */
    void Paint(Time when, uint32_t node, AnimationColour colour);
    /** A text is another one. */
    void Describe(Time when, uint32_t node, const std::string& text);
    /** A counter of a node has a value. */
    void Count(Time when, uint32_t counter, uint32_t node, uint64_t value);
    /** Adds a line to the headline of an instant. */
    void Note(Time when, const std::string& line);

    /** Completes the file. Later changes are not in it. */
    void Finish();

  private:
    /** The properties of a node that change. */
    struct State
    {
        AnimationColour colour;
        std::string text;
        uint32_t target{0}; //!< of its beam
    };

    /** A node. */
    struct Node
    {
        uint32_t panel{0};
        AnimationPoint at; //!< from the middle of the panel
        double diameter{0};
        AnimationSide side{AnimationSide::RIGHT}; //!< of its text
        State now;
        State written;
        uint32_t beam{0}; //!< number of the first end of its beam in the file; 0: it has none
    };

    /** A link that stays. */
    struct Link
    {
        uint32_t one;
        uint32_t other;
        std::string oneName;
        std::string otherName;
    };

    /** A line of the legend. */
    struct Key
    {
        AnimationColour colour;
        std::string text;
    };

    /** Requires that the picture has not begun. @param what is added */
    void RequireOpen(const std::string& what) const;
    /** @return a node; aborts if there is none of that number */
    Node& At(uint32_t node);
    /** Begins the step of an instant, if it is another one. @return whether there is a file */
    bool Begin(Time when);
    /** Adds the present step to the file. */
    void WriteStep();

    /** Arranges the panels, and adds legend and headline. */
    void Arrange();
    /** Adds legend and headline. @param x their left edge */
    void AddLegend(double x);
    /** Writes the first state. */
    void WriteBegin();
    /** Writes the nodes, with the ends of beams first, so that they are below. */
    void WriteNodes();
    /** Writes the state of a node from 0 on. */
    void WriteFirst(const Node& node, uint32_t number);
    /** Writes what has changed of a node. */
    void WriteChange(Node& node, uint32_t number);
    /** @return the place of a node in the picture, with that of its text */
    AnimationPoint PlaceOf(const Node& node) const;
    /** @return the text of the headline for the present step */
    std::string GetHeadline() const;

    std::unique_ptr<NetanimFile> m_file;
    std::vector<double> m_radii; //!< of panels
    std::vector<Node> m_nodes;
    std::vector<Link> m_links;
    std::vector<Key> m_keys;
    std::vector<std::string> m_counters;

    // of the picture, once it has begun
    bool m_hasBegun{false};
    std::vector<AnimationPoint> m_middles; //!< of panels
    double m_pixel{1};                     //!< in a usual window
    uint32_t m_headline{0};                //!< a text

    // of the present step
    bool m_isOpen{false}; //!< there is a step
    Time m_now{0};
    std::vector<uint32_t> m_changed; //!< nodes, maybe more than once
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> m_counts;
    std::vector<std::string> m_notes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ANIMATION_SCENE_H */
