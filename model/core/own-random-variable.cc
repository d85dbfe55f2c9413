/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "own-random-variable.h"

#include "ns3/abort.h"
#include "ns3/object-factory.h"

#include <cmath>

namespace ns3
{

Ptr<RandomVariableStream>
OwnCopyOf(Ptr<RandomVariableStream> variable)
{
    if (DynamicCast<EmpiricalRandomVariable>(variable) ||
        DynamicCast<DeterministicRandomVariable>(variable))
    {
        return variable;
    }
    ObjectFactory factory;
    factory.SetTypeId(variable->GetInstanceTypeId());
    Ptr<RandomVariableStream> copy = factory.Create<RandomVariableStream>();
    for (TypeId tid = variable->GetInstanceTypeId(); tid != Object::GetTypeId();
         tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = tid.GetAttribute(i);
            // as a value of its own type: a string would round it
            const Ptr<AttributeValue> value = attribute.checker->Create();
            variable->GetAttribute(attribute.name, *value);
            copy->SetAttribute(attribute.name, *value);
        }
    }
    return copy;
}

void
FixStream(Ptr<RandomVariableStream>& variable, int64_t stream)
{
    if (variable)
    {
        variable = OwnCopyOf(variable);
        variable->SetStream(stream);
    }
}

Picoseconds
DrawPicoseconds(Ptr<RandomVariableStream> variable, const std::string& name)
{
    const double seconds = variable->GetValue();
    NS_ABORT_MSG_UNLESS(seconds >= 0 && seconds < 9e6,
                        name << " drew " << seconds
                             << " s; it must lie between 0 and 9,000,000 s: choose another random "
                                "variable");
    return std::llround(seconds * 1e12);
}

} // namespace ns3
