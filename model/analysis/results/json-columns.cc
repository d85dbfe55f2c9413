/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "json-columns.h"

#include <cstdlib>
#include <set>

namespace ns3
{

namespace
{

using Columns = std::vector<std::pair<std::string, std::string>>;

/** Parses text that JsonWriter wrote. */
class JsonWalk
{
  public:
    explicit JsonWalk(const std::string& json)
        : m_json(json)
    {
    }

    /** Parses a value. @param columns receives it; null: none */
    void Value(const std::string& name, Columns* columns)
    {
        SkipBlanks();
        if (Peek() == '{' || Peek() == '[')
        {
            Members(name, columns);
            return;
        }
        const bool isWords = Peek() == '"';
        const std::string words = isWords ? Words() : Bare();
        if (columns && (isWords || words != "null"))
        {
            columns->emplace_back(name, words);
        }
    }

  private:
    char Peek() const
    {
        return m_at < m_json.size() ? m_json[m_at] : '\0';
    }

    void SkipBlanks()
    {
        while (Peek() == ' ' || Peek() == '\n')
        {
            ++m_at;
        }
    }

    void Members(const std::string& name, Columns* columns)
    {
        const bool isObject = m_json[m_at++] == '{';
        while (m_at < m_json.size())
        {
            SkipBlanks();
            if (Peek() == '}' || Peek() == ']')
            {
                ++m_at;
                return;
            }
            if (Peek() == ',')
            {
                ++m_at;
                continue;
            }
            if (!isObject)
            {
                Value(name, nullptr);
                continue;
            }
            const std::string key = Words();
            SkipBlanks();
            ++m_at; // the colon
            Value(name.empty() ? key : name + "." + key, columns);
        }
    }

    std::string Bare()
    {
        const std::size_t first = m_at;
        while (m_at < m_json.size() && m_json.find_first_of(",}] \n", m_at) != m_at)
        {
            ++m_at;
        }
        return m_json.substr(first, m_at - first);
    }

    std::string Words()
    {
        std::string words;
        for (++m_at; m_at < m_json.size() && m_json[m_at] != '"'; ++m_at)
        {
            if (m_json[m_at] == '\\' && m_json[m_at + 1] == 'u')
            {
                words +=
                    static_cast<char>(std::strtol(m_json.substr(m_at + 2, 4).c_str(), nullptr, 16));
                m_at += 5;
                continue;
            }
            m_at += m_json[m_at] == '\\' ? 1 : 0;
            words += m_json[m_at];
        }
        ++m_at;
        return words;
    }

    const std::string& m_json;
    std::size_t m_at{0};
};

} // namespace

Columns
ListColumns(const std::string& json)
{
    Columns columns;
    JsonWalk(json).Value("", &columns);
    return columns;
}

std::string
ToCsv(const std::string& words)
{
    if (words.find_first_of(",\"\r\n") == std::string::npos)
    {
        return words;
    }
    std::string quoted = "\"";
    for (const char letter : words)
    {
        quoted += letter == '"' ? "\"\"" : std::string(1, letter);
    }
    return quoted + "\"";
}

std::string
MakeCsv(const std::vector<Columns>& rows)
{
    std::vector<std::string> names;
    std::set<std::string> known;
    for (const Columns& row : rows)
    {
        for (const auto& [name, value] : row)
        {
            if (known.insert(name).second)
            {
                names.push_back(name);
            }
        }
    }
    const auto addLine = [](std::string& text, const std::vector<std::string>& fields) {
        for (std::size_t i = 0; i < fields.size(); ++i)
        {
            text += (i > 0 ? "," : "") + ToCsv(fields[i]);
        }
        text += "\r\n";
    };
    std::string text;
    addLine(text, names);
    for (const Columns& row : rows)
    {
        std::vector<std::string> fields;
        for (const std::string& name : names)
        {
            fields.emplace_back();
            for (const auto& [column, value] : row)
            {
                if (column == name)
                {
                    fields.back() = value;
                    break;
                }
            }
        }
        addLine(text, fields);
    }
    return text;
}

} // namespace ns3
