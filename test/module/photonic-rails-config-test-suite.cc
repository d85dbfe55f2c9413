/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Attributes by default value, Config path and ConfigStore.

#include "../support/photonic-rails-host-bench.h"

#include "ns3/config-store.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <string>

using namespace ns3;

namespace
{

/**
 * The classes that a script configures, and the Config paths of the objects that a helper built.
 */
const std::vector<std::pair<std::string, std::string>> CLASSES{
    {"ns3::OpticalCircuitSwitch", "/NodeList/*/$ns3::OpticalCircuitSwitch/"},
    {"ns3::OpticalSwitchPort", "/NodeList/*/DeviceList/*/$ns3::OpticalSwitchPort/"},
    {"ns3::OpticalFiber", "/ChannelList/*/$ns3::OpticalFiber/"},
    {"ns3::FiberPort", "/NodeList/*/DeviceList/*/$ns3::FiberPort/"},
    {"ns3::RailNetDevice", "/NodeList/*/DeviceList/*/$ns3::RailNetDevice/"},
};

constexpr const char* CONSTANT = "ns3::ConstantRandomVariable[Constant=0.25]";
constexpr const char* READ_ONLY = "";

/** For each attribute a legal value that is not its default. A new attribute needs a row here. */
const std::map<std::string, std::string> OTHER_VALUES{
    {"ns3::OpticalCircuitSwitch::Technology", "mems"},
    {"ns3::OpticalCircuitSwitch::Radix", "64"},
    {"ns3::OpticalCircuitSwitch::ReconfigurationTime", CONSTANT},
    {"ns3::OpticalCircuitSwitch::PropagationDelay", "7ns"},
    {"ns3::OpticalCircuitSwitch::Granularity", "WholeSwitch"},
    {"ns3::OpticalCircuitSwitch::WhenReconfiguring", "Refuse"},
    {"ns3::OpticalCircuitSwitch::Latching", "false"},
    {"ns3::OpticalCircuitSwitch::Fabric", "ns3::BenesFabric[]"},
    {"ns3::OpticalCircuitSwitch::Rearrange", "true"},
    {"ns3::OpticalFiber::Delay", "3us"},
    {"ns3::OpticalFiber::FrameLossRate", "0.5"},
    {"ns3::RailNetDevice::DataRate", "25Gbps"},
    {"ns3::RailNetDevice::Mtu", "1500"},
    {"ns3::RailNetDevice::LinkUpTime", CONSTANT},
    {"ns3::RailNetDevice::ProcessingTime", CONSTANT},
    {"ns3::RailNetDevice::NoCarrierAction", "Drop"},
    {"ns3::RailNetDevice::NotifyStack", "true"},
    {"ns3::RailNetDevice::LaunchPower", "7"},
    {"ns3::RailNetDevice::ReceiverSensitivity", "-20"},
    {"ns3::RailNetDevice::QueueSize", "7p"},
    {"ns3::RailNetDevice::QueueList", READ_ONLY},
};

/** An attribute of one of the classes, and its other value. */
struct Attribute
{
    std::string path; //!< of the objects that have it, where a helper built them
    TypeId tid;
    TypeId::AttributeInformation info;
    std::string fullName;
    std::string other;

    bool IsPointer() const
    {
        return DynamicCast<const PointerChecker>(info.checker) != nullptr;
    }

