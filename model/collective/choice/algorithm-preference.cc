/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "algorithm-preference.h"

namespace ns3
{

CostQuestion
MakeQuestion(const AlgorithmPreference& preference,
             const CollectiveParameters& parameters,
             uint64_t bytes,
             const std::vector<RankId>& ranks)
{
    CostQuestion question = preference.about;
    question.kind = parameters.kind;
    question.bytes = bytes;
    question.ranks = ranks;
    return question;
}

} // namespace ns3
