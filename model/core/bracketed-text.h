/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BRACKETED_TEXT_H
#define PHOTONIC_RAILS_BRACKETED_TEXT_H

#include <string>
#include <vector>

namespace ns3
{

/**
 * @file
 * Texts with parts in brackets, as ns-3 writes objects and their attributes:
 * `ns3::RotorPolicy[Slot=200us]`. A separator in brackets belongs to the text around it.
 */

/**
 * @param text perhaps with parts in brackets, which may have brackets of their own
 * @param separator a character
 * @return the parts between the separators that are outside all brackets; one more than there are
 *         such separators
 */
std::vector<std::string> SplitOutsideBrackets(const std::string& text, char separator);

/** @return whether each bracket of a text has its counterpart: `a[b[c]]`, and not `a[b` or `a]` */
bool HasMatchedBrackets(const std::string& text);

} // namespace ns3

#endif /* PHOTONIC_RAILS_BRACKETED_TEXT_H */
