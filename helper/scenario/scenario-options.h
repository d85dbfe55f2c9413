/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCENARIO_OPTIONS_H
#define PHOTONIC_RAILS_SCENARIO_OPTIONS_H

#include "ns3/json-writer.h"
#include "ns3/option-value.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{

/** What somebody typed is refused. Its what() is the one line to say. */
class OptionMistake : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/** An option, without its type. */
class ScenarioOption
{
  public:
    /** What a value is written as in JSON. */
    enum class Json
    {
        TEXT,
        BARE, //!< a number or a truth value
    };

    /** Takes words, or says what is wrong with them. */
    using Setter = std::function<std::string(const std::string& words)>;
    /** @return why a value is refused; empty: it is not */
    using Check = std::function<std::string()>;

    std::string name;
    std::string help;
    std::string typed;              //!< the value, as it would be typed
    bool isGiven{false};            //!< on the command line
    bool mayLackValue{false};       //!< `--name` alone
    bool isOutput{false};           //!< a file that is written
    bool isInput{false};            //!< a file that is read
    bool isList{false};             //!< of several values, with commas between
    Json json{Json::TEXT};          //!< of its value
    std::vector<std::string> oneOf; //!< those there are, if it is a name
    std::string noun;               //!< what these are
    bool mayHaveArgument{false};    //!< name:argument
    std::string orFile;             //!< or else a file that is read, whose name ends so
    Setter set;
    std::vector<Check> checks;
};

/**
 * @ingroup photonic-rails
 * @brief Says more of an option that was added.
 * @tparam Value its type
 */
template <typename Value>
class OptionHandle
{
  public:
    /** @param value where its value is */
    OptionHandle(ScenarioOption& option, Value& value)
        : m_option(option),
          m_value(value)
    {
    }

    /** The value is between two, or one of them. @param least the first @param most the last */
    OptionHandle& Between(Value least, Value most)
    {
        const Value& value = m_value;
        m_option.checks.emplace_back([&value, least, most]() -> std::string {
            return value < least || most < value ? "give " + ToWords(least) + " to " + ToWords(most)
                                                 : "";
        });
        return *this;
    }

    /** The value is that or more. */
    OptionHandle& AtLeast(Value least)
    {
        const Value& value = m_value;
        m_option.checks.emplace_back([&value, least]() -> std::string {
            return value < least ? "give " + ToWords(least) + " or more" : "";
        });
        return *this;
    }

    /** It may also be a file that is read. @param ending of its name, such as ".json" */
    OptionHandle& OrFile(const std::string& ending)
    {
        m_option.orFile = ending;
        return *this;
    }

    /** A name may have an argument after a colon. */
    OptionHandle& MayHaveArgument()
    {
        m_option.mayHaveArgument = true;
        return *this;
    }

    /**
     * The value is one of some names; those are in the help.
     * @param names them; an empty one is "(nothing)"
     * @param noun what they are, such as "policy"
     */
    OptionHandle& OneOf(const std::vector<std::string>& names, const std::string& noun)
    {
        m_option.oneOf = names;
        m_option.noun = noun;
        return *this;
    }

    /** It is a file that is written. */
    OptionHandle& Writes()
    {
        m_option.isOutput = true;
        return *this;
    }

    /** It is a file that is read. */
    OptionHandle& Reads()
    {
        m_option.isInput = true;
        return *this;
    }

  private:
    /** @return a limit as it would be typed */
    static std::string ToWords(const Value& limit)
    {
        if constexpr (std::is_same_v<Value, Time> || std::is_same_v<Value, DataRate>)
        {
            return ToOption(limit);
        }
        else
        {
            std::ostringstream words;
            words << +limit;
            return words.str();
        }
    }

    ScenarioOption& m_option;
    Value& m_value;
};

/**
 * @ingroup photonic-rails
 * @brief The options of a program, and its command line, read strictly (OptionValue).
 *
 * Each option is given once, as `--name=value` (a truth value may be `--name` alone). Values of
 * GlobalValues (`--RngRun=7`) and of attributes (`--ns3::RdmaEngine::Mtu=1024`) may be given as to
 * any ns-3 program, and its general arguments (`--PrintHelp` and so on) do what they do there.
 * Anything else is an OptionMistake.
 */
class ScenarioOptions
{
  public:
    /** @param program its name */
    explicit ScenarioOptions(const std::string& program);

    /**
     * Adds an option.
     * @param help what it is
     * @param value its default, and where its value goes
     * @return it, to say more of it
     */
    template <typename Value>
    OptionHandle<Value> Add(const std::string& name, const std::string& help, Value& value)
    {
        ScenarioOption& option = Begin(name, help, Describe(value));
        option.json =
            std::is_arithmetic_v<Value> ? ScenarioOption::Json::BARE : ScenarioOption::Json::TEXT;
        option.mayLackValue = std::is_same_v<Value, bool>;
        ScenarioOption* const self = &option;
        option.set = [self, &value](const std::string& words) {
            OptionValue<Value> parsed = Parse<Value>(words);
            if (parsed.why.empty())
            {
                value = parsed.value;
                self->typed = Describe(value);
            }
            return parsed.why;
        };
        return OptionHandle<Value>(option, value);
    }

