/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-output.h"

#include "ns3/abort.h"

#include <fstream>
#include <iostream>

namespace ns3
{

void
ScenarioOutput::AddOptions(CommandLine& cmd)
{
    cmd.AddValue("json", "File for the results as one JSON object; - is the terminal", m_file);
}

void
ScenarioOutput::Check() const
{
    if (m_file.empty() || m_file == "-")
    {
        return;
    }
    std::ofstream file(m_file, std::ios::app);
    NS_ABORT_MSG_UNLESS(file, "--json: cannot write " << m_file << "; does its folder exist?");
}

bool
ScenarioOutput::IsTerminalForPeople() const
{
    return m_file != "-";
}

void
ScenarioOutput::Write(const std::function<void(JsonWriter&)>& fields) const
{
    if (m_file.empty())
    {
        return;
    }
    std::ofstream file;
    if (m_file != "-")
    {
        file.open(m_file);
        NS_ABORT_MSG_UNLESS(file, "--json: cannot write " << m_file << "; does its folder exist?");
    }
    JsonWriter json(m_file == "-" ? std::cout : file);
    json.BeginObject();
    fields(json);
    json.EndObject();
}

} // namespace ns3
