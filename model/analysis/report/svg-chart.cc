/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
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

constexpr double WIDTH = 720;
constexpr double LABEL = 30; //!< width of the label of the vertical axis
constexpr double RIGHT = 16;
constexpr double TOP = 12;
constexpr double BELOW = 52;       //!< the plane: ticks and label
constexpr double LEGEND_LINE = 22; //!< height of a line of the legend
constexpr double CHARACTER = 7.4;  //!< width of a letter, on average
constexpr double TITLE = 32;       //!< height of the title, in a file
constexpr double LONG_TITLE = 70;  //!< letters: longer ones are smaller
constexpr double BOTTOM = 8;       //!< below a chart, in a file

const std::array<const char*, 7>
    COLOURS{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555"};
const std::array<const char*, 4> DASHES{"none", "7 4", "2 3", "10 3 2 3"};

const char*
ColourOf(std::size_t number)
{
    return COLOURS[number % COLOURS.size()];
}

/** @return how a line of a colour is dashed */
const char*
DashOf(std::size_t number)
{
    return DASHES[number % DASHES.size()];
}

} // namespace

std::vector<double>
FindTicks(double from, double to)
{
    if (!(to > from))
    {
        return {from};
    }
    const double rough = (to - from) / 5;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double digit = rough / power;
    const double step = (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10) * power;
    std::vector<double> ticks;
    for (double n = std::ceil(from / step - 1e-9); n * step <= to + step * 1e-9; ++n)
    {
        ticks.push_back(n == 0 ? 0 : n * step); // not -0
    }
    return ticks;
}

std::string
EscapeMarkup(const std::string& text)
{
    std::string escaped;
    for (const char one : text)
    {
        switch (one)
        {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default:
            escaped += one;
        }
    }
    return escaped;
}

std::string
ToShortText(double number)
{
    std::ostringstream text;
    const double size = std::fabs(number);
    if (size != 0 && (size < 1e-4 || size >= 1e7))
    {
        text << std::setprecision(3) << number;
        return text.str();
    }
    const int digits =
        size == 0 ? 0 : std::max(0, 3 - static_cast<int>(std::floor(std::log10(size))));
    text << std::fixed << std::setprecision(digits) << number;
    std::string written = text.str();
    if (written.find('.') != std::string::npos)
    {
        written.erase(written.find_last_not_of('0') + 1);
        written.erase(written.find_last_not_of('.') + 1);
    }
    return written;
}

std::string
ToPrefixedText(double number)
{
    const double size = std::fabs(number);
    for (const auto& [unit, letter] :
         {std::pair{1e12, "T"}, std::pair{1e9, "G"}, std::pair{1e6, "M"}, std::pair{1e3, "k"}})
    {
        if (size >= unit)
        {
            return ToShortText(number / unit) + letter;
        }
    }
    return ToShortText(number);
}

double
SvgChart::Scale::GetShare(double value) const
{
    return isLog ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
}

SvgChart::Scale
SvgChart::MakeLogScale(const std::string& label, double from, double to)
{
    const double end = to > from ? to : from * 10;
    Scale scale{label, from, end, {}, true};
    const bool isShort = end / from < 100;
    for (double power = std::pow(10, std::floor(std::log10(from))); power <= end * (1 + 1e-9);
         power *= 10)
    {
        for (const double digit : {1, 2, 5})
        {
            const double tick = digit * power;
            if ((digit == 1 || isShort) && tick >= from * (1 - 1e-9) && tick <= end * (1 + 1e-9))
            {
                scale.ticks.emplace_back(tick, ToPrefixedText(tick));
            }
        }
    }
    return scale;
}

SvgChart::SvgChart(const std::string& id, const std::string& title)
    : m_id(id),
      m_title(title)
{
}

void
SvgChart::SetX(const std::string& label, double from, double to)
{
    m_x = {label, from, to > from ? to : from + 1, {}, false};
    for (const double tick : FindTicks(from, m_x.to))
    {
        m_x.ticks.emplace_back(tick, ToShortText(tick));
    }
}

void
SvgChart::SetY(const std::string& label, double from, double to)
{
    m_y = {label, from, to > from ? to : from + 1, {}, false};
    for (const double tick : FindTicks(from, m_y.to))
    {
        m_y.ticks.emplace_back(tick, ToShortText(tick));
    }
}

void
SvgChart::SetLogX(const std::string& label, double from, double to)
{
    m_x = MakeLogScale(label, from, to);
}

void
SvgChart::SetLogY(const std::string& label, double from, double to)
{
    m_y = MakeLogScale(label, from, to);
}

void
SvgChart::SetXTicks(const std::vector<std::pair<double, std::string>>& ticks)
{
    m_x.ticks = ticks;
}

void
SvgChart::SetYTicks(const std::vector<std::pair<double, std::string>>& ticks)
{
    m_y.ticks = ticks;
}

