/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NUMBERED_FILES_H
#define PHOTONIC_RAILS_NUMBERED_FILES_H

#include <cstdint>
#include <set>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The files of one name with a number in it, such as run/x.0.et and run/x.1.et: a trace with
 * a file for each rank.
 *
 * The numbers are those of the files that exist, in decimal digits without leading zeros. A folder
 * may have a number in the place as well: run/0/x.et.
 * @code
 * const NumberedFiles files("run/x.", ".et");
 * if (files.FindGap().empty())
 * {
 *     Read(files.GetPath("%d"), files.GetNumbers().size());
 * }
 * @endcode
 */
class NumberedFiles
{
  public:
    /**
     * Searches the files.
     * @param before the path before the number
     * @param after the path after the number
     */
    NumberedFiles(const std::string& before, const std::string& after);

    /** @return the numbers of the existing files */
    const std::set<uint32_t>& GetNumbers() const;

    /** @return the path with a text in the place of the number */
    std::string GetPath(const std::string& place) const;

    /** @return the reason why the numbers do not go from 0 up without a gap; empty if they do */
    std::string FindGap() const;

  private:
    /** Keeps a number if its file exists. */
    void Take(const std::string& number);

    std::string m_before;
    std::string m_after;
    std::set<uint32_t> m_numbers;
};

/**
 * @return the path with %d in the place of a number, if the path is a file of a rank beside the
 *         files of others, of which one is rank 0; else empty
 */
std::string FindNumberedPath(const std::string& path);

} // namespace ns3

#endif /* PHOTONIC_RAILS_NUMBERED_FILES_H */
