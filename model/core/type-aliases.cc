/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "type-aliases.h"

#include "bracketed-text.h"

#include "ns3/abort.h"
#include "ns3/object.h"
#include "ns3/string.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

using Aliases = const TypeAliases& (*)();

/** @return the name of the type that a text begins with */
std::string
GetTypeName(const std::string& text)
{
    return text.substr(0, text.find('['));
}

/** @return the names of a type's attributes */
std::vector<std::string>
GetAttributeNames(TypeId type)
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

/** @return whether a text has several attributes with commas between instead of bars */
bool
HasAttributeAfterComma(const std::string& text)
{
    const std::vector<std::string> parts = SplitOutsideBrackets(text, ',');
    return std::any_of(parts.begin() + 1, parts.end(), [](const std::string& part) {
        return part.find('=') != std::string::npos;
    });
}

/** A factory that is parsed by TypeAliases. */
class TypeAliasValue : public ObjectFactoryValue
{
  public:
    explicit TypeAliasValue(Aliases aliases)
        : m_aliases(aliases)
    {
    }

    Ptr<AttributeValue> Copy() const override
    {
        return ns3::Create<TypeAliasValue>(*this);
    }

    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override
    {
        const std::string text = ObjectFactoryValue::SerializeToString(checker);
        const TypeId type = Get().GetTypeId();
        return text == type.GetName() + "[]" ? m_aliases().GetNameOf(type) : text;
    }

    bool DeserializeFromString(std::string text, Ptr<const AttributeChecker>) override
    {
        Set(m_aliases().MakeFactory(text));
        return true;
    }

  private:
    Aliases m_aliases;
};

/** The checker: the factory makes objects of the wanted type. */
class TypeAliasChecker : public AttributeChecker
{
  public:
    explicit TypeAliasChecker(Aliases aliases)
        : m_aliases(aliases)
    {
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto* factory = dynamic_cast<const ObjectFactoryValue*>(&value);
        return factory != nullptr && m_aliases().IsKnown(factory->Get().GetTypeId());
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::ObjectFactoryValue";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return JoinNames(m_aliases().GetNames()) + ", or a type that derives from " +
               m_aliases().GetBase().GetName();
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<TypeAliasValue>(m_aliases);
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        const auto* from = dynamic_cast<const ObjectFactoryValue*>(&source);
        auto* to = dynamic_cast<ObjectFactoryValue*>(&destination);
        if (from == nullptr || to == nullptr)
        {
            return false;
        }
        to->Set(from->Get());
        return true;
    }

  private:
    Aliases m_aliases;
};

} // namespace

TypeAliases::TypeAliases(const std::string& noun, TypeId base, std::vector<Alias> aliases)
    : m_noun(noun),
      m_base(base),
      m_aliases(std::move(aliases))
{
}

TypeId
TypeAliases::GetBase() const
{
    return m_base;
}

bool
TypeAliases::IsKnown(TypeId type) const
{
    return type.GetUid() != 0 && type.IsChildOf(m_base) && type.HasConstructor();
}

std::string
TypeAliases::GetTitle() const
{
    const std::string name = m_base.GetName();
    const std::size_t colons = name.rfind("::");
    return colons == std::string::npos ? name : name.substr(colons + 2);
}

const std::string&
TypeAliases::GetNoun() const
{
    return m_noun;
}

std::vector<std::string>
TypeAliases::GetNames() const
{
    return GetNamesOf(m_aliases);
}

std::vector<std::string>
TypeAliases::GetTypeNames(bool all) const
{
    std::vector<std::string> names;
    for (uint32_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (IsKnown(type) && (all || Find(type) == nullptr))
        {
            names.push_back(type.GetName());
        }
    }
    std::sort(names.begin(), names.end()); // types are registered in the order of linking
    return names;
}

const TypeAliases::Alias*
TypeAliases::Find(const std::string& name) const
{
    const auto found = std::find_if(m_aliases.begin(),
                                    m_aliases.end(),
                                    [&name](const Alias& alias) { return alias.name == name; });
    return found == m_aliases.end() ? nullptr : &*found;
}

const TypeAliases::Alias*
TypeAliases::Find(TypeId type) const
{
    const auto found = std::find_if(m_aliases.begin(),
                                    m_aliases.end(),
                                    [&type](const Alias& alias) { return alias.type() == type; });
    return found == m_aliases.end() ? nullptr : &*found;
}

std::string
TypeAliases::GetNameOf(TypeId type) const
{
    const Alias* alias = Find(type);
    return alias == nullptr ? type.GetName() : alias->name;
}

