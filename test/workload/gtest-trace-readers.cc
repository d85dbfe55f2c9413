/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-test-tools.h"

#include "ns3/goal-trace-reader.h"
#include "ns3/group-file.h"
#include "ns3/optional-headers.h"
#include "ns3/phase-csv-reader.h"
#include "ns3/trace-reader.h"
#include "ns3/trace-text.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

const std::string CORPUS = PHOTONIC_RAILS_SOURCE_DIR "/test/corpus/";
constexpr auto COMPUTE = TraceNode::Kind::COMPUTE;
constexpr auto SEND = TraceNode::Kind::SEND;
constexpr auto RECEIVE = TraceNode::Kind::RECEIVE;

/** A text that can't be read, the line of the error, and parts of its message. */
struct Refusal
{
    std::string text;
    uint64_t line;
    std::string words;
};

/** Reads a text with a reader. */
template <typename R>
TraceResult
Read(R reader, const std::string& text, TraceConsumer& consumer)
{
    std::istringstream in(text);
    return reader(in, "given", consumer);
}

/** Fails unless each text is refused with its line and words. */
template <typename R>
void
ExpectRefused(R reader, const std::vector<Refusal>& refusals)
{
    for (const Refusal& refusal : refusals)
    {
        TraceCollection collection;
        const TraceResult error = Read(reader, refusal.text, collection);
        ASSERT_TRUE(error) << refusal.text;
        EXPECT_EQ(error->line, refusal.line) << refusal.text << error->ToString();
        EXPECT_EQ(error->file, "given");
        EXPECT_NE(error->ToString().find(refusal.words), std::string::npos) << refusal.text << "\n"
                                                                            << error->ToString();
    }
}

} // namespace

TEST(TraceText, LinesEndByNewlineOrTheFile)
{
    std::istringstream in("one\r\n\ntwo");
    TraceText text(in, "given");
    for (const char* line : {"one", "", "two"})
    {
        ASSERT_TRUE(text.Next());
        EXPECT_EQ(text.GetLine(), line);
    }
    EXPECT_EQ(text.GetNumber(), 3U);
    EXPECT_FALSE(text.Next());
    std::istringstream ended("one\n");
    TraceText other(ended, "given");
    EXPECT_TRUE(other.Next());
    EXPECT_FALSE(other.Next()) << "nothing behind the last newline is no line";
}

TEST(TraceText, LinesOfUpToTheLimit)
{
    const std::string longest(TraceText::MAX_LINE, 'x');
    for (const std::string before : {"", "a\n", "abc\n"}) // so that it lies across the buffer
    {
        std::istringstream in(before + longest + "\nend");
        TraceText text(in, "given");
        ASSERT_TRUE(before.empty() || text.Next());
        ASSERT_TRUE(text.Next());
        EXPECT_EQ(text.GetLine(), longest);
        ASSERT_TRUE(text.Next());
        EXPECT_EQ(text.GetLine(), "end");
        std::istringstream more(before + longest + "x\nend");
        TraceText refused(more, "given");
        ASSERT_TRUE(before.empty() || refused.Next());
        EXPECT_THROW(refused.Next(), TraceMistake);
    }
}

