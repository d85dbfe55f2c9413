/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SVG_CHART_H
#define PHOTONIC_RAILS_SVG_CHART_H

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** @return round numbers from one value to another, some five, for the ticks of an axis */
std::vector<double> FindTicks(double from, double to);

/** @return a text for HTML and SVG, with &, <, > and quotes as entities */
std::string EscapeMarkup(const std::string& text);

/** @return a number with some three significant digits */
std::string ToShortText(double number);

/** @return the same with k, M, G or T for thousands, millions and so on */
std::string ToPrefixedText(double number);

/**
 * @ingroup photonic-rails
 * @brief A chart as SVG text, for a page of HTML or a file: axes with ticks, lines, rectangles,
 * texts, a legend.
 *
 * Colours are those of Okabe and Ito ("Color Universal Design", 2008), which people with any colour
 * vision can tell apart. Lines also differ in dashes and marks, for print.
 * @code
 * SvgChart chart("iteration", "Iteration time");
 * chart.SetX("reconfiguration time (ms)", 0, 100);
 * chart.SetY("iteration (s)", 10, 11);
 * chart.AddLine({{0, 10.1}, {100, 10.9}}, 0, "on-demand", true);
 * page << chart.Draw();
 * @endcode
 */
class SvgChart
{
  public:
    /** A point in the units of the axes. */
    using Point = std::pair<double, double>;

    /** What a shape may have beside its place and colour. */
    struct Extras
    {
        std::vector<std::string> hints{}; //!< of a line: shown where a pointer is over a point,
                                          //!< which then has a mark
        std::string name{};               //!< of the attribute data-name
        std::string data{}; //!< of the attribute data-points: values with all digits; empty: none
    };

    /** @param id unique in a page @param title of the chart */
    SvgChart(const std::string& id, const std::string& title);

    /** Sets the horizontal axis, with ticks at round numbers. */
    void SetX(const std::string& label, double from, double to);
    /** Sets the vertical axis, with ticks at round numbers. */
    void SetY(const std::string& label, double from, double to);
    /** Sets a logarithmic horizontal axis, with ticks at powers of ten. @param from above 0 */
    void SetLogX(const std::string& label, double from, double to);
    /** Sets a logarithmic vertical axis, with ticks at powers of ten. @param from above 0 */
    void SetLogY(const std::string& label, double from, double to);
    /** Replaces the ticks of the horizontal axis. */
    void SetXTicks(const std::vector<std::pair<double, std::string>>& ticks);
    /** Replaces the ticks of the vertical axis. */
    void SetYTicks(const std::vector<std::pair<double, std::string>>& ticks);
    /** Sets the height of the plane of the axes, in pixels. */
    void SetHeight(double pixels);

    /**
     * Adds a line from point to point.
     * @param colour any number; the eighth is the first again
     * @param name in the legend
     * @param marks whether points have marks, with their values where a pointer is over them
     * @param dashes any number; the fifth is the first again; none: that of the colour
     */
    void AddLine(const std::vector<Point>& points,
                 std::size_t colour,
                 const std::string& name,
                 bool marks,
                 std::optional<std::size_t> dashes = std::nullopt);
    /** Adds a rectangle. @param hint is shown where a pointer is over it */
    void AddRectangle(Point low, Point high, std::size_t colour, const std::string& hint);
    /** Adds marks and values to the line or rectangle that was added last. */
    void Complete(const Extras& extras);
    /** Adds an entry for rectangles to the legend. */
    void AddLegend(std::size_t colour, const std::string& name);
    /** Adds a text beside a point. */
    void AddText(Point at, const std::string& text);

    /** @return the chart, an element `figure` */
    std::string Draw() const;

    /** @return the contents of a file of SVG: charts one below the other, with their titles */
    static std::string DrawFile(const std::vector<SvgChart>& charts);

  private:
    /** An axis. */
    struct Scale
    {
        std::string label;
        double from{0};
        double to{1};
        std::vector<std::pair<double, std::string>> ticks;
        bool isLog{false};

        /** @return the share of the axis up to a value, 0 to 1 */
        double GetShare(double value) const;
    };

    /** A line or rectangle, whose place depends on the axes. */
    struct Shape
    {
        bool isLine;
        std::vector<Point> points;
        std::size_t colour;
        std::string hint;
        bool marks;
        std::size_t dashes;
    };

    /** @return the attributes data-name and data-points of a shape, if it has them */
    static std::string DescribeData(const Extras& extras);

    /** An entry of the legend. */
    struct Entry
    {
        std::size_t colour;
        std::string name;
        bool isLine;
        std::size_t dashes;
    };

    /** @return an axis with ticks at powers of ten, or at more numbers if it is short */
    static Scale MakeLogScale(const std::string& label, double from, double to);

    /** @return the space for the ticks of the vertical axis, in pixels */
    double GetLeft() const;
    /** @return the height of all, in pixels */
    double GetHeight() const;
    /** @return the chart, without an element around it */
    std::string DrawInside() const;
    double GetX(double value) const;
    double GetY(double value) const;
    std::string DrawScales() const;
    std::string DrawLegend() const;

    std::string m_id;
    std::string m_title;
    Scale m_x;
    Scale m_y;
    double m_height{280};
    std::vector<Entry> m_legend;
    std::vector<std::pair<Point, std::string>> m_texts;

    std::vector<Shape> m_shapes;
    std::vector<Extras> m_extras; //!< of each shape
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SVG_CHART_H */
