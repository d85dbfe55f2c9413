/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "recorded-schedule.h"

#include <fstream>
#include <set>
#include <stdexcept>
#include <utility>

// The reader of files of recorded schedules. It divides a line into words, and takes these one
// after another.

namespace ns3
{

namespace
{

/** The mistake in a line. */
class PlanMistake : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/** @return words for an error message: short, and without control characters */
std::string
Quote(const std::string& found)
{
    constexpr std::size_t MOST = 40;
    std::string words = found.substr(0, MOST);
    for (char& outgoing : words)
    {
        outgoing = outgoing < ' ' || outgoing > '~' ? '?' : outgoing;
    }
    return "\"" + words + (found.size() > MOST ? "...\"" : "\"");
}

/** The words of a line. */
class PlanLine
{
  public:
    explicit PlanLine(const std::string& text)
    {
        std::string word;
        for (const char outgoing : text.substr(0, text.find('#')))
        {
            const bool isSpace = outgoing == ' ' || outgoing == '\t' || outgoing == '\r';
            if (isSpace || outgoing == ':')
            {
                End(word);
                outgoing == ':' ? End(word = ":") : void();
                continue;
            }
            word += outgoing;
        }
        End(word);
    }

    /** @return whether all words have been taken */
    bool IsOver() const
    {
        return m_next == m_words.size();
    }

    /** Takes a word if it is the next one. @return whether it is */
    bool Takes(const std::string& word)
    {
        const bool isNext = !IsOver() && m_words[m_next] == word;
        m_next += isNext ? 1 : 0;
        return isNext;
    }

    /** Takes a word, which must be the next one. */
    void Take(const std::string& word)
    {
        if (!Takes(word))
        {
            Fail("\"" + word + "\"");
        }
    }

    /**
     * Takes a number.
     * @param what describes it
     * @param most the greatest allowed value
     * @return the number
     */
    uint64_t TakeNumber(const std::string& what, uint64_t most = UINT32_MAX)
    {
        const std::string expected = what + ", a number up to " + std::to_string(most);
        const std::string& word = IsOver() ? m_end : m_words[m_next];
        std::size_t place = 0;
        const uint64_t number = ReadNumber(word, place, most, expected);
        if (place != word.size())
        {
            Fail(expected);
        }
        ++m_next;
        return number;
    }

    /** Takes a circuit. */
    RankCircuit TakeCircuit()
    {
        static const std::string expected = "a circuit such as 0.0-4.1 (rank.port-rank.port)";
        const std::string& word = m_words[m_next];
        std::size_t place = 0;
        const auto read = [this, &word, &place](char after) {
            const uint64_t number = ReadNumber(word, place, UINT32_MAX, expected);
            const bool isRight =
                after == 0 ? place == word.size() : place < word.size() && word[place] == after;
            if (!isRight)
            {
                Fail(expected);
            }
            ++place;
            return static_cast<uint32_t>(number);
        };
        RankCircuit circuit;
        circuit.one = RankId(read('.'));
        circuit.onePort = read('-');
        circuit.other = RankId(read('.'));
        circuit.otherPort = read(0);
        if (circuit.one == circuit.other)
        {
            Fail("a circuit between two ranks");
        }
        for (const auto& end : {std::make_pair(circuit.one, circuit.onePort),
                                std::make_pair(circuit.other, circuit.otherPort)})
        {
            if (!m_ports.insert(end).second)
            {
                Fail("a circuit on ports that no other in this line has");
            }
        }
        ++m_next;
        return circuit;
    }

    /** Fails because the next word is not the expected one. */
    [[noreturn]] void Fail(const std::string& expected) const
    {
        throw PlanMistake("expected " + expected + ", found " +
                          (IsOver() ? "the end of the line" : Quote(m_words[m_next])));
    }

  private:
    /** Ends a word. */
    void End(std::string& word)
    {
        if (!word.empty())
        {
            m_words.push_back(word);
            word.clear();
        }
    }

    /** @return the number at a position of a word, which moves behind the number */
    uint64_t ReadNumber(const std::string& word,
                        std::size_t& place,
                        uint64_t most,
                        const std::string& expected) const
    {
        const std::size_t first = place;
        uint64_t number = 0;
        for (; place < word.size() && word[place] >= '0' && word[place] <= '9'; ++place)
        {
            const uint64_t digit = word[place] - '0';
            if (number > (most - digit) / 10)
            {
                Fail(expected);
            }
            number = number * 10 + digit;
        }
        if (place == first)
        {
            Fail(expected);
        }
        return number;
    }

    std::vector<std::string> m_words;
    std::size_t m_next{0};
    std::set<std::pair<RankId, uint32_t>> m_ports; //!< of its circuits so far
    const std::string m_end;                       //!< for a word that does not exist
};

/** Reads the lines of a recorded schedule. */
class PlanReader
{
  public:
    /** Takes a line. */
    void TakeLine(const std::string& text)
    {
        PlanLine line(text);
        if (line.IsOver())
        {
            return;
        }
        OpusPhase phase;
        const bool isStart = line.Takes("start");
        if (!isStart)
        {
            phase = TakePhase(line);
        }
        line.Take(":");
        std::vector<RankCircuit> circuits;
        while (!line.IsOver())
        {
            circuits.push_back(line.TakeCircuit());
        }
        if (isStart ? std::exchange(m_hasStart, true) : m_plan.GetPhases().count(phase) != 0)
        {
            throw PlanMistake(
                "expected each phase once, and start once; this one is there already");
        }
        isStart ? m_plan.AddStart(circuits) : m_plan.Add(phase, circuits);
    }

    /** @return the schedule from the lines so far */
    RecordedSchedule& GetPlan()
    {
        return m_plan;
    }

  private:
    /** Takes the phase at the beginning of a line. */
    static OpusPhase TakePhase(PlanLine& line)
    {
        OpusPhase phase;
        if (!line.Takes("job"))
        {
            line.Fail("\"job\" or \"start\"");
        }
        phase.job = JobId(line.TakeNumber("a job"));
        phase.pointToPoint = line.Takes("send");
        if (phase.pointToPoint)
        {
            phase.from = RankId(line.TakeNumber("the rank that sends"));
            phase.to = RankId(line.TakeNumber("the rank that receives"));
        }
        if (!line.Takes("group"))
        {
            line.Fail(phase.pointToPoint ? "\"group\"" : "\"send\" or \"group\"");
        }
        phase.group = GroupId(line.TakeNumber("a group"));
        line.Take("operation");
        phase.operation = line.TakeNumber("an operation", UINT64_MAX);
        line.Take("stage");
        phase.stage = line.TakeNumber("a stage");
        return phase;
    }

    RecordedSchedule m_plan;
    bool m_hasStart{false};
};

} // namespace

std::string
RecordedSchedule::Read(std::istream& in, const std::string& name, RecordedSchedule& plan)
{
    PlanReader reader;
    uint64_t number = 0;
    for (std::string text; std::getline(in, text);)
    {
        ++number;
        try
        {
            reader.TakeLine(text);
        }
        catch (const PlanMistake& mistake)
        {
            return name + ":" + std::to_string(number) + ": " + mistake.what();
        }
    }
    if (in.bad())
    {
        return name + ": can't be read beyond line " + std::to_string(number);
    }
    plan = std::move(reader.GetPlan());
    return "";
}

std::string
RecordedSchedule::ReadFile(const std::string& path, RecordedSchedule& plan)
{
    std::ifstream in(path);
    return in ? Read(in, path, plan) : path + ": can't be opened; name a file that is there";
}

} // namespace ns3
