/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_KNOWN_NAMES_H
#define PHOTONIC_RAILS_KNOWN_NAMES_H

#include <string>
#include <vector>

namespace ns3
{

/** The name that was meant, or why there is none. */
struct KnownName
{
    std::string name;
    std::string why; //!< "no such policy; known: ...; did you mean ...?"; empty: there is one
};

/**
 * @ingroup photonic-rails
 * @brief Finds the one of some names that was meant: capitals, `-` and `_` do not matter, so
 * `all_reduce`, `allreduce` and `All-Reduce` are one.
 * @param words what was typed
 * @param names those there are
 * @param noun what they are, such as "policy"
 * @return it, or what is wrong, with those there are and the nearest
 */
KnownName FindKnownName(const std::string& words,
                        const std::vector<std::string>& names,
                        const std::string& noun);

/** @return names with commas between; an empty one is "(nothing)" */
std::string JoinNames(const std::vector<std::string>& names);

/** @return the name that is written most alike; empty: none is */
std::string FindNearest(const std::string& words, const std::vector<std::string>& names);

/** @return a name without what does not matter in it */
std::string SimplifyName(const std::string& name);

/** @return the names of things that have one */
template <typename Things>
std::vector<std::string>
GetNamesOf(const Things& things)
{
    std::vector<std::string> names;
    for (const auto& thing : things)
    {
        names.push_back(thing.name);
    }
    return names;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_KNOWN_NAMES_H */
