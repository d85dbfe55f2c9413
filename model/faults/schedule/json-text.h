/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JSON_TEXT_H
#define PHOTONIC_RAILS_JSON_TEXT_H

#include <cstdint>
#include <istream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** A value of JSON (RFC 8259), with its place. Numbers are kept as they are written. */
struct JsonValue
{
    /** The kind of a value. */
    enum class Kind : uint8_t
    {
        NOTHING, //!< null
        TRUTH,   //!< true or false, in `text`
        NUMBER,  //!< in `text`
        TEXT,    //!< in `text`, without quotes and escapes
        ARRAY,   //!< in `items`
        OBJECT,  //!< in `members`
    };

    Kind kind{Kind::NOTHING};
    uint64_t line{0}; //!< of its first character, from 1
    std::string text{};
    std::vector<JsonValue> items{};
    std::vector<std::pair<std::string, JsonValue>> members{}; //!< in their order, no key twice

    /** @return a member; null if there is none */
    const JsonValue* Find(const std::string& key) const;
};

/** @return a value in words, for an error: "the number 7" */
std::string DescribeJson(const JsonValue& value);

/** A mistake in JSON, with its line. */
struct JsonMistake
{
    uint64_t line{0};
    std::string expected{};
    std::string found{};
};

/**
 * @ingroup photonic-rails
 * @brief Reads one value of JSON, of up to 64 MiB and 64 levels. Everything that RFC 8259 forbids
 * is an error, and so is a key that comes twice.
 * @param in the text, with nothing behind the value
 * @param [out] mistake the first mistake, if the result is false
 * @param [out] value receives the value
 * @return whether it is without mistake
 */
bool ReadJson(std::istream& in, JsonValue& value, JsonMistake& mistake);

/** @return a text in quotes, with escapes */
std::string QuoteJson(const std::string& text);

} // namespace ns3

#endif /* PHOTONIC_RAILS_JSON_TEXT_H */
