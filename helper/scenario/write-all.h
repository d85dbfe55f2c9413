/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WRITE_ALL_H
#define PHOTONIC_RAILS_WRITE_ALL_H

#include <cstddef>

namespace ns3
{

/**
 * Writes bytes to a file or pipe, also where signals interrupt that. A signal's handler may call
 * it.
 *
 * @param file descriptor
 * @param bytes what is written
 * @param count number of bytes
 * @return whether all of them were written
 */
bool WriteAll(int file, const char* bytes, std::size_t count);

} // namespace ns3

#endif /* PHOTONIC_RAILS_WRITE_ALL_H */
