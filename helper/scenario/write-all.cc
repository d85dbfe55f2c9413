/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "write-all.h"

#include <cerrno>
#include <unistd.h>

namespace ns3
{

bool
WriteAll(int file, const char* bytes, std::size_t count)
{
    while (count > 0)
    {
        const ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR)
        {
            continue;
        }
        if (written <= 0)
        {
            return false;
        }
        bytes += written;
        count -= written;
    }
    return true;
}

} // namespace ns3
