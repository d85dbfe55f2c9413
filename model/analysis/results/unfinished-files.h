/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_UNFINISHED_FILES_H
#define PHOTONIC_RAILS_UNFINISHED_FILES_H

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The files of this process that are written beside their place (`NAME.part`) and are not
 * complete. An error that ends the process ends them.
 *
 * There is room for 256, with names of up to 1,000 bytes; of more than these, `NAME.part` is left.
 */
class UnfinishedFiles
{
  public:
    /** What becomes of a file at an error. */
    enum class OnError
    {
        REMOVE,
        KEEP, //!< it can be read at any time, so it takes its place; without contents it is removed
    };

    /** @param part the file that is written @param onError what becomes of it at an error */
    static void Add(const std::string& part, OnError onError);

    /** @param part of a file that is complete or gone */
    static void Remove(const std::string& part);

    /** The files are another process's: nothing is done to them here. */
    static void Disown();

    /** Ends all. Signal handlers may call it. */
    static void EndAll();
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_UNFINISHED_FILES_H */
