/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "random-variable-mean.h"

#include "ns3/double.h"
#include "ns3/integer.h"

#include <cmath>
#include <string>

namespace ns3
{

namespace
{

/** @return a real attribute of a variable */
double
Get(Ptr<RandomVariableStream> variable, const std::string& name)
{
    DoubleValue value;
    variable->GetAttribute(name, value);
    return value.Get();
}

} // namespace

std::optional<double>
FindMean(Ptr<RandomVariableStream> variable)
{
    const std::string type = variable->GetInstanceTypeId().GetName();
    if (type == "ns3::ConstantRandomVariable")
    {
        return Get(variable, "Constant");
    }
    if (type == "ns3::UniformRandomVariable")
    {
        return (Get(variable, "Min") + Get(variable, "Max")) / 2;
    }
    if (type == "ns3::ExponentialRandomVariable" || type == "ns3::NormalRandomVariable" ||
        type == "ns3::TriangularRandomVariable")
    {
        return Get(variable, "Mean");
    }
    if (type == "ns3::LogNormalRandomVariable")
    {
        const double sigma = Get(variable, "Sigma");
        return std::exp(Get(variable, "Mu") + sigma * sigma / 2);
    }
    if (type == "ns3::WeibullRandomVariable")
    {
        return Get(variable, "Scale") * std::tgamma(1 + 1 / Get(variable, "Shape"));
    }
    if (type == "ns3::GammaRandomVariable")
    {
        return Get(variable, "Alpha") * Get(variable, "Beta");
    }
    if (type == "ns3::ErlangRandomVariable")
    {
        IntegerValue k;
        variable->GetAttribute("K", k);
        return k.Get() * Get(variable, "Lambda");
    }
    return std::nullopt;
}

} // namespace ns3
