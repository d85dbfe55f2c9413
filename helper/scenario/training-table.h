/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_TABLE_H
#define PHOTONIC_RAILS_TRAINING_TABLE_H

#include "training-report.h"
#include "training-variant.h"

#include <cstddef>
#include <optional>
#include <ostream>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Prints a comparison of training runs, a row a run, while runs end in any order.
 *
 * A row compares the run with the run of the same policy whose circuits reconfigure at once. So it
 * is printed as soon as both are over.
 * @code
 * TrainingTable table(std::cout, variants);
 * table.PrintHead();
 * table.Add(3, figures);
 * table.PrintFoot();
 * @endcode
 */
class TrainingTable
{
  public:
    /** @param os receives the table; it must live as long as this @param variants the runs */
    TrainingTable(std::ostream& os, const std::vector<TrainingVariant>& variants);

    /** Prints the names of the columns. */
    void PrintHead();

    /** Adds a completed run. @param which run @param figures of the run; none: it failed */
    void Add(std::size_t which, const std::optional<TrainingFigures>& figures);

    /** Prints the meaning of the columns. */
    void PrintFoot();

  private:
    /** The state of a row. */
    enum class State
    {
        RUNS,
        WAITS, //!< for the run that it is compared with
        PRINTED,
    };

    /**
     * @return the run of the same policy where circuits reconfigure at once; itself: there is none
     */
    std::size_t FindBase(std::size_t which) const;

    /** Prints the paths of operations: a line a run, or one if all runs are alike. */
    void PrintPaths();
    /** Prints how many rails were simulated. */
    void PrintFolds();

    /** Prints the parts of exposed and hidden in runs with link-up. */
    void PrintLinkUps();

    /** Prints a row. @param base the run that it is compared with */
    void Print(std::size_t which, std::size_t base);

    std::ostream& m_os;
    std::vector<TrainingVariant> m_variants;
    std::vector<State> m_state;
    std::vector<std::optional<TrainingFigures>> m_figures;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_TABLE_H */
