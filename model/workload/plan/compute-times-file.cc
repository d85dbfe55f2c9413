/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "compute-times.h"

#include "ns3/picosecond-resolution.h"

#include <array>
#include <fstream>
#include <vector>

namespace ns3
{

namespace
{

const char* const HEADER =
    "unit,forward_us,attention_us,backward_input_us,backward_weight_us,recompute_us";
constexpr std::size_t COLUMNS = 5; // of times
constexpr std::size_t LONGEST_LINE = 1024;
constexpr std::size_t MOST_LINES = 100'000;

/** @return words between commas */
std::vector<std::string>
SplitAtCommas(const std::string& line)
{
    std::vector<std::string> words(1);
    for (const char character : line)
    {
        if (character == ',')
        {
            words.emplace_back();
        }
        else
        {
            words.back() += character;
        }
    }
    return words;
}

/** @return whether a character is a digit */
bool
IsDigit(char character)
{
    return character >= '0' && character <= '9';
}

/**
 * Reads microseconds digit by digit, so that the picoseconds are exact.
 * @param text such as 12.5
 * @return the time, or none: not a number, finer than a picosecond, or beyond 64 bits
 */
std::optional<Time>
ReadMicroseconds(const std::string& text)
{
    const std::size_t point = text.find('.');
    const std::string whole = text.substr(0, point);
    std::string fraction = point == std::string::npos ? "" : text.substr(point + 1);
    // 10^12 us are 10^18 ps: within 64 bits
    if (whole.empty() || whole.size() > 12 || fraction.size() > 6 ||
        (point != std::string::npos && fraction.empty()))
    {
        return std::nullopt;
    }
    fraction.resize(6, '0'); // a microsecond is 10^6 picoseconds
    Picoseconds time = 0;
    for (const char character : whole + fraction)
    {
        if (!IsDigit(character))
        {
            return std::nullopt;
        }
        time = time * 10 + (character - '0');
    }
    return PicoSeconds(time);
}

/** @return the number of a layer @param unit such as "layer 5", or something else */
std::optional<uint32_t>
ReadLayer(const std::string& unit)
{
    const std::string begin = "layer ";
    if (unit.compare(0, begin.size(), begin) != 0 || unit.size() == begin.size() ||
        unit.size() > begin.size() + 9)
    {
        return std::nullopt;
    }
    uint32_t layer = 0;
    for (const char character : unit.substr(begin.size()))
    {
        if (!IsDigit(character))
        {
            return std::nullopt;
        }
        layer = layer * 10 + static_cast<uint32_t>(character - '0');
    }
    return layer;
}

/** Compute times from a measurement. */
class ReadTimes : public ComputeTimes
{
  public:
    UnitTimes GetUnit(const ModelUnit& unit) const override
    {
        const auto own = m_rows.find(unit.GetName());
        return own != m_rows.end() ? own->second : m_rows.at("layer");
    }

    Time GetOptimizer(uint64_t parameters) const override
    {
        return parameters > 0 ? m_rows.at("optimizer").forward : Time(0);
    }

    /** Reads a row. @return the mistake, or an empty string */
    std::string AddRow(const std::string& line);

    /** @return the name of a row that is missing, or an empty string */
    std::string FindMissing() const
    {
        for (const char* name : {"embedding", "layer", "head", "optimizer"})
        {
            if (m_rows.count(name) == 0)
            {
                return name;
            }
        }
        return "";
    }

  private:
    std::map<std::string, UnitTimes> m_rows; //!< by name of the unit
};

std::string
ReadTimes::AddRow(const std::string& line)
{
    const std::vector<std::string> words = SplitAtCommas(line);
    if (words.size() != COLUMNS + 1)
    {
        return "there are " + std::to_string(words.size()) + " columns, not the 6 of " + HEADER;
    }
    std::string unit = words.front();
    if (const auto layer = ReadLayer(unit))
    {
        unit = "layer " + std::to_string(*layer); // without leading zeros
    }
    else if (unit != "embedding" && unit != "layer" && unit != "head" && unit != "optimizer")
    {
        return "\"" + unit +
               "\" is no unit; expected embedding, layer, layer and a number, head "
               "or optimizer";
    }
    std::array<Time, COLUMNS> times;
    for (std::size_t column = 0; column < COLUMNS; ++column)
    {
        const auto time = ReadMicroseconds(words[column + 1]);
        if (!time)
        {
            return "\"" + words[column + 1] + "\" in column " + std::to_string(column + 2) +
                   " is no time; expected microseconds such as 12.5, with at most 12 digits before "
                   "and 6 after the point";
        }
        times[column] = *time;
    }
    if (unit == "embedding" && times[2].IsStrictlyPositive())
    {
        return "an embedding has no gradients of its input; expected 0 in backward_input_us";
    }
    if (times[1] > times[0])
    {
        return "attention_us is more than forward_us; it is a part of that";
    }
    if (!m_rows.insert({unit, {times[0], times[1], times[2], times[3], times[4]}}).second)
    {
        return "there is another row for " + unit + "; each has one";
    }
    return "";
}

/**
 * @return the mistake in the lines of a file, or an empty string
 * @param [out] times receives the rows
 */
std::string
ReadLines(std::istream& in, ReadTimes& times)
{
    std::array<char, LONGEST_LINE> buffer;
    std::size_t number = 0;
    for (; number < MOST_LINES && in.getline(buffer.data(), buffer.size()); ++number)
    {
        std::string line(buffer.data());
        if (!line.empty() && line.back() == '\r')
        {
            line.pop_back();
        }
        std::string wrong;
        if (number == 0)
        {
            wrong = line == HEADER ? "" : std::string("expected the header ") + HEADER;
        }
        else if (!line.empty())
        {
            wrong = times.AddRow(line);
        }
        if (!wrong.empty())
        {
            return std::to_string(number + 1) + ": " + wrong;
        }
    }
    const std::string next = std::to_string(number + 1) + ": ";
    if (number == 0)
    {
        return next + "expected the header " + HEADER;
    }
    if (!in.eof())
    {
        return next + "expected at most " + std::to_string(MOST_LINES) + " lines of at most " +
               std::to_string(LONGEST_LINE - 1) + " letters";
    }
    const std::string missing = times.FindMissing();
    return missing.empty() ? ""
                           : next + "there is no row for " + missing +
                                 "; write one, with zeros if it takes no time";
}

} // namespace

MeasuredTimes
ReadComputeTimes(const std::string& file)
{
    RequirePicoseconds("ReadComputeTimes");
    std::ifstream in(file);
    if (!in)
    {
        return {nullptr, file + ": cannot be opened to read"};
    }
    auto times = std::make_shared<ReadTimes>();
    const std::string wrong = ReadLines(in, *times);
    if (!wrong.empty())
    {
        return {nullptr, file + ":" + wrong};
    }
    return {times, ""};
}

} // namespace ns3
