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
 * @brief Converts a JSON object to columns of a table: each member that is a string, a number or a
 * truth value, in order. Members of inner objects become `outer.inner`. Arrays are skipped.
 * @param json an object that JsonWriter wrote
 * @return names and values; strings are without their quotes
 */
std::vector<std::pair<std::string, std::string>> ListColumns(const std::string& json);

/** A member of a JSON object that is a string, a number or a truth value. */
struct JsonMember
{
    std::string name;   //!< of inner objects, `outer.inner`
    std::string value;  //!< a string is without its quotes
    bool isText{false}; //!< it is a string
};

/** @return the same columns as ListColumns(), which tell "1" from 1 */
std::vector<JsonMember> ListMembers(const std::string& json);

/** An array that is a member of a JSON object. */
struct JsonArray
{
    std::string name;
    std::vector<std::string> elements; //!< the text of each
};

/** @return the arrays that are members of an object that JsonWriter wrote, without inner ones */
std::vector<JsonArray> ListArrays(const std::string& json);

/** @return a field of a CSV file (RFC 4180), in quotes where necessary */
std::string ToCsv(const std::string& words);

/**
 * @ingroup photonic-rails
 * @brief Converts rows to a CSV file: a header with all their columns, in the order in which they
 * first occur, and a line each. A missing column of a row is empty.
 * @param rows names and values of each
 * @return the file
 */
std::string MakeCsv(const std::vector<std::vector<std::pair<std::string, std::string>>>& rows);

} // namespace ns3

#endif /* PHOTONIC_RAILS_JSON_COLUMNS_H */