    /** @return whether an object has the other value */
    bool HasOtherValue(Ptr<Object> object) const
    {
        if (IsPointer())
        {
            PointerValue pointer;
            DoubleValue constant;
            object->GetAttribute(info.name, pointer);
            Ptr<ConstantRandomVariable> variable = pointer.Get<ConstantRandomVariable>();
            return variable && variable->GetAttributeFailSafe("Constant", constant) &&
                   constant.Get() == 0.25;
        }
        // both as text, as this release of ns-3 writes such a value
        StringValue is;
        const bool readable = object->GetAttributeFailSafe(info.name, is);
        return readable && is.Get() == info.checker->CreateValidValue(StringValue(other))
                                           ->SerializeToString(info.checker);
    }
};

/** A test that needs the attributes of all classes. */
class AttributesTest : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /** @return all attributes that can be set */
    std::vector<Attribute> Settable()
    {
        std::vector<Attribute> all;
        for (const auto& [type, path] : CLASSES)
        {
            const TypeId tid = TypeId::LookupByName(type);
            for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
            {
                const std::string name = tid.GetAttributeFullName(i);
                const auto row = OTHER_VALUES.find(name);
                if (row == OTHER_VALUES.end())
                {
                    NS_TEST_EXPECT_MSG_EQ(name, "", "an attribute that is not in OTHER_VALUES");
                    continue;
                }
                const Attribute attribute{path, tid, tid.GetAttribute(i), name, row->second};
                const bool settable = attribute.info.accessor->HasSetter();
                NS_TEST_EXPECT_MSG_EQ(settable, !row->second.empty(), name);
                if (settable)
                {
                    all.push_back(attribute);
                }
            }
        }
        return all;
    }

    /** @return how many objects on a path have the other value, or -1 if not all of them have */
    static int32_t CountOther(const Attribute& attribute)
    {
        const auto found = Config::LookupMatches(attribute.path);
        for (std::size_t i = 0; i < found.GetN(); ++i)
        {
            if (!attribute.HasOtherValue(found.Get(i)))
            {
                return -1;
            }
        }
        return found.GetN();
    }
};

/** Default values. */
class DefaultValueTest : public AttributesTest
{
  public:
    DefaultValueTest()
        : AttributesTest("every attribute follows Config::SetDefault()")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        for (const Attribute& attribute : Settable())
        {
            ObjectFactory factory;
            factory.SetTypeId(attribute.tid);
            const bool before = attribute.HasOtherValue(factory.Create<Object>());
            NS_TEST_EXPECT_MSG_EQ(before, false, attribute.fullName << ": the default");
            Config::SetDefault(attribute.fullName, StringValue(attribute.other));
            const bool after = attribute.HasOtherValue(factory.Create<Object>());
            NS_TEST_EXPECT_MSG_EQ(after, true, attribute.fullName << ": what was set");
        }
    }
};

/**
 * An object that a helper builds has the default values that a script set, unless the helper has a
 * value.
 */
class HelperDefaultValueTest : public AttributesTest
{
  public:
    HelperDefaultValueTest()
        : AttributesTest("what a helper builds follows Config::SetDefault() in every attribute")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        const std::vector<Attribute> attributes = Settable();
        for (const Attribute& attribute : attributes)
        {
            Config::SetDefault(attribute.fullName, StringValue(attribute.other));
        }
        PhotonicRailHelper().Install(NodeContainer(2));
        for (const Attribute& attribute : attributes)
        {
            NS_TEST_EXPECT_MSG_GT(CountOther(attribute), 0, attribute.fullName);
        }
    }
};

/** Config paths. */
class PathTest : public AttributesTest
{
  public:
    PathTest()
        : AttributesTest("every attribute can be set by a Config path")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        PhotonicRailHelper().Install(NodeContainer(3));
        for (const Attribute& attribute : Settable())
        {
            NS_TEST_EXPECT_MSG_LT(CountOther(attribute), 0, attribute.fullName << ": before");
            Config::Set(attribute.path + attribute.info.name, StringValue(attribute.other));
            const int32_t expected = attribute.tid.GetName() == "ns3::OpticalCircuitSwitch" ? 1 : 3;
            NS_TEST_EXPECT_MSG_EQ(CountOther(attribute), expected, attribute.fullName);
        }
    }
};

/** Files of default values and of attributes. */
class ConfigStoreTest : public AttributesTest
{
  public:
    ConfigStoreTest()
        : AttributesTest("ConfigStore saves and loads default values and attributes")
    {
    }

  private:
    void DoRun() override
    {
        CheckDefaults(CreateTempDirFilename("defaults.txt"));
        CheckAttributes(CreateTempDirFilename("attributes.txt"));
    }

