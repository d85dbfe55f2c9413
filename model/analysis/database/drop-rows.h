/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_DROP_ROWS_H
#define PHOTONIC_RAILS_DROP_ROWS_H

#include "result-source.h"

#include "ns3/frame-drop-reason.h"
#include "ns3/identifier.h"
#include "ns3/rail.h"
#include "ns3/wire-frame.h"

#include <memory>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the frames that were lost in a place of a rail: the table `drops`.
 */
class DropRows : public ResultSource
{
  public:
    /**
     * @param place switch, nic or fiber
     * @param port of the switch, at a NIC or a fiber the one at its other end
     */
    DropRows(std::shared_ptr<ResultWriter> writer,
             const std::string& place,
             RailId rail,
             std::optional<PortId> port);

    /**
     * Records the losses in the NIC ports and the optical switch of a rail.
     * @param fibers whether also those in fibers, which makes their circuits use packet events
     */
    static void Record(const Rail& rail, const std::shared_ptr<ResultWriter>& writer, bool fibers);

  private:
    void Dropped(const WireFrame& frame, FrameDropReason reason);
    void DroppedAt(PortId port, const WireFrame& frame, FrameDropReason reason);

    std::string m_place;
    RailId m_rail;
    std::optional<PortId> m_port;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_DROP_ROWS_H */
