/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-map-picture.h"

#include "svg-chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace ns3
{

namespace
{

constexpr double PI = 3.14159265358979323846;
constexpr double LEAST_RADIUS = 200; //!< half of it for few ports
constexpr double FEW = 5;
constexpr double MOST_RADIUS = 640;
constexpr double PORT_SPACE = 13;    //!< between ports on the circle, up to the largest radius
constexpr double LEAST_SPACE = 9;    //!< between names, so that they can be read
constexpr double UPRIGHT_SPACE = 48; //!< from there on names are not turned
constexpr double HOST_OVERHANG = 24; //!< of the arc of a host beyond its ports
constexpr double NAME_WIDTH = 7.2;   //!< of a name, by character
constexpr double MARK = 4.5;         //!< half the size of the mark of a port
constexpr double TITLE_HEIGHT = 56;
constexpr double LEGEND_ROW = 24;
constexpr double MARGIN = 16;

/** Colours of Okabe and Ito; the one of circuits without light is not among them. */
const std::array<const char*, 6> KIND_COLOURS{"#0072B2",
                                              "#009E73",
                                              "#CC79A7",
                                              "#E69F00",
                                              "#56B4E9",
                                              "#555555"};
const char* const DARK_COLOUR = "#D55E00";
const char* const NO_CIRCUIT_COLOUR = "#777777";

/** A place in the picture. */
struct Place
{
    double x;
    double y;
};

/** Draws one picture. */
class CircuitMapDrawing
{
  public:
    explicit CircuitMapDrawing(const CircuitMapPicture& picture)
        : m_picture(picture)
    {
        const double ports = std::max<std::size_t>(1, picture.ports.size());
        m_radius = std::clamp(ports * PORT_SPACE / (2 * PI),
                              ports < FEW ? LEAST_RADIUS / 2 : LEAST_RADIUS,
                              MOST_RADIUS);
        std::size_t portName = 0;
        std::size_t hostName = 0;
        for (const CircuitMapPicture::Port& port : picture.ports)
        {
            portName = std::max(portName, port.name.size());
            hostName = std::max(hostName, port.host.size());
        }
        m_space = 2 * PI * m_radius / ports;
        m_hasPortNames = m_space >= LEAST_SPACE;
        m_hostRadius = m_radius + 14 + (m_hasPortNames ? NAME_WIDTH * portName : 0);
        const double beside = m_hostRadius + 14 + NAME_WIDTH * hostName + MARGIN;
        m_edge = IsUpright(m_space) ? m_hostRadius + 36 : beside;
        const double title = NAME_WIDTH * 1.2 * picture.title.size() + 2 * MARGIN;
        m_width = std::max({2 * beside, title, 420.0});
        for (const CircuitMapPicture::Arc& circuit : picture.circuits)
        {
            if (circuit.isUp &&
                std::find(m_kinds.begin(), m_kinds.end(), circuit.kind) == m_kinds.end())
            {
                m_kinds.push_back(circuit.kind);
            }
        }
        std::sort(m_kinds.begin(), m_kinds.end());
    }

    std::string Draw()
    {
        const std::string circuits = DrawCircuits();
        const std::string ports = DrawPorts() + DrawHosts();
        const std::string legend = DrawLegend(); // has the height of the picture
        std::ostringstream svg;
        svg << std::fixed << std::setprecision(2);
        svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << m_width << " "
            << m_height << "\" role=\"img\" aria-label=\"" << EscapeMarkup(m_picture.title)
            << "\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
            << DrawText({m_width / 2, 24}, m_picture.title, "middle", 16, "", 600)
            << DrawText({m_width / 2, 46}, CountCircuits(), "middle") << circuits << ports << legend
            << "</svg>\n";
        return svg.str();
    }

  private:
    /** The circuit of a port. */
    enum class Light
    {
        NO_CIRCUIT,
        DARK,
        UP,
    };

    /** @return whether texts that are so far apart on the circle need not be turned */
    static bool IsUpright(double space)
    {
        return space >= UPRIGHT_SPACE;
    }

    double GetAngle(double place) const
    {
        return 2 * PI * place / std::max<std::size_t>(1, m_picture.ports.size()) - PI / 2;
    }

    Place At(double angle, double radius) const
    {
        return {m_width / 2 + radius * std::cos(angle),
                TITLE_HEIGHT + m_edge + radius * std::sin(angle)};
    }

    /** @return a text; its style outweighs one of the page */
    static std::string DrawText(Place at,
                                const std::string& text,
                                const std::string& anchor,
                                double size = 13,
                                const std::string& transform = "",
                                int weight = 400)
    {
        std::ostringstream svg;
        svg << std::fixed << std::setprecision(2) << "<text text-anchor=\"" << anchor << "\" x=\""
            << at.x << "\" y=\"" << at.y << "\" style=\"font:" << weight << " " << size
            << "px system-ui,sans-serif;fill:#111\"" << transform << ">" << EscapeMarkup(text)
            << "</text>\n";
        return svg.str();
    }

    /**
     * @param space for it along the circle
     * @return a text outside the circle: upright, or away from the centre if space is scarce
     */
    std::string DrawOutside(double angle,
                            double radius,
                            const std::string& text,
                            double size,
                            double space) const
    {
        const Place at = At(angle, radius);
        const double side = std::cos(angle);
        if (IsUpright(space))
        {
            return DrawText({at.x, at.y + size * (0.35 + 0.45 * std::sin(angle))},
                            text,
                            side > 0.2    ? "start"
                            : side < -0.2 ? "end"
                                          : "middle",
                            size);
        }
        const bool isLeft = side < -1e-9;
        std::ostringstream turn;
        turn << std::fixed << std::setprecision(2) << " transform=\"rotate("
             << (angle + (isLeft ? PI : 0)) * 180 / PI << " " << at.x << " " << at.y << ")\"";
        return DrawText({at.x, at.y + size * 0.35},
                        text,
                        isLeft ? "end" : "start",
                        size,
                        turn.str());
    }

    Light GetLight(std::size_t port) const
    {
        for (const CircuitMapPicture::Arc& circuit : m_picture.circuits)
        {
            if (circuit.from == port || circuit.to == port)
            {
                return circuit.isUp ? Light::UP : Light::DARK;
            }
        }
        return Light::NO_CIRCUIT;
    }

    std::string GetKindColour(const std::string& kind) const
    {
        const auto found = std::find(m_kinds.begin(), m_kinds.end(), kind);
        return KIND_COLOURS[(found - m_kinds.begin()) % KIND_COLOURS.size()];
    }

    std::string CountCircuits() const
    {
        const auto all = m_picture.circuits.size();
        const auto dark =
            std::count_if(m_picture.circuits.begin(),
                          m_picture.circuits.end(),
                          [](const CircuitMapPicture::Arc& circuit) { return !circuit.isUp; });
        const auto bare = m_picture.ports.size() - std::min(m_picture.ports.size(), 2 * all);
        return std::to_string(all) + (all == 1 ? " circuit" : " circuits") +
               (dark > 0 ? ", " + std::to_string(dark) + " of them without light" : "") + "; " +
               std::to_string(bare) + " of " + std::to_string(m_picture.ports.size()) +
               " ports without a circuit";
    }

    std::string DrawCircuits() const
    {
        std::ostringstream svg;
        svg << std::fixed << std::setprecision(2);
        for (const CircuitMapPicture::Arc& circuit : m_picture.circuits)
        {
            const double first = GetAngle(std::min(circuit.from, circuit.to));
            const double second = GetAngle(std::max(circuit.from, circuit.to));
            const bool isShort = second - first <= PI; // the shorter way round
            const double between = isShort ? second - first : 2 * PI - (second - first);
            const double middle = (first + second) / 2 + (isShort ? 0 : PI);
            const Place from = At(first, m_radius);
            const Place to = At(second, m_radius);
            const Place bend = At(middle, m_radius * (1 - std::sqrt(between / PI)));
            const std::string name =
                m_picture.ports.at(circuit.from).name + "-" + m_picture.ports.at(circuit.to).name;
            svg << "<path data-circuit=\"" << EscapeMarkup(name) << "\" data-light=\""
                << (circuit.isUp ? "up" : "dark") << "\" fill=\"none\" stroke=\""
                << (circuit.isUp ? GetKindColour(circuit.kind) : DARK_COLOUR)
                << "\" stroke-width=\"2.5\"" << (circuit.isUp ? "" : " stroke-dasharray=\"5 4\"")
                << " d=\"M" << from.x << "," << from.y << " Q" << bend.x << "," << bend.y << " "
                << to.x << "," << to.y << "\"><title>circuit " << EscapeMarkup(name)
                << (circuit.kind.empty() ? "" : ", " + EscapeMarkup(circuit.kind))
                << (circuit.isUp ? "" : ", without light") << "</title></path>\n";
        }
        return svg.str();
    }

    /** @return the mark of a port: its shape has the state too, for print */
    static std::string DrawMark(Place at, Light light, double size)
    {
        std::ostringstream svg;
        svg << std::fixed << std::setprecision(2);
        if (light == Light::NO_CIRCUIT)
        {
            svg << "<path stroke=\"" << NO_CIRCUIT_COLOUR << "\" stroke-width=\"2\" d=\"M"
                << at.x - size << "," << at.y - size << " l" << 2 * size << "," << 2 * size
                << " m0," << -2 * size << " l" << -2 * size << "," << 2 * size << "\"/>";
        }
        else
        {
            svg << "<circle r=\"" << size << "\" cx=\"" << at.x << "\" cy=\"" << at.y
                << "\" stroke-width=\"2\" "
                << (light == Light::UP
                        ? "stroke=\"#111\" fill=\"#111\""
                        : "stroke=\"" + std::string(DARK_COLOUR) + "\" fill=\"#fff\"")
                << "/>";
        }
        return svg.str();
    }

    std::string DrawPorts() const
    {
        std::ostringstream svg;
        const double size = std::min(MARK, m_space * 0.4);
        for (std::size_t port = 0; port < m_picture.ports.size(); ++port)
        {
            const auto& [host, name] = m_picture.ports[port];
            const Light light = GetLight(port);
            svg << "<g data-port=\"" << EscapeMarkup(name) << "\">"
                << DrawMark(At(GetAngle(port), m_radius), light, size) << "<title>port "
                << EscapeMarkup(name) << (host.empty() ? "" : " of " + EscapeMarkup(host))
                << (light == Light::NO_CIRCUIT ? ": no circuit"
                    : light == Light::DARK     ? ": dark"
                                               : "")
                << "</title></g>\n";
            if (m_hasPortNames)
            {
                svg << DrawOutside(GetAngle(port), m_radius + 10, name, 11, m_space);
            }
        }
        return svg.str();
    }

    /** @return an arc over the ports of each host, with its name */
    std::string DrawHosts() const
    {
        std::ostringstream svg;
        svg << std::fixed << std::setprecision(2);
        double named = -1e9;                                             // place of the last name
        const double overhang = std::min(0.35, HOST_OVERHANG / m_space); // in places
        for (std::size_t first = 0; first < m_picture.ports.size();)
        {
            const std::string& host = m_picture.ports[first].host;
            std::size_t end = first + 1;
            while (end < m_picture.ports.size() && m_picture.ports[end].host == host)
            {
                ++end;
            }
            const double middle = (first + end - 1) / 2.0;
            if (!host.empty())
            {
                const double from = GetAngle(first - overhang);
                const double to = GetAngle(end - 1 + overhang);
                const Place begin = At(from, m_hostRadius);
                const Place over = At(to, m_hostRadius);
                svg << "<path fill=\"none\" stroke=\"#999\" stroke-width=\"3\" d=\"M" << begin.x
                    << "," << begin.y << " A" << m_hostRadius << "," << m_hostRadius << " 0 "
                    << (to - from > PI ? 1 : 0) << " 1 " << over.x << "," << over.y << "\"/>\n";
                if ((middle - named) * m_space >= LEAST_SPACE + 3)
                {
                    svg << DrawOutside(GetAngle(middle),
                                       m_hostRadius + 9,
                                       host,
                                       13,
                                       (end - first) * m_space);
                    named = middle;
                }
            }
            first = end;
        }
        return svg.str();
    }

    std::string DrawLegend()
    {
        std::ostringstream svg;
        svg << std::fixed << std::setprecision(2);
        double x = MARGIN;
        double y = TITLE_HEIGHT + 2 * m_edge + LEGEND_ROW / 2;
        const auto add = [&](const std::string& sign, const std::string& text) {
            const double width = 40 + NAME_WIDTH * text.size() + 16;
            if (x + width > m_width && x > MARGIN)
            {
                x = MARGIN;
                y += LEGEND_ROW;
            }
            svg << "<g transform=\"translate(" << x << "," << y << ")\">" << sign << "</g>"
                << DrawText({x + 38, y + 4}, text, "start");
            x += width;
        };
        const auto line = [](const std::string& colour, const std::string& dashes) {
            return "<path stroke=\"" + colour + "\" stroke-width=\"2.5\" stroke-dasharray=\"" +
                   dashes + "\" d=\"M0,0 h30\"/>";
        };
        for (const std::string& kind : m_kinds)
        {
            add(line(GetKindColour(kind), "none"), kind.empty() ? "circuit" : "circuit, " + kind);
        }
        if (std::any_of(m_picture.circuits.begin(),
                        m_picture.circuits.end(),
                        [](const CircuitMapPicture::Arc& circuit) { return !circuit.isUp; }))
        {
            add(line(DARK_COLOUR, "5 4"), "circuit without light");
            add(DrawMark({15, 0}, Light::DARK, MARK), "dark port");
        }
        add(DrawMark({15, 0}, Light::UP, MARK), "port with light");
        add(DrawMark({15, 0}, Light::NO_CIRCUIT, MARK), "port without a circuit");
        m_height = y + LEGEND_ROW;
        return svg.str();
    }

    const CircuitMapPicture& m_picture;
    std::vector<std::string> m_kinds; //!< of circuits with light, sorted
    double m_radius;                  //!< of the circle of ports
    double m_space;                   //!< between ports, along the circle
    double m_hostRadius;              //!< of the arcs of hosts
    double m_edge;                    //!< radius of all, with names
    double m_width;
    double m_height{0};
    bool m_hasPortNames;
};

} // namespace

std::string
CircuitMapPicture::Draw() const
{
    return CircuitMapDrawing(*this).Draw();
}

} // namespace ns3
