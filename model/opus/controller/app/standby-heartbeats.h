/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STANDBY_HEARTBEATS_H
#define PHOTONIC_RAILS_STANDBY_HEARTBEATS_H

#include "active-shims.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The heartbeats of the controller in charge to its standby.
 *
 * While a shim is active, a heartbeat leaves every HeartbeatInterval. When the last shim has left,
 * one more heartbeat says that the controller is idle, and the heartbeats end until a shim
 * registers. Without a standby no heartbeat leaves, and only the active shims are noted.
 */
class StandbyHeartbeats
{
  public:
    /** Sends a heartbeat. The argument is whether the controller is idle. */
    using SendCallback = Callback<void, bool>;

    /** @param probe called with each heartbeat while a shim is active, to probe silent ones */
    StandbyHeartbeats(SendCallback send, Callback<void> probe);
    ~StandbyHeartbeats();
    StandbyHeartbeats(const StandbyHeartbeats&) = delete;
    StandbyHeartbeats& operator=(const StandbyHeartbeats&) = delete;

    /** Sets the time between heartbeats. */
    void SetInterval(Time interval);
    /** @param hasStandby whether the other controller is there as a standby */
    void SetStandby(bool hasStandby);
    /** @return whether the other controller is there as a standby */
    bool HasStandby() const;

    /** Schedules the first heartbeat of the run. */
    void Begin();
    /** Begins a term: no shim is active, and a heartbeat leaves now. */
    void BeginTerm(bool hasStandby);
    /** Ends the heartbeats: no shim is active. */
    void End();

    /** Adds an active shim. */
    void Register(const ShimName& shim);
    /** Notes a message of a shim. */
    void NoteMessage(const ShimName& shim);
    /** @return the active shims that were silent for a time; their silence is measured anew */
    std::vector<ShimName> TakeSilent(Time silence);
    /** Removes a shim that has left or is idle. @return whether it was the last one */
    bool Remove(const ShimName& shim);
    /** Removes all shims: they have been stopped. */
    void RemoveAll();
    /** Notes that the other controller has become the standby: a heartbeat leaves now. */
    void Join();
    /** Notes that the standby does not answer. */
    void LoseStandby();
    /** Sends a heartbeat out of turn. */
    void SendOne();

  private:
    /** Sends a heartbeat, and repeats it as long as a shim is active. */
    void Beat();
    void ScheduleNext();

    SendCallback m_send;
    Callback<void> m_probe;
    Time m_interval;
    bool m_hasStandby{false};
    ActiveShims m_active;
    EventId m_beat;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STANDBY_HEARTBEATS_H */
