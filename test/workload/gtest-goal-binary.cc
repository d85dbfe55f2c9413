/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// GOAL in its binary form, built here byte by byte as LogGOPSim lays it out.

#include "../support/temporary-path.h"
#include "trace-test-tools.h"

#include "ns3/goal-binary-reader.h"
#include "ns3/trace-programs.h"
#include "ns3/trace-reader.h"

#include <cstdio>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** @return a number as bytes, the lowest first */
std::string
Bytes(uint64_t number, uint32_t count)
{
    std::string bytes;
    for (; count > 0; --count, number >>= 8)
    {
        bytes += static_cast<char>(number & 0xff);
    }
    return bytes;
}

/** A node to be written. */
struct Node
{
    uint8_t type{3}; //!< 1 send, 2 receive, 3 calc
    uint64_t size{0};
    uint32_t peer{0};
    uint32_t tag{0};
    uint8_t cpu{0};
    std::vector<uint32_t> after{}; //!< nodes that end before it
    std::vector<uint32_t> begun{}; //!< nodes that begin before it
};

/** @return the part of a rank */
std::string
WriteRank(const std::vector<Node>& nodes)
{
    std::string roots;
    std::string table;
    std::string list;
    uint32_t listed = 0;
    uint32_t waitless = 0;
    for (uint32_t number = 0; number < nodes.size(); ++number)
    {
        const Node& node = nodes[number];
        const auto waits = node.after.size() + node.begun.size();
        roots += waits == 0 ? Bytes(number, 4) : "";
        waitless += waits == 0 ? 1 : 0;
        table += Bytes(waits, 4) + Bytes(node.type, 1) + Bytes(node.peer, 4) + Bytes(node.size, 8);
        table += Bytes(node.tag, 4) + Bytes(node.cpu, 1) + Bytes(0, 1);
        for (const auto ids : {&Node::after, &Node::begun})
        {
            uint32_t count = 0;
            const uint32_t first = listed;
            for (uint32_t later = 0; later < nodes.size(); ++later)
            {
                for (const uint32_t earlier : nodes[later].*ids)
                {
                    if (earlier == number)
                    {
                        list += Bytes(later, 4);
                        ++count;
                        ++listed;
                    }
                }
            }
            table += Bytes(count, 4) + Bytes(first, 4);
        }
    }
    return Bytes(nodes.size(), 4) + Bytes(waitless, 4) + roots + table + list;
}

/** @return a file @param cookie in its first bytes */
std::string
WriteFile(const std::vector<std::vector<Node>>& ranks, uint64_t cookie = 4223)
{
    std::string table;
    std::string parts;
    uint64_t next = 6 + 16 * ranks.size();
    for (const std::vector<Node>& nodes : ranks)
    {
        const std::string part = WriteRank(nodes);
        table += Bytes(next, 8) + Bytes(next + part.size(), 8);
        next += part.size();
        parts += part;
    }
    return Bytes(cookie, 8) + Bytes(ranks.size(), 4) + Bytes(1, 1) + Bytes(0, 1) + table + parts;
}

/** Two ranks: one computes, then sends; the other receives, and computes meanwhile and after. */
std::vector<std::vector<Node>>
MakePair()
{
    Node calc{3, 100};
    Node send{1, 4096, 1, 7};
    send.after = {0};
    Node receive{2, 4096, 0, 7};
    Node meanwhile{3, 50};
    meanwhile.cpu = 1;
    meanwhile.begun = {0};
    Node after{3, 30};
    after.after = {0, 1};
    return {{calc, send}, {receive, meanwhile, after}};
}

TraceResult
Read(const std::string& bytes, TraceConsumer& consumer)
{
    std::istringstream in(bytes);
    return ReadGoalBinary(in, "given", consumer);
}

} // namespace

