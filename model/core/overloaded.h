/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OVERLOADED_H
#define PHOTONIC_RAILS_OVERLOADED_H

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Several functions as one overload set, such as for the alternatives of a std::variant.
 * @code
 * std::visit(Overloaded{[](const One& one) { ... }, [](const auto& other) { ... }}, variant);
 * @endcode
 */
template <typename... Functions>
struct Overloaded : Functions...
{
    using Functions::operator()...;
};

template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

} // namespace ns3

#endif /* PHOTONIC_RAILS_OVERLOADED_H */
