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
 * @brief The incomplete files of this process, which have the name `NAME.part`. A fatal error of
 * the process completes or removes them.
 *
 * The list has 256 entries, with names of up to 1,000 bytes; beyond that, `NAME.part` is left.
 */
class UnfinishedFiles
{
  public:
    /** The treatment of a file after an error. */
    enum class OnError
    {
        REMOVE,
        KEEP, //!< it is readable at any time, so it gets its final name; an empty one is removed
    };

    /** @param part the file that is written @param onError its treatment after an error */
    static void Add(const std::string& part, OnError onError);

    /** @param part of a file that is complete or removed */
    static void Remove(const std::string& part);

    /** The files belong to another process: this one does not change them. */
    static void Disown();

    /** Completes or removes all files. Signal handlers may call it. */
    static void EndAll();
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_UNFINISHED_FILES_H */
