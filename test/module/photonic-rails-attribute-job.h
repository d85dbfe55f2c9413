/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ATTRIBUTE_JOB_H
#define PHOTONIC_RAILS_ATTRIBUTE_JOB_H

#include "ns3/application-container.h"
#include "ns3/node-container.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <memory>
#include <sstream>
#include <set>
#include <string>
#include <vector>

/**
 * @file
 * A job that uses all parts of the module, for tests of attributes.
 */

namespace ns3
{

class CollectiveJob;
class Object;
class Rail;
class RdmaClientApplication;
struct OperationRecord;
struct OpusControlPlane;

/**
 * Four servers of two GPUs on two rails, with a fabric in each server, a network of the hosts, and
 * on optical rails a control plane with a standby. Its own values are set as default values, so
 * that an attribute of a test is set in the same way, after them; helpers get no other value.
 */
class AttributeJob
{
  public:
    /** The switch in the middle of a rail. */
    enum Rails
    {
        OPTICAL,
        ELECTRICAL,
    };

    /** When an attribute is set. */
    enum class When
    {
        NOT_AT_ALL,
        BEFORE,    //!< as a default value, before anything is made
        INSTALLED, //!< on what is installed
        RUNNING,   //!< in the first picosecond of the run, after all have started
    };

    /** @param rails that it runs over */
    explicit AttributeJob(Rails rails);

    ~AttributeJob();

    /** Runs it with its own values. @return all observations of the run, as text */
    std::string Run();

    /**
     * Runs it.
     * @param attribute full name of one
     * @param value of it
     * @param when it is set
     * @return all observations of the run, as text
     */
    std::string Run(const std::string& attribute, const std::string& value, When when);

  private:
    /** Builds all of it. */
    void Build();

    /** A host that sends messages to another, on a rail of their own. */
    void AddClient();

    /** Two iterations: inside the server, to one other server, to another one, to any near one. */
    void SetPrograms();

    /** Finds all that may have attributes. */
    void Collect();

    /** Sets the attribute of a test, on all objects that have it. */
    void Set();

    void Ended(const OperationRecord& record);

    /** @return all observations */
    std::string Describe();

    Rails m_middle;
    NodeContainer m_gpus;
    std::vector<Rail> m_rails;
    std::unique_ptr<OpusControlPlane> m_plane; //!< none over electrical rails
    Ptr<CollectiveJob> m_collectives;
    ApplicationContainer m_applications;
    Ptr<RdmaClientApplication> m_client;
    std::vector<Ptr<Object>> m_objects;
    TypeId m_type;
    std::string m_name;
    std::string m_value;
    std::ostringstream m_seen;
    std::multiset<std::string> m_operations; //!< the lines of operations
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ATTRIBUTE_JOB_H */
