/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANK_TIMELINE_H
#define PHOTONIC_RAILS_RANK_TIMELINE_H

#include "ns3/collective-application.h"
#include "ns3/timeline-recording.h"
#include "ns3/timeline-source.h"
#include "ns3/timeline.h"

#include <cstdint>
#include <map>
#include <memory>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The operations of a rank: a process, with a track for each stream.
 */
class RankTimeline : public TimelineSource
{
  public:
    RankTimeline(std::shared_ptr<Timeline> timeline, RankId rank);

    /** Records the operations of a rank on a timeline that is on. */
    static void Record(Ptr<CollectiveApplication> application, TimelineRecording& recording);

    void Close(Time end) override;
    bool IsIdle() const override;

  private:
    void Started(const OperationRecord& record);
    void Ended(const OperationRecord& record);
    void Failed(const OperationRecord& record);
    /** @return the track of a stream, which is made at the first call */
    TimelineTrack TrackOf(uint32_t stream);

    std::shared_ptr<Timeline> m_timeline;
    TimelineProcess m_process;
    std::map<uint32_t, TimelineTrack> m_streams;
    std::map<uint32_t, OperationRecord> m_open; //!< by number
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANK_TIMELINE_H */
