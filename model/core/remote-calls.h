/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REMOTE_CALLS_H
#define PHOTONIC_RAILS_REMOTE_CALLS_H

#include "byte-reader.h"
#include "byte-writer.h"

#include "ns3/abort.h"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Calls of methods of an object on another process of a distributed simulation, as bytes: a
 * number of the method, and its arguments.
 *
 * @tparam Codec has Put(ByteWriter&, const Value&) and Take<Value>(ByteReader&) for each type of an
 * argument
 * @tparam Methods that can be called; both processes have the same list
 * @code
 * using ShimMethods = RemoteCalls<ShimCodec, &LocalShim::Join, &LocalShim::Leave>;
 * ShimMethods::Put<&LocalShim::Leave>(codec, bytes, rank); // here
 * ShimMethods::Take(codec, bytes, *shim);                  // there: shim->Leave(rank)
 * @endcode
 */
template <typename Codec, auto... Methods>
class RemoteCalls
{
  public:
    /** Puts a call. */
    template <auto Method, typename... Arguments>
    static void Put(const Codec& codec, ByteWriter& bytes, const Arguments&... arguments)
    {
        constexpr std::size_t number = GetNumber<Method>();
        static_assert(number < sizeof...(Methods), "the method is not in the list");
        bytes.Put(static_cast<uint8_t>(number));
        (codec.Put(bytes, arguments), ...);
    }

    /** Makes the call of Put(). */
    template <typename Target>
    static void Take(const Codec& codec, ByteReader& bytes, Target& target)
    {
        const auto number = bytes.Take<uint8_t>();
        NS_ABORT_MSG_UNLESS(number < sizeof...(Methods),
                            "RemoteCalls: method " << uint32_t{number} << " of "
                                                   << sizeof...(Methods)
                                                   << " is called; all processes must run one "
                                                      "program");
        std::size_t place = 0;
        ((number == place++ ? Call<Methods>(codec, bytes, target) : void()), ...);
    }

  private:
    /** A method as a type. */
    template <auto Method>
    struct Tag
    {
    };

    /** @return the place of a method in the list; the length of the list if it is not there */
    template <auto Method>
    static constexpr std::size_t GetNumber()
    {
        std::size_t number = 0;
        (void)((std::is_same_v<Tag<Method>, Tag<Methods>> || (++number, false)) || ...);
        return number;
    }

    /** Calls a method with arguments that are taken in their order. */
    template <auto Method, typename Target>
    static void Call(const Codec& codec, ByteReader& bytes, Target& target)
    {
        CallWith(Method, codec, bytes, target);
    }

    /** The same, with the types of the arguments. */
    template <typename Class, typename... Arguments, typename Target>
    static void CallWith(void (Class::*method)(Arguments...),
                         const Codec& codec,
                         ByteReader& bytes,
                         Target& target)
    {
        // in braces, the arguments are taken from left to right
        const std::tuple<std::decay_t<Arguments>...> arguments{
            codec.template Take<std::decay_t<Arguments>>(bytes)...};
        std::apply([&](const auto&... each) { (target.*method)(each...); }, arguments);
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_REMOTE_CALLS_H */
