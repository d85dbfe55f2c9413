/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RESULT_REPORT_H
#define PHOTONIC_RAILS_RESULT_REPORT_H

#include "report-notices.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes a report of a database of results: one HTML file that holds all it needs, and that
 * loads nothing.
 *
 * It has plots in SVG (iteration time, breakdown, windows, circuits over time and as maps, ports,
 * collectives, faults, cost and power), tables that sort by a click on a heading, and the command
 * with its options. Plots without data are left out. All numbers are those of the database, which
 * may be that of a program that runs or was killed.
 * @param database a file of ResultDatabase
 * @param file to write
 * @param end of the program
 */
void WriteResultReport(const std::string& database,
                       const std::string& file,
                       const ReportedEnd& end = {});

} // namespace ns3

#endif /* PHOTONIC_RAILS_RESULT_REPORT_H */
