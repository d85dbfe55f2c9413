/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_IDENTIFIER_H
#define PHOTONIC_RAILS_IDENTIFIER_H

#include <cstdint>
#include <functional>
#include <ostream>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A number that names one kind of thing and converts to no other kind.
 *
 * A port number is not a rail number: mixing them up is an error that the compiler finds.
 * The tag is an incomplete type that gives each kind its own class.
 */
template <typename Tag>
class Identifier
{
  public:
    constexpr Identifier() = default;

    constexpr explicit Identifier(uint32_t value)
        : m_value(value)
    {
    }

    /** @return the number */
    constexpr uint32_t Get() const
    {
        return m_value;
    }

    constexpr bool operator==(Identifier other) const
    {
        return m_value == other.m_value;
    }

    constexpr bool operator!=(Identifier other) const
    {
        return m_value != other.m_value;
    }

    constexpr bool operator<(Identifier other) const
    {
        return m_value < other.m_value;
    }

    friend std::ostream& operator<<(std::ostream& os, Identifier id)
    {
        return os << id.m_value;
    }

  private:
    uint32_t m_value{0};
};

/** A port of a switch, counted from 0. */
using PortId = Identifier<struct PortIdTag>;

/** A rail, which joins the GPUs of one local rank, counted from 0. */
using RailId = Identifier<struct RailIdTag>;

/** A rank of a job, which is a GPU, counted from 0. */
using RankId = Identifier<struct RankIdTag>;

/** A group of ranks that communicate, counted from 0. */
using GroupId = Identifier<struct GroupIdTag>;

} // namespace ns3

namespace std
{

/** Identifiers are keys of unordered containers. */
template <typename Tag>
struct hash<ns3::Identifier<Tag>>
{
    size_t operator()(ns3::Identifier<Tag> id) const
    {
        return id.Get();
    }
};

} // namespace std

#endif /* PHOTONIC_RAILS_IDENTIFIER_H */