    /** Adds an option that has several values of a type, with commas between. */
    template <typename Value>
    OptionHandle<std::vector<Value>> Add(const std::string& name,
                                         const std::string& help,
                                         std::vector<Value>& values)
    {
        ScenarioOption& option = Begin(name, help, Describe(values));
        option.isList = true;
        ScenarioOption* const self = &option;
        option.set = [self, &values](const std::string& words) -> std::string {
            const auto parts = ParseList(words);
            if (!parts.why.empty())
            {
                return parts.why;
            }
            std::vector<Value> all;
            for (const std::string& part : parts.value)
            {
                OptionValue<Value> one = Parse<Value>(part);
                if (!one.why.empty())
                {
                    return (parts.value.size() > 1 ? part + ": " : "") + one.why;
                }
                all.push_back(one.value);
            }
            values = all;
            self->typed = Describe(values);
            return "";
        };
        return OptionHandle<std::vector<Value>>(option, values);
    }

    /**
     * Takes a command line. Prints help and ends the program if that is asked for.
     * @param args without the name of the program
     */
    void Parse(const std::vector<std::string>& args);

    /** An option's value is refused. @param name of the option @param why what is wrong */
    [[noreturn]] void Refuse(const std::string& name, const std::string& why) const;

    /** Refuses a value unless it is all right. @param isRight whether it is @param name of the
     * option @param why what is wrong */
    void Require(bool isRight, const std::string& name, const std::string& why) const;

    /**
     * Takes files that an option stands for, and refuses those that can't be written, or that are
     * files of another option, if one of the two is written.
     * @param name of the option, whose files are written
     * @param files them; "-" is none
     */
    void Claim(const std::string& name, const std::vector<std::string>& files);

    /**
     * Takes files that an option stands for, and refuses those that are also written.
     * @param name of the option, whose files are read
     */
    void ClaimInputs(const std::string& name, const std::vector<std::string>& files);

    /** @return whether an option was on the command line */
    bool IsGiven(const std::string& name) const;

    /** @return all, in the order in which they were added */
    const std::vector<std::unique_ptr<ScenarioOption>>& GetAll() const;

    /** Writes the members of an object: each option and its value. */
    void Write(JsonWriter& json) const;

  private:
    /** @return a new option */
    ScenarioOption& Begin(const std::string& name,
                          const std::string& help,
                          const std::string& typed);
    /** @return the option of a name; null: there is none */
    ScenarioOption* Find(const std::string& name) const;
    /** Takes a value of one of ours. */
    void Take(ScenarioOption& option, const std::string& words, bool hasValue);
    /** Takes a file of an option. @param isOutput whether it is written */
    void TakeFile(const std::string& name, const std::string& file, bool isOutput);
    /** Takes a value of a GlobalValue or an attribute. @return whether there is such a one */
    bool TakeGeneral(const std::string& name, const std::string& typed) const;
    /** Has ns-3 print what an argument asks for. */
    void PrintGeneral(const std::string& argument) const;
    /** @return the name or file that was meant, or what is wrong */
    static OptionValue<std::string> FindName(const ScenarioOption& option,
                                             const std::string& words);
    /** @return help that lists the names there are */
    static std::string GetHelp(const ScenarioOption& option);

    template <typename Value>
    static OptionValue<Value> Parse(const std::string& words)
    {
        if constexpr (std::is_same_v<Value, bool>)
        {
            return ParseTruth(words);
        }
        else if constexpr (std::is_floating_point_v<Value>)
        {
            const OptionValue<double> real = ParseReal(words);
            return {static_cast<Value>(real.value), real.why};
        }
        else if constexpr (std::is_same_v<Value, Time>)
        {
            return ParseTime(words);
        }
        else if constexpr (std::is_same_v<Value, DataRate>)
        {
            return ParseRate(words);
        }
        else if constexpr (std::is_unsigned_v<Value>)
        {
            const auto count = ParseCount(words, std::numeric_limits<Value>::max());
            return {static_cast<Value>(count.value), count.why};
        }
        else if constexpr (std::is_integral_v<Value>)
        {
            const OptionValue<int64_t> whole = ParseWhole(words);
            const bool fits = whole.value >= std::numeric_limits<Value>::min() &&
                              whole.value <= std::numeric_limits<Value>::max();
            return {static_cast<Value>(whole.value), fits ? whole.why : "it is beyond what fits"};
        }
        else
        {
            return {words, ""};
        }
    }

    template <typename Value>
    static std::string Describe(const Value& value)
    {
        if constexpr (std::is_same_v<Value, bool>)
        {
            return value ? "true" : "false";
        }
        else if constexpr (std::is_same_v<Value, Time> || std::is_same_v<Value, DataRate>)
        {
            return ToOption(value);
        }
        else if constexpr (std::is_arithmetic_v<Value>)
        {
            std::ostringstream words;
            words.precision(std::numeric_limits<Value>::digits10);
            words << +value;
            return words.str();
        }
        else
        {
            return value;
        }
    }

    template <typename Value>
    static std::string Describe(const std::vector<Value>& values)
    {
        std::string words;
        for (const Value& value : values)
        {
            words += (words.empty() ? "" : ",") + Describe(value);
        }
        return words;
    }

    /** A file of an option. */
    struct File
    {
        std::string option;
        std::string name;
        bool isOutput;
    };

    std::string m_program;
    std::vector<std::unique_ptr<ScenarioOption>> m_options;
    std::vector<File> m_files;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCENARIO_OPTIONS_H */
