/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RESULT_CSV_H
#define PHOTONIC_RAILS_RESULT_CSV_H

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes each table of a database of results to a CSV file of its own (RFC 4180, with a line
 * of names of columns).
 * @param database a file of ResultDatabase
 * @param folder for the files, `runs.csv` and so on; it is made if it is not there
 */
void WriteResultCsv(const std::string& database, const std::string& folder);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RESULT_CSV_H */
