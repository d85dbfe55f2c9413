/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MISTAKES_H
#define PHOTONIC_RAILS_MISTAKES_H

#include "ns3/test.h"

#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * A process that can be stopped, for tests of a user's mistake that stops a run.
 */

namespace ns3
{

/** How a child process ended, and what it wrote on stderr. */
struct Ending
{
    bool aborted;
    std::string output;

    /** @return whether one line has all these words */
    bool HasLineWith(const std::vector<std::string>& words) const;
};

/**
 * Calls a function in a child process.
 * @param what the function
 * @return how it ended
 */
Ending RunInChild(const std::function<void()>& what);

/** A mistake, and words that the line about it must have. */
struct Mistake
{
    std::string name;
    std::function<void()> make;
    std::vector<std::string> words;
};

/** Makes mistakes, each in a process of its own. */
class MistakesTest : public TestCase
{
  public:
    /**
     * @param name of the test case
     * @param mistakes to make
     */
    MistakesTest(const std::string& name, const std::vector<Mistake>& mistakes);

  private:
    void DoRun() override;

    std::vector<Mistake> m_mistakes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MISTAKES_H */
