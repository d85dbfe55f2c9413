/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The steps of an animation, as the elements that they add to its file.

#include "animation-test-file.h"

#include "ns3/animation-scene.h"
#include "ns3/picosecond-resolution.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

const AnimationColour GREY{190, 190, 190};
const AnimationColour GREEN{0, 158, 115};

/** @return an instant */
Time
AtMicrosecond(int64_t microseconds)
{
    return ToTime(microseconds * 1'000'000);
}

} // namespace

/** A scene of two nodes with beams, and what is in its file. */
class AnimationSceneTest : public AnimationTestFile
{
  protected:
    AnimationSceneTest()
        : scene(std::make_unique<AnimationScene>(name))
    {
        const uint32_t panel = scene->AddPanel(AtMicrosecond(0), 20);
        one = scene->AddNode(panel, {-10, 0}, 2, GREY);
        other = scene->AddNode(panel, {10, 0}, 2, GREY);
        scene->AddBeam(one);
        scene->AddBeam(other);
    }

    /** @return the elements of the complete file with an attribute, in their order */
    std::vector<std::string> ElementsWith(const std::string& attribute)
    {
        scene->Finish();
        std::vector<std::string> found;
        std::istringstream text(Read());
        for (std::string line; std::getline(text, line);)
        {
            if (line.find(" " + attribute) != std::string::npos)
            {
                found.push_back(line);
            }
        }
        return found;
    }

    /** @return the value of an attribute of an element */
    static std::string Get(const std::string& element, const std::string& attribute)
    {
        std::smatch found;
        const std::regex value(" " + attribute + "=\"([^\"]*)\"");
        return std::regex_search(element, found, value) ? found[1].str() : "none";
    }

    /** @return the headline of an instant; "none": it has no step */
    std::string HeadlineAt(const std::string& seconds)
    {
        std::string headline = "none";
        for (const std::string& element : ElementsWith("t=\"" + seconds + "\""))
        {
            headline = Get(element, "p") == "d" ? Get(element, "descr") : headline;
        }
        return headline;
    }

    std::unique_ptr<AnimationScene> scene;
    uint32_t one{0};
    uint32_t other{0};
};

TEST_F(AnimationSceneTest, TheFirstStepIsThatFromZeroOn)
{
    scene->Paint(AtMicrosecond(0), one, GREEN);
    std::map<std::string, std::string> greens; // by node
    for (const std::string& element : ElementsWith("p=\"c\""))
    {
        EXPECT_EQ(Get(element, "t"), "0");
        EXPECT_TRUE(greens.emplace(Get(element, "id"), Get(element, "g")).second) << element;
    }
    EXPECT_EQ(greens[std::to_string(one)], "158") << "the last colour of the first instant";
    EXPECT_EQ(greens[std::to_string(other)], "190");
}

TEST_F(AnimationSceneTest, NodesAreNumberedWithoutAGapAndComeBeforeTheirLinks)
{
    const auto elements = ElementsWith("");
    std::map<uint32_t, int> nodes;
    std::size_t links = 0;
    for (const std::string& element : elements)
    {
        if (element.rfind("<node ", 0) == 0)
        {
            ++nodes[std::stoul(Get(element, "id"))];
        }
        else if (element.rfind("<link ", 0) == 0)
        {
            ++links;
            EXPECT_EQ(nodes.count(std::stoul(Get(element, "fromId"))), 1u) << element;
            EXPECT_EQ(nodes.count(std::stoul(Get(element, "toId"))), 1u) << element;
        }
    }
    EXPECT_EQ(links, 2u * 4) << "a beam has four";
    EXPECT_EQ(nodes.size(), 2u + 2 * 2 + 1) << "nodes, two ends of each beam, and the headline";
    EXPECT_EQ(nodes.rbegin()->first, nodes.size() - 1);
    for (const auto& [node, times] : nodes)
    {
        EXPECT_EQ(times, 1) << node;
    }
}

TEST_F(AnimationSceneTest, ABeamHasItsEndsAtTheTarget)
{
    scene->Aim(AtMicrosecond(5), one, other);
    scene->Aim(AtMicrosecond(9), one, one);
    const auto moves = ElementsWith("p=\"p\"");
    std::map<std::string, std::vector<std::pair<std::string, std::string>>> places; // by node
    for (const std::string& element : moves)
    {
        places[Get(element, "id")].emplace_back(Get(element, "t"), Get(element, "x"));
    }
    // the middle of the panel is at its radius, and a share of texts: the nodes are 20 apart
    const std::string left = places[std::to_string(one)].front().second;
    const std::string right = places[std::to_string(other)].front().second;
    EXPECT_DOUBLE_EQ(std::stod(right) - std::stod(left), 20);
    uint32_t ends = 0;
    for (const auto& [node, all] : places)
    {
        if (all.size() == 3) // it moves
        {
            ++ends;
            EXPECT_EQ(all[0], std::make_pair(std::string("0"), left));
            EXPECT_EQ(all[1], std::make_pair(std::string("0.000005"), right));
            EXPECT_EQ(all[2], std::make_pair(std::string("0.000009"), left));
        }
        else
        {
            EXPECT_EQ(all.size(), 1u) << "node " << node << " stays";
        }
    }
    EXPECT_EQ(ends, 2u);
}

TEST_F(AnimationSceneTest, OnlyTheLastOfChangesOfAnInstantCounts)
{
    scene->Paint(AtMicrosecond(5), one, GREEN);
    scene->Aim(AtMicrosecond(5), one, other);
    scene->Aim(AtMicrosecond(5), one, one);
    scene->Paint(AtMicrosecond(5), one, {1, 2, 3});
    const auto changes = ElementsWith("t=\"0.000005\"");
    ASSERT_EQ(changes.size(), 2u);
    EXPECT_EQ(Get(changes[0], "p"), "c");
    EXPECT_EQ(Get(changes[0], "r"), "1");
    EXPECT_EQ(Get(changes[1], "descr"), "5 us");
}

