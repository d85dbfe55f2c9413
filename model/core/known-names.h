/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_KNOWN_NAMES_H
#define PHOTONIC_RAILS_KNOWN_NAMES_H

#include <string>
#include <vector>

namespace ns3
{

/** The known name that an input means, or an error. */
struct KnownName
{
    std::string name;
    std::string why; //!< "no such policy; known: ...; did you mean ...?"; empty: no error
};

/**
 * @ingroup photonic-rails
 * @brief Finds the known name that an input means. Capitals, `-` and `_` do not matter:
 * `all_reduce`, `allreduce` and `All-Reduce` are one.
 * @param words the input
 * @param names the known names
 * @param noun what the names stand for, such as "policy"
 * @return the name, or an error with the known names and the nearest one
 */
KnownName FindKnownName(const std::string& words,
                        const std::vector<std::string>& names,
                        const std::string& noun);

/** @return names with commas between; an empty one is "(nothing)" */
std::string JoinNames(const std::vector<std::string>& names);

/** @return the most similar name; empty if none is similar */
std::string FindNearest(const std::string& words, const std::vector<std::string>& names);

/** @return a name without capitals, `-` and `_` */
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
