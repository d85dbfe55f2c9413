/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMELINE_RECORDING_H
#define PHOTONIC_RAILS_TIMELINE_RECORDING_H

#include "timeline-source.h"
#include "timeline.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A timeline that is drawn during a run: its file, the sources that draw on it, and the
 * instant at which it ends.
 *
 * The file is complete after Simulator::Destroy(), or when the recording is destroyed, whichever is
 * first. If ranks are recorded and all of them are idle, the timeline ends with the last event,
 * else now: a run may continue for minutes until its last timer has expired.
 *
 * A program adds its own source like this:
 * @code
 * recording.Begin();
 * recording.AddSource(TimelineRecording::Layer::RAILS, Create<MySource>(recording.Share()));
 * @endcode
 */
class TimelineRecording
{
  public:
    /** The layer of a source. At the end of the timeline, sources draw layer by layer. */
    enum class Layer
    {
        RANKS,
        RAILS,
        CONTROL_PLANES,
    };

    /** Records nothing. */
    TimelineRecording() = default;

    /** @param filename an existing file is replaced; aborts if it cannot be written */
    explicit TimelineRecording(const std::string& filename);

    ~TimelineRecording();
    TimelineRecording(const TimelineRecording&) = delete;
    TimelineRecording& operator=(const TimelineRecording&) = delete;

    /** Begins the file; aborts if it cannot be written. Begin() and Get() do so too. */
    void Check();

    /** @return whether there is a timeline */
    bool IsOn() const;

    /** @return the timeline, for additional tracks, slices and arrows; aborts if it is not on */
    Timeline& Get();

    /** @return the timeline, for a source to keep; aborts if it is not on */
    std::shared_ptr<Timeline> Share();

    /** Begins the file, which the end of the run completes. */
    void Begin();

    /** Adds a source, which draws its open spans when the timeline ends. */
    void AddSource(Layer layer, Ptr<TimelineSource> source);

    /** Completes the file, now. */
    void Finish();

  private:
    /** @return the end of open spans, if the timeline ends now */
    Time GetEnd() const;

    std::string m_file; //!< empty: no recording
    std::shared_ptr<Timeline> m_timeline;
    std::map<Layer, std::vector<Ptr<TimelineSource>>> m_sources;
    EventId m_destroy; //!< completes the file
    bool m_finished{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMELINE_RECORDING_H */
