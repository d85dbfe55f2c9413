/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "curve-plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace ns3
{

namespace
{

constexpr std::size_t MOST_POINTS = 4000;  //!< of a curve that is drawn as it is
constexpr std::size_t MOST_MARKS = 200;    //!< of a curve: beyond that it has none
constexpr double X_MARGIN = 0.03;          //!< beside points, of the width
constexpr double Y_MARGIN = 0.1;           //!< above and below points, of the height
constexpr double NEAR_ZERO = 0.05;         //!< of the last point, for a first one
constexpr double PARTS = 500;              //!< of the width, that can be told apart
constexpr double ABOVE_BAR = 0.025;        //!< of the height, for its number
constexpr std::size_t MOST_TICKS = 12;     //!< at points
constexpr double TICK_SPACE = 0.09;        //!< between ticks, of the width
constexpr std::size_t MOST_LOG_TICKS = 7;  //!< of a vertical scale
constexpr std::size_t LEAST_LOG_TICKS = 3; //!< else they are those of a linear scale

/** @return a number with all its digits, as in JSON */
std::string
ToAllDigits(double number)
{
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", number);
    return digits;
}

} // namespace

void
CurvePlot::SetTitle(const std::string& title)
{
    m_title = title;
}

void
CurvePlot::SetX(const PlotQuantity& x)
{
    m_x = x;
}

void
CurvePlot::SetY(const PlotQuantity& y)
{
    m_y = y;
}

void
CurvePlot::SetXNames(const std::vector<std::string>& names)
{
    m_names = names;
}

void
CurvePlot::SetSteps()
{
    m_hasSteps = true;
}

void
CurvePlot::SetBars()
{
    m_hasBars = true;
}

CurvePlot::Curve&
CurvePlot::FindCurve(const std::string& name)
{
    auto found = std::find_if(m_curves.begin(), m_curves.end(), [&name](const Curve& curve) {
        return curve.name == name;
    });
    if (found == m_curves.end())
    {
        found = m_curves.insert(m_curves.end(), Curve{name, {}});
    }
    return *found;
}

void
CurvePlot::AddCurve(const std::string& curve)
{
    FindCurve(curve);
}

void
CurvePlot::AddPoint(const std::string& curve, double x, double y)
{
    auto& points = FindCurve(curve).points;
    const auto isBefore = [](double at, const SvgChart::Point& point) { return at < point.first; };
    points.insert(std::upper_bound(points.begin(), points.end(), x, isBefore), {x, y});
}

void
CurvePlot::AddLevel(const std::string& curve, double y)
{
    Curve& level = FindCurve(curve);
    level.isLevel = true;
    level.points = {{0, y}};
}

bool
CurvePlot::IsEmpty() const
{
    return std::all_of(m_curves.begin(), m_curves.end(), [](const Curve& curve) {
        return curve.points.empty();
    });
}

const std::string&
CurvePlot::GetTitle() const
{
    return m_title;
}

const PlotQuantity&
CurvePlot::GetX() const
{
    return m_x;
}

const PlotQuantity&
CurvePlot::GetY() const
{
    return m_y;
}

const std::vector<std::string>&
CurvePlot::GetXNames() const
{
    return m_names;
}

bool
CurvePlot::HasSteps() const
{
    return m_hasSteps;
}

bool
CurvePlot::HasBars() const
{
    return m_hasBars;
}

std::vector<CurvePlot::Curve>
CurvePlot::ListCurves() const
{
    std::vector<Curve> curves;
    for (const Curve& curve : m_curves)
    {
        curves.push_back({curve.name, Thin(curve.points), curve.isLevel});
    }
    return curves;
}

double
CurvePlot::Place(const PlotQuantity& quantity, const Range& range, double value)
{
    const double inUnits = value / quantity.unit;
    return !quantity.isLogarithmic ? inUnits : inUnits > 0 ? std::log10(inUnits) : range.zero;
}

std::string
CurvePlot::ToWords(const PlotQuantity& quantity, double value)
{
    const double number = value / quantity.unit;
    if (quantity.kind == PlotQuantity::NUMBERS)
    {
        return ToShortText(number);
    }
    const bool isTime = quantity.kind == PlotQuantity::SECONDS;
    const std::vector<std::pair<double, const char*>> units =
        isTime ? std::vector<std::pair<double, const char*>>{{1, " s"},
                                                             {1e-3, " ms"},
                                                             {1e-6, " us"},
                                                             {1e-9, " ns"},
                                                             {1e-12, " ps"}}
               : std::vector<std::pair<double, const char*>>{{1099511627776.0, " TiB"},
                                                             {1073741824.0, " GiB"},
                                                             {1048576.0, " MiB"},
                                                             {1024.0, " KiB"},
                                                             {1.0, " B"}};
    const auto unit = std::find_if(units.begin(), units.end() - 1, [number](const auto& one) {
        return std::fabs(number) >= one.first * (1 - 1e-12);
    });
    return number == 0 ? (isTime ? "0 s" : "0 B")
                       : ToShortText(number / unit->first) + unit->second;
}

CurvePlot::Range
CurvePlot::FindRange(const PlotQuantity& quantity, const std::vector<double>& values, double margin)
{
    std::vector<double> places;
    bool hasZero = false;
    for (const double value : values)
    {
        const bool isPlaced = !quantity.isLogarithmic || value > 0;
        hasZero = hasZero || !isPlaced;
        if (isPlaced)
        {
            places.push_back(Place(quantity, {}, value));
        }
    }
    if (places.empty())
    {
        return {-1, 1, 0};
    }
    const auto [least, most] = std::minmax_element(places.begin(), places.end());
    Range range{*least, *most, 0};
    if (quantity.isLogarithmic)
    {
        range.zero = range.from - 1;
        range.from = hasZero ? range.zero : range.from;
        const double edge = std::max(0.1, 0.04 * (range.to - range.from));
        range.from -= edge;
        range.to += edge;
    }
    else if (quantity.fromZero)
    {
        range.from = std::min(0.0, range.from);
        range.to = range.to > 0 ? 1.06 * range.to : 1;
    }
    else
    {
        const double size = std::max(std::fabs(range.from), std::fabs(range.to));
        const double edge = range.to > range.from ? (range.to - range.from) * margin
                            : size > 0            ? size * margin
                                                  : 1;
        range.from = range.from >= 0 ? std::max(0.0, range.from - edge) : range.from - edge;
        range.to += edge;
    }
    return range;
}

CurvePlot::Ticks
CurvePlot::MakeLogarithmicTicks(const PlotQuantity& quantity, const Range& range)
{
    const auto list = [&](const std::vector<double>& multiples, int step) {
        std::vector<double> values;
        for (int power = static_cast<int>(std::floor(range.from)); power <= range.to; power += step)
        {
            for (const double multiple : multiples)
            {
                const double place = power + std::log10(multiple);
                if (place >= range.from && place <= range.to)
                {
                    values.push_back(multiple * std::pow(10, power));
                }
            }
        }
        return values;
    };
    std::vector<double> values = list({1, 2, 5}, 1);
    for (int step = 1; values.size() > MOST_LOG_TICKS; ++step)
    {
        values = list({1}, step);
    }
    if (values.size() < LEAST_LOG_TICKS)
    {
        values = FindTicks(std::pow(10, range.from), std::pow(10, range.to));
    }
    Ticks ticks;
    for (const double value : values)
    {
        if (value > 0)
        {
            ticks.emplace_back(std::log10(value), ToWords(quantity, value * quantity.unit));
        }
    }
    return ticks;
}

CurvePlot::Ticks
CurvePlot::MakeTicksAtPoints(const Range& range) const
{
    const std::vector<double> values = ListValues(true);
    const std::set<double> distinct(values.begin(), values.end());
    Ticks ticks;
    for (const double value : distinct)
    {
        const double place = Place(m_x, range, value);
        const double space = TICK_SPACE * (range.to - range.from);
        if (ticks.empty() || place - ticks.back().first >= space)
        {
            ticks.emplace_back(place, ToWords(m_x, value));
        }
    }
    return ticks;
}

std::vector<double>
CurvePlot::ListValues(bool ofX) const
{
    std::vector<double> values;
    for (const Curve& curve : m_curves)
    {
        for (const auto& [x, y] : curve.points)
        {
            if (!ofX || !curve.isLevel)
            {
                values.push_back(ofX ? x : y);
            }
        }
    }
    return values;
}

std::vector<SvgChart::Point>
CurvePlot::Thin(const std::vector<SvgChart::Point>& points)
{
    if (points.size() <= MOST_POINTS)
    {
        return points;
    }
    const double first = points.front().first;
    const double span = points.back().first - first;
    const auto partOf = [&](std::size_t p) {
        return span > 0 ? std::floor((points[p].first - first) / span * PARTS) : 0;
    };
    const auto isLower = [&points](std::size_t one, std::size_t other) {
        return points[one].second < points[other].second;
    };
    std::vector<SvgChart::Point> kept;
    for (std::size_t begin = 0; begin < points.size();)
    {
        std::set<std::size_t> some{begin};
        std::size_t least = begin;
        std::size_t most = begin;
        std::size_t end = begin;
        for (; end < points.size() && partOf(end) == partOf(begin); ++end)
        {
            least = isLower(end, least) ? end : least;
            most = isLower(most, end) ? end : most;
        }
        some.insert({least, most, end - 1});
        for (const std::size_t p : some)
        {
            kept.push_back(points[p]);
        }
        begin = end;
    }
    return kept;
}

void
CurvePlot::DrawCurve(SvgChart& chart, std::size_t which, const Range& x, const Range& y) const
{
    const Curve& curve = m_curves[which];
    if (curve.isLevel)
    {
        const double value = curve.points.front().second;
        const double level = Place(m_y, y, value);
        chart.AddLine({{x.from, level}, {x.to, level}}, which, curve.name, false);
        chart.Complete({{}, curve.name, "any," + ToAllDigits(value)});
        return;
    }
    std::vector<SvgChart::Point> places;
    SvgChart::Extras extras{{}, curve.name, ""};
    const auto points = Thin(curve.points);
    for (const auto& [at, value] : points)
    {
        const SvgChart::Point place(Place(m_x, x, at), Place(m_y, y, value));
        if (m_hasSteps && !places.empty())
        {
            places.emplace_back(place.first, places.back().second);
        }
        places.push_back(place);
        extras.data +=
            (extras.data.empty() ? "" : " ") + ToAllDigits(at) + "," + ToAllDigits(value);
        if (!m_hasSteps && points.size() <= MOST_MARKS)
        {
            extras.hints.push_back(
                curve.name + " at " +
                (m_names.empty() ? ToWords(m_x, at) : m_names.at(static_cast<std::size_t>(at))) +
                ": " + ToWords(m_y, value));
        }
    }
    chart.AddLine(places, which, curve.name, false);
    chart.Complete(extras);
}

void
CurvePlot::DrawBars(SvgChart& chart, std::size_t which, const Range& y) const
{
    const Curve& curve = m_curves[which];
    const double width = 0.8 / m_curves.size();
    for (const auto& [at, value] : curve.points)
    {
        const double left = at - 0.4 + which * width;
        const std::string name = m_names.at(static_cast<std::size_t>(at));
        const double height = Place(m_y, y, value);
        chart.AddRectangle({left + 0.06 * width, std::min(0.0, height)},
                           {left + 0.94 * width, std::max(0.0, height)},
                           which,
                           curve.name + " at " + name + ": " + ToWords(m_y, value));
        chart.Complete({{}, curve.name, ToAllDigits(at) + "," + ToAllDigits(value)});
        chart.AddText({left + 0.06 * width, height + ABOVE_BAR * (y.to - y.from)},
                      ToWords(m_y, value));
    }
    chart.AddLegend(which, curve.name);
}

SvgChart
CurvePlot::Draw(const std::string& id) const
{
    Range x = FindRange(m_x, ListValues(true), X_MARGIN);
    const Range y = FindRange(m_y, ListValues(false), Y_MARGIN);
    if (!m_names.empty())
    {
        x = {-0.5, m_names.size() - 0.5, 0};
    }
    else if (m_hasSteps)
    {
        const auto values = ListValues(true);
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        const bool isFromZero = *least > 0 && *least < NEAR_ZERO * *most;
        x = {isFromZero ? 0 : *least / m_x.unit, *most / m_x.unit, 0};
    }
    SvgChart chart(id, m_title);
    chart.SetX(m_x.label, x.from, x.to);
    chart.SetY(m_y.label, y.from, y.to);
    const std::vector<double> values = ListValues(true);
    if (!m_names.empty())
    {
        Ticks ticks;
        for (std::size_t n = 0; n < m_names.size(); ++n)
        {
            ticks.emplace_back(n, m_names[n]);
        }
        chart.SetXTicks(ticks);
    }
    else if (m_x.isLogarithmic ||
             std::set<double>(values.begin(), values.end()).size() <= MOST_TICKS)
    {
        chart.SetXTicks(MakeTicksAtPoints(x));
    }
    if (m_y.isLogarithmic)
    {
        chart.SetYTicks(MakeLogarithmicTicks(m_y, y));
    }
    for (std::size_t which = 0; which < m_curves.size(); ++which)
    {
        if (!m_curves[which].points.empty())
        {
            m_hasBars ? DrawBars(chart, which, y) : DrawCurve(chart, which, x, y);
        }
    }
    return chart;
}

std::string
CurvePlot::DrawFile(const std::vector<CurvePlot>& plots)
{
    std::vector<SvgChart> charts;
    for (const CurvePlot& plot : plots)
    {
        if (!plot.IsEmpty())
        {
            charts.push_back(plot.Draw("plot-" + std::to_string(charts.size())));
        }
    }
    return SvgChart::DrawFile(charts);
}

} // namespace ns3
