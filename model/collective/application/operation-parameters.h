/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_PARAMETERS_H
#define PHOTONIC_RAILS_OPERATION_PARAMETERS_H

#include "collective-settings.h"
#include "rank-program.h"

#include "ns3/collective-schedule.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"

namespace ns3
{

/** @return whether all ranks of a group are in one server */
bool IsIntraNodeGroup(const CommunicationGroup& group);

/**
 * @param rank that calls an exchange
 * @param call the exchange
 * @param group of the call
 * @param settings of the rank
 * @param hasScaleUp whether a fabric joins the GPUs of each server
 * @return the parameters of the algorithm for the exchange, equal at all ranks that take part
 */
CollectiveParameters MakeOperationParameters(RankId rank,
                                             const RankOperation& call,
                                             const CommunicationGroup& group,
                                             const CollectiveSettings& settings,
                                             bool hasScaleUp);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_PARAMETERS_H */