TEST(TraceText, TimesAreExact)
{
    EXPECT_EQ(ReadTraceTime("12.5", 6, ""), 12'500'000);
    EXPECT_EQ(ReadTraceTime("0.000001", 6, ""), 1);
    EXPECT_EQ(ReadTraceTime("0.1000000000", 6, ""), 100'000) << "zeros at the end say nothing";
    // 2^63 - 2 ps is the last instant before NEVER
    EXPECT_EQ(ReadTraceTime("9223372036854.775806", 6, ""), NEVER - 1);
    for (const char* word :
         {"9223372036854.775807", "0.0000001", "", ".", "1.", ".5", "-1", "1e3", "1.2.3", "nan"})
    {
        EXPECT_THROW(ReadTraceTime(word, 6, ""), TraceMistake) << word;
    }
    EXPECT_EQ(ReadTraceNumber("18446744073709551615", UINT64_MAX, ""), UINT64_MAX);
    EXPECT_THROW(ReadTraceNumber("18446744073709551616", UINT64_MAX, ""), TraceMistake);
    EXPECT_THROW(ReadTraceNumber("7", 6, ""), TraceMistake);
}

TEST(GoalTrace, ARankIsWhatItsBlockDescribes)
{
    TraceRecorder recorder;
    std::ifstream in(CORPUS + "goal/ring.goal");
    const TraceResult error = ReadGoalTrace(in, "ring", recorder);
    ASSERT_FALSE(error) << error->ToString();
    EXPECT_EQ(recorder.count, 3U);
    const std::vector<TraceNode>& zero = recorder.nodes[0];
    ASSERT_EQ(zero.size(), 4U);
    EXPECT_EQ(zero[0].kind, COMPUTE);
    EXPECT_EQ(zero[0].duration, 100'000) << "nanoseconds";
    EXPECT_EQ(zero[0].place, 5U);
    EXPECT_EQ(zero[1].kind, SEND);
    EXPECT_EQ(zero[1].bytes, 10U);
    EXPECT_EQ(zero[1].peer, 1U);
    EXPECT_EQ(zero[1].tag, 5U);
    EXPECT_EQ(zero[1].after, std::vector<uint64_t>{zero[0].id});
    EXPECT_EQ(zero[2].kind, RECEIVE);
    EXPECT_EQ(zero[2].peer, 2U);
    EXPECT_TRUE(zero[2].after.empty());
    EXPECT_EQ(zero[3].stream, 1U) << "a stream for each cpu";
    const std::vector<TraceNode>& two = recorder.nodes[2];
    ASSERT_EQ(two.size(), 3U);
    EXPECT_TRUE(two[2].after.empty());
    EXPECT_EQ(two[2].begun, std::vector<uint64_t>{two[0].id});
}

TEST(GoalTrace, AfterABeginningIsNotAfterAnEnd)
{
    JobPrograms job;
    const TraceResult error = ReadTraceJob({CORPUS + "goal/ring.goal"}, job);
    ASSERT_FALSE(error) << error->ToString();
    const auto& two = job.ranks[2].program->GetOperations();
    ASSERT_EQ(two.size(), 4U) << "a marker besides three operations";
    const auto find = [&two](const std::string& label) {
        return std::find_if(two.begin(),
                            two.end(),
                            [&label](const RankOperation& one) { return one.label == label; }) -
               two.begin();
    };
    const RankOperation& marker = two[find("l1 begins")];
    const RankOperation& receive = two[find("l1")];
    EXPECT_EQ(marker.duration, Time(0));
    EXPECT_EQ(marker.stream, receive.stream) << "so it is over when the receive begins";
    EXPECT_EQ(find("l1 begins") + 1, find("l1"));
    EXPECT_EQ(two[find("l3")].after, std::vector<uint32_t>{uint32_t(find("l1 begins"))});
    EXPECT_TRUE(JobPlayer(job).Play());
}

TEST(GoalTrace, TagsMatchInAnyOrder)
{
    JobPrograms job;
    const TraceResult error = ReadTraceJob({CORPUS + "goal/comments.goal"}, job);
    ASSERT_FALSE(error) << error->ToString();
    ASSERT_EQ(job.groups.size(), 2U) << "a conversation for each tag";
    EXPECT_EQ(job.groups[0].name, "p2p 0-1 tag 9");
    EXPECT_EQ(job.groups[1].name, "p2p 0-1 tag 0");
    EXPECT_TRUE(JobPlayer(job).Play());
}

TEST(GoalTrace, MistakesAreNamedWithTheirLine)
{
    const std::string two = "num_ranks 2\nrank 0 {\n";
    ExpectRefused(
        ReadGoalTrace,
        {{"", 1, "\"num_ranks\", found the end of the file"},
         {"rank 0 {}", 1, "\"num_ranks\""},
         {"num_ranks 0", 1, "0 ranks"},
         {"num_ranks 9999999999", 1, "262144"},
         {"num_ranks 1\nrank 1 {}", 2, "a rank, a whole number up to 0"},
         {"num_ranks 1\nrank 0 {}\nrank 0 {}", 3, "rank 0 again"},
         {two + "}\n", 3, "none for rank 1"},
         {two + "l1: calc\n}", 3, "nanoseconds"},
         {two + "l1: calc 5 nic 1\n}", 3, "\"cpu\" or the end of the line"},
         {two + "l1: calc 9223372036854776\n}", 3, "a whole number up to 9223372036854775"},
         {two + "l1: send 5b from 1\n}", 3, "expected \"to\", found \"from\""},
         {two + "l1: send 5 to 1\n}", 3, "expected \"b\""},
         {two + "l1: send 5b to 2\n}", 3, "a whole number up to 1"},
         {two + "recv 5b from -1\n}", 3, "-1 for any is not supported"},
         {two + "recv 5b from 1 tag -1\n}", 3, "-1 for any is not supported"},
         {two + "l1: calc 1\nl1: calc 2\n}", 4, "\"l1\" again"},
         {two + "l1: calc 1\nl2 requires l1\n}", 4, "found \"l2\""},
         {two + "l1: calc 1\nl1 before l1\n}", 4, "\":\", \"requires\" or \"irequires\""},
         {two + "l1: calc 1\n", 3, "the end of the file"},
         {two + "/* calc 1\n}", 4, "\"*/\""}});
}

TEST(PhaseCsv, RowsGoOneAfterAnother)
{
    TraceRecorder recorder;
    std::ifstream in(CORPUS + "csv/pipeline.csv");
    const TraceResult error = ReadPhaseCsv(in, "pipeline", recorder);
    ASSERT_FALSE(error) << error->ToString();
    EXPECT_EQ(recorder.count, 4U);
    ASSERT_EQ(recorder.groups.size(), 2U);
    EXPECT_EQ(recorder.groups[1].first, "dp 1");
    EXPECT_EQ(recorder.groups[1].second, (std::vector<uint32_t>{2, 3}));
    const std::vector<TraceNode>& zero = recorder.nodes[0];
    ASSERT_EQ(zero.size(), 5U);
    EXPECT_EQ(zero[0].duration, 1'250'500'000);
    EXPECT_EQ(zero[1].peer, 2U);
    EXPECT_EQ(zero[1].tag, 7U);
    EXPECT_EQ(zero[1].after, std::vector<uint64_t>{zero[0].id});
    EXPECT_EQ(zero[1].name, "pipeline");
    EXPECT_EQ(zero[2].collective, CollectiveKind::REDUCE_SCATTER);
    EXPECT_EQ(zero[3].stream, 1U);
    EXPECT_TRUE(zero[3].after.empty()) << "another stream";
    EXPECT_EQ(zero[3].root, 2U);
    EXPECT_EQ(zero[4].after, std::vector<uint64_t>{zero[2].id});
    EXPECT_EQ(recorder.nodes[2][1].duration, 2'000'000'001);
}

TEST(PhaseCsv, MakesAJob)
{
    JobPrograms job;
    const TraceResult error = ReadTraceJob({CORPUS + "csv/pipeline.csv"}, job);
    ASSERT_FALSE(error) << error->ToString();
    ASSERT_EQ(job.ranks.size(), 4U);
    std::set<std::string> names;
    for (const JobPrograms::Group& group : job.groups)
    {
        names.insert(group.name);
    }
    EXPECT_EQ(names, (std::set<std::string>{"dp 0", "dp 1", "all", "p2p 0-2", "p2p 1-3"}));
    for (const RankOperation& one : job.ranks[0].program->GetOperations())
    {
        if (one.kind == RankOperation::Kind::SEND)
        {
            EXPECT_EQ(job.groups[job.ranks[0].groups[one.group]].ranks,
                      (std::vector<uint32_t>{0, 2}));
            EXPECT_EQ(one.place, 1U);
        }
        if (one.IsExchange() && one.collective == CollectiveKind::BROADCAST)
        {
            EXPECT_EQ(one.place, 2U) << "rank 2 of all ranks";
        }
    }
    EXPECT_TRUE(JobPlayer(job).Play());
}

TEST(PhaseCsv, MistakesAreNamedWithTheirLine)
{
    const std::string head = "ranks,2\nrank,kind,collective,bytes,duration_us,peer\n";
    ExpectRefused(ReadPhaseCsv,
                  {{"", 1, "\"ranks,\" and how many"},
                   {"rank,kind\n", 1, "\"ranks,\" and how many"},
                   {"ranks,0\n", 1, "0 ranks"},
                   {"ranks,2\n", 1, "the names of columns"},
                   {"ranks,2\nrank,kin\n", 2, "duration_us"},
                   {"ranks,2\nrank,rank\n", 2, "each once"},
                   {"ranks,2\nrank,bytes\n", 2, "the columns rank and kind"},
                   {"ranks,2\ngroup,a,0 2\n", 2, "a rank, a whole number up to 1"},
                   {"ranks,2\ngroup,a,0 0\n", 2, "rank 0, which is in it"},
                   {"ranks,2\ngroup,a,0\ngroup,a,1 0\n", 3, "another of that name"},
                   {head + "0,compute,,,1\n", 3, "6 cells, found 5"},
                   {head + "2,compute,,,1,\n", 3, "rank, a whole number up to 1, found \"2\""},
                   {head + "0,compute,,,,\n", 3, "duration_us"},
                   {head + "0,compute,,9,1,\n", 3, "an empty cell in column bytes"},
                   {head + "0,think,,,1,\n", 3, "compute, collective, send or receive"},
                   {head + "0,send,,5,,\n", 3, "a number in column peer"},
                   {head + "0,collective,all-to-all-v,5,,\n", 3, "all-reduce"},
                   {head + "0,collective,all-reduce,,,\n", 3, "a number in column bytes"}});
}

#ifdef PHOTONIC_RAILS_HAS_NLOHMANN_JSON

TEST(GroupFile, BothForms)
{
    TraceRecorder byName;
    std::ifstream one(CORPUS + "groups/by-name.json");
    TraceResult error = ReadGroupFile(one, "one", byName);
    ASSERT_FALSE(error) << error->ToString();
    ASSERT_EQ(byName.groups.size(), 3U);
    EXPECT_EQ(byName.groups[1].first, "2");
    EXPECT_EQ(byName.groups[1].second, (std::vector<uint32_t>{2, 3}));
    TraceRecorder listed;
    std::ifstream other(CORPUS + "groups/process-groups.json");
    error = ReadGroupFile(other, "other", listed);
    ASSERT_FALSE(error) << error->ToString();
    ASSERT_EQ(listed.groups.size(), 3U);
    EXPECT_EQ(listed.groups[0].first, "0");
    EXPECT_TRUE(listed.groups[0].second.empty()) << "all ranks";
    EXPECT_EQ(listed.groups[1].second, (std::vector<uint32_t>{0, 2}));
    EXPECT_EQ(listed.groups[2].first, "1");
}

TEST(GroupFile, MistakesAreNamedWithTheirOffset)
{
    const std::vector<std::pair<std::string, std::string>> texts{
        {"", "JSON"},
        {"{\"1\": [0, 1}", "JSON"},
        {"7", "an object or an array"},
        {"{\"1\": 7}", "an array of ranks, found the number 7"},
        {"{\"1\": [0, -1]}", "a rank, found a negative number"},
        {"{\"1\": [0, 1.5]}", "a broken number"},
        {"{\"1\": [[0]]}", "found an array"},
        {"{\"1\": [262144]}", "a rank below 262144"},
        {"{\"1\": [3, 3]}", "rank 3, which is in it"},
        {"[[0]]", "found an array"},
        {"[{\"pg_name\": \"1\"}]", "\"pg_name\" and \"ranks\""},
        {"[{\"pg_name\": null, \"ranks\": []}]", "a name, found null"},
    };
    for (const auto& [text, words] : texts)
    {
        TraceCollection collection;
        const TraceResult error = Read(ReadGroupFile, text, collection);
        ASSERT_TRUE(error) << text;
        EXPECT_NE(error->ToString().find(words), std::string::npos) << error->ToString();
        ASSERT_TRUE(error->offset);
        EXPECT_LE(*error->offset, text.size() + 1);
    }
    TraceCollection collection;
    const TraceResult error = Read(ReadGroupFile, R"({"1": [0], "2": [true]})", collection);
    ASSERT_TRUE(error);
    EXPECT_EQ(*error->offset, 21U) << "behind true";
}

#endif

TEST(TraceReader, MissingFilesAndNamesWithoutAFormat)
{
    TraceCollection collection;
    EXPECT_NE(ReadTrace({"none.goal"}, collection)->ToString().find("can be opened"),
              std::string::npos);
    EXPECT_NE(ReadTrace({"none.%d.et"}, collection)->ToString().find("none.0.et"),
              std::string::npos);
    EXPECT_NE(ReadTrace({"job.dat"}, collection)->ToString().find(".goal"), std::string::npos);
    EXPECT_TRUE(ReadTrace({CORPUS + "goal"}, collection)) << "a folder";
    EXPECT_TRUE(ReadTrace({CORPUS + "goal/ring.goal", 2}, collection)) << "it has three ranks";
    EXPECT_EQ(collection.GetRanks(), 0U) << "nothing half done";
    EXPECT_FALSE(ReadTrace({CORPUS + "goal/ring.goal", 3}, collection));
    EXPECT_EQ(collection.GetRanks(), 3U);
}

TEST(TraceReader, MemoryDoesNotGrowWithTheFile)
{
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer keeps memory that was freed";
#endif
    // 32 MB in rows of a kilobyte; a reader that kept them would need as much
    const uint64_t rows = 32'768;
    const std::string row = "1,compute,1," + std::string(1011, 'x') + "\n";
    RepeatedText text("ranks,2\nrank,kind,duration_us,name\n", row, rows);
    std::istream in(&text);
    TraceCounter counter;
    const uint64_t before = GetPeakMemory();
    const TraceResult error = ReadPhaseCsv(in, "long", counter);
    ASSERT_FALSE(error) << error->ToString();
    EXPECT_EQ(counter.nodes, rows);
    EXPECT_EQ(counter.computing, int64_t(rows) * 1'000'000);
    EXPECT_LT(GetPeakMemory() - before, uint64_t{4} << 20);
}
