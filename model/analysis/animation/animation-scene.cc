/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "animation-scene.h"

#include "ns3/abort.h"
#include "ns3/exact-decimal.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr uint32_t BEAM_ENDS = 2;    //!< each has a link there and one back
constexpr double DOT = 0.05;         //!< diameter of nodes that are not to be seen
constexpr double WINDOW = 540;       //!< pixels that the picture fills in NetAnim at first
constexpr double TEXT_SHARE = 0.31;  //!< of the width of a panel, for texts beside its contents
constexpr double TEXTS_SHARE = 0.42; //!< the same, if panels are side by side
constexpr double CHARACTER = 6.8;    //!< pixels
constexpr double LINE = 17;          //!< pixels
constexpr double TEXT_MARGIN = 4;    //!< pixels between a node and its text
constexpr double KEY_LINE = 26;      //!< pixels
constexpr double KEY_DIAMETER = 13;  //!< pixels
const AnimationColour INVISIBLE{255, 255, 255};

/** @return characters of the longest line of a text */
std::size_t
CountColumns(const std::string& text)
{
    std::size_t longest = 0;
    std::size_t begin = 0;
    while (begin <= text.size())
    {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        longest = std::max(longest, end - begin);
        begin = end + 1;
    }
    return longest;
}

} // namespace

AnimationScene::AnimationScene(const std::string& filename)
    : m_file(std::make_unique<NetanimFile>(filename, [this] {
          if (m_file) // an error ends the program
          {
              WriteStep();
          }
      }))
{
}

AnimationScene::~AnimationScene()
{
    Finish();
}

void
AnimationScene::RequireOpen(const std::string& what) const
{
    NS_ABORT_MSG_IF(m_hasBegun,
                    "RailAnimation: " << what << " is added at " << ToInstantText(m_now)
                                      << ", and the animation has begun; add rails before the "
                                         "simulation runs");
}

uint32_t
AnimationScene::AddPanel(Time when, double radius)
{
    Begin(when);
    RequireOpen("a panel");
    m_radii.push_back(radius);
    return m_radii.size() - 1;
}

uint32_t
AnimationScene::AddNode(uint32_t panel, AnimationPoint at, double diameter, AnimationColour colour)
{
    RequireOpen("a node");
    NS_ABORT_MSG_UNLESS(panel < m_radii.size(),
                        "AnimationScene: there is no panel " << panel << " of " << m_radii.size()
                                                             << "; AddPanel() gives one");
    Node node;
    node.panel = panel;
    node.at = at;
    node.diameter = diameter;
    node.now.colour = colour;
    node.now.target = m_nodes.size();
    m_nodes.push_back(node);
    return m_nodes.size() - 1;
}

uint32_t
AnimationScene::AddText(uint32_t panel,
                        AnimationPoint at,
                        AnimationSide side,
                        const std::string& text)
{
    const uint32_t node = AddNode(panel, at, DOT, INVISIBLE);
    m_nodes[node].side = side;
    m_nodes[node].now.text = text;
    return node;
}

void
AnimationScene::AddBeam(uint32_t node)
{
    RequireOpen("a beam");
    At(node).beam = 1; // numbered when the picture begins
}

void
AnimationScene::AddLink(uint32_t one,
                        uint32_t other,
                        const std::string& oneName,
                        const std::string& otherName)
{
    RequireOpen("a link");
    m_links.push_back({one, other, oneName, otherName});
}

void
AnimationScene::AddKey(AnimationColour colour, const std::string& text)
{
    RequireOpen("a line of the legend");
    const auto isThere = [&text](const Key& key) { return key.text == text; };
    if (std::none_of(m_keys.begin(), m_keys.end(), isThere))
    {
        m_keys.push_back({colour, text});
    }
}

uint32_t
AnimationScene::AddCounter(const std::string& name)
{
    const auto found = std::find(m_counters.begin(), m_counters.end(), name);
    const uint32_t number = found - m_counters.begin();
    if (found == m_counters.end())
    {
        RequireOpen("a counter");
        m_counters.push_back(name);
    }
    return number;
}

// --------------------------------------------------------------------------- changes

AnimationScene::Node&
AnimationScene::At(uint32_t node)
{
    NS_ABORT_MSG_UNLESS(node < m_nodes.size(),
                        "AnimationScene: there is no node " << node << " of " << m_nodes.size()
                                                            << "; AddNode() gives one");
    return m_nodes[node];
}

