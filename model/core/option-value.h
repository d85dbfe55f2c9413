/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPTION_VALUE_H
#define PHOTONIC_RAILS_OPTION_VALUE_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A value of an option, or an error.
 * @tparam Value the type of the value
 */
template <typename Value>
struct OptionValue
{
    Value value{};
    std::string why{}; //!< the error; empty: none
};

/**
 * @name Readers of values
 * The syntax of values, the same in every option. The whole input must belong to the value: no part
 * is left over, cut off or rounded.
 *
 * - Counts and sizes are whole: `4096`, `64k`, `1M`, `1.5G`. The units k, K, M, G and T are powers
 *   of 1024, as nccl-tests has them, and may be followed by `i`, or `iB` (`1MiB`). `MB` is an
 *   error, because it is ambiguous.
 * - Times have a unit: `10ps`, `25ms`, `1.5s`, `2min`; ps, ns, us, ms, s, min, h or d. They are
 *   whole picoseconds, from 0 to 10^6 s. Only `0` needs no unit.
 * - Rates have a unit: `400Gbps`, `1.6Tbps`, `50GB/s`; bps, b/s, Bps or B/s after nothing, k, M, G
 *   or T (powers of 1000). They are whole bit/s from 1 Mb/s to 1 Pb/s.
 * - Real numbers are finite: `0.5`, `1e-3`.
 * - Lists have commas between their parts; no part is empty or has a blank, and none comes
 *   twice, unless the list may repeat. A comma
 *   in brackets belongs to its part: `rotor,ns3::MyPolicy[Ports=1,2]` has two parts.
 */
/** @{ */
/** @return a count or a size @param most the largest value */
OptionValue<uint64_t> ParseCount(const std::string& words, uint64_t most = UINT64_MAX);
/** @return a whole number, perhaps negative */
OptionValue<int64_t> ParseWhole(const std::string& words);
/** @return a time */
OptionValue<Time> ParseTime(const std::string& words);
/** @return a rate */
OptionValue<DataRate> ParseRate(const std::string& words);
/** @return a number */
OptionValue<double> ParseReal(const std::string& words);
/** @return true or false @param words true, false, yes, no, on, off, 1 or 0 */
OptionValue<bool> ParseTruth(const std::string& words);
/** @return the parts of a list */
OptionValue<std::vector<std::string>> ParseList(const std::string& words, bool mayRepeat = false);
/** @} */

/** @return a time in the syntax above, such as "25ms" */
std::string ToOption(const Time& time);
/** @return a rate in the syntax above, such as "400Gbps" */
std::string ToOption(const DataRate& rate);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPTION_VALUE_H */
