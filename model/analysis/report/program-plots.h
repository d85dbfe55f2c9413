/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PROGRAM_PLOTS_H
#define PHOTONIC_RAILS_PROGRAM_PLOTS_H

#include <string>

namespace ns3
{

class ResultDatabase;

/**
 * @ingroup photonic-rails
 * @brief Draws the plots of a program (the table `plots`), but for that of training runs, which the
 * report has in another part.
 * @return figures of HTML; empty: there are none
 */
std::string DrawProgramPlots(ResultDatabase& database);

/**
 * Makes the tables of the rows of results, of the figures and of the summary, but for rows that are
 * training runs, which the report has in another table.
 * @return tables of HTML, with headings; empty: there are none
 */
std::string MakeProgramTables(ResultDatabase& database);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PROGRAM_PLOTS_H */