KnownName
TypeAliases::FindSpelling(const std::string& text) const
{
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string beforeColon = text.substr(0, colon);
    const KnownName alias = FindKnownName(beforeColon, GetNames(), m_noun);
    if (alias.why.empty())
    {
        return {alias.name + text.substr(colon), ""};
    }
    const bool isType = text.compare(colon, 2, "::") == 0;
    const std::string name = isType ? GetTypeName(text) : beforeColon;
    std::vector<std::string> names = isType ? std::vector<std::string>() : GetNames();
    const std::vector<std::string> types = GetTypeNames(isType);
    names.insert(names.end(), types.begin(), types.end());
    const KnownName known = FindKnownName(name, names, m_noun);
    return {known.name + text.substr(name.size()), known.why};
}

KnownName
TypeAliases::FindKnown(const std::string& text) const
{
    TypeId type;
    const bool isType = TypeId::LookupByNameFailSafe(GetTypeName(text), &type) && IsKnown(type);
    if (!isType)
    {
        return FindSpelling(text);
    }
    const bool hasAttributes = text != type.GetName() && text != type.GetName() + "[]";
    return {hasAttributes ? text : GetNameOf(type), ""};
}

std::string
TypeAliases::GetKnownName(const std::string& text) const
{
    const KnownName known = FindKnown(text);
    const std::size_t colon = text.find(':');
    const bool isType = colon != std::string::npos && text.compare(colon, 2, "::") == 0;
    NS_ABORT_MSG_UNLESS(known.why.empty(),
                        GetTitle() << ": " << (isType ? GetTypeName(text) : text.substr(0, colon))
                                   << ": " << known.why);
    return known.name;
}

bool
TypeAliases::IsTypeName(const std::string& text) const
{
    TypeId type;
    const std::string name = GetTypeName(text);
    return name.find("::") != std::string::npos ||
           (TypeId::LookupByNameFailSafe(name, &type) && IsKnown(type));
}

ObjectFactory
TypeAliases::MakeFactory(const std::string& text) const
{
    const std::string known = GetKnownName(text);
    const std::size_t colon = known.find(':');
    const std::string name = known.substr(0, colon);
    const Alias* alias = Find(name);
    ObjectFactory factory;
    if (alias == nullptr)
    {
        factory.SetTypeId(GetTypeName(known));
        SetAttributes(factory, known.substr(GetTypeName(known).size()));
        return factory;
    }
    const std::string argument = colon == std::string::npos ? "" : known.substr(colon + 1);
    NS_ABORT_MSG_IF(colon != std::string::npos && !alias->takesArgument,
                    GetTitle() << ": \"" << name << "\" takes no argument, and was given \""
                               << argument << "\"; leave out the colon and all after it");
    NS_ABORT_MSG_IF(colon != std::string::npos && argument.empty(),
                    GetTitle() << ": nothing follows the colon of \"" << text
                               << "\"; give an argument, or leave out the colon");
    factory.SetTypeId(alias->type());
    if (alias->set != nullptr)
    {
        alias->set(factory, argument);
    }
    return factory;
}

void
TypeAliases::SetAttributes(ObjectFactory& factory, const std::string& text) const
{
    if (text.empty())
    {
        return;
    }
    NS_ABORT_MSG_UNLESS(text.back() == ']',
                        GetTitle()
                            << ": " << factory.GetTypeId().GetName() << text
                            << " has no bracket at its end; give Type[Name=value|Name=value]");
    // a value may be the text of an object, with brackets of its own
    for (const std::string& one : SplitOutsideBrackets(text.substr(1, text.size() - 2), '|'))
    {
        SetAttribute(factory, one);
    }
}

void
TypeAliases::SetAttribute(ObjectFactory& factory, const std::string& text) const
{
    if (text.empty())
    {
        return; // ns-3 itself writes a bar after the last attribute
    }
    const TypeId type = factory.GetTypeId();
    const std::size_t equals = text.find('=');
    NS_ABORT_MSG_IF(equals == std::string::npos,
                    type.GetName() << ": \"" << text << "\" is no attribute; give Name=value");
    const std::string name = text.substr(0, equals);
    const StringValue value(text.substr(equals + 1));
    TypeId::AttributeInformation attribute;
    NS_ABORT_MSG_UNLESS(type.LookupAttributeByName(name, &attribute),
                        type.GetName()
                            << ": " << name << ": "
                            << FindKnownName(name, GetAttributeNames(type), "attribute").why);
    // checked first: ns-3's own types abort without a remedy
    const bool isText = DynamicCast<StringValue>(attribute.checker->Create()) != nullptr;
    NS_ABORT_MSG_IF(!isText && HasAttributeAfterComma(value.Get()),
                    type.GetName() << "::" << name << " does not take the value " << value.Get()
                                   << "; give bars between attributes: "
                                      "Type[Name=value|Name=value]");
    NS_ABORT_MSG_UNLESS(attribute.checker->CreateValidValue(value),
                        type.GetName() << "::" << name << " does not take the value " << value.Get()
                                       << ": " << attribute.help);
    factory.Set(name, value);
}

Ptr<const AttributeChecker>
MakeTypeAliasChecker(const TypeAliases& (*aliases)())
{
    return Create<TypeAliasChecker>(aliases);
}

} // namespace ns3
