/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CHAKRA_MESSAGE_H
#define PHOTONIC_RAILS_CHAKRA_MESSAGE_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A message of a Chakra file that is being written, in the encoding of protobuf.
 *
 * Numbers of fields are those of schema/protobuf/et_def.proto, mlcommons/chakra.
 */
class ChakraMessage
{
  public:
    /** Adds a whole number or truth value. */
    ChakraMessage& Number(uint32_t field, uint64_t value);
    /** Adds a text, or the bytes of another message. */
    ChakraMessage& Text(uint32_t field, const std::string& text);
    /** Adds a packed list; an empty one is left out. */
    ChakraMessage& Numbers(uint32_t field, const std::vector<uint64_t>& values);

    /** Adds an attribute (field 10 of a Node) that is a whole number: int64_val. */
    ChakraMessage& Attribute(const std::string& name, uint64_t value);
    /** Adds an attribute that names a rank or a tag: int32_val, as ASTRA-sim reads it. */
    ChakraMessage& Attribute32(const std::string& name, uint32_t value);
    /** Adds an attribute that is a truth value. @param field of the message */
    ChakraMessage& Truth(const std::string& name, bool value, uint32_t field = 10);
    /** Adds an attribute that is a text. */
    ChakraMessage& Attribute(const std::string& name, const std::string& value);
    /** Adds an attribute that is a list of whole numbers. */
    ChakraMessage& Attribute(const std::string& name, const std::vector<uint64_t>& values);

    /** @return the message without its length */
    const std::string& GetBytes() const
    {
        return m_bytes;
    }

    /** @return the message after its length, as a file has it */
    std::string Delimit() const;

  private:
    std::string m_bytes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CHAKRA_MESSAGE_H */
