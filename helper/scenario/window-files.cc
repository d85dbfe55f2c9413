/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "window-files.h"

#include "ns3/output-file.h"
#include "ns3/window-distribution.h"

#include <iomanip>
#include <sstream>

namespace ns3
{

std::vector<std::string>
ListWindowFiles(const std::string& name)
{
    return {name, name + ".txt"};
}

void
WriteWindowFiles(const std::string& name,
                 const std::vector<CommunicationWindow>& ofRanks,
                 const std::vector<CommunicationWindow>& ofRails)
{
    std::ostringstream list;
    std::ostringstream table;
    const WindowDistribution distribution(ofRanks);
    distribution.Print(table, {1'000'000, 100'000'000});
    table << "\n  length (ms)   share of windows that are not longer\n";
    for (const WindowDistribution::Point& point : distribution.GetPoints())
    {
        table << std::setw(13) << point.length.GetTimeStep() / 1e9 << std::setw(11) << point.share
              << "\n";
    }
    std::vector<CommunicationWindow> windows = ofRanks;
    windows.insert(windows.end(), ofRails.begin(), ofRails.end());
    WriteWindows(list, windows);
    const std::vector<std::string> names = ListWindowFiles(name);
    OutputFile(names[0]).Replace(list.str());
    OutputFile(names[1]).Replace(table.str());
}

} // namespace ns3
