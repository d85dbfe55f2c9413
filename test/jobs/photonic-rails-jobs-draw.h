/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOBS_DRAW_H
#define PHOTONIC_RAILS_JOBS_DRAW_H

#include "../support/photonic-rails-training-bench.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

/**
 * @file
 * Random training jobs, small enough to have an event for each frame, in which several ranks do the
 * same at many instants.
 */

namespace ns3
{

/** The range of the jobs that are drawn. */
enum class DrawnRange : uint8_t
{
    WHOLE,       //!< all settings, up to 16 ranks
    ANY_PLAN,    //!< all axes, 4 to 64 ranks, servers of 1 to 8, no faults
    EQUAL_RAILS, //!< 4 to 32 ranks, tensor parallelism fills servers of 2 to 4, no faults
};

/** A training job drawn from a seed, and the faults of its management network. */
struct DrawnJob
{
    /** A job on demand, on a network without faults. */
    DrawnJob();

    /** @param drawn the seed that it is drawn from */
    explicit DrawnJob(uint64_t drawn, DrawnRange range = DrawnRange::WHOLE);

    uint64_t seed;
    TrainingCase job;
    uint32_t ports{2};
    Time latency{MicroSeconds(10)}; //!< of the management network
    double loss{0};                 //!< of its links
    bool standby{false};
    std::string granularity{"Group"};
    std::string speculation{"Prepare"};
    double jitter{0};
    uint64_t hosts{0}; //!< rate of the hosts' network, Gb/s; 0: there is none
    std::string protocol{"Simple"};
    Time start{0};   //!< start-up time of operations on each network
    Time step{0};    //!< time of a step on each network
    Time message{0}; //!< time of a message on each network
    bool stragglerAware{false};
    double slower{1};      //!< factor of the compute times of a rank
    uint32_t straggler{0}; //!< that rank
    uint32_t markFrom{0};  //!< bytes in a packet switch's queue, marks beyond are drawn; 0: by rate
    bool markEqually{false}; //!< whether the packet switches of all rails draw equally
    Time cutAt{0};           //!< a server is cut off; 0: none
    Time cutFor{0};
    uint32_t cutServer{0};

    /** @return whether messages are lost or a server is cut off, so that the job may fail */
    bool HasFaults() const;

    /** @return the job as text */
    std::string Describe() const;

  private:
    /** @return one of several, each as likely */
    template <typename T>
    T OneOf(const std::vector<T>& several)
    {
        return several[m_random() % several.size()];
    }

    /** @return whether an event occurs that has so many chances in a hundred */
    bool InHundred(uint32_t percent)
    {
        return m_random() % 100 < percent;
    }

    void DrawModel();

    void DrawPlan();

    void DrawLargePlan();

    /** Draws a plan whose rails do the same, most of the time. */
    void DrawEqualRails();

    /** Draws experts for a number of ranks that share them. */
    void DrawExperts(uint32_t ep);

    /** Draws servers and an order that put neighbours on different rails. */
    void DrawServers();

    void DrawRecipe();

    void DrawNetwork();

    void DrawRouter();
    /** Draws the network of the hosts. */
    void DrawHosts();
    /** Draws the instant at which sharded gradients are scattered. */
    void DrawScatter();

    /** Draws the times that the communication library takes. */
    void DrawLibrary();

    /** Draws a rank that computes longer, and ranks that learn it. */
    void DrawStraggler();

    /** Draws from which length of a queue on packet switches mark. */
    void DrawMarks();

    void Adjust(TrainingJobHelper& helper) const;

    std::mt19937_64 m_random;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOBS_DRAW_H */
