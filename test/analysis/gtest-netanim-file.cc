/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "animation-test-file.h"

#include "ns3/netanim-file.h"
#include "ns3/picosecond-resolution.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;

using NetanimFileTest = AnimationTestFile;

TEST(NetanimText, WhatXmlForbidsIsEscapedOrReplaced)
{
    EXPECT_EQ(ToXmlAttribute("plan 1: -0-1"), "\"plan 1: -0-1\"");
    EXPECT_EQ(ToXmlAttribute("a<b & \"c\">d"), "\"a&lt;b &amp; &quot;c&quot;&gt;d\"");
    EXPECT_EQ(ToXmlAttribute("two\nlines"), "\"two&#10;lines\"");
    EXPECT_EQ(ToXmlAttribute(std::string("\x01\x1f\x7f\t", 4)), "\"????\"");
    EXPECT_EQ(ToXmlAttribute(std::string(1, '\0')), "\"?\"");
}

TEST(NetanimText, OnlyWholeCharactersOfUtf8Remain)
{
    for (const std::string good : {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x94\xa6", "\xed\x9f\xbf"})
    {
        EXPECT_EQ(ToXmlAttribute(good), "\"" + good + "\"");
    }
    EXPECT_EQ(ToXmlAttribute("\xc3"), "\"?\"") << "cut";
    EXPECT_EQ(ToXmlAttribute("\xe2\x82x"), "\"??x\"") << "cut";
    EXPECT_EQ(ToXmlAttribute("\xa9"), "\"?\"") << "the middle of one";
    EXPECT_EQ(ToXmlAttribute("\xc0\xaf"), "\"??\"") << "longer than it has to be";
    EXPECT_EQ(ToXmlAttribute("\xe0\x80\xaf"), "\"???\"") << "longer than it has to be";
    EXPECT_EQ(ToXmlAttribute("\xed\xa0\x80"), "\"???\"") << "a surrogate";
    EXPECT_EQ(ToXmlAttribute("\xf4\x90\x80\x80"), "\"????\"") << "beyond Unicode";
    EXPECT_EQ(ToXmlAttribute("\xff"), "\"?\"");
}

TEST(NetanimText, SecondsLoseNoPicosecond)
{
    EXPECT_EQ(ToExactSeconds(ToTime(0)), "0");
    EXPECT_EQ(ToExactSeconds(ToTime(525'100'000)), "0.0005251");
    EXPECT_EQ(ToExactSeconds(ToTime(3'000'000'000'001)), "3.000000000001");
}

TEST_F(NetanimFileTest, HasTheElementsOfAnimationInterface)
{
    {
        NetanimFile file(name);
        file.AddNode(0, {10, 20.5});
        file.AddNode(1, {0.0005, -3});
        file.AddLink(0, 1);
        file.AddLink(1, 0, "port <0>", "port 1");
        file.AddCounter(0, "circuits");
        file.Resize(ToTime(0), 0, 1.8);
        file.Paint(ToTime(0), 0, {0, 158, 115});
        file.Describe(ToTime(1), 0, "GPU 0");
        file.Move(ToTime(1'000'000), 1, {4, 5});
        file.Count(ToTime(1'000'000), 0, 1, 3);
        file.WriteOut();
    }
    EXPECT_EQ(Read(), Holding(R"(<node id="0" sysId="0" locX="10.000" locY="20.500"/>
<node id="1" sysId="0" locX="0.001" locY="-3.000"/>
<link fromId="0" toId="1" fd="" td="" ld=""/>
<link fromId="1" toId="0" fd="port &lt;0&gt;" td="port 1" ld=""/>
<ncs ncId="0" n="circuits" t="UINT32"/>
<nu p="s" t="0" id="0" w="1.800" h="1.800"/>
<nu p="c" t="0" id="0" r="0" g="158" b="115"/>
<nu p="d" t="0.000000000001" id="0" descr="GPU 0"/>
<nu p="p" t="0.000001" id="1" x="4.000" y="5.000"/>
<nc c="0" i="1" t="0.000001" v="3"/>
)"));
}

TEST_F(NetanimFileTest, IsWholeAfterEachPart)
{
    NetanimFile file(name);
    file.AddNode(0, {1, 1});
    file.WriteOut();
    EXPECT_EQ(ReadPart(), Holding("<node id=\"0\" sysId=\"0\" locX=\"1.000\" locY=\"1.000\"/>\n"));
    file.Move(ToTime(2'000'000), 0, {2, 2});
    EXPECT_EQ(ReadPart(), Holding("<node id=\"0\" sysId=\"0\" locX=\"1.000\" locY=\"1.000\"/>\n"))
        << "it is not written";
    file.WriteOut();
    EXPECT_EQ(ReadPart(), Holding(R"(<node id="0" sysId="0" locX="1.000" locY="1.000"/>
<nu p="p" t="0.000002" id="0" x="2.000" y="2.000"/>
)"));
}
