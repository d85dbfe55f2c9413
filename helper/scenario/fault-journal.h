/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_JOURNAL_H
#define PHOTONIC_RAILS_FAULT_JOURNAL_H

#include "ns3/fault-injector.h"
#include "ns3/fault.h"
#include "ns3/json-writer.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A table of the faults of a run: instant, component, begin or end, and the state of the
 * component after it.
 * @code
 * FaultJournal journal;
 * journal.Observe(injector);
 * Simulator::Run();
 * journal.Print(std::cout);
 * @endcode
 */
class FaultJournal
{
  public:
    FaultJournal() = default;
    FaultJournal(const FaultJournal&) = delete;
    FaultJournal& operator=(const FaultJournal&) = delete;

    /** Adds the faults of an injector from now on; the journal must outlive the run. */
    void Observe(const Ptr<FaultInjector>& injector);

    /** Adds another event of this instant. */
    void Add(const std::string& what, const std::string& place, const std::string& outcome);

    /** Prints the table. */
    void Print(std::ostream& os) const;

    /** Writes the array "faults": an object for each line. */
    void Write(JsonWriter& json) const;

  private:
    /** A line of the table. */
    struct Line
    {
        Time at;
        std::string what;
        std::string place;
        std::string outcome;
    };

    void Began(const Fault& fault, const std::string& outcome);
    void Ended(const Fault& fault, const std::string& outcome);

    std::vector<Line> m_lines; //!< in order of time
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_JOURNAL_H */
