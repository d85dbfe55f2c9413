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

/** The largest message of a Chakra file, in bytes; a node of a real trace has a few hundred. */
constexpr uint64_t MAX_CHAKRA_MESSAGE = uint64_t{64} << 20;

/**
 * @ingroup photonic-rails
 * @brief The messages of a Chakra file, in order, each after its length.
 *
 * Its memory follows the contents of the file, not a stated length. Methods throw TraceMistake.
 */
class ChakraFile
{
  public:
    /** @param in the file, opened as binary */
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

    /** @return the offset of the part that is being read */
    uint64_t GetPlace() const
    {
        return m_place;
    }

    /** Records the part of the message that is being read. */
    void Note(const char* part)
    {
        m_place = m_first + static_cast<uint64_t>(part - m_message.data());
    }

  private:
    /** @return a length, or none at the end of the file */
    std::optional<uint64_t> ReadLength();

    std::istream& m_in;
    uint64_t m_offset{0}; //!< of the next byte
    uint64_t m_first{0};
    uint64_t m_place{0};
    std::string m_message;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CHAKRA_FILE_H */
