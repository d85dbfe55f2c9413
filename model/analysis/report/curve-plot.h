/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CURVE_PLOT_H
#define PHOTONIC_RAILS_CURVE_PLOT_H

#include "svg-chart.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** A quantity of a plot: its words, and how its values are placed. */
struct PlotQuantity
{
    /** The meaning of values, for the texts of ticks. */
    enum Kind
    {
        NUMBERS,
        SECONDS, //!< in one of s, ms, us, ns, ps: "25 ms"
        BYTES,   //!< in binary units: "64 MiB"
    };

    std::string label; //!< with the unit of the ticks: "bus bandwidth (GB/s)"
    double unit{1};    //!< of the ticks, in that of the values: values in ps, ticks in us: 1e6
    Kind kind{NUMBERS};
    bool isLogarithmic{false}; //!< a value of 0, and less, is at the edge
    bool fromZero{false};      //!< of a linear scale, whether it begins at 0
};

/**
 * @ingroup photonic-rails
 * @brief Curves over one quantity, drawn as SVG: plain data, without a program of its own.
 *
 * Values are those of the results, in their unit; the attribute data-points of a curve has them
 * with all digits, as "x,y x,y". A curve of many points is drawn, and written, as the extremes of
 * each part of the picture that the eye can tell apart.
 * @code
 * CurvePlot plot;
 * plot.SetTitle("Bus bandwidth of an all-reduce");
 * plot.SetX({"size", 1, PlotQuantity::BYTES, true});
 * plot.SetY({"bus bandwidth (GB/s)"});
 * plot.AddPoint("ring", 1 << 20, 45.4);
 * file << CurvePlot::DrawFile({plot});
 * @endcode
 */
class CurvePlot
{
  public:
    void SetTitle(const std::string& title);
    void SetX(const PlotQuantity& x);
    void SetY(const PlotQuantity& y);

    /** Names values of the horizontal quantity, which are then 0, 1, 2, ... */
    void SetXNames(const std::vector<std::string>& names);

    /** Has curves keep their value up to the next point, as a length of a queue does. */
    void SetSteps();
    /** Draws bars instead of curves, over names. */
    void SetBars();

    /**
     * Gives a curve the next colour before it has points, so that colours do not depend on the
     * order in which curves get them. One that never gets a point is left out.
     */
    void AddCurve(const std::string& curve);
    /** Adds a point to a curve. Curves are in the order of their first points, or of AddCurve(). */
    void AddPoint(const std::string& curve, double x, double y);
    /** Adds a curve that has one value, wherever others are. */
    void AddLevel(const std::string& curve, double y);

    /** @return whether there is no point to draw */
    bool IsEmpty() const;

    /** Points with one name. */
    struct Curve
    {
        std::string name;
        std::vector<SvgChart::Point> points{}; //!< by x
        bool isLevel{false};                   //!< its one value holds wherever others are
    };

    const std::string& GetTitle() const;
    const PlotQuantity& GetX() const;
    const PlotQuantity& GetY() const;
    /** @return the names of values of the horizontal quantity; none: they are numbers */
    const std::vector<std::string>& GetXNames() const;
    bool HasSteps() const;
    bool HasBars() const;
    /** @return the curves, with the points that are drawn */
    std::vector<Curve> ListCurves() const;

    /** @return the plot as a chart @param id unique in a page or file */
    SvgChart Draw(const std::string& id) const;

    /** @return the contents of a file of SVG: plots one below the other; empty ones are left out */
    static std::string DrawFile(const std::vector<CurvePlot>& plots);

  private:
    /** The part of a scale that is drawn, in its own units: for a logarithmic one powers of 10. */
    struct Range
    {
        double from;
        double to;
        double zero; //!< the place of values that have no logarithm
    };

    using Ticks = std::vector<std::pair<double, std::string>>;

    Curve& FindCurve(const std::string& name);
    /** @return the place of a value on a scale */
    static double Place(const PlotQuantity& quantity, const Range& range, double value);
    /** @return the value in words */
    static std::string ToWords(const PlotQuantity& quantity, double value);
    /**
     * @return the range of a scale
     * @param values that are drawn
     * @param margin beside them, of a linear scale: a share of their range
     */
    static Range FindRange(const PlotQuantity& quantity,
                           const std::vector<double>& values,
                           double margin);
    /** @return ticks at some powers of 10 and their multiples */
    static Ticks MakeLogarithmicTicks(const PlotQuantity& quantity, const Range& range);
    /** @return ticks at values that points have, if they are few */
    Ticks MakeTicksAtPoints(const Range& range) const;
    /** @return all values, without those of levels for x */
    std::vector<double> ListValues(bool ofX) const;
    void DrawCurve(SvgChart& chart, std::size_t which, const Range& x, const Range& y) const;
    void DrawBars(SvgChart& chart, std::size_t which, const Range& y) const;
    /** @return a part of the points, whose picture is the same */
    static std::vector<SvgChart::Point> Thin(const std::vector<SvgChart::Point>& points);

    std::string m_title;
    PlotQuantity m_x;
    PlotQuantity m_y;
    std::vector<std::string> m_names;
    bool m_hasSteps{false};
    bool m_hasBars{false};
    std::vector<Curve> m_curves;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CURVE_PLOT_H */
