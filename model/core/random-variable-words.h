/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANDOM_VARIABLE_WORDS_H
#define PHOTONIC_RAILS_RANDOM_VARIABLE_WORDS_H

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Looks at a random variable that was typed, as in attributes:
 * `ns3::UniformRandomVariable[Min=0|Max=0.1]`. ns-3 itself ends the program at some of what can be
 * wrong with it, and takes some of it for nothing.
 * @param words what was typed
 * @return what is wrong, with the remedy; empty: nothing
 */
std::string FindRandomVariableMistake(const std::string& words);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANDOM_VARIABLE_WORDS_H */
