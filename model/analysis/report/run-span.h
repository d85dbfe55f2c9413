/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RUN_SPAN_H
#define PHOTONIC_RAILS_RUN_SPAN_H

#include "result-query.h"

#include <cstdint>
#include <string>
#include <utility>

namespace ns3
{

/** The part of a run that plots over time show. */
struct RunSpan
{
    int64_t run{-1};         //!< its number; negative: there is none
    std::string name{};      //!< of the run
    double begin{0};         //!< ps
    double end{0};           //!< ps
    bool isIteration{false}; //!< the last iteration; else the whole run, as far as it came

    /** @return the part, as an ending of a title */
    std::string Describe() const;
    /** @return the name of a unit for instants in it, and its length in ps */
    std::pair<std::string, double> GetUnit() const;
};

/** @return the last iteration of the run of ChooseRun(), or all of it if it has no iterations */
RunSpan ChooseSpan(ResultDatabase& database);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RUN_SPAN_H */
