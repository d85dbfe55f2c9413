/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Pictures of a switch have its circuits at the instant at which they are made.

#include "ns3/circuit-plan.h"
#include "ns3/node-container.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/switch-picture.h"
#include "ns3/test.h"

#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** The circuits of a picture, and whether they carry light. */
std::map<std::pair<std::size_t, std::size_t>, bool>
ListCircuits(const CircuitMapPicture& picture)
{
    std::map<std::pair<std::size_t, std::size_t>, bool> circuits;
    for (const auto& circuit : picture.circuits)
    {
        circuits[{circuit.from, circuit.to}] = circuit.isUp;
    }
    return circuits;
}

/** Two hosts of two ports: circuits 0-2 and 1-3, of which the second is replaced by 1-0. */
class ReconfigurationPictureTest : public TestCase
{
  public:
    ReconfigurationPictureTest()
        : TestCase("a picture has the circuits of its instant, lit or not, and the hosts")
    {
    }

  private:
    void Take()
    {
        m_pictures.push_back(MakeCircuitMap(m_rail, "server"));
    }

    void DoRun() override
    {
        UsePicoseconds();
        PhotonicRailHelper rails;
        rails.SetPorts(2, DataRate("100Gbps"));
        rails.SetReconfigurationTime(MicroSeconds(25));
        m_rail = rails.Install(NodeContainer(2));
        const Ptr<OpticalCircuitSwitch> middle = m_rail.GetOpticalSwitch();
        middle->Connect(PortId(0), PortId(2));
        middle->SetFault(PortId(3), PortFault::STUCK_DARK);
        middle->Connect(PortId(1), PortId(3));
        const CircuitPlan plan = CircuitPlan().Disconnect(PortId(0), PortId(2));
        PhotonicRailHelper::ScheduleApply(m_rail, MicroSeconds(50), plan);
        PhotonicRailHelper::ScheduleApply(
            m_rail,
            MicroSeconds(60),
            CircuitPlan().Disconnect(PortId(1), PortId(3)).Connect(PortId(0), PortId(1)));
        for (const int microseconds : {10, 55, 70, 90})
        {
            Simulator::Schedule(MicroSeconds(microseconds),
                                &ReconfigurationPictureTest::Take,
                                this);
        }
        Simulator::Run();

        NS_TEST_ASSERT_MSG_EQ(m_pictures.size(), 4, "four instants");
        using Circuits = std::map<std::pair<std::size_t, std::size_t>, bool>;
        const std::vector<Circuits> expected{{{{0, 2}, true}, {{1, 3}, false}},
                                             {{{1, 3}, false}},
                                             {{{0, 1}, false}},
                                             {{{0, 1}, true}}};
        const std::vector<std::string> instants{"10 us", "55 us", "70 us", "90 us"};
        for (std::size_t p = 0; p < m_pictures.size(); ++p)
        {
            NS_TEST_EXPECT_MSG_EQ((ListCircuits(m_pictures[p]) == expected[p]),
                                  true,
                                  "circuits at " << instants[p]);
            NS_TEST_EXPECT_MSG_EQ(m_pictures[p].title,
                                  "Circuits of rail 0 at " + instants[p],
                                  "the title has the instant");
        }
        const std::vector<std::string> hosts{"server 0", "server 0", "server 1", "server 1"};
        for (std::size_t port = 0; port < 4; ++port)
        {
            NS_TEST_EXPECT_MSG_EQ(m_pictures[0].ports.at(port).host, hosts[port], "the host");
            NS_TEST_EXPECT_MSG_EQ(m_pictures[0].ports.at(port).name,
                                  std::to_string(port),
                                  "the port");
        }
        std::ostringstream file;
        WriteCircuitMap(file, *middle);
        NS_TEST_EXPECT_MSG_NE(file.str().find("data-circuit=\"0-1\" data-light=\"up\""),
                              std::string::npos,
                              "a script writes the circuits of a switch as they are");
        m_rail = Rail();
        Simulator::Destroy();
    }

    Rail m_rail;
    std::vector<CircuitMapPicture> m_pictures;
};

/** The suite. */
class SwitchPictureTestSuite : public TestSuite
{
  public:
    SwitchPictureTestSuite()
        : TestSuite("photonic-rails-switch-picture", TestSuite::Type::UNIT)
    {
        AddTestCase(new ReconfigurationPictureTest);
    }
};

static SwitchPictureTestSuite g_switchPictureTestSuite;

} // namespace
