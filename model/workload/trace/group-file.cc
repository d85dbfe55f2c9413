/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "group-file.h"

#include "trace-text.h"

#include "ns3/optional-headers.h"

#ifdef PHOTONIC_RAILS_HAS_NLOHMANN_JSON

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

using Json = nlohmann::json;

/** Receives JSON from the parser, and keeps only the present group. */
class GroupListener : public nlohmann::json_sax<Json>
{
  public:
    /** Gets each group. @return the error, if there is one */
    using OnGroup = std::function<std::string(const ProcessGroup& group)>;

    explicit GroupListener(OnGroup onGroup)
        : m_onGroup(std::move(onGroup))
    {
    }

    bool null() override
    {
        return TakeOther("null");
    }

    bool boolean(bool) override
    {
        return TakeOther("a truth value");
    }

    bool number_integer(number_integer_t) override
    {
        return TakeOther("a negative number");
    }

    bool number_unsigned(number_unsigned_t value) override
    {
        if (IsIgnored())
        {
            return true;
        }
        if (m_isName)
        {
            m_isName = false;
            m_name = std::to_string(value);
            return true;
        }
        if (!m_isRanks || value >= MAX_TRACE_RANKS)
        {
            return Fail(m_isRanks ? "a rank below " + std::to_string(MAX_TRACE_RANKS) : m_due,
                        "the number " + std::to_string(value));
        }
        m_ranks.push_back(static_cast<uint32_t>(value));
        return true;
    }

    bool number_float(number_float_t, const string_t&) override
    {
        return TakeOther("a broken number");
    }

    bool string(string_t& value) override
    {
        if (m_isName && !IsIgnored())
        {
            m_isName = false;
            m_name = value;
            return true;
        }
        if (m_isDescription && m_ignored == 0)
        {
            m_isDescription = false;
            m_isSkipped = false;
            m_description = value;
            return true;
        }
        return TakeOther("the string " + QuoteTraceText(value));
    }

    bool binary(binary_t&) override
    {
        return TakeOther("binary data");
    }

    bool start_object(std::size_t) override
    {
        ++m_depth;
        if (m_ignored > 0)
        {
            return true;
        }
        if (m_isSkipped)
        {
            m_ignored = m_depth;
            return true;
        }
        if (m_depth == 1)
        {
            m_isByName = true;
            return true;
        }
        if (m_depth == 2 && !m_isByName)
        {
            m_name.reset();
            m_description.clear();
            m_hasRanks = false;
            m_ranks.clear();
            return true;
        }
        return Fail(m_due, "an object");
    }

    bool key(string_t& value) override
    {
        if (m_ignored > 0)
        {
            return true;
        }
        if (m_isByName)
        {
            m_name = value;
            m_due = "an array of ranks";
            return true;
        }
        m_isName = value == "pg_name";
        m_isDueRanks = value == "ranks";
        m_isDescription = value == "pg_desc";
        m_isSkipped = !m_isName && !m_isDueRanks;
        m_due = m_isName ? "a name" : "an array of ranks";
        return true;
    }

    bool end_object() override
    {
        if (m_ignored > 0)
        {
            LeaveIgnored();
            return true;
        }
        --m_depth;
        if (m_depth == 0)
        {
            return true;
        }
        if (!m_name || !m_hasRanks)
        {
            return Fail("\"pg_name\" and \"ranks\" in each object", "one without");
        }
        return Finish();
    }

    bool start_array(std::size_t) override
    {
        ++m_depth;
        if (m_ignored > 0)
        {
            return true;
        }
        if (m_isSkipped)
        {
            m_ignored = m_depth;
            return true;
        }
        if (m_depth == 1)
        {
            m_due = "an object with \"pg_name\" and \"ranks\"";
            return true;
        }
        const bool isDue = m_isByName ? m_depth == 2 : m_depth == 3 && m_isDueRanks;
        if (!isDue || m_isRanks)
        {
            return Fail(m_due, "an array");
        }
        m_isRanks = true;
        m_isDueRanks = false;
        m_hasRanks = true;
        m_ranks.clear();
        return true;
    }

    bool end_array() override
    {
        if (m_ignored > 0)
        {
            LeaveIgnored();
            return true;
        }
        --m_depth;
        const bool isOver = std::exchange(m_isRanks, false) && m_isByName;
        return !isOver || Finish();
    }

