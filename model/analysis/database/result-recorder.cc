/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-recorder.h"

#include "circuit-rows.h"
#include "control-message-rows.h"
#include "drop-rows.h"
#include "fault-rows.h"
#include "message-rows.h"
#include "plan-rows.h"
#include "reconfiguration-rows.h"

namespace ns3
{

ResultRecorder::ResultRecorder(const std::string& path, uint32_t run)
    : m_writer(std::make_shared<ResultWriter>(path, run))
{
}

ResultRecorder::~ResultRecorder()
{
    m_writer->Close(); // trace sources may have it longer
}

void
ResultRecorder::Add(const ApplicationContainer& applications,
                    const OperationRows::IterationOf& iterationOf,
                    bool inside,
                    uint32_t job)
{
    OperationRows::Record(applications, m_writer, iterationOf, inside, job);
}

void
ResultRecorder::AddMessages(const std::vector<Rail>& rails)
{
    for (const Rail& rail : rails)
    {
        MessageRows::Record(rail, m_writer);
    }
}

void
ResultRecorder::Add(const std::vector<Rail>& rails)
{
    for (const Rail& rail : rails)
    {
        PlanRows::Record(rail, m_writer);
        DropRows::Record(rail, m_writer, m_hasFaults);
        m_ports.push_back(Create<PortRows>(m_writer, rail));
        if (const Ptr<ResultSource> circuits = CircuitRows::Record(rail, m_writer))
        {
            m_sources.push_back(circuits);
        }
    }
}

void
ResultRecorder::Add(const OpusControlPlane& plane, uint32_t job)
{
    ReconfigurationRows::Record(plane, m_writer, job);
    m_sources.push_back(ControlMessageRows::Record(plane, m_writer, job));
}

void
ResultRecorder::Add(const Ptr<FaultInjector>& injector)
{
    if (injector)
    {
        m_hasFaults = true;
        m_sources.push_back(FaultRows::Record(*injector, m_writer));
    }
}

void
ResultRecorder::AddPorts(std::size_t rail,
                         Time end,
                         const PortRows::CounterOf& counterOf,
                         bool isFollowed)
{
    m_ports[rail]->Write(end, counterOf, isFollowed);
}

ResultWriter&
ResultRecorder::GetWriter()
{
    return *m_writer;
}

void
ResultRecorder::Finish()
{
    for (const Ptr<ResultSource>& source : m_sources)
    {
        source->Close();
    }
}

} // namespace ns3
