/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/temporary-path.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/timeline-recording.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** A source that notes when it was closed. */
class NotedSource : public TimelineSource
{
  public:
    using Closings = std::vector<std::pair<std::string, Time>>;

    NotedSource(Closings& closings, std::string name, bool idle = true)
        : m_closings(closings),
          m_name(std::move(name)),
          m_idle(idle)
    {
    }

    void Close(Time end) override
    {
        m_closings.emplace_back(m_name, end);
    }

    bool IsIdle() const override
    {
        return m_idle;
    }

  private:
    NotedSource::Closings& m_closings;
    std::string m_name;
    bool m_idle;
};

} // namespace

/** A recording whose file is gone when the test is over. */
class RecordingFile : public testing::Test
{
  protected:
    using Layer = TimelineRecording::Layer;

    ~RecordingFile() override
    {
        std::filesystem::remove(name);
    }

    /** Draws something that is over after 7 ps. */
    static void Draw(TimelineRecording& recording)
    {
        Timeline& timeline = recording.Get();
        timeline.Slice(timeline.AddTrack(timeline.AddProcess("rank 0"), "stream 0"),
                       "send",
                       ToTime(2),
                       ToTime(7));
    }

    std::string name{GetTemporaryPath("timeline.json")};
    NotedSource::Closings closings;
};

TEST_F(RecordingFile, WithoutAFileItIsOff)
{
    TimelineRecording recording;
    EXPECT_FALSE(recording.IsOn());
    recording.Finish();
    EXPECT_FALSE(recording.IsOn());
}

TEST_F(RecordingFile, SourcesAreClosedLayerByLayerInTheOrderOfAddingAndOnce)
{
    TimelineRecording recording(name);
    recording.AddSource(Layer::CONTROL_PLANES, Create<NotedSource>(closings, "controller"));
    recording.AddSource(Layer::RAILS, Create<NotedSource>(closings, "switch"));
    recording.AddSource(Layer::RANKS, Create<NotedSource>(closings, "rank 1"));
    recording.AddSource(Layer::RANKS, Create<NotedSource>(closings, "rank 0"));
    Draw(recording);
    recording.Finish();
    recording.Finish();
    const NotedSource::Closings expected{{"rank 1", ToTime(7)},
                                         {"rank 0", ToTime(7)},
                                         {"switch", ToTime(7)},
                                         {"controller", ToTime(7)}};
    EXPECT_EQ(closings, expected);
    EXPECT_FALSE(recording.IsOn());
    EXPECT_TRUE(std::filesystem::exists(name));
}

TEST_F(RecordingFile, EndsNowIfARankIsNotIdleOrNoneIsRecorded)
{
    {
        TimelineRecording recording(name);
        recording.AddSource(Layer::RANKS, Create<NotedSource>(closings, "rank 0"));
        recording.AddSource(Layer::RANKS, Create<NotedSource>(closings, "rank 1", false));
        Draw(recording);
    }
    {
        TimelineRecording recording(name);
        recording.AddSource(Layer::RAILS, Create<NotedSource>(closings, "switch"));
        Draw(recording);
    }
    // the simulation has not begun: now is 0
    const NotedSource::Closings expected{{"rank 0", Time(0)},
                                         {"rank 1", Time(0)},
                                         {"switch", Time(0)}};
    EXPECT_EQ(closings, expected);
}

TEST_F(RecordingFile, TheEndOfTheRunCompletesTheFile)
{
    TimelineRecording recording(name);
    recording.Begin();
    recording.AddSource(Layer::RAILS, Create<NotedSource>(closings, "switch"));
    EXPECT_FALSE(std::filesystem::exists(name));
    Simulator::Destroy();
    EXPECT_EQ(closings.size(), 1U);
    EXPECT_TRUE(std::filesystem::exists(name));
    EXPECT_FALSE(recording.IsOn());
}
