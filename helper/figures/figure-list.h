/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIGURE_LIST_H
#define PHOTONIC_RAILS_FIGURE_LIST_H

#include "figure.h"

#include <string>
#include <vector>

namespace ns3
{

/** @return the names of the figures, in order */
std::vector<std::string> GetFigureNames();

/** @return a figure @param name one of GetFigureNames() */
Figure GetFigure(const std::string& name);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIGURE_LIST_H */
