/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_LOG_PLOT_H
#define PHOTONIC_RAILS_LOG_PLOT_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * A plot of curves over numbers of GPUs, both axes logarithmic, as an SVG file. What grows with the
 * GPUs is a line with the slope of the dashed one.
 */
class LogPlot
{
  public:
    /** @param title above the plot */
    explicit LogPlot(std::string title)
        : m_title(std::move(title))
    {
    }

    /**
     * Adds a curve.
     * @param name with its unit
     * @param color of SVG
     * @param points GPUs and values, all above 0, by ascending GPUs
     */
    void Add(const std::string& name,
             const std::string& color,
             const std::vector<std::pair<double, double>>& points)
    {
        m_curves.push_back({name, color, points});
        for (const auto& [x, y] : points)
        {
            m_left = std::min(m_left, x);
            m_right = std::max(m_right, x);
            m_low = std::min(m_low, y);
            m_high = std::max(m_high, y);
        }
    }

    /** Writes the file. */
    void Write(const std::string& path) const
    {
        std::ofstream out(path);
        out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << WIDTH << " " << HEIGHT
            << "\" font-family=\"sans-serif\" font-size=\"13\">\n"
            << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
        WriteText(out, WIDTH / 2, 20, "middle", m_title);
        WriteGrid(out);
        const double first = m_curves.front().points.front().second;
        WriteLine(out,
                  {{m_left, first}, {m_right, first / m_left * m_right}},
                  "gray\" stroke-dasharray=\"4 4");
        double row = 40;
        for (const Curve& curve : m_curves)
        {
            WriteLine(out, curve.points, curve.color);
            for (const auto& [x, y] : curve.points)
            {
                out << "<circle r=\"3.5\" fill=\"" << curve.color << "\" cx=\"" << AtX(x)
                    << "\" cy=\"" << AtY(y) << "\"/>\n";
            }
            out << "<rect width=\"14\" height=\"4\" fill=\"" << curve.color << "\" x=\""
                << MARGIN + 12 << "\" y=\"" << row - 6 << "\"/>\n";
            WriteText(out, MARGIN + 32, row, "start", curve.name);
            row += 18;
        }
        WriteText(out, MARGIN + 12, row, "start", "dashed: in proportion to the GPUs");
        out << "</svg>\n";
    }

  private:
    static constexpr double WIDTH = 640;
    static constexpr double HEIGHT = 420;
    static constexpr double MARGIN = 60;

    using Points = std::vector<std::pair<double, double>>;

    /** A curve. */
    struct Curve
    {
        std::string name;
        std::string color;
        Points points;
    };

    /** @return the place of a number between powers of ten around the values */
    double AtY(double value) const
    {
        const double low = std::floor(std::log10(m_low));
        const double high = std::ceil(std::log10(m_high));
        return HEIGHT - MARGIN +
               (2 * MARGIN - HEIGHT) * (std::log10(value) - low) / std::max(1.0, high - low);
    }

    /** @return the place of a number of GPUs */
    double AtX(double gpus) const
    {
        return MARGIN + (WIDTH - 2 * MARGIN) * std::log(gpus / m_left) /
                            std::max(1e-9, std::log(m_right / m_left));
    }

    /** Writes a text. @param anchor of SVG */
    static void WriteText(std::ostream& out,
                          double x,
                          double y,
                          const std::string& anchor,
                          const std::string& text)
    {
        out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\">" << text
            << "</text>\n";
    }

    /** Writes a line through points. */
    void WriteLine(std::ostream& out, const Points& points, const std::string& stroke) const
    {
        out << "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" << stroke << "\" points=\"";
        for (const auto& [x, y] : points)
        {
            out << AtX(x) << "," << AtY(y) << " ";
        }
        out << "\"/>\n";
    }

    /** Writes a line for each power of ten, and one for each number of GPUs. */
    void WriteGrid(std::ostream& out) const
    {
        for (double power = std::floor(std::log10(m_low)); power <= std::ceil(std::log10(m_high));
             ++power)
        {
            const double y = AtY(std::pow(10, power));
            out << "<path stroke=\"lightgray\" d=\"M" << MARGIN << "," << y << "H" << WIDTH - MARGIN
                << "\"/>\n";
            std::string number = std::to_string(std::pow(10, power));
            number.erase(power < 0 ? number.find_last_not_of('0') + 1 : number.find('.'));
            WriteText(out, MARGIN - 6, y + 4, "end", number);
        }
        for (const auto& [gpus, value] : m_curves.front().points)
        {
            out << "<path stroke=\"lightgray\" d=\"M" << AtX(gpus) << "," << MARGIN << "V"
                << HEIGHT - MARGIN << "\"/>\n";
            WriteText(out,
                      AtX(gpus),
                      HEIGHT - MARGIN + 18,
                      "middle",
                      std::to_string(static_cast<uint64_t>(gpus)));
        }
        WriteText(out, WIDTH / 2, HEIGHT - 16, "middle", "GPUs");
    }

    std::string m_title;
    std::vector<Curve> m_curves;
    double m_left{1e300};
    double m_right{0};
    double m_low{1e300};
    double m_high{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_LOG_PLOT_H */
