/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "recovery-record.h"

#include "ns3/json-writer.h"

#include <sstream>

namespace ns3
{

namespace
{

/** @return the seconds of a time */
double
SecondsOf(Time time)
{
    return time.GetTimeStep() / 1e12;
}

} // namespace

void
WriteRecovery(JsonWriter& json, const RecoveryRecord& record, uint32_t perServer)
{
    json.Field("attempt", record.attempt);
    json.BeginArray("signs");
    for (const ReceivedSign& sign : record.signs)
    {
        std::ostringstream words;
        words << sign.report;
        json.BeginObject();
        json.Field("sign", words.str());
        json.Field("since_s", SecondsOf(sign.report.since));
        json.Field("received_s", SecondsOf(sign.received));
        json.EndObject();
    }
    json.EndArray();
    json.Field("diagnosis", record.diagnosis.words);
    json.Field("decision", record.recovery.why);
    json.Field("goes_on", record.recovery.goesOn);
    if (record.failed)
    {
        json.Field("fault_s", SecondsOf(*record.failed));
    }
    json.Field("first_sign_s", SecondsOf(record.firstSign));
    json.Field("diagnosed_s", SecondsOf(record.diagnosed));
    json.Field("decided_s", SecondsOf(record.decided));
    json.Field("stopped_s", SecondsOf(record.stopped));
    json.Field("circuits_down_s", SecondsOf(record.takenDown));
    if (!record.recovery.goesOn)
    {
        return;
    }
    json.Field("copied_s", SecondsOf(record.copied));
    json.Field("copied_bytes", record.GetBytesCopied(perServer));
    json.Field("copy_waits_s", SecondsOf(record.copyWaits));
    json.Field("copy_link_up_s", SecondsOf(record.copyLinkUp));
    json.Field("started_s", SecondsOf(record.started));
    json.Field("first_iteration_s", SecondsOf(record.firstIteration));
    json.Field("iterations_before", record.doneBefore);
    json.Field("iterations_after", record.doneAfter);
    json.Field("lost_work_s", SecondsOf(record.lostWork));
}

} // namespace ns3