bool
AnimationScene::Begin(Time when)
{
    if (!m_file)
    {
        return false;
    }
    m_now = m_isOpen ? m_now : when;
    m_isOpen = true;
    NS_ABORT_MSG_IF(when < m_now,
                    "AnimationScene: a change at " << ToInstantText(when) << " comes after one at "
                                                   << ToInstantText(m_now));
    if (when > m_now)
    {
        WriteStep();
        m_now = when;
    }
    return true;
}

void
AnimationScene::Aim(Time when, uint32_t node, uint32_t target)
{
    if (Begin(when))
    {
        NS_ABORT_MSG_UNLESS(At(node).beam > 0, "AnimationScene: node " << node << " has no beam");
        At(node).now.target = target;
        m_changed.push_back(node);
    }
}

void
AnimationScene::Paint(Time when, uint32_t node, AnimationColour colour)
{
    if (Begin(when))
    {
        At(node).now.colour = colour;
        m_changed.push_back(node);
    }
}

void
AnimationScene::Describe(Time when, uint32_t node, const std::string& text)
{
    if (Begin(when))
    {
        At(node).now.text = text;
        m_changed.push_back(node);
    }
}

void
AnimationScene::Count(Time when, uint32_t counter, uint32_t node, uint64_t value)
{
    if (Begin(when))
    {
        m_counts[{counter, node}] = value;
    }
}

void
AnimationScene::Note(Time when, const std::string& line)
{
    if (Begin(when))
    {
        m_notes.push_back(line.size() > LONGEST_NOTE ? line.substr(0, LONGEST_NOTE - 3) + "..."
                                                     : line);
    }
}

void
AnimationScene::Finish()
{
    if (m_file)
    {
        WriteStep();
        m_file.reset();
    }
}

// -------------------------------------------------------------------------- the file

void
AnimationScene::WriteStep()
{
    if (!m_hasBegun)
    {
        WriteBegin();
    }
    else
    {
        At(m_headline).now.text = GetHeadline();
        m_changed.push_back(m_headline);
        std::sort(m_changed.begin(), m_changed.end());
        m_changed.erase(std::unique(m_changed.begin(), m_changed.end()), m_changed.end());
        for (const uint32_t node : m_changed)
        {
            WriteChange(m_nodes[node], node);
        }
    }
    for (const auto& [place, value] : m_counts)
    {
        m_file->Count(m_hasBegun ? m_now : Time(0), place.first, place.second, value);
    }
    m_hasBegun = true;
    m_changed.clear();
    m_counts.clear();
    m_notes.clear();
    m_file->WriteOut();
}

void
AnimationScene::Arrange()
{
    const std::size_t panels = std::max<std::size_t>(m_radii.size(), 1);
    const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(panels)));
    const double radius = m_radii.empty() ? 1 : *std::max_element(m_radii.begin(), m_radii.end());
    const double side = 2 * radius / (1 - (columns > 1 ? TEXTS_SHARE : TEXT_SHARE));
    for (std::size_t panel = 0; panel < panels; ++panel)
    {
        m_middles.push_back({(panel % columns + 0.5) * side, (panel / columns + 0.5) * side});
    }
    m_pixel = columns * side / WINDOW;
    AddLegend(columns * side);
}

void
AnimationScene::AddLegend(double x)
{
    if (m_radii.empty())
    {
        AddPanel(m_now, 1);
    }
    // NetAnim writes coordinates on the right, at the top, in the middle and at the bottom
    double bottom = 0;
    for (const Node& node : m_nodes)
    {
        bottom = std::max(bottom, PlaceOf(node).y);
    }
    // in the first panel, as all nodes are in one
    const AnimationPoint middle = m_middles.front();
    const double line = KEY_LINE * m_pixel;
    double y = 1.5 * line;
    for (const Key& key : m_keys)
    {
        const AnimationPoint at{x - middle.x, y - middle.y};
        AddNode(0, at, KEY_DIAMETER * m_pixel, key.colour);
        AddText(0, {at.x + KEY_DIAMETER * m_pixel, at.y}, AnimationSide::RIGHT, key.text);
        y += line;
    }
    y = std::max(y, bottom / 2 + line) + line / 2;
    m_headline = AddText(0, {x - middle.x, y - middle.y}, AnimationSide::RIGHT, GetHeadline());
}

void
AnimationScene::WriteBegin()
{
    Arrange();
    WriteNodes();
    for (uint32_t counter = 0; counter < m_counters.size(); ++counter)
    {
        m_file->AddCounter(counter, m_counters[counter]);
    }
    for (uint32_t node = 0; node < m_nodes.size(); ++node)
    {
        WriteFirst(m_nodes[node], node);
        m_nodes[node].written = m_nodes[node].now;
    }
}

