/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PLAN_ROWS_H
#define PHOTONIC_RAILS_PLAN_ROWS_H

#include "result-source.h"

#include "ns3/circuit-plan-report.h"
#include "ns3/circuit-plan.h"
#include "ns3/identifier.h"
#include "ns3/rail.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the plans that the optical switch of a rail has carried out or refused: the table
 * `plans`.
 */
class PlanRows : public ResultSource
{
  public:
    PlanRows(std::shared_ptr<ResultWriter> writer, RailId rail);

    /** Records the plans of a rail; one without an optical switch has none. */
    static void Record(const Rail& rail, const std::shared_ptr<ResultWriter>& writer);

  private:
    /** A plan that has not ended. */
    struct Open
    {
        std::optional<Time> start{}; //!< none: it is queued
        std::string circuits{};
    };

    void Queued(uint64_t plan, const CircuitPlan& what);
    void Accepted(uint64_t plan, const CircuitPlan& what);
    void Ended(const CircuitPlanReport& report);

    RailId m_rail;
    std::map<uint64_t, Open> m_open;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PLAN_ROWS_H */
