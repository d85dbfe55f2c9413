/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROL_PLANE_CHART_H
#define PHOTONIC_RAILS_CONTROL_PLANE_CHART_H

#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/opus-control-plane.h"
#include "ns3/opus-message.h"
#include "ns3/sequence-chart.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Records the messages between shims, controllers and agents, and draws those about a rail
 * as a SequenceChart.
 *
 * The columns are the servers, the controller, the standby if there is one, and the rail's agent. A
 * message is about a rail if it is for its switch, or for a rank on it, or for no rank. Heartbeats
 * are left out.
 * @code
 * ControlPlaneChart chart;
 * chart.Listen(plane);
 * Simulator::Run();
 * chart.Draw(RailId(0), begin, end).Print(std::cout, begin);
 * @endcode
 * It outlives the simulation.
 */
class ControlPlaneChart
{
  public:
    ControlPlaneChart() = default;
    ControlPlaneChart(const ControlPlaneChart&) = delete;
    ControlPlaneChart& operator=(const ControlPlaneChart&) = delete;

    /** Records the messages of a control plane with a controller, from now on; once. */
    void Listen(const OpusControlPlane& plane);

    /** @return whether no message has been recorded */
    bool IsEmpty() const;

    /** @return the messages about a rail that left at `begin` or later, and at `end` or earlier */
    SequenceChart Draw(RailId rail, Time begin, Time end) const;

  private:
    /** A message, as it left. */
    struct Sent
    {
        Time time{0};
        std::size_t from{0}; //!< index of the endpoint
        std::size_t to{0};   //!< index of the endpoint
        OpusMessage message;
    };

    /** Records a message. @param from index of the endpoint */
    void HandleSent(uint64_t from, const OpusMessage& message, const OpusPeer& peer);
    /** @return whether a message is about a rail */
    bool IsAbout(const OpusMessage& message, RailId rail) const;

    std::vector<std::string> m_names; //!< of endpoints, without agents
    std::map<OpusPeer, std::size_t>
        m_places; //!< indices of endpoints; agents are the last, by rail
    std::vector<Sent> m_sent;
    std::shared_ptr<const Cabling> m_cabling;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROL_PLANE_CHART_H */
