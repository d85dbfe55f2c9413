/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "numbered-files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace ns3
{

NumberedFiles::NumberedFiles(const std::string& before, const std::string& after)
    : m_before(before),
      m_after(after)
{
    const std::size_t slash = before.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : before.substr(0, slash + 1);
    const std::string begin = before.substr(slash + 1);
    const std::string end = after.substr(0, after.find('/'));
    std::error_code error;
    std::filesystem::directory_iterator one(folder, error);
    for (; !error && one != std::filesystem::directory_iterator(); one.increment(error))
    {
        const std::string name = one->path().filename().string();
        if (name.size() > begin.size() + end.size() && name.rfind(begin, 0) == 0 &&
            name.compare(name.size() - end.size(), end.size(), end) == 0)
        {
            Take(name.substr(begin.size(), name.size() - begin.size() - end.size()));
        }
    }
}

void
NumberedFiles::Take(const std::string& number)
{
    const bool isNumber = number.size() < 7 && (number == "0" || number[0] != '0') &&
                          number.find_first_not_of("0123456789") == std::string::npos;
    std::error_code error;
    if (isNumber && std::filesystem::exists(GetPath(number), error))
    {
        m_numbers.insert(std::stoul(number));
    }
}

const std::set<uint32_t>&
NumberedFiles::GetNumbers() const
{
    return m_numbers;
}

std::string
NumberedFiles::GetPath(const std::string& place) const
{
    return m_before + place + m_after;
}

std::string
NumberedFiles::FindGap() const
{
    uint32_t expected = 0;
    for (const uint32_t number : m_numbers)
    {
        if (number != expected)
        {
            return "there is " + GetPath(std::to_string(number)) + " and no " +
                   GetPath(std::to_string(expected)) + "; ranks are numbered from 0, no gaps";
        }
        ++expected;
    }
    return "";
}

std::string
FindNumberedPath(const std::string& path)
{
    const char* const digits = "0123456789";
    const std::size_t slash = path.rfind('/');
    const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
    std::size_t last = path.find_last_of(digits);
    while (last != std::string::npos && last >= begin)
    {
        const std::size_t other = path.find_last_not_of(digits, last);
        const std::size_t first = other == std::string::npos ? 0 : std::max(begin, other + 1);
        const NumberedFiles files(path.substr(0, first), path.substr(last + 1));
        if (files.GetNumbers().size() > 1 && files.GetNumbers().count(0) == 1)
        {
            return files.GetPath("%d");
        }
        last = first == 0 ? std::string::npos : path.find_last_of(digits, first - 1);
    }
    return "";
}

} // namespace ns3
