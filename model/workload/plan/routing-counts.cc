/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "routing-counts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <set>
#include <tuple>

namespace ns3
{

namespace
{

const char* const ROUTING_HEADER = "layer,expert,step,tokens";
constexpr std::array<const char*, 4> ROUTING_COLUMNS{"layer", "expert", "step", "tokens"};
constexpr std::size_t MOST_ROUTING_ROWS = 10'000'000;
constexpr uint64_t LARGEST_INDEX = (1 << 20) - 1; // of a layer, expert or step
constexpr uint64_t MOST_TOKENS = 1ULL << 40;      // of an expert: sums have less than 64 bits

/** A row of the file. */
struct RoutingRow
{
    uint32_t layer{0};
    uint32_t expert{0};
    uint32_t step{0};
    uint64_t tokens{0};
    std::size_t line{0};

    /** @return the order of rows */
    auto AsTuple() const
    {
        return std::make_tuple(layer, step, expert);
    }

    bool operator<(const RoutingRow& other) const
    {
        return std::make_tuple(AsTuple(), line) < std::make_tuple(other.AsTuple(), other.line);
    }
};

/** @return "layer 3, step 0" */
std::string
NameOfStep(uint32_t layer, uint32_t step)
{
    return "layer " + std::to_string(layer) + ", step " + std::to_string(step);
}

/** Reads a row. @return the mistake, or an empty string */
std::string
ReadRow(const std::string& line, RoutingRow& row)
{
    std::array<uint64_t, ROUTING_COLUMNS.size()> numbers{};
    std::size_t begin = 0;
    for (std::size_t column = 0; column < numbers.size(); ++column)
    {
        const bool isLast = column + 1 == numbers.size();
        const std::size_t comma = std::min(line.find(',', begin), line.size());
        const std::string word = line.substr(begin, comma - begin);
        const uint64_t most = isLast ? MOST_TOKENS : LARGEST_INDEX;
        const bool isNumber =
            !word.empty() && word.size() <= 13 && // 2^40 has 13 digits
            std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (isLast != (comma == line.size()))
        {
            return std::string("expected 4 columns, ") + ROUTING_HEADER;
        }
        numbers[column] = isNumber ? std::stoull(word) : 0;
        if (!isNumber || numbers[column] > most)
        {
            return "\"" + word + "\" in column " + ROUTING_COLUMNS[column] +
                   "; expected a whole number from 0 to " + std::to_string(most);
        }
        begin = comma + 1;
    }
    row.layer = numbers[0];
    row.expert = numbers[1];
    row.step = numbers[2];
    row.tokens = numbers[3];
    return "";
}

/** Reads all rows. @return the mistake, with its line, or an empty string */
std::string
ReadRows(std::istream& in, std::vector<RoutingRow>& rows)
{
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);)
    {
        ++number;
        if (!line.empty() && line.back() == '\r')
        {
            line.pop_back();
        }
        std::string wrong;
        RoutingRow row;
        row.line = number;
        if (number == 1)
        {
            wrong =
                line == ROUTING_HEADER ? "" : std::string("expected the header ") + ROUTING_HEADER;
        }
        else if (rows.size() == MOST_ROUTING_ROWS)
        {
            wrong = "expected at most " + std::to_string(MOST_ROUTING_ROWS) + " rows";
        }
        else if (!line.empty())
        {
            wrong = ReadRow(line, row);
            rows.push_back(row);
        }
        if (!wrong.empty())
        {
            return std::to_string(number) + ": " + wrong;
        }
    }
    return rows.empty() ? std::to_string(number + 1) + ": expected " +
                              (number == 0 ? std::string("the header ") + ROUTING_HEADER
                                           : std::string("a row for each layer, expert and step"))
                        : "";
}

/**
 * Orders rows.
 * @param rows sorted
 * @param [out] steps by layer and step: the tokens
 * @return the mistake, or an empty string
 */
std::string
FillSteps(const std::vector<RoutingRow>& rows,
          std::map<uint32_t, std::vector<RoutingCounts::Tokens>>& steps)
{
    uint32_t mostExperts = 0;
    uint32_t mostSteps = 0;
    for (const RoutingRow& row : rows)
    {
        mostExperts = std::max(mostExperts, row.expert + 1);
        mostSteps = std::max(mostSteps, row.step + 1);
    }
    auto next = rows.begin();
    while (next != rows.end())
    {
        const uint32_t layer = next->layer;
        std::vector<RoutingCounts::Tokens>& its = steps[layer];
        for (uint32_t step = 0; step < mostSteps; ++step)
        {
            its.emplace_back();
            for (uint32_t expert = 0; expert < mostExperts; ++expert, ++next)
            {
                const auto wanted = std::make_tuple(layer, step, expert);
                if (next != rows.begin() && next != rows.end() &&
                    next->AsTuple() == std::prev(next)->AsTuple())
                {
                    return std::to_string(next->line) + ": " + NameOfStep(layer, next->step) +
                           " has another row for expert " + std::to_string(next->expert) +
                           " in line " + std::to_string(std::prev(next)->line) + "; each has one";
                }
                if (next == rows.end() || next->AsTuple() != wanted)
                {
                    return " " + NameOfStep(layer, step) + " has no row for expert " +
                           std::to_string(expert) + ", and the file has " +
                           std::to_string(mostExperts) + " experts and " +
                           std::to_string(mostSteps) +
                           " steps; write a row for each, with 0 tokens if there are none";
                }
                its.back().push_back(next->tokens);
            }
        }
    }
    return "";
}

} // namespace

RoutingFile
ReadRoutingCounts(const std::string& file)
{
    std::ifstream in(file);
    if (!in)
    {
        return {nullptr, file + ": cannot be opened to read"};
    }
    std::vector<RoutingRow> rows;
    std::string wrong = ReadRows(in, rows);
    std::map<uint32_t, std::vector<RoutingCounts::Tokens>> steps;
    if (wrong.empty())
    {
        std::sort(rows.begin(), rows.end());
        wrong = FillSteps(rows, steps);
    }
    if (!wrong.empty())
    {
        return {nullptr, file + ":" + wrong};
    }
    return {std::make_shared<const RoutingCounts>(std::move(steps)), ""};
}

} // namespace ns3
