/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-source.h"

#include "ns3/abort.h"

#include <utility>

namespace ns3
{

ResultSource::ResultSource(std::shared_ptr<ResultWriter> writer, const std::string& table)
    : m_writer(std::move(writer)),
      m_table(m_writer->GetTable(table))
{
}

void
ResultSource::Listen(ObjectBase& object, const char* trace, const CallbackBase& callback)
{
    const bool connected = object.TraceConnectWithoutContext(trace, callback);
    NS_ABORT_MSG_UNLESS(connected, "ResultRecorder: there is no trace source " << trace);
}

} // namespace ns3
