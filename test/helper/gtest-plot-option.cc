/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The option --plot: which names of files it takes, and when there is a file.

#include "../support/temporary-path.h"

#include "ns3/plot-option.h"
#include "ns3/scenario-options.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

using namespace ns3;

namespace
{

/** An option that was given a file, in a folder of its own. */
class PlotOptions : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_folder = GetTemporaryPath("plot");
        std::filesystem::create_directories(m_folder);
        m_option.Add(m_options);
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    std::string GetFile() const
    {
        return m_folder + "/plot.svg";
    }

    /** @return the contents of the file */
    std::string Read() const
    {
        std::ifstream file(GetFile());
        return {std::istreambuf_iterator<char>(file), {}};
    }

    std::string m_folder;
    ScenarioOptions m_options{"example"};
    PlotOption m_option;
};

TEST_F(PlotOptions, NamesEndInSvg)
{
    for (const std::string name : {"plot.png", "plot", ".svg", "svg", "plot.svg.txt", "-"})
    {
        EXPECT_THROW(m_options.Parse({"--plot=" + name}), OptionMistake) << name;
    }
    m_options.Parse({"--plot=" + GetFile()});
    EXPECT_TRUE(m_option.IsOn());
}

TEST_F(PlotOptions, WithoutTheOptionNothingIsWritten)
{
    m_options.Parse({});
    EXPECT_FALSE(m_option.IsOn());
    m_option.Begin();
    m_option.GetPlot(0).AddPoint("ring", 1, 2);
    m_option.Save(false);
    m_option.End();
    EXPECT_TRUE(std::filesystem::is_empty(m_folder));
}

TEST_F(PlotOptions, TheFileHasAllPointsSoFar)
{
    m_options.Parse({"--plot=" + GetFile()});
    m_option.Begin();
    m_option.Save(false);
    EXPECT_FALSE(std::filesystem::exists(GetFile())) << "there is no point yet";
    m_option.GetPlot(0).AddPoint("ring", 1, 2);
    m_option.Save(false);
    EXPECT_NE(Read().find("data-points=\"1,2\""), std::string::npos);
    m_option.GetPlot(0).AddPoint("ring", 2, 3);
    m_option.GetPlot(1).AddPoint("tree", 5, 6);
    m_option.Save(false);
    EXPECT_NE(Read().find("data-points=\"1,2 2,3\""), std::string::npos);
    EXPECT_NE(Read().find("data-points=\"5,6\""), std::string::npos);
    m_option.End();
}

TEST_F(PlotOptions, PlotsStayWhereTheyAre)
{
    CurvePlot& first = m_option.GetPlot(0);
    CurvePlot& last = m_option.GetPlot(99);
    EXPECT_EQ(&first, &m_option.GetPlot(0));
    EXPECT_EQ(&last, &m_option.GetPlot(99));
}

TEST_F(PlotOptions, ARunWithoutRowsIsAnErrorAndKeepsTheFileOfTheLastRun)
{
    std::ofstream(GetFile()) << "of the last run";
    m_options.Parse({"--plot=" + GetFile()});
    m_option.Begin();
    m_option.Save(false);
    try
    {
        m_option.End();
        ADD_FAILURE() << "there was nothing to draw";
    }
    catch (const std::runtime_error& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  "--plot=" + GetFile() +
                      ": there is nothing to draw, as the run has no row of results");
    }
    EXPECT_EQ(Read(), "of the last run");
}

} // namespace
