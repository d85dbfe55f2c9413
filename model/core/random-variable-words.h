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
 * @brief Checks the text of a random variable, in the syntax of attributes:
 * `ns3::UniformRandomVariable[Min=0|Max=0.1]`. ns-3 itself aborts on some of the possible mistakes,
 * and ignores others.
 * @param words the input
 * @return the mistake, with the remedy; empty if there is none
 */
std::string FindRandomVariableMistake(const std::string& words);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANDOM_VARIABLE_WORDS_H */
