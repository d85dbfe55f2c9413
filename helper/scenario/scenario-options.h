/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCENARIO_OPTIONS_H
#define PHOTONIC_RAILS_SCENARIO_OPTIONS_H

#include "ns3/json-writer.h"
#include "ns3/option-value.h"
#include "ns3/type-aliases.h"

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

/** An error in the command line. Its what() is the message in one line. */
class OptionMistake : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/** An option, without its type. */
class ScenarioOption
{
  public:
    /** The form of a value in JSON. */
    enum class Json
    {
        TEXT,
        BARE, //!< a number or a truth value
    };

    /** Sets the value from a text. Returns the error, or an empty string. */
    using Setter = std::function<std::string(const std::string& words)>;
    /** Returns the reason of a refusal of the value, or an empty string. */
    using Check = std::function<std::string()>;
    /** Returns known names. */
    using Names = std::function<std::vector<std::string>()>;

    std::string name;
    std::string help;
    std::string typed;                 //!< the value, in the syntax of the option
    bool isGiven{false};               //!< on the command line
    bool mayLackValue{false};          //!< `--name` without a value is valid
    bool isOutput{false};              //!< a file that is written
    bool isInput{false};               //!< a file that is read
    bool isList{false};                //!< of several values, with commas between
    bool mayRepeat{false};             //!< a value may be in the list twice
    Json json{Json::TEXT};             //!< of its value
    bool isFirst{false};               //!< taken before the others, wherever it stands
    std::vector<std::string> oneOf;    //!< known names, if the value is a name
    Names listNames;                   //!< known names that files of a first option may add to
    std::string noun;                  //!< the kind of these names
    bool mayHaveArgument{false};       //!< the syntax name:argument is valid
    const TypeAliases* types{nullptr}; //!< of types whose own names are also valid; or null
    std::string orFile;                //!< ending of a file that may replace a name
    Setter set;
    std::function<std::string()> describe; //!< returns the value, in the syntax of the option
    std::vector<Check> checks;
};

/**
 * @ingroup photonic-rails
 * @brief Refines an option that was added.
 * @tparam Value its type
 */
template <typename Value>
class OptionHandle
{
  public:
    /** @param value the variable with its value */
    OptionHandle(ScenarioOption& option, Value& value)
        : m_option(option),
          m_value(value)
    {
    }

    /** Limits the value. @param least the least value @param most the largest value */
    OptionHandle& Between(Value least, Value most)
    {
        const Value& value = m_value;
        m_option.checks.emplace_back([&value, least, most]() -> std::string {
            return value < least || most < value ? "give " + ToWords(least) + " to " + ToWords(most)
                                                 : "";
        });
        return *this;
    }

    /** Sets the least value. */
    OptionHandle& AtLeast(Value least)
    {
        const Value& value = m_value;
        m_option.checks.emplace_back([&value, least]() -> std::string {
            return value < least ? "give " + ToWords(least) + " or more" : "";
        });
        return *this;
    }

    /** Also accepts a file that is read. @param ending of its name, such as ".json" */
    OptionHandle& OrFile(const std::string& ending)
    {
        m_option.orFile = ending;
        return *this;
    }

    /** Accepts values that are in a list twice. */
    OptionHandle& MayRepeat()
    {
        m_option.mayRepeat = true;
        return *this;
    }

    /** Accepts an argument after a name and a colon. */
    OptionHandle& MayHaveArgument()
    {
        m_option.mayHaveArgument = true;
        return *this;
    }

    /**
     * Restricts the value to names, which are listed in the help.
     * @param names an empty one is "(nothing)"
     * @param noun the kind of the names, such as "policy"
     */
    OptionHandle& OneOf(const std::vector<std::string>& names, const std::string& noun)
    {
        m_option.oneOf = names;
        m_option.noun = noun;
        return *this;
    }

    /** The same, with names that are listed when the command line is parsed. */
    OptionHandle& OneOfListed(const ScenarioOption::Names& list, const std::string& noun)
    {
        m_option.listNames = list;
        return OneOf(list(), noun);
    }

    /**
     * Has an option taken before those that are not first, wherever it stands on the command line.
     * @param check is called with its value in place, and returns an error or an empty string
     */
    OptionHandle& First(const ScenarioOption::Check& check)
    {
        m_option.isFirst = true;
        m_option.checks.push_back(check);
        return *this;
    }

    /**
     * Restricts the value to types: their short names, which are listed in the help, or their own
     * names, with attributes if need be (TypeAliases).
     */
    OptionHandle& OneOf(const TypeAliases& types)
    {
        m_option.types = &types;
        return OneOf(types.GetNames(), types.GetNoun());
    }

    /** Also accepts another name, after OneOf(). */
    OptionHandle& Or(const std::string& name)
    {
        m_option.oneOf.push_back(name);
        return *this;
    }

    /** Declares the value to be a file that is written. */
    OptionHandle& Writes()
    {
        m_option.isOutput = true;
        return *this;
    }

