/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RESULT_REPORT_H
#define PHOTONIC_RAILS_RESULT_REPORT_H

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes a report of a database of results: one HTML file that holds all it needs, and that
 * loads nothing.
 *
 * It has plots in SVG (iteration time, breakdown, windows, circuits, ports), tables that sort by a
 * click on a heading, and the command with its options. Plots without data are left out. All
 * numbers are those of the database.
 * @param database a file of ResultDatabase
 * @param file to write
 */
void WriteResultReport(const std::string& database, const std::string& file);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RESULT_REPORT_H */
