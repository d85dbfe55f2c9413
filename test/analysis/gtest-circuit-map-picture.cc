/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The picture of a circuit map: each circuit ends at the marks of its two ports, and the marks and
// counts show which ports have light.

#include "ns3/circuit-map-picture.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Place = std::pair<double, double>;

/** @return all matches of a pattern in a text: what its parentheses hold */
std::vector<std::vector<std::string>>
FindAll(const std::string& text, const std::string& pattern)
{
    const std::regex regex(pattern);
    std::vector<std::vector<std::string>> found;
    for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
    {
        std::vector<std::string> parts;
        for (std::size_t part = 1; part < at->size(); ++part)
        {
            parts.push_back((*at)[part]);
        }
        found.push_back(parts);
    }
    return found;
}

/** @return the places of the round marks, by port */
std::map<std::string, Place>
FindMarks(const std::string& svg)
{
    std::map<std::string, Place> marks;
    for (const auto& mark :
         FindAll(svg, "data-port=\"([^\"]*)\"><circle [^>]*cx=\"([0-9.]+)\" cy=\"([0-9.]+)\""))
    {
        marks[mark[0]] = {std::stod(mark[1]), std::stod(mark[2])};
    }
    return marks;
}

/** @return a switch with two ports a host */
CircuitMapPicture
MakePicture(std::size_t ports)
{
    CircuitMapPicture picture;
    picture.title = "Circuits of rail 0 at 50 us";
    for (std::size_t port = 0; port < ports; ++port)
    {
        picture.ports.push_back({"host " + std::to_string(port / 2), std::to_string(port)});
    }
    return picture;
}

TEST(CircuitMapPicture, CircuitsEndAtTheMarksOfTheirPorts)
{
    CircuitMapPicture picture = MakePicture(12);
    picture.circuits = {{0, 11}, {1, 2}, {3, 9}, {10, 4, false}};
    const std::string svg = picture.Draw();
    const auto marks = FindMarks(svg);
    ASSERT_EQ(marks.size(), 8U); // 5, 6, 7 and 8 have no circuit
    const auto curves = FindAll(svg,
                                "data-circuit=\"(\\d+)-(\\d+)\" data-light=\"(\\w+)\"[^>]* "
                                "d=\"M([0-9.]+),([0-9.]+) Q[^ ]+ ([0-9.]+),([0-9.]+)\"");
    ASSERT_EQ(curves.size(), picture.circuits.size());
    for (std::size_t c = 0; c < curves.size(); ++c)
    {
        const auto& circuit = picture.circuits[c];
        EXPECT_EQ(curves[c][0], std::to_string(circuit.from));
        EXPECT_EQ(curves[c][1], std::to_string(circuit.to));
        EXPECT_EQ(curves[c][2], circuit.isUp ? "up" : "dark");
        const Place from(std::stod(curves[c][3]), std::stod(curves[c][4]));
        const Place to(std::stod(curves[c][5]), std::stod(curves[c][6]));
        EXPECT_EQ(from, marks.at(std::to_string(std::min(circuit.from, circuit.to))));
        EXPECT_EQ(to, marks.at(std::to_string(std::max(circuit.from, circuit.to))));
    }
}

TEST(CircuitMapPicture, PortsStandOnACircleAtEqualDistances)
{
    CircuitMapPicture picture = MakePicture(8);
    picture.circuits = {{0, 1}, {2, 3}, {4, 5}, {6, 7}};
    const auto marks = FindMarks(picture.Draw());
    ASSERT_EQ(marks.size(), 8U);
    double x = 0;
    double y = 0;
    for (const auto& [port, at] : marks)
    {
        x += at.first / 8;
        y += at.second / 8;
    }
    const double radius = std::hypot(marks.at("0").first - x, marks.at("0").second - y);
    for (std::size_t port = 0; port < 8; ++port)
    {
        const Place at = marks.at(std::to_string(port));
        const Place next = marks.at(std::to_string((port + 1) % 8));
        EXPECT_NEAR(std::hypot(at.first - x, at.second - y),
                    radius,
                    0.02); // two digits are written
        EXPECT_NEAR(std::hypot(at.first - next.first, at.second - next.second),
                    2 * radius * std::sin(std::acos(-1.0) / 8),
                    0.02);
    }
    EXPECT_LT(marks.at("0").second, y - radius + 0.02) << "port 0 is at the top";
    EXPECT_GT(marks.at("2").first, x + radius - 0.02) << "and port 2 to the right: clockwise";
}

