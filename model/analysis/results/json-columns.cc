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

    /** Parses a value. @param members receives it; null: none */
    void Value(const std::string& name, std::vector<JsonMember>* members)
    {
        SkipBlanks();
        if (Peek() == '{' || Peek() == '[')
        {
            Members(name, members);
            return;
        }
        const bool isText = Peek() == '"';
        const std::string words = isText ? Words() : Bare();
        if (members && (isText || words != "null"))
        {
            members->push_back({name, words, isText});
        }
    }

    /** @return the arrays of the object */
    std::vector<JsonArray> Arrays()
    {
        std::vector<JsonArray> arrays;
        SkipBlanks();
        ++m_at; // the bracket
        while (SkipTo('}'))
        {
            const std::string key = Key();
            if (Peek() == '[')
            {
                arrays.push_back({key, Elements()});
            }
            else
            {
                Value("", nullptr);
            }
        }
        return arrays;
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

    /** Skips blanks and a comma. @return whether something else than the bracket follows */
    bool SkipTo(char bracket)
    {
        while (Peek() == ' ' || Peek() == '\n' || Peek() == ',')
        {
            ++m_at;
        }
        return Peek() != bracket && Peek() != '\0';
    }

    /** @return the name of a member, whose value comes next */
    std::string Key()
    {
        const std::string key = Words();
        SkipBlanks();
        ++m_at; // the colon
        SkipBlanks();
        return key;
    }

    /** @return the texts of the elements of an array */
    std::vector<std::string> Elements()
    {
        std::vector<std::string> elements;
        ++m_at; // the bracket
        while (SkipTo(']'))
        {
            const std::size_t first = m_at;
            Value("", nullptr);
            elements.push_back(m_json.substr(first, m_at - first));
        }
        ++m_at;
        return elements;
    }

    void Members(const std::string& name, std::vector<JsonMember>* members)
    {
        const bool isObject = m_json[m_at++] == '{';
        while (SkipTo(isObject ? '}' : ']'))
        {
            if (isObject)
            {
                const std::string key = Key();
                Value(name.empty() ? key : name + "." + key, members);
            }
            else
            {
                Value(name, nullptr);
            }
        }
        ++m_at;
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
    for (const JsonMember& member : ListMembers(json))
    {
        columns.emplace_back(member.name, member.value);
    }
    return columns;
}

std::vector<JsonMember>
ListMembers(const std::string& json)
{
    std::vector<JsonMember> members;
    JsonWalk(json).Value("", &members);
    return members;
}

std::vector<JsonArray>
ListArrays(const std::string& json)
{
    return JsonWalk(json).Arrays();
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