TEST(GoalBinary, NodesAreReadWithTheirDependencies)
{
    TraceRecorder recorder;
    const TraceResult error = Read(WriteFile(MakePair()), recorder);
    ASSERT_FALSE(error) << error->ToString();
    EXPECT_EQ(recorder.count, 2U);
    const std::vector<TraceNode>& sender = recorder.nodes[0];
    ASSERT_EQ(sender.size(), 2U);
    EXPECT_EQ(sender[0].duration, 100'000);
    EXPECT_EQ(sender[1].kind, TraceNode::Kind::SEND);
    EXPECT_EQ(sender[1].bytes, 4096U);
    EXPECT_EQ(sender[1].peer, 1U);
    EXPECT_EQ(sender[1].tag, 7U);
    EXPECT_EQ(sender[1].after, (std::vector<uint64_t>{0}));
    const std::vector<TraceNode>& receiver = recorder.nodes[1];
    ASSERT_EQ(receiver.size(), 3U);
    EXPECT_EQ(receiver[0].kind, TraceNode::Kind::RECEIVE);
    EXPECT_EQ(receiver[1].stream, 1U);
    EXPECT_EQ(receiver[1].begun, (std::vector<uint64_t>{0}));
    EXPECT_EQ(receiver[2].after, (std::vector<uint64_t>{0, 1}));
    // the first node of rank 0 is behind 14 bytes, two entries of 16, two numbers and a root
    EXPECT_EQ(sender[0].place, 14U + 32 + 8 + 4);
    EXPECT_EQ(sender[1].place - sender[0].place, 39U);
}

TEST(GoalBinary, AFileIsTextOrBinaryByItsContents)
{
    for (const char* ending : {".goal", ".bin"})
    {
        const std::string path = GetTemporaryPath(std::string("trace") + ending);
        for (const bool isBinary : {true, false})
        {
            std::ofstream(path, std::ios::binary)
                << (isBinary ? WriteFile(MakePair()) : "num_ranks 2\nrank 0 {\n}\nrank 1 {\n}\n");
            JobPrograms job;
            const TraceResult error = ReadTraceJob({path}, job);
            ASSERT_FALSE(error) << error->ToString();
            EXPECT_EQ(job.ranks.size(), 2U);
            EXPECT_EQ(job.groups.size(), isBinary ? 1U : 0U);
        }
        std::remove(path.c_str());
    }
}

TEST(GoalBinary, MistakesAreNamedWithTheirByte)
{
    const auto expect = [](const std::string& bytes, const std::string& words) {
        TraceCollection collection;
        const TraceResult error = Read(bytes, collection);
        ASSERT_TRUE(error) << words;
        EXPECT_TRUE(error->offset) << error->ToString();
        EXPECT_NE(error->ToString().find(words), std::string::npos) << error->ToString();
    };
    const auto change = [](std::size_t place, const std::string& bytes) {
        std::string file = WriteFile(MakePair());
        return file.replace(place, bytes.size(), bytes);
    };
    const std::string file = WriteFile(MakePair());
    constexpr std::size_t NODE = 14 + 32 + 8 + 4; // of rank 0
    expect("", "4223 in the first 8 bytes, found the end of the file");
    expect(WriteFile(MakePair(), 17), "4223 in the first 8 bytes, found 17");
    expect(WriteFile(MakePair(), 2342), "--save-mem");
    expect(change(8, Bytes(0, 4)), "0 ranks");
    expect(change(8, Bytes(UINT32_MAX, 4)), "ranks");
    expect(change(14, Bytes(3, 8)), "behind the table of ranks");
    expect(change(22, Bytes(0, 8)), "behind the table of ranks");
    expect(change(14, Bytes(uint64_t{1} << 60, 8)), "behind the table of ranks");
    expect(change(NODE - 12, Bytes(UINT32_MAX, 4)), "4294967295 nodes in the");
    expect(change(NODE + 4, Bytes(9, 1)), "a node of type 1, 2 or 3, found 9");
    expect(change(NODE + 9, Bytes(UINT64_MAX, 8)), "nanoseconds");
    expect(change(NODE + 39 + 5, Bytes(5, 4)), "a rank below 2");
    expect(change(NODE + 39 + 5, Bytes(UINT32_MAX, 4)), "found -1");
    expect(change(NODE + 39 + 17, Bytes(UINT32_MAX, 4)), "a tag (-1");
    expect(change(NODE + 23, Bytes(7, 4)), "the nodes that wait for node 0 at place 0 of 1");
    expect(change(NODE + 27, Bytes(1, 4)), "the nodes that wait for node 0 at place 0 of 1");
    expect(change(NODE + 78, Bytes(2, 4)), "a node below 2, found 2");
    expect(change(NODE, Bytes(1, 4)), "1 nodes that node 0 waits for, found 0");
    expect(file.substr(0, file.size() - 3), "a node that waits, found the end of the file");
    expect(file.substr(0, NODE + 20), "found the end of the file");
}

namespace
{

/** A file that is made while it is read: one rank of computing, and seeks. */
class LongFile : public std::streambuf
{
  public:
    explicit LongFile(uint32_t nodes)
        : m_nodes(nodes)
    {
        const uint64_t size = 8 + 4 + 39 * uint64_t{nodes};
        m_head = Bytes(4223, 8) + Bytes(1, 4) + Bytes(0, 2) + Bytes(22, 8) + Bytes(22 + size, 8);
        m_head += Bytes(nodes, 4) + Bytes(1, 4) + Bytes(0, 4);
    }

  protected:
    int_type underflow() override
    {
        const uint64_t from = m_place;
        m_piece.clear();
        if (from < m_head.size())
        {
            m_piece = m_head.substr(from);
        }
        else
        {
            const uint64_t node = (from - m_head.size()) / 39;
            const uint64_t behind = (from - m_head.size()) % 39;
            if (node >= m_nodes)
            {
                return traits_type::eof();
            }
            const std::string bytes =
                Bytes(0, 4) + Bytes(3, 1) + Bytes(0, 4) + Bytes(5, 8) + Bytes(0, 6) + Bytes(0, 16);
            m_piece = bytes.substr(behind);
        }
        m_place += m_piece.size();
        setg(m_piece.data(), m_piece.data(), m_piece.data() + m_piece.size());
        return traits_type::to_int_type(m_piece[0]);
    }

    pos_type seekoff(off_type offset, std::ios_base::seekdir, std::ios_base::openmode) override
    {
        m_place = static_cast<uint64_t>(offset);
        setg(nullptr, nullptr, nullptr);
        return pos_type(offset);
    }

    pos_type seekpos(pos_type place, std::ios_base::openmode mode) override
    {
        return seekoff(off_type(place), std::ios_base::beg, mode);
    }

  private:
    uint32_t m_nodes;
    std::string m_head;
    std::string m_piece;
    uint64_t m_place{0};
};

} // namespace

TEST(GoalBinary, MemoryIsThatOfTheNodes)
{
    constexpr uint32_t NODES = 100'000;
    LongFile file(NODES);
    std::istream in(&file);
    TraceCounter counter;
    const uint64_t before = GetPeakMemory();
    const TraceResult error = ReadGoalBinary(in, "given", counter);
    ASSERT_FALSE(error) << error->ToString();
    EXPECT_EQ(counter.nodes, NODES);
    EXPECT_EQ(counter.computing, int64_t{NODES} * 5000);
    EXPECT_LT(GetPeakMemory() - before, uint64_t{NODES} * 600) << "a program takes some 300 a node";
}
