/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "attribute-check.h"

#include "ns3/abort.h"
#include "ns3/known-names.h"
#include "ns3/object.h"
#include "ns3/string.h"

#include <vector>

namespace ns3
{

namespace
{

/** @return the names of a type's attributes */
std::vector<std::string>
AttributesOf(TypeId type)
{
    std::vector<std::string> names;
    for (; type != Object::GetTypeId() && type != type.GetParent(); type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            names.push_back(type.GetAttribute(i).name);
        }
    }
    return names;
}

/** @return false if a text is to become an object, and is not the name of a type of objects */
bool
NamesAType(const AttributeValue& value, const TypeId::AttributeInformation& information)
{
    const auto* text = dynamic_cast<const StringValue*>(&value);
    TypeId type;
    return text == nullptr || information.checker->GetValueTypeName() != "ns3::PointerValue" ||
           TypeId::LookupByNameFailSafe(text->Get().substr(0, text->Get().find('[')), &type);
}

/** @return what an attribute takes, with its limits */
std::string
KindOf(const AttributeChecker& checker)
{
    if (checker.GetValueTypeName() == "ns3::PointerValue")
    {
        return "an object, such as ns3::ConstantRandomVariable[Constant=0.025]";
    }
    return "a " + checker.GetValueTypeName() +
           (checker.HasUnderlyingTypeInformation()
                ? " (" + checker.GetUnderlyingTypeInformation() + ")"
                : "");
}

} // namespace

void
RequireAttribute(TypeId type, const std::string& name, const AttributeValue& value)
{
    TypeId::AttributeInformation information;
    if (!type.LookupAttributeByName(name, &information))
    {
        NS_ABORT_MSG(type.GetName() << ": " << name << ": "
                                    << FindKnownName(name, AttributesOf(type), "attribute").why);
    }
    NS_ABORT_MSG_UNLESS(NamesAType(value, information) &&
                            information.checker->CreateValidValue(value),
                        type.GetName() << "::" << name << " does not take the value "
                                       << value.SerializeToString(information.checker) << "; give "
                                       << KindOf(*information.checker) << ": " << information.help);
}

} // namespace ns3
