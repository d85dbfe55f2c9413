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

/** @return whether a text would become an object, which takes streams of random numbers */
bool
MakesAnObject(const AttributeValue& value, const AttributeChecker& checker)
{
    return dynamic_cast<const StringValue*>(&value) &&
           checker.GetValueTypeName() == "ns3::PointerValue";
}

/** @return whether an object's text begins with the name of a type */
bool
NamesAType(const AttributeValue& value)
{
    const std::string text = dynamic_cast<const StringValue&>(value).Get();
    TypeId type;
    return TypeId::LookupByNameFailSafe(text.substr(0, text.find('[')), &type);
}

/** @return the valid values of an attribute, with its limits */
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

/** Aborts with the valid values of an attribute. */
void
RequireTaken(bool isTaken,
             TypeId type,
             const TypeId::AttributeInformation& attribute,
             const AttributeValue& value)
{
    NS_ABORT_MSG_UNLESS(isTaken,
                        type.GetName() << "::" << attribute.name << " does not take the value "
                                       << value.SerializeToString(attribute.checker) << "; give "
                                       << KindOf(*attribute.checker) << ": " << attribute.help);
}

/** @return an attribute; aborts if it does not exist */
TypeId::AttributeInformation
FindAttribute(TypeId type, const std::string& name)
{
    TypeId::AttributeInformation attribute;
    NS_ABORT_MSG_UNLESS(type.LookupAttributeByName(name, &attribute),
                        type.GetName() << ": " << name << ": "
                                       << FindKnownName(name, AttributesOf(type), "attribute").why);
    return attribute;
}

} // namespace

void
RequireAttribute(TypeId type, const std::string& name, const AttributeValue& value)
{
    const TypeId::AttributeInformation attribute = FindAttribute(type, name);
    RequireTaken(MakesAnObject(value, *attribute.checker)
                     ? NamesAType(value)
                     : attribute.checker->CreateValidValue(value) != nullptr,
                 type,
                 attribute,
                 value);
}

void
SetCheckedAttribute(Ptr<Object> object, const std::string& name, const AttributeValue& value)
{
    const TypeId type = object->GetInstanceTypeId();
    const TypeId::AttributeInformation attribute = FindAttribute(type, name);
    RequireTaken((!MakesAnObject(value, *attribute.checker) || NamesAType(value)) &&
                     object->SetAttributeFailSafe(name, value),
                 type,
                 attribute,
                 value);
}

} // namespace ns3
