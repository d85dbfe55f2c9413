/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_LAYOUT_H
#define PHOTONIC_RAILS_JOB_LAYOUT_H

#include "job-programs.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @file
 * The places of the ranks of a job: rank r is GPU r % perServer, on the rail of that number,
 * of server r / perServer, where perServer is the number of GPUs of a server.
 */

/**
 * @return the number of consecutive ranks of each server in a group; 1 if it differs between
 *         servers
 */
uint32_t CountRanksPerServer(const std::vector<uint32_t>& ranks, uint32_t perServer);

/** @return whether all ranks of a group are on one rail */
bool AreOnOneRail(const std::vector<uint32_t>& ranks, uint32_t perServer);

/** @return whether all ranks of a group are in one server, so that no rail is used */
bool AreInOneServer(const std::vector<uint32_t>& ranks, uint32_t perServer);

/** @return the reason for which a job does not fill such servers; empty if it does */
std::string FindMisfit(const JobPrograms& job, uint32_t perServer);

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_LAYOUT_H */
