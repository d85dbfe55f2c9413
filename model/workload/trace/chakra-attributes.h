/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CHAKRA_ATTRIBUTES_H
#define PHOTONIC_RAILS_CHAKRA_ATTRIBUTES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The attributes of a Chakra node that the reader uses; others are ignored.
 *
 * Methods throw TraceMistake, and Read() protozero's exceptions too.
 */
class ChakraAttributes
{
  public:
    /** Removes all attributes. */
    void Clear();

    /** Reads an AttributeProto message. */
    void Read(const char* data, std::size_t size);

    /** Reads one of the schemas before 0.0.4, which have other fields. */
    void ReadOld(const char* data, std::size_t size);

    /**
     * @param name of an attribute
     * @param most largest valid number
     * @return its number, or nothing if there is no such attribute
     */
    std::optional<uint64_t> FindNumber(const std::string& name, uint64_t most) const;

    /** @return a mandatory number @param most largest valid number */
    uint64_t GetNumber(const std::string& name, uint64_t most) const;

    /** @return a rank, or nothing if there is no such attribute */
    std::optional<uint32_t> FindRank(const std::string& name) const;

    /** @return a text or a number as text; empty if there is no such attribute */
    std::string FindText(const std::string& name) const;

    /** @return a list of whole numbers of 64 bits; empty if there is no such attribute */
    std::vector<uint64_t> FindList(const std::string& name) const;

  private:
    /** The names of the attributes that the reader uses. */
    static constexpr std::array<const char*, 19> NAMES{"is_cpu_op",
                                                       "comm_type",
                                                       "comm_size",
                                                       "comm_src",
                                                       "comm_dst",
                                                       "comm_tag",
                                                       "pg_name",
                                                       "runtime",
                                                       "runtime_ns",
                                                       "duration_ns",
                                                       "duration_ps",
                                                       "stream",
                                                       "comm_buffer",
                                                       "comm_matrix",
                                                       "comm_matrix_of",
                                                       "iteration",
                                                       "comm_algorithm",
                                                       "comm_straggler",
                                                       "whole_program"};

    /** The value of an attribute. */
    struct Value
    {
        std::optional<uint64_t> number; //!< if it is a whole number of 0 or more, or a truth value
        std::optional<std::string> text;
        std::vector<uint64_t> list{};
        std::string found; //!< the value as text
    };

    /** Keeps the value of an attribute, if the reader uses it. */
    void Keep(const std::string& name, Value value);

    /** @return the value of an attribute, or null */
    const Value* Find(const std::string& name) const;

    std::array<std::optional<Value>, NAMES.size()> m_values;

    friend class ChakraValueReader;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CHAKRA_ATTRIBUTES_H */