void
SvgChart::SetHeight(double pixels)
{
    m_height = pixels;
}

void
SvgChart::AddLine(const std::vector<Point>& points,
                  std::size_t colour,
                  const std::string& name,
                  bool marks,
                  std::optional<std::size_t> dashes)
{
    m_shapes.push_back({true, points, colour, name, marks, dashes.value_or(colour)});
    m_legend.push_back({colour, name, true, dashes.value_or(colour)});
    m_extras.emplace_back();
}

void
SvgChart::AddRectangle(Point low, Point high, std::size_t colour, const std::string& hint)
{
    m_shapes.push_back({false, {low, high}, colour, hint, false, 0});
    m_extras.emplace_back();
}

void
SvgChart::Complete(const Extras& extras)
{
    m_extras.at(m_shapes.size() - 1) = extras;
}

void
SvgChart::AddLegend(std::size_t colour, const std::string& name)
{
    m_legend.push_back({colour, name, false, 0});
}

void
SvgChart::AddText(Point at, const std::string& text)
{
    m_texts.emplace_back(at, text);
}

double
SvgChart::GetLeft() const
{
    std::size_t longest = 4;
    for (const auto& [at, text] : m_y.ticks)
    {
        longest = std::max(longest, text.size());
    }
    return LABEL + CHARACTER * longest + 10;
}

double
SvgChart::GetX(double value) const
{
    return GetLeft() + (WIDTH - GetLeft() - RIGHT) * m_x.GetShare(value);
}

double
SvgChart::GetY(double value) const
{
    return TOP + m_height * (1 - m_y.GetShare(value));
}

std::string
SvgChart::DrawScales() const
{
    std::ostringstream svg;
    const double bottom = TOP + m_height;
    for (const auto& [at, text] : m_x.ticks)
    {
        const bool isCut = GetX(at) + CHARACTER * text.size() / 2 > WIDTH;
        svg << "<line class=\"grid\" x1=\"" << GetX(at) << "\" x2=\"" << GetX(at) << "\" y1=\""
            << TOP << "\" y2=\"" << bottom << "\"/><text text-anchor=\""
            << (isCut ? "end" : "middle") << "\" x=\"" << (isCut ? WIDTH - 1 : GetX(at))
            << "\" y=\"" << bottom + 18 << "\">" << EscapeMarkup(text) << "</text>\n";
    }
    for (const auto& [at, text] : m_y.ticks)
    {
        svg << "<line class=\"grid\" x1=\"" << GetLeft() << "\" x2=\"" << WIDTH - RIGHT
            << "\" y1=\"" << GetY(at) << "\" y2=\"" << GetY(at)
            << "\"/><text text-anchor=\"end\" x=\"" << GetLeft() - 6 << "\" y=\"" << GetY(at) + 4
            << "\">" << EscapeMarkup(text) << "</text>\n";
    }
    svg << "<text text-anchor=\"middle\" x=\"" << (GetLeft() + WIDTH - RIGHT) / 2 << "\" y=\""
        << bottom + 40 << "\">" << EscapeMarkup(m_x.label) << "</text>\n";
    svg << "<text text-anchor=\"middle\" transform=\"translate(14," << TOP + m_height / 2
        << ") rotate(-90)\">" << EscapeMarkup(m_y.label) << "</text>\n";
    return svg.str();
}

std::string
SvgChart::DrawLegend() const
{
    std::ostringstream svg;
    double x = GetLeft();
    double y = TOP + m_height + BELOW + LEGEND_LINE / 2;
    for (const Entry& entry : m_legend)
    {
        const double width = 36 + CHARACTER * entry.name.size() + 14;
        if (x + width > WIDTH && x > GetLeft())
        {
            x = GetLeft();
            y += LEGEND_LINE;
        }
        if (entry.isLine)
        {
            svg << "<line x1=\"" << x << "\" x2=\"" << x + 28 << "\" y1=\"" << y << "\" y2=\"" << y
                << "\" stroke=\"" << ColourOf(entry.colour)
                << "\" stroke-width=\"2.5\" stroke-dasharray=\"" << DashOf(entry.dashes) << "\"/>";
        }
        else
        {
            svg << "<rect x=\"" << x + 8 << "\" y=\"" << y - 7
                << "\" width=\"14\" height=\"14\" fill=\"" << ColourOf(entry.colour) << "\"/>";
        }
        svg << "<text x=\"" << x + 34 << "\" y=\"" << y + 4 << "\">" << EscapeMarkup(entry.name)
            << "</text>\n";
        x += width;
    }
    return svg.str();
}

std::string
SvgChart::DescribeData(const Extras& extras)
{
    return extras.data.empty() ? ""
                               : " data-name=\"" + EscapeMarkup(extras.name) + "\" data-points=\"" +
                                     EscapeMarkup(extras.data) + "\"";
}

