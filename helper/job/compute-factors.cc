/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "compute-factors.h"

#include "measured-noise.h"

#include "ns3/abort.h"
#include "ns3/collective-application.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

namespace ns3
{

void
ComputeFactors::SetJitter(const std::string& variable)
{
    m_jitter = variable;
}

void
ComputeFactors::SetMeasuredNoise()
{
    m_isMeasured = true;
}

bool
ComputeFactors::AreMeasured() const
{
    return m_isMeasured;
}

void
ComputeFactors::AddStraggler(uint32_t rank, double factor)
{
    m_stragglers[rank] = factor;
}

void
ComputeFactors::Apply(const ApplicationContainer& applications, uint32_t gpusPerServer) const
{
    for (uint32_t rank = 0; rank < applications.GetN() && (m_isMeasured || !m_jitter.empty());
         ++rank)
    {
        const std::string factor = m_isMeasured
                                       ? MeasuredNoise::MakeComputeFactor(
                                             MeasuredNoise::DrawGpuFactor(rank, gpusPerServer))
                                       : m_jitter;
        applications.Get(rank)->SetAttribute("ComputeFactor", StringValue(factor));
    }
    for (const auto& [rank, factor] : m_stragglers)
    {
        NS_ABORT_MSG_UNLESS(rank < applications.GetN(),
                            "TrainingJobHelper: rank "
                                << rank << " is to be a straggler, and there are "
                                << applications.GetN() << ", counted from 0");
        const Ptr<ConstantRandomVariable> constant = CreateObject<ConstantRandomVariable>();
        constant->SetAttribute("Constant", DoubleValue(factor));
        applications.Get(rank)->SetAttribute("ComputeFactor", PointerValue(constant));
    }
    // Automatic streams depend on other objects and on earlier runs: policies and delays would not
    // be comparable.
    for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
    {
        DynamicCast<CollectiveApplication>(applications.Get(rank))->AssignComputeStream(rank);
    }
}

} // namespace ns3
