/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_TIMELINE_H
#define PHOTONIC_RAILS_FAULT_TIMELINE_H

#include "ns3/fault-injector.h"
#include "ns3/fault.h"
#include "ns3/nstime.h"
#include "ns3/timeline-recording.h"
#include "ns3/timeline-source.h"
#include "ns3/timeline.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The faults of a cluster: a process, with a track for each component that has one. A slice
 * lasts from the first fault of the component to its repair.
 */
class FaultTimeline : public TimelineSource
{
  public:
    explicit FaultTimeline(std::shared_ptr<Timeline> timeline);

    /** Records the faults of an injector on a timeline that is on. */
    static void Record(FaultInjector& injector, TimelineRecording& recording);

    void Close(Time end) override;

  private:
    /** A component with a fault, or that had one. */
    struct Component
    {
        TimelineTrack track;
        uint32_t faults{0}; //!< that hold
        Time since{0};
        std::string kind{};
        std::string outcome{}; //!< of the first of them
    };

    void Began(const Fault& fault, const std::string& outcome);
    void Ended(const Fault& fault, const std::string& outcome);
    /** @return the component of a fault, with a track */
    Component& At(const Fault& fault);
    /** Draws the faults of a component up to an instant. */
    void Draw(const Component& component, Time end);

    std::shared_ptr<Timeline> m_timeline;
    TimelineProcess m_process;
    std::map<std::string, Component> m_components; //!< by kind and target
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_TIMELINE_H */
