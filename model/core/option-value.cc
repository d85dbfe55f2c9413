/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "option-value.h"

#include "attribute-limits.h"
#include "bracketed-text.h"
#include "known-names.h"
#include "picoseconds.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <locale>
#include <optional>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

__extension__ using Wide = unsigned __int128;

constexpr Wide WIDE_MOST = Wide{1} << 120;
constexpr Picoseconds ONE_SECOND = 1'000'000'000'000;

/** A decimal number, exactly: digits over a power of ten. */
struct Decimal
{
    Wide digits{0};
    int places{0};
    std::string unit; //!< the text after the number
};

bool
IsDigit(char character)
{
    return character >= '0' && character <= '9';
}

/**
 * @return the number at the begin of a text; no value if there is none, or if it has too many
 *         digits
 */
std::optional<Decimal>
ReadDecimal(const std::string& words, bool mayHaveExponent)
{
    Decimal number;
    std::size_t at = 0;
    bool hasDigits = false;
    bool hasPoint = false;
    for (; at < words.size() && (IsDigit(words[at]) || (words[at] == '.' && !hasPoint)); ++at)
    {
        if (words[at] == '.')
        {
            hasPoint = true;
            continue;
        }
        hasDigits = true;
        number.digits = number.digits * 10 + (words[at] - '0');
        number.places += hasPoint ? 1 : 0;
        if (number.digits > WIDE_MOST / 100)
        {
            return std::nullopt;
        }
    }
    if (!hasDigits || words[at - 1] == '.')
    {
        return std::nullopt;
    }
    std::size_t exponent = at + 1;
    if (mayHaveExponent && at < words.size() && (words[at] == 'e' || words[at] == 'E'))
    {
        const bool isNegative = exponent < words.size() && words[exponent] == '-';
        exponent += exponent < words.size() && (isNegative || words[exponent] == '+') ? 1 : 0;
        int power = 0;
        const std::size_t first = exponent;
        for (; exponent < words.size() && IsDigit(words[exponent]) && power < 10'000; ++exponent)
        {
            power = power * 10 + (words[exponent] - '0');
        }
        if (exponent == first)
        {
            return std::nullopt;
        }
        number.places += isNegative ? power : -power;
        at = exponent;
    }
    number.unit = words.substr(at);
    return number;
}

/** The product of a number and a unit. */
struct Product
{
    Wide value{0};
    bool isWhole{true};
    bool fits{true};
};

Product
Multiply(const Decimal& number, Wide unit)
{
    Product product;
    product.value = number.digits;
    if (number.digits != 0 && unit > WIDE_MOST / number.digits)
    {
        product.fits = false;
        return product;
    }
    product.value *= unit;
    for (int places = number.places; places != 0 && product.value != 0;
         places += places > 0 ? -1 : 1)
    {
        if (places > 0)
        {
            product.isWhole = product.isWhole && product.value % 10 == 0;
            product.value /= 10;
        }
        else if (product.value > WIDE_MOST / 10)
        {
            product.fits = false;
            return product;
        }
        else
        {
            product.value *= 10;
        }
    }
    return product;
}

/** @return whether a text has a blank */
bool
HasBlank(const std::string& words)
{
    return std::any_of(words.begin(), words.end(), [](unsigned char character) {
        return std::isspace(character) != 0;
    });
}

/** A unit and its value. */
struct Unit
{
    const char* name;
    uint64_t factor;
};

constexpr std::array<Unit, 8> TIMES{{{"ps", 1},
                                     {"ns", 1'000},
                                     {"us", 1'000'000},
                                     {"ms", 1'000'000'000},
                                     {"s", ONE_SECOND},
                                     {"min", 60 * ONE_SECOND},
                                     {"h", 3600 * ONE_SECOND},
                                     {"d", 86'400 * ONE_SECOND}}};
constexpr std::array<Unit, 5> RATES{
    {{"", 1}, {"k", 1'000}, {"M", 1'000'000}, {"G", 1'000'000'000}, {"T", 1'000'000'000'000}}};
constexpr std::array<Unit, 2> RATE_BITS{{{"bps", 1}, {"b/s", 1}}};
constexpr std::array<Unit, 2> RATE_BYTES{{{"Bps", 8}, {"B/s", 8}}};

template <std::size_t N>
uint64_t
FindUnit(const std::array<Unit, N>& units, const std::string& name)
{
    const auto found = std::find_if(units.begin(), units.end(), [&name](const Unit& unit) {
        return name == unit.name;
    });
    return found == units.end() ? 0 : found->factor;
}

/** @return bit/s in a unit; 0: unknown */
uint64_t
FindRateUnit(const std::string& name)
{
    for (const auto& ends : {RATE_BITS, RATE_BYTES})
    {
        for (const Unit& end : ends)
        {
            const std::string tail = end.name;
            if (name.size() >= tail.size() &&
                name.compare(name.size() - tail.size(), tail.size(), tail) == 0)
            {
                std::string prefix = name.substr(0, name.size() - tail.size());
                prefix = prefix == "K" ? "k" : prefix;
                return FindUnit(RATES, prefix) * end.factor;
            }
        }
    }
    return 0;
}

/** @return the value of a unit of counts; 0: unknown */
uint64_t
FindCountUnit(std::string name)
{
    if (name.empty() || name == "B")
    {
        return 1;
    }
    if (name.size() > 1 && name[1] == 'i')
    {
        name = name.substr(0, 1) + (name == name.substr(0, 1) + "iB" ? "" : name.substr(2));
    }
    const std::string units = "kMGT";
    const char character = name[0] == 'K' ? 'k' : name[0];
    const std::size_t power = units.find(character);
    return name.size() != 1 || power == std::string::npos ? 0 : uint64_t{1} << (10 * (power + 1));
}

/**
 * @param last the place of the largest unit to try
 * @param end follows the unit
 * @return a value as a whole number of the largest possible unit
 */
template <std::size_t N>
std::string
InLargest(uint64_t value, const std::array<Unit, N>& units, std::size_t last, const char* end)
{
    std::size_t best = 0;
    for (std::size_t i = 0; i <= last; ++i)
    {
        best = value % units[i].factor == 0 && value != 0 ? i : best;
    }
    return std::to_string(value / units[best].factor) + units[best].name + end;
}

} // namespace

OptionValue<uint64_t>
ParseCount(const std::string& words, uint64_t most)
{
    const auto number = ReadDecimal(words, false);
    const uint64_t unit = number ? FindCountUnit(number->unit) : 0;
    if (number && unit == 0 &&
        (number->unit == "KB" || number->unit == "kB" || number->unit == "MB" ||
         number->unit == "GB" || number->unit == "TB"))
    {
        const std::string character = number->unit.substr(0, 1);
        return {0,
                number->unit + " may be a power of 1000 or of 1024; give " + character + " or " +
                    character + "iB for that of 1024, or the number"};
    }
    if (unit == 0)
    {
        return {0, "give a whole number of 0 or more, such as 8, 64k or 1M (powers of 1024)"};
    }
    const Product product = Multiply(*number, unit);
    if (!product.isWhole)
    {
        return {0, "give a whole number"};
    }
    if (!product.fits || product.value > most)
    {
        return {0, "give " + std::to_string(most) + " or less"};
    }
    return {static_cast<uint64_t>(product.value), ""};
}

OptionValue<int64_t>
ParseWhole(const std::string& words)
{
    const bool isNegative = !words.empty() && words[0] == '-';
    const OptionValue<uint64_t> count = ParseCount(isNegative ? words.substr(1) : words, INT64_MAX);
    const auto value = static_cast<int64_t>(count.value);
    return {isNegative ? -value : value, count.why.empty() ? "" : "give a whole number"};
}

OptionValue<Time>
ParseTime(const std::string& words)
{
    if (words == "0")
    {
        return {Time(0), ""};
    }
    if (!words.empty() && words[0] == '-' && ParseTime(words.substr(1)).why.empty())
    {
        return {Time(0), "give a time of 0 or more"};
    }
    const auto number = ReadDecimal(words, true);
    const uint64_t unit = number ? FindUnit(TIMES, number->unit) : 0;
    if (number && number->unit.empty())
    {
        return {Time(0), "give a time with its unit, such as " + words + "ms or " + words + "us"};
    }
    if (unit == 0)
    {
        return {Time(0), "give a time such as 25ms (ps, ns, us, ms, s, min, h or d)"};
    }
    const Product product = Multiply(*number, unit);
    if (!product.fits || product.value > LONGEST_TIME)
    {
        return {Time(0), "give " + std::to_string(LONGEST_TIME / ONE_SECOND) + "s or less"};
    }
    if (!product.isWhole)
    {
        return {Time(0), "give whole picoseconds"};
    }
    return {PicoSeconds(static_cast<int64_t>(product.value)), ""};
}

OptionValue<DataRate>
ParseRate(const std::string& words)
{
    const auto number = ReadDecimal(words, true);
    const uint64_t unit = number ? FindRateUnit(number->unit) : 0;
    if (unit == 0)
    {
        return {DataRate(0), "give a rate with its unit, such as 400Gbps or 50GB/s"};
    }
    const Product product = Multiply(*number, unit);
    if (!product.fits || product.value > MOST_RATE || product.value < LEAST_RATE)
    {
        return {DataRate(0), "give 1Mbps to 1000Tbps"};
    }
    if (!product.isWhole)
    {
        return {DataRate(0), "give whole bit/s"};
    }
    return {DataRate(static_cast<uint64_t>(product.value)), ""};
}

OptionValue<double>
ParseReal(const std::string& words)
{
    const bool isNegative = !words.empty() && words[0] == '-';
    const auto number = ReadDecimal(isNegative ? words.substr(1) : words, true);
    if (!number || !number->unit.empty())
    {
        return {0, "give a number, such as 0.5"};
    }
    std::istringstream text(words);
    text.imbue(std::locale::classic());
    double value = 0;
    text >> value;
    if (!text || !std::isfinite(value) || (value == 0 && number->digits != 0))
    {
        return {0, "give a number that fits: 1e-307 to 1e308"};
    }
    return {value, ""};
}

OptionValue<bool>
ParseTruth(const std::string& words)
{
    const std::string simple = SimplifyName(words);
    if (simple == "true" || simple == "yes" || simple == "1" || simple == "on")
    {
        return {true, ""};
    }
    if (simple == "false" || simple == "no" || simple == "0" || simple == "off")
    {
        return {false, ""};
    }
    return {false, "give true or false"};
}

OptionValue<std::vector<std::string>>
ParseList(const std::string& words, bool mayRepeat)
{
    if (!HasMatchedBrackets(words))
    {
        return {{}, "a bracket has no counterpart; give Type[Name=value|Name=value]"};
    }
    const std::vector<std::string> parts = SplitOutsideBrackets(words, ',');
    std::set<std::string> known;
    for (const std::string& part : parts)
    {
        if (part.empty())
        {
            return {{}, "a part of the list is empty; give parts with commas between, no blanks"};
        }
        if (HasBlank(part))
        {
            return {{}, "give a list without blanks"};
        }
        if (!known.insert(part).second && !mayRepeat)
        {
            return {{}, part + " is in the list twice"};
        }
    }
    return {parts, ""};
}

std::string
ToOption(const Time& time)
{
    const auto ticks = static_cast<uint64_t>(time.ToInteger(Time::PS));
    return ticks == 0 ? "0s" : InLargest(ticks, TIMES, 4, "");
}

std::string
ToOption(const DataRate& rate)
{
    return InLargest(rate.GetBitRate(), RATES, 4, "bps");
}

} // namespace ns3
