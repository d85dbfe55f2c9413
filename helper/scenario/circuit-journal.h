/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_JOURNAL_H
#define PHOTONIC_RAILS_CIRCUIT_JOURNAL_H

#include "frame-losses.h"

#include "ns3/circuit-plan.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/rail.h"
#include "ns3/wire-frame.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A table of the events on a rail of circuits: instant, place, event and reason.
 *
 * The rail's hosts have one NIC port each. The table is for few events, as of one message: each has
 * a line. Lines are printed at once (PrintAtOnce()), or in the order of their instants at the end
 * (Print()).
 * @code
 * CircuitJournal journal;
 * journal.Observe(rail, {"", "--cut-at", "--cut-for is over"});
 * Simulator::Run();
 * journal.Add("host 0", "done", "all messages are acknowledged");
 * journal.Print(std::cout);
 * @endcode
 */
class CircuitJournal
{
  public:
    /** The reasons of a script for changes of circuits. */
    struct Reasons
    {
        std::string plan; //!< of an accepted plan; empty: plans have no lines
        std::string down; //!< of a circuit that goes down
        std::string up;   //!< of a circuit that comes up
    };

    CircuitJournal() = default;
    CircuitJournal(const CircuitJournal&) = delete;
    CircuitJournal& operator=(const CircuitJournal&) = delete;

    /** Adds circuits and the carrier of NIC ports from now on; the journal must outlive the run. */
    void Observe(const Rail& rail, const Reasons& reasons);

    /**
     * Adds lost RDMA frames from now on, a line for those in a row. The fibers' trace sources need
     * events for each frame.
     */
    void ObserveLosses(const Rail& rail);

    /** Prints the names of the columns, and then each line when it is added. */
    void PrintAtOnce(std::ostream& os);

    /** Adds an event of this instant. */
    void Add(const std::string& place, const std::string& what, const std::string& why);

    /** Adds an event of another instant. */
    void AddAt(Time at, const std::string& place, const std::string& what, const std::string& why);

    /** Prints the table, in order of time. */
    void Print(std::ostream& os);

  private:
    /** A line of the table. */
    struct Line
    {
        Time at;
        std::string place;
        std::string what;
        std::string why;
    };

    /** Traces of the rail. */
    void TakePlan(uint64_t plan, const CircuitPlan& what);
    void TakeCircuitDown(PortId low, PortId high, uint64_t epoch);
    void TakeCircuitUp(PortId low, PortId high, uint64_t epoch);
    void TakeCarrier(uint32_t host, bool carrier);
    void TakeSwitchLoss(PortId port, const WireFrame& frame, FrameDropReason reason);
    void TakeFiberLoss(uint32_t host, const WireFrame& frame, FrameDropReason reason);
    void TakeNicLoss(uint32_t host, const WireFrame& frame, FrameDropReason reason);

    /** Adds a lost frame. */
    void Lose(const std::string& place, const WireFrame& frame, FrameDropReason reason);
    /** Makes lines of the losses so far. */
    void Flush();
    /** Adds a line. */
    void Append(const Line& line);

    Reasons m_reasons;
    std::ostream* m_atOnce{nullptr}; //!< null: lines are kept
    std::vector<Line> m_lines;
    FrameLosses m_losses; //!< without lines so far
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_JOURNAL_H */
