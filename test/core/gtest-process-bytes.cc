/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What goes to another process of a distributed simulation comes out as it went in.

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"
#include "ns3/identifier.h"
#include "ns3/remote-calls.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** Takes calls, and remembers them. */
struct CalledObject
{
    void Add(uint32_t number, const std::string& name)
    {
        added.emplace_back(number, name);
    }

    void Remove(uint32_t number)
    {
        removed.push_back(number);
    }

    std::vector<std::pair<uint32_t, std::string>> added;
    std::vector<uint32_t> removed;
};

/** The arguments of its methods as bytes. */
struct CalledCodec
{
    void Put(ByteWriter& bytes, uint32_t number) const
    {
        bytes.Put(number);
    }

    void Put(ByteWriter& bytes, const std::string& name) const
    {
        bytes.PutText(name);
    }

    template <typename Value>
    Value Take(ByteReader& bytes) const
    {
        if constexpr (std::is_same_v<Value, std::string>)
        {
            return bytes.TakeText();
        }
        else
        {
            return bytes.Take<Value>();
        }
    }
};

using CalledMethods = RemoteCalls<CalledCodec, &CalledObject::Add, &CalledObject::Remove>;

} // namespace

TEST(ProcessBytes, ValuesTextsAndListsComeOutInTheirOrder)
{
    ByteWriter writer;
    writer.Put(RankId(7));
    writer.PutText("a text with \n and \0 in it");
    writer.PutText("");
    writer.PutAll(std::vector<uint64_t>{1, UINT64_MAX, 3});
    writer.PutAll(std::vector<RankId>());
    writer.Put(true);
    ByteReader reader(writer.GetBytes());
    EXPECT_EQ(reader.Take<RankId>(), RankId(7));
    EXPECT_EQ(reader.TakeText(), "a text with \n and \0 in it");
    EXPECT_EQ(reader.TakeText(), "");
    EXPECT_EQ(reader.TakeAll<uint64_t>(), (std::vector<uint64_t>{1, UINT64_MAX, 3}));
    EXPECT_TRUE(reader.TakeAll<RankId>().empty());
    EXPECT_FALSE(reader.IsAtEnd());
    EXPECT_TRUE(reader.Take<bool>());
    EXPECT_TRUE(reader.IsAtEnd());
}

TEST(ProcessBytes, ACallHasItsArgumentsAtTheOtherObject)
{
    const CalledCodec codec;
    CalledObject object;
    for (const std::string name : {"one", "", "three"})
    {
        ByteWriter writer;
        CalledMethods::Put<&CalledObject::Add>(codec, writer, uint32_t{5}, name);
        ByteReader reader(writer.GetBytes());
        CalledMethods::Take(codec, reader, object);
        EXPECT_TRUE(reader.IsAtEnd());
    }
    ByteWriter writer;
    CalledMethods::Put<&CalledObject::Remove>(codec, writer, uint32_t{9});
    ByteReader reader(writer.GetBytes());
    CalledMethods::Take(codec, reader, object);
    ASSERT_EQ(object.added.size(), 3U);
    EXPECT_EQ(object.added[2], (std::pair<uint32_t, std::string>{5, "three"}));
    EXPECT_EQ(object.removed, std::vector<uint32_t>{9});
}

TEST(ProcessBytesDeathTest, BytesThatEndTooEarlyAbort)
{
    ByteWriter writer;
    writer.Put<uint64_t>(1000); // items that are not there
    EXPECT_DEATH(
        {
            ByteReader reader(writer.GetBytes());
            reader.TakeAll<uint64_t>();
        },
        "1000 items of 8 bytes are to be read, and 0 bytes are left");
}

} // namespace ns3