void
AnimationScene::WriteNodes()
{
    uint32_t next = m_nodes.size();
    for (Node& node : m_nodes)
    {
        if (node.beam > 0)
        {
            node.beam = next;
            next += BEAM_ENDS;
            for (uint32_t end = 0; end < BEAM_ENDS; ++end)
            {
                m_file->AddNode(node.beam + end, PlaceOf(node));
            }
        }
    }
    for (uint32_t node = 0; node < m_nodes.size(); ++node)
    {
        m_file->AddNode(node, PlaceOf(m_nodes[node]));
    }
    for (const Link& link : m_links)
    {
        m_file->AddLink(link.one, link.other, link.oneName, link.otherName);
    }
    for (uint32_t node = 0; node < m_nodes.size(); ++node)
    {
        for (uint32_t end = 0; m_nodes[node].beam > 0 && end < BEAM_ENDS; ++end)
        {
            // NetAnim takes them for two links, so that the line is twice as dark
            m_file->AddLink(node, m_nodes[node].beam + end);
            m_file->AddLink(m_nodes[node].beam + end, node);
        }
    }
}

void
AnimationScene::WriteFirst(const Node& node, uint32_t number)
{
    const Time begin(0);
    m_file->Resize(begin, number, node.diameter);
    m_file->Paint(begin, number, node.now.colour);
    m_file->Move(begin, number, PlaceOf(node));
    m_file->Describe(begin, number, node.now.text);
    for (uint32_t end = 0; node.beam > 0 && end < BEAM_ENDS; ++end)
    {
        m_file->Resize(begin, node.beam + end, DOT);
        m_file->Paint(begin, node.beam + end, INVISIBLE);
        m_file->Move(begin, node.beam + end, PlaceOf(m_nodes[node.now.target]));
        m_file->Describe(begin, node.beam + end, "");
    }
}

void
AnimationScene::WriteChange(Node& node, uint32_t number)
{
    if (!(node.now.colour == node.written.colour))
    {
        m_file->Paint(m_now, number, node.now.colour);
    }
    if (node.now.text != node.written.text)
    {
        if (node.side != AnimationSide::RIGHT)
        {
            m_file->Move(m_now, number, PlaceOf(node));
        }
        m_file->Describe(m_now, number, node.now.text);
    }
    if (node.now.target != node.written.target)
    {
        for (uint32_t end = 0; end < BEAM_ENDS; ++end)
        {
            m_file->Move(m_now, node.beam + end, PlaceOf(m_nodes[node.now.target]));
        }
    }
    node.written = node.now;
}

AnimationPoint
AnimationScene::PlaceOf(const Node& node) const
{
    AnimationPoint place = m_middles[node.panel];
    place.x += node.at.x;
    place.y += node.at.y;
    if (node.now.text.empty())
    {
        return place;
    }
    // NetAnim draws a text to the right of its node and below it, in letters of a fixed size
    const double width = CHARACTER * CountColumns(node.now.text) + 2 * TEXT_MARGIN;
    const double lines = 1 + std::count(node.now.text.begin(), node.now.text.end(), '\n');
    const bool isBeside = node.side == AnimationSide::RIGHT || node.side == AnimationSide::LEFT;
    const double left = node.side == AnimationSide::RIGHT  ? 0
                        : node.side == AnimationSide::LEFT ? width
                                                           : width / 2;
    const double up = isBeside                             ? std::min(lines, 2.0) * LINE / 2
                      : node.side == AnimationSide::MIDDLE ? lines * LINE / 2
                      : node.side == AnimationSide::ABOVE  ? lines * LINE + TEXT_MARGIN
                                                           : -TEXT_MARGIN;
    place.x -= left * m_pixel;
    place.y -= (up + TEXT_MARGIN) * m_pixel;
    return place;
}

std::string
AnimationScene::GetHeadline() const
{
    std::string text = m_hasBegun || m_now.IsZero() ? ToInstantText(m_now)
                                                    : "from " + ToInstantText(m_now) + " on";
    for (std::size_t note = 0; note < std::min(m_notes.size(), MOST_NOTES); ++note)
    {
        text += "\n" + m_notes[note];
    }
    if (m_notes.size() > MOST_NOTES)
    {
        text += "\nand " + std::to_string(m_notes.size() - MOST_NOTES) + " more";
    }
    return text;
}

} // namespace ns3