    /** Restricts the value to names with an ending, such as ".svg". */
    OptionHandle& EndsIn(const std::string& ending)
    {
        const Value& value = m_value;
        m_option.checks.emplace_back([&value, ending]() -> std::string {
            const bool isLonger = value.size() > ending.size();
            return isLonger &&
                           value.compare(value.size() - ending.size(), ending.size(), ending) == 0
                       ? ""
                       : "give a name that ends in " + ending;
        });
        return *this;
    }

    /** Declares the value to be a file that is read. */
    OptionHandle& Reads()
    {
        m_option.isInput = true;
        return *this;
    }

  private:
    /** @return a limit in the syntax of the option */
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
 * Each option occurs at most once, as `--name=value` (a truth value may be `--name` alone). Values
 * of GlobalValues (`--RngRun=7`) and of attributes (`--ns3::RdmaEngine::Mtu=1024`) are accepted as
 * in any ns-3 program, and so are its general arguments (`--PrintHelp` and so on). Any other
 * argument is an OptionMistake.
 */
class ScenarioOptions
{
  public:
    /** @param program name of the program */
    explicit ScenarioOptions(const std::string& program);

    /**
     * Adds an option.
     * @param help its description
     * @param value has the default, and receives the value
     * @return a handle, to refine the option
     */
    template <typename Value>
    OptionHandle<Value> Add(const std::string& name, const std::string& help, Value& value)
    {
        ScenarioOption& option = Begin(name, help, Describe(value));
        option.json =
            std::is_arithmetic_v<Value> ? ScenarioOption::Json::BARE : ScenarioOption::Json::TEXT;
        option.mayLackValue = std::is_same_v<Value, bool>;
        option.describe = [&value] { return Describe(value); };
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

    /** Adds an option with several values of a type, separated by commas. */
    template <typename Value>
    OptionHandle<std::vector<Value>> Add(const std::string& name,
                                         const std::string& help,
                                         std::vector<Value>& values)
    {
        ScenarioOption& option = Begin(name, help, Describe(values));
        option.isList = true;
        option.describe = [&values] { return Describe(values); };
        ScenarioOption* const self = &option;
        option.set = [self, &values](const std::string& words) -> std::string {
            const auto parts = ParseList(words, self->mayRepeat);
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
     * Parses a command line. Prints help and ends the program on request.
     * @param args without the name of the program
     */
    void Parse(const std::vector<std::string>& args);

    /** Refuses the value of an option. @param name of the option @param why the reason */
    [[noreturn]] void Refuse(const std::string& name, const std::string& why) const;

    /**
     * Refuses the value of an option unless a condition holds.
     * @param isRight the condition
     * @param name of the option
     * @param why the reason
     */
    void Require(bool isRight, const std::string& name, const std::string& why) const;

    /**
     * Registers the output files of an option. Refuses files that cannot be written, and files of
     * another option.
     * @param name of the option
     * @param files "-" is no file
     */
    void Claim(const std::string& name, const std::vector<std::string>& files);

    /**
     * Registers the input files of an option, and refuses those that are also written.
     * @param name of the option
     */
    void ClaimInputs(const std::string& name, const std::vector<std::string>& files);

    /**
     * Takes over a value that the program has derived: results have it as if it had been typed.
     * @param name of an option whose variable has changed
     */
    void Refresh(const std::string& name);

    /** @return whether an option was on the command line */
    bool IsGiven(const std::string& name) const;

    /** @return all options, in the order in which they were added */
    const std::vector<std::unique_ptr<ScenarioOption>>& GetAll() const;

    /** Writes the members of an object: each option and its value. */
    void Write(JsonWriter& json) const;

  private:
    /** @return a new option */
    ScenarioOption& Begin(const std::string& name,
                          const std::string& help,
                          const std::string& typed);
    /** @return the option of a name; or null */
    ScenarioOption* Find(const std::string& name) const;
    /** Takes the options that come first, then lists known names anew. */
    void TakeFirst(const std::vector<std::string>& args);
    /** Takes an argument. @param general the names so far of options that ns-3 has */
    void TakeArgument(const std::string& argument, std::set<std::string>& general);
    /** Refuses an option that does not exist, and names a similar one. */
    [[noreturn]] void RefuseUnknown(const std::string& name) const;
    /** Sets the value of an option of the program. */
    void Take(ScenarioOption& option, const std::string& words, bool hasValue);
    /** Registers a file of an option. @param isOutput whether it is written */
    void TakeFile(const std::string& name, const std::string& file, bool isOutput);
    /** Sets the value of a GlobalValue or an attribute. @return whether it exists */
    bool TakeGeneral(const std::string& name, const std::string& typed) const;
    /** Calls ns-3's output of a general argument. */
    void PrintGeneral(const std::string& argument) const;
    /** @return the name or file that the text means, or an error */
    static OptionValue<std::string> FindName(const ScenarioOption& option,
                                             const std::string& words);
    /** @return help with a list of the known names */
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
