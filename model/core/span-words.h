/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SPAN_WORDS_H
#define PHOTONIC_RAILS_SPAN_WORDS_H

#include "picoseconds.h"

#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @param words such as 100us, 1.5ms, 20ns or 2s
 * @return the span, exactly; or no value if the text is no such number, exceeds 64 bits or is finer
 *         than a picosecond
 */
std::optional<Picoseconds> ParseSpan(const std::string& words);

} // namespace ns3

#endif /* PHOTONIC_RAILS_SPAN_WORDS_H */
