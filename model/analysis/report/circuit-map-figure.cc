/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-map-figure.h"

#include "circuit-history.h"
#include "circuit-kinds.h"
#include "circuit-map-picture.h"
#include "result-query.h"
#include "run-span.h"
#include "svg-chart.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr std::size_t MOST_PORTS_OF_MAP = 512; //!< of a switch, in a picture
constexpr std::size_t MOST_CHANGES = 1000;     //!< instants of a rail: later ones are left out
constexpr std::size_t MOST_TEXT = 4'000'000;   //!< of all pictures, in characters

/** @return an instant of a run in words, which are exact */
std::string
DescribeInstant(int64_t instant)
{
    std::ostringstream text;
    text << instant / 1'000'000'000 << "." << std::setw(9) << std::setfill('0')
         << instant % 1'000'000'000;
    const std::string whole = text.str();
    return whole.substr(0, std::max(whole.find_last_not_of('0') + 1, whole.find('.') + 2)) + " ms";
}

/** @return the instant in a span from which the most circuits have light, the first such */
int64_t
ChooseInstant(const CircuitHistory& history, const RunSpan& span)
{
    int64_t chosen = history.states.begin()->first;
    std::ptrdiff_t most = -1;
    for (const auto& [instant, state] : history.states)
    {
        const auto lit =
            std::count_if(state.begin(), state.end(), [](const auto& one) { return one.second; });
        if (static_cast<double>(instant) >= span.begin && lit > most)
        {
            most = lit;
            chosen = instant;
        }
    }
    return chosen;
}

/** The figure, rail by rail. */
class CircuitMapFigure
{
  public:
    CircuitMapFigure(const RunSpan& span, const CircuitKinds& kinds)
        : m_span(span),
          m_kinds(kinds)
    {
    }

    /** Adds a rail, with a picture for each of its instants. */
    void Add(int64_t rail, const CircuitHistory& history)
    {
        const std::vector<int64_t> ports = ListPorts(rail, history);
        if (history.states.empty() || ports.size() > MOST_PORTS_OF_MAP)
        {
            return;
        }
        const int64_t chosen = ChooseInstant(history, m_span);
        std::ostringstream instants;
        std::size_t count = 0;
        std::size_t first = 0;
        for (const auto& [instant, state] : history.states)
        {
            if (m_text > MOST_TEXT)
            {
                break;
            }
            const std::string picture = AddPicture(rail, ports, state);
            const std::string words = DescribeInstant(instant);
            if (instant == chosen && m_rails.tellp() == 0)
            {
                m_shown = picture;
                m_instant = words;
            }
            first = instant == chosen ? count : first;
            instants << (count++ == 0 ? "[[\"" : ",[\"") << words << "\",\"" << picture << "\"]";
        }
        if (count == 0 || m_shown.empty())
        {
            return;
        }
        if (m_rails.tellp() == 0)
        {
            m_first = first;
            m_last = count - 1;
        }
        m_rails << "<option data-first=\"" << first << "\" data-instants=\""
                << EscapeMarkup(instants.str() + "]") << "\">rail " << rail << "</option>";
    }

    /** @return the figure; empty: it has no rail */
    std::string Draw() const
    {
        if (m_shown.empty())
        {
            return "";
        }
        std::ostringstream html;
        html << "<figure class=\"plot maps\" id=\"plot-circuit-map\"><figcaption>Circuit map of a "
                "rail of "
             << EscapeMarkup(m_span.name) << ", at <span class=\"instant\">" << m_instant
             << "</span></figcaption>\n<div class=\"steps\" hidden><select aria-label=\"rail\">"
             << m_rails.str()
             << "</select><button type=\"button\" class=\"before\">before</button><input "
                "type=\"range\" aria-label=\"instant\" min=\"0\" max=\""
             << m_last << "\" value=\"" << m_first
             << "\"><button type=\"button\" class=\"after\">after</button></div>\n";
        for (const auto& [id, picture] : m_pictures)
        {
            html << "<div class=\"map\" id=\"" << id << "\"" << (id == m_shown ? "" : " hidden")
                 << ">" << picture << "</div>\n";
        }
        html << "</figure>\n";
        return html.str();
    }

  private:
    /** @return all known ports of the switch of a rail, by their servers */
    std::vector<int64_t> ListPorts(int64_t rail, const CircuitHistory& history) const
    {
        const std::vector<int64_t> named = m_kinds.ListPorts(rail);
        std::set<int64_t> all(history.ports);
        all.insert(named.begin(), named.end());
        std::vector<int64_t> ports(all.begin(), all.end());
        std::stable_sort(ports.begin(), ports.end(), [this, rail](int64_t one, int64_t other) {
            return m_kinds.GetServer(rail, one) < m_kinds.GetServer(rail, other);
        });
        return ports;
    }

    /** Adds the picture of a state, unless it is there. @return its id */
    std::string AddPicture(int64_t rail,
                           const std::vector<int64_t>& ports,
                           const CircuitState& state)
    {
        CircuitMapPicture picture;
        picture.title = "Ports of the switch and their circuits";
        std::map<int64_t, std::size_t> placeOf;
        PictureKey key;
        for (const int64_t port : ports)
        {
            const int64_t server = m_kinds.GetServer(rail, port);
            placeOf[port] = picture.ports.size();
            picture.ports.push_back(
                {server < 0 ? "" : "server " + std::to_string(server), std::to_string(port)});
            key.first.emplace_back(port, server);
        }
        key.second = state;
        const auto [known, isNew] = m_known.emplace(key, "map-" + std::to_string(m_known.size()));
        if (isNew)
        {
            for (const auto& [ends, isUp] : state)
            {
                picture.circuits.push_back({placeOf[ends.first],
                                            placeOf[ends.second],
                                            isUp,
                                            m_kinds.Find(rail, ends.first, ends.second)});
            }
            m_pictures.emplace_back(known->second, DrawForPage(picture));
            m_text += m_pictures.back().second.size();
        }
        return known->second;
    }

    /** @return a picture without the name space that it has in a file of its own */
    static std::string DrawForPage(const CircuitMapPicture& picture)
    {
        const std::string svg = picture.Draw();
        return svg.substr(0, svg.find(" xmlns=")) + svg.substr(svg.find(" viewBox="));
    }

    /** What differs between pictures: ports with their servers, and circuits. */
    using PictureKey = std::pair<std::vector<std::pair<int64_t, int64_t>>, CircuitState>;

    const RunSpan& m_span;
    const CircuitKinds& m_kinds;
    std::map<PictureKey, std::string> m_known;                   //!< ids; rails may have equal ones
    std::vector<std::pair<std::string, std::string>> m_pictures; //!< id, picture
    std::size_t m_text{0};                                       //!< of all pictures, in characters
    std::ostringstream m_rails;                                  //!< options of the list
    std::string m_shown;                                         //!< id of the picture
    std::string m_instant;                                       //!< of the picture
    std::size_t m_first{0};                                      //!< its place
    std::size_t m_last{0};                                       //!< of the instants of its rail
};

} // namespace

std::string
DrawCircuitMaps(ResultDatabase& database)
{
    const RunSpan span = ChooseSpan(database);
    const std::string run = std::to_string(span.run);
    const CircuitKinds kinds(database, run);
    CircuitMapFigure figure(span, kinds);
    for (const auto& [rail, history] : ReadCircuitHistories(database, run, MOST_CHANGES))
    {
        figure.Add(rail, history);
    }
    return figure.Draw();
}

} // namespace ns3
