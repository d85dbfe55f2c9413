/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RESULT_VALUE_H
#define PHOTONIC_RAILS_RESULT_VALUE_H

#include "ns3/identifier.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ns3
{

/** A value of a column: NULL, an integer, a real number or a text. */
using ResultValue = std::variant<std::monostate, int64_t, double, std::string>;

/** Rows of one table, one after another. */
struct ResultRows
{
    std::size_t table{0}; //!< place in GetResultTables()
    std::vector<ResultValue> values;
};

/** @return an integer, a truth value or a real number */
template <typename Number, std::enable_if_t<std::is_arithmetic_v<Number>, bool> = true>
ResultValue
MakeResultValue(Number number)
{
    if constexpr (std::is_floating_point_v<Number>)
    {
        return static_cast<double>(number);
    }
    else
    {
        return static_cast<int64_t>(number);
    }
}

/** @return picoseconds */
inline ResultValue
MakeResultValue(Time time)
{
    return static_cast<int64_t>(time.GetTimeStep());
}

/** @return a text; NULL if it is empty */
inline ResultValue
MakeResultValue(std::string text)
{
    return text.empty() ? ResultValue() : ResultValue(std::move(text));
}

/** @return the same */
inline ResultValue
MakeResultValue(const char* text)
{
    return MakeResultValue(std::string(text));
}

/** @return the number of a thing */
template <typename Tag>
ResultValue
MakeResultValue(Identifier<Tag> id)
{
    return static_cast<int64_t>(id.Get());
}

/** @return the value, or NULL */
template <typename Value>
ResultValue
MakeResultValue(const std::optional<Value>& value)
{
    return value ? MakeResultValue(*value) : ResultValue();
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_RESULT_VALUE_H */