    /** Saves or loads; a ConfigStore reads its own attributes only when it is made. */
    static void Use(const std::string& mode, const std::string& file, bool defaults)
    {
        Config::SetDefault("ns3::ConfigStore::Mode", StringValue(mode));
        Config::SetDefault("ns3::ConfigStore::FileFormat", StringValue("RawText"));
        Config::SetDefault("ns3::ConfigStore::Filename", StringValue(file));
        ConfigStore store;
        defaults ? store.ConfigureDefaults() : store.ConfigureAttributes();
    }

    void CheckDefaults(const std::string& file)
    {
        const HostBench::Case self;
        const std::vector<Attribute> attributes = Settable();
        for (const Attribute& attribute : attributes)
        {
            Config::SetDefault(attribute.fullName, StringValue(attribute.other));
        }
        Use("Save", file, true);
        Config::Reset();
        Use("Load", file, true);
        for (const Attribute& attribute : attributes)
        {
            if (attribute.IsPointer())
            {
                continue; // a default value that is an object is nothing that ConfigStore saves
            }
            ObjectFactory factory;
            factory.SetTypeId(attribute.tid);
            NS_TEST_EXPECT_MSG_EQ(attribute.HasOtherValue(factory.Create<Object>()),
                                  true,
                                  attribute.fullName << ": the default value");
        }
    }

    void CheckAttributes(const std::string& file)
    {
        const HostBench::Case self;
        PhotonicRailHelper().Install(NodeContainer(2));
        const std::vector<Attribute> attributes = Settable();
        for (const Attribute& attribute : attributes)
        {
            Config::Set(attribute.path + attribute.info.name, StringValue(attribute.other));
        }
        Use("Save", file, false);
        for (const Attribute& attribute : attributes)
        {
            if (attribute.IsPointer())
            {
                // ConfigStore looks into an object, but does not make one
                Config::Set(attribute.path + attribute.info.name + "/Constant", DoubleValue(1));
            }
            else
            {
                Config::Set(attribute.path + attribute.info.name,
                            *attribute.info.originalInitialValue);
            }
            NS_TEST_EXPECT_MSG_LT(CountOther(attribute), 0, attribute.fullName << ": changed");
        }
        Use("Load", file, false);
        for (const Attribute& attribute : attributes)
        {
            NS_TEST_EXPECT_MSG_GT(CountOther(attribute), 0, attribute.fullName << ": loaded");
        }
    }
};

/** Help. */
class HelpTest : public TestCase
{
  public:
    HelpTest()
        : TestCase("every attribute and trace source has help")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& [type, path] : CLASSES)
        {
            const TypeId tid = TypeId::LookupByName(type);
            NS_TEST_EXPECT_MSG_EQ(tid.GetGroupName(), "PhotonicRails", type);
            for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
            {
                const auto attribute = tid.GetAttribute(i);
                NS_TEST_EXPECT_MSG_NE(attribute.help, "", type << "::" << attribute.name);
            }
            for (std::size_t i = 0; i < tid.GetTraceSourceN(); ++i)
            {
                const auto trace = tid.GetTraceSource(i);
                NS_TEST_EXPECT_MSG_NE(trace.help, "", type << "::" << trace.name);
                NS_TEST_EXPECT_MSG_EQ(trace.callback.substr(0, 5),
                                      "ns3::",
                                      "a signature to look up");
            }
        }
    }
};

/** The suite. */
class ConfigTestSuite : public TestSuite
{
  public:
    ConfigTestSuite()
        : TestSuite("photonic-rails-config", TestSuite::Type::UNIT)
    {
        AddTestCase(new HelpTest);
        AddTestCase(new PathTest);
        AddTestCase(new DefaultValueTest);
        AddTestCase(new HelperDefaultValueTest);
        AddTestCase(new ConfigStoreTest);
    }
};

ConfigTestSuite g_configTestSuite;

} // namespace