    bool parse_error(std::size_t position,
                     const std::string&,
                     const nlohmann::detail::exception& exception) override
    {
        m_offset = position;
        return Fail("JSON", exception.what());
    }

    /** @return the error, if there is one */
    const std::optional<TraceError>& GetError() const
    {
        return m_error;
    }

  private:
    /** @return whether a value here is ignored; a single value is skipped at this call */
    bool IsIgnored()
    {
        return m_ignored > 0 || std::exchange(m_isSkipped, false);
    }

    /** An ignored array or object ends. */
    void LeaveIgnored()
    {
        if (m_depth == m_ignored)
        {
            m_ignored = 0;
            m_isSkipped = false;
        }
        --m_depth;
    }

    /** Handles a value that is valid only where values are ignored. */
    bool TakeOther(const std::string& found)
    {
        return IsIgnored() || Fail(m_isRanks ? "a rank" : m_due, found);
    }

    /** A group is complete. */
    bool Finish()
    {
        const std::string complaint = m_onGroup({*m_name, m_description, m_ranks});
        return complaint.empty() || Fail("groups that can be", complaint);
    }

    bool Fail(const std::string& expected, const std::string& found)
    {
        TraceError error;
        error.expected = expected;
        error.found = found;
        error.offset = m_offset;
        m_error = error;
        return false;
    }

    OnGroup m_onGroup;
    std::optional<TraceError> m_error;
    std::optional<uint64_t> m_offset;
    std::string m_due{"an object or an array"};
    std::size_t m_depth{0};
    std::size_t m_ignored{0};    //!< the depth of the ignored value, or 0
    bool m_isSkipped{false};     //!< the next value is ignored
    bool m_isByName{false};      //!< ASTRA-sim's form
    bool m_isName{false};        //!< the next value is a name
    bool m_isDueRanks{false};    //!< the next value is an array of ranks
    bool m_isRanks{false};       //!< inside an array of ranks
    bool m_hasRanks{false};      //!< the object had ranks
    bool m_isDescription{false}; //!< the next value is a description
    std::optional<std::string> m_name;
    std::string m_description;
    std::vector<uint32_t> m_ranks;
};

} // namespace

TraceResult
ReadGroupFile(std::istream& in, const std::string& name, TraceConsumer& consumer)
{
    consumer.File(name, false);
    GroupListener listener(
        [&consumer](const ProcessGroup& group) { return consumer.Group(group.name, group.ranks); });
    const bool isRight = Json::sax_parse(in, &listener);
    TraceResult error = listener.GetError();
    if (error)
    {
        error->file = name;
        if (!error->offset)
        {
            const auto position = in.tellg();
            error->offset = position < 0 ? 0 : static_cast<uint64_t>(position);
        }
    }
    else if (!isRight)
    {
        error = TraceError{name, 0, 0, "JSON", "none"};
    }
    return error;
}

std::vector<ProcessGroup>
FindProcessGroups(const std::string& values)
{
    const std::size_t first = values.find("[{");
    if (first == std::string::npos)
    {
        return {};
    }
    const bool isQuoted = first > 0 && (values[first - 1] == '\'' || values[first - 1] == '"');
    std::string json;
    for (std::size_t k = first; k < values.size(); ++k)
    {
        k += isQuoted && values[k] == '\\' && k + 1 < values.size() ? 1 : 0;
        json += values[k];
    }
    std::vector<ProcessGroup> groups;
    GroupListener listener([&groups](const ProcessGroup& group) {
        groups.push_back(group);
        return "";
    });
    const bool isRight = Json::sax_parse(json, &listener, Json::input_format_t::json, false);
    return isRight && !listener.GetError() ? groups : std::vector<ProcessGroup>();
}

} // namespace ns3

#else

namespace ns3
{

TraceResult
ReadGroupFile(std::istream&, const std::string& name, TraceConsumer&)
{
    return TraceError{name,
                      0,
                      {},
                      "photonic-rails built with nlohmann-json (install nlohmann-json3-dev and "
                      "configure again)",
                      "a build without it"};
}

std::vector<ProcessGroup>
FindProcessGroups(const std::string&)
{
    return {};
}

} // namespace ns3

#endif
