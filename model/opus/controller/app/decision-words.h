/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_DECISION_WORDS_H
#define PHOTONIC_RAILS_DECISION_WORDS_H

#include "ns3/controller-core.h"
#include "ns3/controller-note.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A note of a controller as a sentence for its log.
 * @param core of the note, just after it: it has the ranks, circuits and plans of open phases
 * @return a sentence with phase, group, ranks, rails, switch ports, plan, and times in milliseconds
 */
std::string ToWords(const ControllerNote& note, const ControllerCore& core);

} // namespace ns3

#endif /* PHOTONIC_RAILS_DECISION_WORDS_H */
