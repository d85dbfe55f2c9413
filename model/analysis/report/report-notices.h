/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REPORT_NOTICES_H
#define PHOTONIC_RAILS_REPORT_NOTICES_H

#include <string>

namespace ns3
{

class ResultDatabase;

/** The end of a program, as run.json has it. */
struct ReportedEnd
{
    std::string status{"complete"}; //!< or `ended early`, or `running`
    std::string error{};            //!< the reason; empty: there is none
};

/**
 * @return what a reader of a report has to know first, in paragraphs of HTML: that the program
 * ended early, which runs are not complete, what was not recorded; empty: nothing
 */
std::string MakeReportNotices(ResultDatabase& database, const ReportedEnd& end);

} // namespace ns3

#endif /* PHOTONIC_RAILS_REPORT_NOTICES_H */
