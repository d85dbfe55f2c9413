/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "json-text.h"

#include "ns3/trace-text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace ns3
{

namespace
{

constexpr std::size_t LARGEST = std::size_t{64} << 20;
constexpr uint32_t DEEPEST = 64;

/** Reads a text from its beginning to its end. */
class JsonReader
{
  public:
    explicit JsonReader(const std::string& text)
        : m_text(text)
    {
    }

    /** @return the one value of the text; throws TraceMistake */
    JsonValue ReadAll()
    {
        const JsonValue value = ReadValue(0);
        SkipBlanks();
        if (m_next < m_text.size())
        {
            Fail("the end of the file");
        }
        return value;
    }

    /** @return the present line */
    uint64_t GetLine() const
    {
        return m_line;
    }

  private:
    /** Throws a mistake at the present place. */
    [[noreturn]] void Fail(const std::string& expected) const
    {
        const std::string found = m_next < m_text.size() ? QuoteTraceText(m_text.substr(m_next, 12))
                                                         : std::string("the end of the file");
        throw TraceMistake(expected, found);
    }

    void SkipBlanks()
    {
        for (; m_next < m_text.size(); ++m_next)
        {
            const char c = m_text[m_next];
            if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            {
                return;
            }
            m_line += c == '\n' ? 1 : 0;
        }
    }

    /** @return whether the next character is this one, which is taken */
    bool Take(char c)
    {
        SkipBlanks();
        if (m_next < m_text.size() && m_text[m_next] == c)
        {
            ++m_next;
            return true;
        }
        return false;
    }

    JsonValue ReadValue(uint32_t depth)
    {
        if (depth > DEEPEST)
        {
            Fail("at most " + std::to_string(DEEPEST) + " levels of arrays and objects");
        }
        SkipBlanks();
        JsonValue value;
        value.line = m_line;
        const char c = m_next < m_text.size() ? m_text[m_next] : '\0';
        if (c == '{')
        {
            ReadObject(value, depth);
        }
        else if (c == '[')
        {
            ReadArray(value, depth);
        }
        else if (c == '"')
        {
            value.kind = JsonValue::Kind::TEXT;
            value.text = ReadText();
        }
        else if (c == '-' || std::isdigit(static_cast<unsigned char>(c)) != 0)
        {
            value.kind = JsonValue::Kind::NUMBER;
            value.text = ReadNumber();
        }
        else
        {
            ReadWord(value);
        }
        return value;
    }

    void ReadObject(JsonValue& value, uint32_t depth)
    {
        value.kind = JsonValue::Kind::OBJECT;
        Take('{');
        if (Take('}'))
        {
            return;
        }
        do
        {
            SkipBlanks();
            if (m_next >= m_text.size() || m_text[m_next] != '"')
            {
                Fail("a name in quotes");
            }
            const std::string key = ReadText();
            if (value.Find(key) != nullptr)
            {
                throw TraceMistake("each name once", "a second \"" + key + "\"");
            }
            if (!Take(':'))
            {
                Fail("a colon");
            }
            value.members.emplace_back(key, ReadValue(depth + 1));
        } while (Take(','));
        if (!Take('}'))
        {
            Fail("a comma or }");
        }
    }

    void ReadArray(JsonValue& value, uint32_t depth)
    {
        value.kind = JsonValue::Kind::ARRAY;
        Take('[');
        if (Take(']'))
        {
            return;
        }
        do
        {
            value.items.push_back(ReadValue(depth + 1));
        } while (Take(','));
        if (!Take(']'))
        {
            Fail("a comma or ]");
        }
    }

    void ReadWord(JsonValue& value)
    {
        for (const auto& [word, kind] : {std::pair("true", JsonValue::Kind::TRUTH),
                                         std::pair("false", JsonValue::Kind::TRUTH),
                                         std::pair("null", JsonValue::Kind::NOTHING)})
        {
            const std::string text(word);
            if (m_text.compare(m_next, text.size(), text) == 0)
            {
                m_next += text.size();
                value.kind = kind;
                value.text = text;
                return;
            }
        }
        Fail("a value of JSON");
    }

    std::string ReadNumber()
    {
        const std::size_t begin = m_next;
        const auto digits = [this]() {
            const std::size_t first = m_next;
            while (m_next < m_text.size() &&
                   std::isdigit(static_cast<unsigned char>(m_text[m_next])) != 0)
            {
                ++m_next;
            }
            if (m_next == first)
            {
                Fail("a digit");
            }
            return m_next - first;
        };
        m_next += m_text[m_next] == '-' ? 1 : 0;
        const bool isZero = m_next < m_text.size() && m_text[m_next] == '0';
        if (digits() > 1 && isZero)
        {
            throw TraceMistake("a number without zeros before it",
                               m_text.substr(begin, std::min<std::size_t>(m_next - begin, 20)));
        }
        if (m_next < m_text.size() && m_text[m_next] == '.')
        {
            ++m_next;
            digits();
        }
        if (m_next < m_text.size() && (m_text[m_next] == 'e' || m_text[m_next] == 'E'))
        {
            ++m_next;
            const bool isSigned =
                m_next < m_text.size() && (m_text[m_next] == '+' || m_text[m_next] == '-');
            m_next += isSigned ? 1 : 0;
            digits();
        }
        return m_text.substr(begin, m_next - begin);
    }

    std::string ReadText()
    {
        std::string text;
        for (++m_next; m_next < m_text.size() && m_text[m_next] != '"'; ++m_next)
        {
            const char c = m_text[m_next];
            if (static_cast<unsigned char>(c) < 0x20)
            {
                Fail("no control character in a text");
            }
            if (c == '\\')
            {
                ReadEscape(text);
            }
            else
            {
                text += c;
            }
        }
        if (m_next >= m_text.size())
        {
            Fail("the quote at the end of a text");
        }
        ++m_next;
        return text;
    }

    /** Reads a backslash and what belongs to it, but for the last character. */
    void ReadEscape(std::string& text)
    {
        static const std::string NAMES = "\"\\/bfnrt";
        static const std::string MEANINGS = "\"\\/\b\f\n\r\t";
        ++m_next;
        const char c = m_next < m_text.size() ? m_text[m_next] : '\0';
        const std::size_t place = c == '\0' ? std::string::npos : NAMES.find(c);
        if (place != std::string::npos)
        {
            text += MEANINGS[place];
        }
        else if (c == 'u')
        {
            ++m_next;
            uint32_t code = ReadHex();
            if (code >= 0xd800 && code < 0xdc00)
            {
                m_next += 1;
                if (m_text.compare(m_next, 2, "\\u") != 0)
                {
                    Fail("the second half of a character beyond U+FFFF");
                }
                m_next += 2;
                const uint32_t low = ReadHex();
                if (low < 0xdc00 || low > 0xdfff)
                {
                    Fail("the second half of a character beyond U+FFFF");
                }
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            }
            else if (code >= 0xdc00 && code <= 0xdfff)
            {
                Fail("the first half of a character beyond U+FFFF");
            }
            AppendUtf8(text, code);
        }
        else
        {
            Fail("an escape of JSON");
        }
    }

    /** @return four hexadecimal digits; the present place is the last of them */
    uint32_t ReadHex()
    {
        uint32_t code = 0;
        for (uint32_t d = 0; d < 4; ++d, ++m_next)
        {
            const char c = m_next < m_text.size() ? m_text[m_next] : '\0';
            if (std::isxdigit(static_cast<unsigned char>(c)) == 0)
            {
                Fail("four hexadecimal digits");
            }
            code = code * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        }
        --m_next;
        return code;
    }

    static void AppendUtf8(std::string& text, uint32_t code)
    {
        if (code < 0x80)
        {
            text += static_cast<char>(code);
            return;
        }
        const uint32_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        const uint32_t lead = more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0;
        text += static_cast<char>(lead | code >> 6 * more);
        for (uint32_t k = more; k-- > 0;)
        {
            text += static_cast<char>(0x80 | (code >> 6 * k & 0x3f));
        }
    }

    const std::string& m_text;
    std::size_t m_next{0};
    uint64_t m_line{1};
};

} // namespace

const JsonValue*
JsonValue::Find(const std::string& key) const
{
    const auto found = std::find_if(members.begin(), members.end(), [&key](const auto& member) {
        return member.first == key;
    });
    return found == members.end() ? nullptr : &found->second;
}

std::string
DescribeJson(const JsonValue& value)
{
    switch (value.kind)
    {
    case JsonValue::Kind::NOTHING:
        return "null";
    case JsonValue::Kind::TRUTH:
        return value.text;
    case JsonValue::Kind::NUMBER:
        return "the number " + QuoteTraceText(value.text);
    case JsonValue::Kind::TEXT:
        return "the text " + QuoteTraceText(value.text);
    case JsonValue::Kind::ARRAY:
        return "an array";
    case JsonValue::Kind::OBJECT:
        return "an object";
    }
    return "";
}

bool
ReadJson(std::istream& in, JsonValue& value, JsonMistake& mistake)
{
    std::string text;
    char buffer[4096];
    while (text.size() <= LARGEST && (in.read(buffer, sizeof(buffer)), in.gcount() > 0))
    {
        text.append(buffer, in.gcount());
    }
    if (text.size() > LARGEST)
    {
        mistake = {1, "at most " + std::to_string(LARGEST) + " bytes", "more"};
        return false;
    }
    JsonReader reader(text);
    try
    {
        value = reader.ReadAll();
        return true;
    }
    catch (const TraceMistake& wrong)
    {
        mistake = {reader.GetLine(), wrong.GetExpected(), wrong.GetFound()};
        return false;
    }
}

std::string
QuoteJson(const std::string& text)
{
    static const char* HEX = "0123456789abcdef";
    std::string quoted = "\"";
    for (const char c : text)
    {
        if (c == '"' || c == '\\')
        {
            quoted += '\\';
            quoted += c;
        }
        else if (static_cast<unsigned char>(c) < 0x20)
        {
            quoted += std::string("\\u00") + HEX[c >> 4] + HEX[c & 15];
        }
        else
        {
            quoted += c;
        }
    }
    return quoted + '"';
}

} // namespace ns3
