/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JSON_COLUMNS_H
#define PHOTONIC_RAILS_JSON_COLUMNS_H

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief An object of JSON as columns of a table: each member that is a word, a number or a truth
 * value, in order; those of objects within it as `outer.inner`. Arrays are left out.
 * @param json an object that JsonWriter wrote
 * @return names and values; words are without their quotes
 */
std::vector<std::pair<std::string, std::string>> ListColumns(const std::string& json);

/** @return a field of a CSV file (RFC 4180), in quotes where it needs them */
std::string ToCsv(const std::string& words);

/**
 * @ingroup photonic-rails
 * @brief Rows as a CSV file: a header with all their columns, in the order in which they first
 * occur, and a line each. What a row does not have is empty.
 * @param rows names and values of each
 * @return the file
 */
std::string MakeCsv(const std::vector<std::vector<std::pair<std::string, std::string>>>& rows);

} // namespace ns3

#endif /* PHOTONIC_RAILS_JSON_COLUMNS_H */
