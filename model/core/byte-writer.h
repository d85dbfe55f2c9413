/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BYTE_WRITER_H
#define PHOTONIC_RAILS_BYTE_WRITER_H

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Values as bytes, for another process of the same program on a machine of the same kind. A
 * ByteReader takes them in the order in which they were put.
 */
class ByteWriter
{
  public:
    /** Puts a number, an identifier, or a structure of such. */
    template <typename Value>
    void Put(const Value& value)
    {
        static_assert(std::is_trivially_copyable_v<Value>, "it is sent as bytes");
        m_bytes.append(reinterpret_cast<const char*>(&value), sizeof(Value));
    }

    /** Puts a text. */
    void PutText(const std::string& text)
    {
        Put<uint64_t>(text.size());
        m_bytes.append(text);
    }

    /** Puts values, with their number. */
    template <typename Value>
    void PutAll(const std::vector<Value>& values)
    {
        static_assert(std::is_trivially_copyable_v<Value>, "they are sent as bytes");
        Put<uint64_t>(values.size());
        m_bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
    }

    /** @return all bytes so far */
    const std::string& GetBytes() const
    {
        return m_bytes;
    }

  private:
    std::string m_bytes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_BYTE_WRITER_H */
