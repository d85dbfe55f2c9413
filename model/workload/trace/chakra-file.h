/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CHAKRA_FILE_H
#define PHOTONIC_RAILS_CHAKRA_FILE_H

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

namespace ns3
{

/** The largest message of a Chakra file, in bytes; a node of a real trace has some hundred. */
constexpr uint64_t MAX_CHAKRA_MESSAGE = uint64_t{64} << 20;

/**
 * @ingroup photonic-rails
 * @brief The messages of a Chakra file, each behind its length, one after another.
 *
 * Its memory follows what the file holds, not what a length says. Methods throw TraceMistake.
 */
class ChakraFile
{
  public:
    /** @param in where from */
    explicit ChakraFile(std::istream& in);

    /** Goes to the next message. @return whether there is one */
    bool Next();

    /** @return the message */
    const std::string& Get() const
    {
        return m_message;
    }

    /** @return the offset of the message, behind its length */
    uint64_t GetFirst() const
    {
        return m_first;
    }

    /** @return the offset of what is read at the moment */
    uint64_t GetPlace() const
    {
        return m_place;
    }

    /** A part of the message is read. */
    void Note(const char* part)
    {
        m_place = m_first + static_cast<uint64_t>(part - m_message.data());
    }

  private:
    /** @return a length, or none if the file is over */
    std::optional<uint64_t> ReadLength();

    std::istream& m_in;
    uint64_t m_offset{0}; //!< of the next byte
    uint64_t m_first{0};
    uint64_t m_place{0};
    std::string m_message;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CHAKRA_FILE_H */
