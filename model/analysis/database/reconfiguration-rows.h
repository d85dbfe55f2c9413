/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECONFIGURATION_ROWS_H
#define PHOTONIC_RAILS_RECONFIGURATION_ROWS_H

#include "result-source.h"

#include "ns3/controller-note.h"
#include "ns3/identifier.h"
#include "ns3/opus-control-plane.h"
#include "ns3/opus-message.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace ns3
{

struct OpusPeer;

/**
 * @ingroup photonic-rails
 * @brief Writes the reconfigurations that controllers have decided: the table `reconfigurations`.
 */
class ReconfigurationRows : public ResultSource
{
  public:
    ReconfigurationRows(std::shared_ptr<ResultWriter> writer, uint32_t job);

    /**
     * Records the controllers of a control plane; one without a controller has none.
     * @param job number in the run of its first job
     */
    static void Record(const OpusControlPlane& plane,
                       const std::shared_ptr<ResultWriter>& writer,
                       uint32_t job);

  private:
    void Decided(const ControllerNote& note);
    /** Learns the name of a group that is registered. */
    void Received(const OpusMessage& message, const OpusPeer& peer);

    std::map<std::pair<JobId, GroupId>, std::string> m_names; //!< of groups
    uint32_t m_job;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECONFIGURATION_ROWS_H */
