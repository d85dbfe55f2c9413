/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BYTE_READER_H
#define PHOTONIC_RAILS_BYTE_READER_H

#include "ns3/abort.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Takes the values of a ByteWriter, in its order. Bytes that end too early abort.
 */
class ByteReader
{
  public:
    /** @param bytes of a ByteWriter, which outlive the reader */
    explicit ByteReader(const std::string& bytes)
        : m_bytes(bytes)
    {
    }

    /** @return the next value, of Put() */
    template <typename Value>
    Value Take()
    {
        static_assert(std::is_trivially_copyable_v<Value>, "it is sent as bytes");
        Value value{};
        std::memcpy(&value, Skip(sizeof(Value)), sizeof(Value));
        return value;
    }

    /** @return the next text, of PutText() */
    std::string TakeText()
    {
        const auto size = Take<uint64_t>();
        return std::string(Skip(size), size);
    }

    /** @return the next values, of PutAll() */
    template <typename Value>
    std::vector<Value> TakeAll()
    {
        static_assert(std::is_trivially_copyable_v<Value>, "they are sent as bytes");
        const auto size = Take<uint64_t>();
        RequireLeft(size, sizeof(Value));
        std::vector<Value> values(size);
        if (size > 0)
        {
            std::memcpy(values.data(), Skip(size * sizeof(Value)), size * sizeof(Value));
        }
        return values;
    }

    /** @return whether all bytes are taken */
    bool IsAtEnd() const
    {
        return m_at == m_bytes.size();
    }

  private:
    /** Aborts unless so many items are left. */
    void RequireLeft(uint64_t items, uint64_t size) const
    {
        NS_ABORT_MSG_IF(items > (m_bytes.size() - m_at) / size,
                        "ByteReader: " << items << " items of " << size
                                       << " bytes are to be read, and " << m_bytes.size() - m_at
                                       << " bytes are left; all processes must run one program");
    }

    /** @return the next bytes, which are taken */
    const char* Skip(uint64_t size)
    {
        RequireLeft(size, 1);
        const char* here = m_bytes.data() + m_at;
        m_at += size;
        return here;
    }

    const std::string& m_bytes;
    std::size_t m_at{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_BYTE_READER_H */