TEST_F(AnimationSceneTest, TheHeadlineHasTheNotesOfItsInstant)
{
    scene->Note(AtMicrosecond(0), "it begins");
    scene->Note(AtMicrosecond(5), "plan 1 begins");
    scene->Note(AtMicrosecond(5), "circuit 0-1 goes dark");
    scene->Paint(AtMicrosecond(7), one, GREEN);
    EXPECT_EQ(HeadlineAt("0"), "0 us&#10;it begins");
    EXPECT_EQ(HeadlineAt("0.000005"), "5 us&#10;plan 1 begins&#10;circuit 0-1 goes dark");
    EXPECT_EQ(HeadlineAt("0.000007"), "7 us") << "without a note";
}

TEST_F(AnimationSceneTest, NotesAreCountedBeyondALimit)
{
    std::string expected = "5 us";
    const std::size_t notes = AnimationScene::MOST_NOTES + 3;
    for (std::size_t note = 0; note < notes; ++note)
    {
        scene->Note(AtMicrosecond(5), "note " + std::to_string(note));
        expected += note < AnimationScene::MOST_NOTES ? "&#10;note " + std::to_string(note) : "";
    }
    EXPECT_EQ(HeadlineAt("0.000005"), expected + "&#10;and 3 more");
}

TEST_F(AnimationSceneTest, ALongNoteIsCut)
{
    scene->Note(AtMicrosecond(5), std::string(100, 'x'));
    EXPECT_EQ(HeadlineAt("0.000005"),
              "5 us&#10;" + std::string(AnimationScene::LONGEST_NOTE - 3, 'x') + "...");
}

TEST_F(AnimationSceneTest, KeysOfOneTextAreInTheLegendOnce)
{
    scene->AddKey(GREEN, "light");
    scene->AddKey(GREY, "none");
    scene->AddKey(GREEN, "light");
    EXPECT_EQ(ElementsWith("descr=\"light\"").size(), 1u);
    EXPECT_EQ(ElementsWith("descr=\"none\"").size(), 1u);
}

TEST_F(AnimationSceneTest, CountersHaveOneNumberForOneName)
{
    const uint32_t circuits = scene->AddCounter("circuits");
    EXPECT_NE(scene->AddCounter("operations"), circuits);
    EXPECT_EQ(scene->AddCounter("circuits"), circuits);
    scene->Count(AtMicrosecond(0), circuits, one, 2);
    scene->Count(AtMicrosecond(5), circuits, one, 1);
    scene->Count(AtMicrosecond(5), circuits, one, 3);
    const auto counts = ElementsWith("v=");
    ASSERT_EQ(counts.size(), 2u);
    EXPECT_EQ(Get(counts[0], "t") + ": " + Get(counts[0], "v"), "0: 2");
    EXPECT_EQ(Get(counts[1], "t") + ": " + Get(counts[1], "v"), "0.000005: 3");
}

TEST_F(AnimationSceneTest, AStepIsInTheFileWhenTheNextOneBegins)
{
    scene->Note(AtMicrosecond(5), "first");
    scene->Note(AtMicrosecond(6), "second");
    const std::string text = ReadPart();
    EXPECT_NE(text.find("first"), std::string::npos);
    EXPECT_EQ(text.find("second"), std::string::npos);
    EXPECT_EQ(text.substr(text.size() - 8), "</anim>\n") << "it is whole";
}

TEST_F(AnimationSceneTest, ALaterBeginIsInTheHeadline)
{
    scene->Finish();
    scene = std::make_unique<AnimationScene>(name);
    const uint32_t panel = scene->AddPanel(AtMicrosecond(4), 20);
    const uint32_t node = scene->AddNode(panel, {0, 0}, 1, GREY);
    scene->Paint(AtMicrosecond(6), node, GREEN);
    EXPECT_EQ(HeadlineAt("0"), "from 4 us on");
    EXPECT_EQ(HeadlineAt("0.000006"), "6 us");
}

TEST_F(AnimationSceneTest, NothingIsAddedAfterTheEnd)
{
    scene->Finish();
    const std::string text = Read();
    scene->Note(AtMicrosecond(5), "late");
    scene->Paint(AtMicrosecond(5), one, GREEN);
    scene->Finish();
    EXPECT_EQ(Read(), text);
}

TEST(AnimationSceneDeathTest, MistakesAreNamed)
{
    // a device: a child that ends by an error completes its file
    AnimationScene scene("/dev/null");
    const uint32_t panel = scene.AddPanel(AtMicrosecond(0), 20);
    const uint32_t node = scene.AddNode(panel, {0, 0}, 2, GREY);
    EXPECT_DEATH(scene.AddNode(panel + 1, {0, 0}, 2, GREY), "no panel 1 of 1");
    scene.Note(AtMicrosecond(5), "it begins");
    EXPECT_DEATH(scene.AddPanel(AtMicrosecond(6), 3),
                 "a panel is added at 6 us.*before the simulation");
    EXPECT_DEATH(scene.Note(AtMicrosecond(4), "late"), "a change at 4 us comes after one at 5 us");
    EXPECT_DEATH(scene.Paint(AtMicrosecond(5), 100, GREEN), "no node 100 of");
    EXPECT_DEATH(scene.Aim(AtMicrosecond(5), node, node), "node 0 has no beam");
}
