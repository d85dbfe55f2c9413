/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BYTE_SIZE_H
#define PHOTONIC_RAILS_BYTE_SIZE_H

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @param words such as 4096, 64K, 1M or 1G: powers of 1024, as nccl-tests reads them
 * @return bytes, or nothing if it is no such number or more than 2^63
 */
std::optional<uint64_t> ParseByteSize(const std::string& words);

} // namespace ns3

#endif /* PHOTONIC_RAILS_BYTE_SIZE_H */
