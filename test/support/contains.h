/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTAINS_H
#define PHOTONIC_RAILS_CONTAINS_H

#include <string>

namespace ns3
{

/** @return whether words have a part */
inline bool
Contains(const std::string& words, const std::string& part)
{
    return words.find(part) != std::string::npos;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTAINS_H */
