/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REPORT_TABLE_H
#define PHOTONIC_RAILS_REPORT_TABLE_H

#include "result-query.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @param id unique in the page
 * @param heads of its columns
 * @param rows as many values each
 * @return a table of HTML, which sorts by a click on a heading, without columns that have no value;
 *         empty: there are no rows
 */
std::string MakeReportTable(const std::string& id,
                            const std::vector<std::string>& heads,
                            const std::vector<std::vector<ResultValue>>& rows);

/** @return a part of the page with a heading; empty: it has no content */
std::string MakeReportPart(const std::string& heading, const std::string& content);

} // namespace ns3

#endif /* PHOTONIC_RAILS_REPORT_TABLE_H */
