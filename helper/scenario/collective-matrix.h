/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_MATRIX_H
#define PHOTONIC_RAILS_COLLECTIVE_MATRIX_H

#include "collective-options.h"

#include "ns3/json-writer.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

class CollectiveMeasurement;

/**
 * @ingroup photonic-rails
 * @brief All algorithms of all kinds of collective operations, with 1, 2 and 4 ports a GPU, on each
 * kind of rail: a packet switch, circuits that stay, and circuits that are set up for each stage.
 *
 * @code
 * for (const CollectiveMatrix::Cell& cell : CollectiveMatrix::GetCells(options))
 * {
 *     CollectiveMatrix::Outcome outcome = run(cell.options); // or the reason why not
 *     CollectiveMatrix::Print(std::cout, cell, outcome);
 * }
 * @endcode
 */
class CollectiveMatrix
{
  public:
    /** An algorithm on a rail. */
    struct Cell
    {
        std::string rail;          //!< electrical, standing or reconfiguring
        CollectiveOptions options; //!< of its run: one size, and no fallback
    };

    /** The result of a run, or the reason why there is none. */
    struct Outcome
    {
        std::string whyNot;                                //!< empty: it ran
        const CollectiveMeasurement* measurement{nullptr}; //!< of the run
        uint64_t reconfigurations{0};                      //!< of circuits of a stage
    };

    /** @param options of the size, the ranks and the rates @return the cells, kind by kind */
    static std::vector<Cell> GetCells(const CollectiveOptions& options);

    /** Prints what runs and the names of the columns. */
    static void PrintHead(std::ostream& os, const CollectiveOptions& options);

    /** Prints a cell. */
    static void Print(std::ostream& os, const Cell& cell, const Outcome& outcome);

    /** Writes the members of a cell. */
    static void Write(JsonWriter& json, const Cell& cell, const Outcome& outcome);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_MATRIX_H */