double
SvgChart::GetHeight() const
{
    double x = GetLeft();
    double lines = m_legend.empty() ? 0 : 1;
    for (const Entry& entry : m_legend)
    {
        const double width = 36 + CHARACTER * entry.name.size() + 14;
        lines += x + width > WIDTH && x > GetLeft() ? 1 : 0;
        x = x + width > WIDTH && x > GetLeft() ? GetLeft() + width : x + width;
    }
    return TOP + m_height + BELOW + LEGEND_LINE * lines + 4;
}

std::string
SvgChart::Draw() const
{
    std::ostringstream svg;
    svg << std::fixed << std::setprecision(2);
    svg << "<figure class=\"plot\" id=\"" << m_id << "\"><figcaption>" << EscapeMarkup(m_title)
        << "</figcaption>\n<svg viewBox=\"0 0 " << WIDTH << " " << GetHeight()
        << "\" role=\"img\" aria-label=\"" << EscapeMarkup(m_title) << "\">\n"
        << DrawInside() << "</svg></figure>\n";
    return svg.str();
}

std::string
SvgChart::DrawFile(const std::vector<SvgChart>& charts)
{
    std::ostringstream parts;
    parts << std::fixed << std::setprecision(2);
    double height = 0;
    std::string all; // titles
    for (const SvgChart& chart : charts)
    {
        const double size =
            16 * std::min(1.0, LONG_TITLE / std::max<double>(1, chart.m_title.size()));
        parts << "<g id=\"" << chart.m_id << "\" transform=\"translate(0," << height
              << ")\"><text class=\"title\" text-anchor=\"middle\" style=\"font-size:" << size
              << "px\" x=\"" << WIDTH / 2 << "\" y=\"24\">" << EscapeMarkup(chart.m_title)
              << "</text>\n<g transform=\"translate(0," << TITLE << ")\">\n"
              << chart.DrawInside() << "</g></g>\n";
        height += TITLE + chart.GetHeight() + BOTTOM;
        all += (all.empty() ? "" : "; ") + chart.m_title;
    }
    std::ostringstream svg;
    svg << std::fixed << std::setprecision(2);
    svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << WIDTH << "\" height=\"" << height
        << "\" viewBox=\"0 0 " << WIDTH << " " << height << "\" role=\"img\" aria-label=\""
        << EscapeMarkup(all)
        << "\">\n<style>text { font: 13px system-ui, sans-serif; fill: #111; } .title { font: 600 "
           "16px system-ui, sans-serif; } .grid { stroke: #ddd; }</style>\n"
           "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        << parts.str() << "</svg>\n";
    return svg.str();
}

std::string
SvgChart::DrawInside() const
{
    std::ostringstream svg;
    svg << std::fixed << std::setprecision(2) << DrawScales();
    for (std::size_t s = 0; s < m_shapes.size(); ++s)
    {
        const Shape& shape = m_shapes[s];
        const Extras& extras = m_extras[s];
        if (!shape.isLine)
        {
            const auto [low, high] = std::pair(shape.points[0], shape.points[1]);
            svg << "<rect x=\"" << GetX(low.first) << "\" y=\"" << GetY(high.second)
                << "\" width=\"" << std::max(0.5, GetX(high.first) - GetX(low.first))
                << "\" height=\"" << GetY(low.second) - GetY(high.second) << "\""
                << DescribeData(extras) << " fill=\"" << ColourOf(shape.colour) << "\"><title>"
                << EscapeMarkup(shape.hint) << "</title></rect>\n";
            continue;
        }
        svg << "<polyline fill=\"none\" stroke-width=\"2.5\" stroke=\"" << ColourOf(shape.colour)
            << "\" stroke-dasharray=\"" << DashOf(shape.dashes) << "\"" << DescribeData(extras)
            << " points=\"";
        for (const Point& point : shape.points)
        {
            svg << GetX(point.first) << "," << GetY(point.second) << " ";
        }
        svg << "\"/>\n";
        const bool hasMarks = shape.marks || !extras.hints.empty();
        for (std::size_t p = 0; hasMarks && p < shape.points.size(); ++p)
        {
            const std::string value = shape.hint + ": " + ToShortText(shape.points[p].second);
            svg << "<circle r=\"4\" cx=\"" << GetX(shape.points[p].first) << "\" cy=\""
                << GetY(shape.points[p].second) << "\" fill=\"" << ColourOf(shape.colour)
                << "\"><title>" << EscapeMarkup(extras.hints.empty() ? value : extras.hints.at(p))
                << "</title></circle>\n";
        }
    }
    for (const auto& [at, text] : m_texts)
    {
        svg << "<text class=\"inside\" x=\"" << GetX(at.first) + 4 << "\" y=\""
            << GetY(at.second) + 4 << "\">" << EscapeMarkup(text) << "</text>\n";
    }
    svg << DrawLegend();
    return svg.str();
}

} // namespace ns3
