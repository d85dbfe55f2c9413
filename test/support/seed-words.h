/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SEED_WORDS_H
#define PHOTONIC_RAILS_SEED_WORDS_H

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace ns3
{

/** The command line of a program that runs random cases by their seeds: FIRST [COUNT] [--WORD]...
 */
class SeedWords
{
  public:
    /**
     * Says on the terminal what is wrong, if anything is.
     * @param program its name
     * @param known the options that it has, all without values
     */
    SeedWords(int argc,
              char* argv[],
              const std::string& program,
              const std::vector<std::string>& known)
    {
        std::string usage = "give FIRST [COUNT]";
        for (const std::string& one : known)
        {
            usage += " [" + one + "]";
        }
        std::vector<uint64_t> numbers;
        for (const std::string& word : std::vector<std::string>(argv + 1, argv + argc))
        {
            const bool isOption = std::find(known.begin(), known.end(), word) != known.end();
            if (isOption)
            {
                m_options.push_back(word);
            }
            else if (!word.empty() && word.find_first_not_of("0123456789") == std::string::npos)
            {
                numbers.push_back(std::stoull(word));
            }
            else
            {
                std::cerr << program << ": " << word << ": no such option; " << usage << "\n";
                return;
            }
        }
        if (numbers.empty() || numbers.size() > 2)
        {
            std::cerr << program << ": " << usage << "\n";
            return;
        }
        m_first = numbers[0];
        m_count = numbers.size() == 2 ? numbers[1] : 1;
        m_isRight = true;
    }

    /** @return whether it can be run */
    bool IsRight() const
    {
        return m_isRight;
    }

    /** @return whether an option is given */
    bool Has(const std::string& option) const
    {
        return std::find(m_options.begin(), m_options.end(), option) != m_options.end();
    }

    /** @return the first seed */
    uint64_t GetFirst() const
    {
        return m_first;
    }

    /** @return the number of seeds */
    uint64_t GetCount() const
    {
        return m_count;
    }

    /**
     * Runs the cases.
     * @param compare is called with each seed. @return what differs, or nothing
     * @return the number of those that differ
     */
    template <typename Compare>
    uint64_t CountDiffering(Compare compare) const
    {
        uint64_t differ = 0;
        for (uint64_t seed = m_first; seed < m_first + m_count; ++seed)
        {
            const std::string difference = compare(seed);
            if (!difference.empty())
            {
                ++differ;
                std::cout << "program " << seed << ": " << difference << std::endl;
            }
        }
        return differ;
    }

  private:
    std::vector<std::string> m_options;
    uint64_t m_first{0};
    uint64_t m_count{0};
    bool m_isRight{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SEED_WORDS_H */
