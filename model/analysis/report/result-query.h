/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RESULT_QUERY_H
#define PHOTONIC_RAILS_RESULT_QUERY_H

#include "ns3/result-database.h"
#include "ns3/result-value.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** @return all rows of a query */
std::vector<std::vector<ResultValue>> QueryAll(ResultDatabase& database, const std::string& query);

/** @return a value as a number; NULL and texts are 0 */
double ToNumber(const ResultValue& value);

/** @return a value as a whole number; NULL and texts are 0 */
int64_t ToWhole(const ResultValue& value);

/** @return a value as a text; a number has some three significant digits; NULL is empty */
std::string ToText(const ResultValue& value);

/** @return whether a value is NULL */
bool IsNull(const ResultValue& value);

/**
 * @return the number of the run that plots of a single run show, the complete one that a program
 * has named for it, or else that with circuits and the longest reconfiguration time, the last of
 * these; if none is complete, one that has begun; negative: there is no such run
 */
int64_t ChooseRun(ResultDatabase& database);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RESULT_QUERY_H */
