/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OBSERVED_LINES_H
#define PHOTONIC_RAILS_OBSERVED_LINES_H

#include "ns3/operation-record.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** What was observed in a run, a line each, to be compared with that of another run. */
class ObservedLines
{
  public:
    /** Adds a line of the parts, with a space behind each. */
    template <typename... Parts>
    void Note(const Parts&... parts)
    {
        std::ostringstream line;
        ((line << parts << ' '), ...);
        m_lines.push_back(line.str());
    }

    /** Adds a line of the record of an operation, and of more parts. */
    template <typename... Parts>
    void NoteOperation(const char* what, const OperationRecord& r, const Parts&... parts)
    {
        Note(what,
             r.rank,
             r.operation,
             r.start.GetTimeStep(),
             r.end.GetTimeStep(),
             r.waited.GetTimeStep(),
             r.messagesSent,
             r.bytesSent,
             r.messagesReceived,
             r.bytesReceived,
             r.algorithm,
             parts...);
    }

    /** @return the lines, sorted: the order of the events of an instant does not count */
    std::vector<std::string> TakeSorted()
    {
        std::sort(m_lines.begin(), m_lines.end());
        return std::move(m_lines);
    }

  private:
    std::vector<std::string> m_lines;
};

/**
 * @param one sorted lines
 * @param other the same of another run
 * @return those that only the first has; equal lines count
 */
inline std::vector<std::string>
LinesOnlyIn(const std::vector<std::string>& one, const std::vector<std::string>& other)
{
    std::vector<std::string> only;
    std::set_difference(one.begin(),
                        one.end(),
                        other.begin(),
                        other.end(),
                        std::back_inserter(only));
    return only;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_OBSERVED_LINES_H */
