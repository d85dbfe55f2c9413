/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_NAME_H
#define PHOTONIC_RAILS_OPERATION_NAME_H

#include "ns3/rank-program.h"

#include <string>

namespace ns3
{

/** @return the name of an operation in a picture: its label, or else its kind */
std::string GetOperationName(const RankOperation& call);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_NAME_H */
