/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROL_PLANE_TIMELINE_H
#define PHOTONIC_RAILS_CONTROL_PLANE_TIMELINE_H

#include "ns3/opus-control-plane.h"
#include "ns3/timeline-recording.h"

namespace ns3
{

/**
 * Records the controllers, shims and agents of a control plane.
 * @param plane without a controller it adds no track
 * @param recording a timeline that is on
 */
void RecordControlPlane(const OpusControlPlane& plane, TimelineRecording& recording);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROL_PLANE_TIMELINE_H */
