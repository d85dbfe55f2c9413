/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-animation-file.h"

#include <algorithm>
#include <fstream>
#include <regex>

namespace ns3
{

namespace
{

const char* const HEAD = "<anim ver=\"netanim-3.108\" filetype=\"animation\">";
constexpr int LINKS_OF_A_BEAM = 2; // each way

Picoseconds
ReadSeconds(const std::string& text)
{
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string fraction = text.substr(std::min(point + 1, text.size()));
    fraction.resize(12, '0');
    return std::stoll(text.substr(0, point)) * 1'000'000'000'000 + std::stoll(fraction);
}

std::string
WithLineBreaks(std::string text)
{
    const std::string code = "&#10;";
    for (std::size_t at = text.find(code); at != std::string::npos; at = text.find(code))
    {
        text.replace(at, code.size(), "\n");
    }
    return text;
}

} // namespace

AnimationFile::Element
AnimationFile::ReadElement(const std::string& line)
{
    static const std::regex whole("<(\\w+)((?: \\w+=\"[^\"<>]*\")*)/>");
    static const std::regex attribute(" (\\w+)=\"([^\"]*)\"");
    std::smatch found;
    Element element;
    if (std::regex_match(line, found, whole))
    {
        element[""] = found[1];
        const std::string all = found[2];
        for (std::sregex_iterator one(all.begin(), all.end(), attribute), end; one != end; ++one)
        {
            element[(*one)[1]] = (*one)[2];
        }
    }
    return element;
}

AnimationFile::AnimationFile(const std::string& filename)
{
    std::ifstream file(filename);
    std::string line;
    std::getline(file, line);
    if (line != HEAD)
    {
        Blame("it begins with " + line);
    }
    bool isOver = false;
    while (!isOver && std::getline(file, line))
    {
        isOver = line == "</anim>";
        const Element element = ReadElement(line);
        const auto name = element.find("");
        if (!isOver && name == element.end())
        {
            Blame("no element: " + line);
        }
        else if (!isOver && element.count("t") != 0 && name->second != "ncs")
        {
            TakeUpdate(element);
        }
        else if (!isOver)
        {
            TakeHead(element);
        }
    }
    if (!isOver || std::getline(file, line))
    {
        Blame("it does not end with </anim>");
    }
    for (std::size_t node = 0; node < m_nodes.size(); ++node)
    {
        if (m_nodes.count(std::to_string(node)) == 0)
        {
            Blame("no node " + std::to_string(node));
        }
    }
}

void
AnimationFile::Blame(const std::string& what)
{
    m_mistake = m_mistake.empty() ? what : m_mistake;
}

void
AnimationFile::TakeHead(const Element& element)
{
    const std::string& kind = element.at("");
    if (!m_updates.empty())
    {
        Blame(kind + " after an update");
    }
    if (kind == "node")
    {
        if (!m_nodes.insert(element.at("id")).second)
        {
            Blame("two nodes " + element.at("id"));
        }
    }
    else if (kind == "link")
    {
        const std::string from = element.at("fromId");
        const std::string to = element.at("toId");
        if (m_nodes.count(from) == 0 || m_nodes.count(to) == 0)
        {
            Blame("a link from " + from + " to " + to + " before its nodes");
        }
        if (element.at("td").empty())
        {
            ++m_pairs[{from, to}];
            return;
        }
        m_names[from] = element.at("fd");
        m_names[to] = element.at("td");
        m_fibers.insert({element.at("fd"), element.at("td")});
    }
    else if (kind == "ncs")
    {
        m_counters[element.at("ncId")] = element.at("n");
    }
    else
    {
        Blame("an element " + kind);
    }
}

void
AnimationFile::TakeUpdate(const Element& element)
{
    const Picoseconds at = ReadSeconds(element.at("t"));
    const std::string node = element.at("") == "nc" ? element.at("i") : element.at("id");
    if (m_nodes.count(node) == 0)
    {
        Blame("no node " + node + " is there for an update");
    }
    if (m_instants.empty() && at != 0)
    {
        Blame("no state at 0");
    }
    if (!m_instants.empty() && at < m_instants.back())
    {
        Blame("an update at " + element.at("t") + " comes after a later one");
    }
    if (m_instants.empty() || at > m_instants.back())
    {
        m_instants.push_back(at);
    }
    const auto text = element.find("descr");
    if (at == 0 && text != element.end() &&
        (text->second.rfind("0 us", 0) == 0 || text->second.rfind("from ", 0) == 0))
    {
        m_headline = node;
    }
    m_updates.emplace_back(at, element);
}

const std::string&
AnimationFile::GetMistake() const
{
    return m_mistake;
}

const std::vector<Picoseconds>&
AnimationFile::GetInstants() const
{
    return m_instants;
}

const std::set<std::pair<std::string, std::string>>&
AnimationFile::GetFibers() const
{
    return m_fibers;
}

AnimationPicture
AnimationFile::GetAt(Picoseconds instant) const
{
    AnimationPicture picture;
    std::map<std::string, std::string> places;
    std::map<std::string, std::string> texts;
    for (const auto& [at, update] : m_updates)
    {
        if (at > instant)
        {
            break;
        }
        if (update.at("") == "nc")
        {
            picture.counters[m_counters.at(update.at("c")) + " " + update.at("i")] = update.at("v");
            continue;
        }
        const std::string node = update.at("id");
        if (update.at("p") == "p")
        {
            places[node] = update.at("x") + " " + update.at("y");
        }
        else if (update.at("p") == "d")
        {
            texts[node] = WithLineBreaks(update.at("descr"));
        }
        else if (update.at("p") == "c" && m_names.count(node) != 0)
        {
            picture.colours[m_names.at(node)] =
                update.at("r") + " " + update.at("g") + " " + update.at("b");
        }
    }
    picture.headline = texts[m_headline];
    for (const auto& [node, text] : texts)
    {
        if (node != m_headline && !text.empty())
        {
            picture.texts.insert(text);
        }
    }
    // a link without names and its way back: a beam, whose end is at a named node
    std::map<std::pair<std::string, std::string>, int> links;
    for (const auto& [pair, times] : m_pairs)
    {
        const auto& [from, end] = pair;
        const bool isBeam =
            m_names.count(from) != 0 && m_names.count(end) == 0 && m_pairs.count({end, from}) != 0;
        for (const auto& [port, name] : m_names)
        {
            if (isBeam && places[port] == places[end] && port != from)
            {
                ++links[{m_names.at(from), name}];
            }
        }
    }
    for (const auto& [pair, times] : links)
    {
        const auto& [from, to] = pair;
        const auto back = links.find({to, from});
        const bool isLine =
            times == LINKS_OF_A_BEAM && back != links.end() && back->second == times;
        picture.lines.insert(isLine ? std::make_pair(std::min(from, to), std::max(from, to))
                                    : std::make_pair(from, "half of a line to " + to));
    }
    return picture;
}

} // namespace ns3