TEST(CircuitMapPicture, StatesOfPortsAndCircuitsAreCounted)
{
    CircuitMapPicture picture = MakePicture(10);
    picture.circuits = {{0, 1}, {2, 3, false}, {4, 5, false}};
    const std::string svg = picture.Draw();
    EXPECT_NE(svg.find(">3 circuits, 2 of them without light; 4 of 10 ports without a circuit<"),
              std::string::npos);
    EXPECT_EQ(FindAll(svg, "<title>port \\d+ of host \\d: dark</title>").size(), 4U);
    EXPECT_EQ(FindAll(svg, "<title>port \\d+ of host \\d: no circuit</title>").size(), 4U);
    EXPECT_EQ(FindAll(svg, "<title>port \\d+ of host \\d</title>").size(), 2U);
    EXPECT_EQ(FindAll(svg, ">circuit without light<").size(), 1U);
}

TEST(CircuitMapPicture, KindsHaveColoursAndNamesInTheLegend)
{
    CircuitMapPicture picture = MakePicture(8);
    picture.circuits = {{0, 1, true, "pp"}, {2, 3, true, "dp"}, {4, 5, true, "pp"}};
    const std::string svg = picture.Draw();
    EXPECT_EQ(FindAll(svg, ">circuit, (dp|pp)<").size(), 2U);
    const auto colours =
        FindAll(svg, "data-circuit=\"[^\"]*\" data-light=\"up\" fill=\"none\" stroke=\"([^\"]*)\"");
    ASSERT_EQ(colours.size(), 3U);
    EXPECT_EQ(colours[0], colours[2]);
    EXPECT_NE(colours[0], colours[1]);
    EXPECT_EQ(svg.find("without light<"), std::string::npos); // no such circuit, no such entry
}

TEST(CircuitMapPicture, NamesOfManyPortsDoNotCoverEachOther)
{
    // texts of 11 pixels, on the largest circle: radius 640
    EXPECT_EQ(FindAll(MakePicture(256).Draw(), "font:400 11").size(), 256U);
    const std::string many = MakePicture(2000).Draw();
    EXPECT_EQ(FindAll(many, "font:400 11").size(), 0U);
    EXPECT_EQ(FindAll(many, "data-port=").size(), 2000U);
    const std::size_t hosts = FindAll(many, ">host \\d+<").size();
    EXPECT_GT(hosts, 100U);
    EXPECT_LT(hosts * 12, 2 * std::acos(-1.0) * 640); // 12 pixels each, along the circle
}

TEST(CircuitMapPicture, NamesAreTextsNotMarkup)
{
    CircuitMapPicture picture;
    picture.title = "a < b & \"c\"";
    picture.ports = {{"<host>", "&0"}, {"", "1"}};
    picture.circuits = {{0, 1, true, "<dp>"}};
    const std::string svg = picture.Draw();
    EXPECT_EQ(svg.find("<host>"), std::string::npos);
    EXPECT_EQ(svg.find("<dp>"), std::string::npos);
    EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
    EXPECT_NE(svg.find("data-circuit=\"&amp;0-1\""), std::string::npos);
}

TEST(CircuitMapPicture, ASwitchWithoutPortsIsAnEmptyPicture)
{
    const std::string svg = CircuitMapPicture().Draw();
    EXPECT_NE(svg.find("0 circuits; 0 of 0 ports without a circuit"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
}

} // namespace
