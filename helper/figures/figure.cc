/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Adds a name that is not in a list. */
void
AddNew(std::vector<std::string>& names, const std::string& name)
{
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        names.push_back(name);
    }
}

/** @return options of which each is given once, with the last of its values */
std::vector<std::string>
KeepLast(const std::vector<std::string>& options)
{
    const auto nameOf = [](const std::string& option) {
        return option.substr(0, option.find('='));
    };
    std::vector<std::string> kept;
    for (auto option = options.begin(); option != options.end(); ++option)
    {
        const bool isReplaced =
            std::any_of(option + 1, options.end(), [&](const std::string& later) {
                return nameOf(later) == nameOf(*option);
            });
        if (!isReplaced)
        {
            kept.push_back(*option);
        }
    }
    return kept;
}

/** @return the names that are in both lists; all of the first if there are none */
std::vector<std::string>
Choose(const std::vector<std::string>& names, const std::vector<std::string>& only)
{
    std::vector<std::string> chosen;
    for (const std::string& name : names)
    {
        if (std::find(only.begin(), only.end(), name) != only.end())
        {
            chosen.push_back(name);
        }
    }
    return chosen.empty() ? names : chosen;
}

} // namespace

std::vector<std::string>
Figure::ListRows() const
{
    std::vector<std::string> names;
    for (const FigurePoint& point : points)
    {
        AddNew(names, point.row);
    }
    return names;
}

std::vector<std::string>
Figure::ListColumns() const
{
    std::vector<std::string> names;
    for (const FigurePoint& point : points)
    {
        AddNew(names, point.column);
    }
    return names;
}

std::vector<FigurePoint>
Figure::Select(const std::vector<std::string>& only) const
{
    const std::vector<std::string> chosenRows = Choose(ListRows(), only);
    const std::vector<std::string> chosenColumns = Choose(ListColumns(), only);
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::vector<FigurePoint> selected;
    for (const FigurePoint& point : points)
    {
        if (has(chosenRows, point.row) && has(chosenColumns, point.column))
        {
            selected.push_back(point);
        }
    }
    return selected;
}

std::string
Figure::GetCommand() const
{
    std::string command = "./rails run photonic-training";
    if (!shapeFile.empty())
    {
        command += " --model=doc/validation/" + shapeFile;
    }
    for (const std::string& option : KeepLast(options))
    {
        command += " " + option;
    }
    return command;
}

std::vector<std::string>
Figure::ListOptions(const FigurePoint& point) const
{
    std::vector<std::string> all = options;
    all.insert(all.end(), point.options.begin(), point.options.end());
    return KeepLast(all);
}

} // namespace ns3
