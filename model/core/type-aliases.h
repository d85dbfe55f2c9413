/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TYPE_ALIASES_H
#define PHOTONIC_RAILS_TYPE_ALIASES_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Short names for types that derive from one base, as command lines have them.
 *
 * A text names what is to be made in one of three ways:
 * - an alias, capitals, `-` and `_` apart: `on-demand`; an argument may follow a colon, and becomes
 *   an attribute: `rotor:200us`;
 * - the name of a type: `ns3::RotorPolicy`;
 * - the name of a type with attributes: `ns3::RotorPolicy[Slot=200us]`.
 *
 * Each type that derives from the base and has a constructor is known by its name, in whatever
 * file it is: only aliases stand in a list.
 * @code
 * const TypeAliases aliases("policy", CircuitPolicy::GetTypeId(),
 *                           {{"on-demand", &OnDemandPolicy::GetTypeId}});
 * Ptr<CircuitPolicy> policy = aliases.MakeFactory("on-demand").Create<CircuitPolicy>();
 * @endcode
 */
class TypeAliases
{
  public:
    /** A short name, and what it stands for. */
    struct Alias
    {
        std::string name;
        TypeId (*type)();
        bool takesArgument{false}; //!< after a colon
        /** Sets attributes: those that the alias stands for, and what the argument says, which is
         * empty if there is none; null: there are none to set. */
        void (*set)(ObjectFactory& factory, const std::string& argument){nullptr};
    };

    /**
     * @param noun what the types are, for messages: "policy"
     * @param base of the types
     * @param aliases in the order in which messages list them
     */
    TypeAliases(const std::string& noun, TypeId base, std::vector<Alias> aliases);

    /** @return the short names */
    std::vector<std::string> GetNames() const;
    /** @return the short name of a type, or its own if it has none */
    std::string GetNameOf(TypeId type) const;
    /**
     * @param text as above
     * @return the text with the name as it is written here; a type that has a short name is called
     * by it. Aborts if there is no such name, and lists those that there are
     */
    std::string GetKnownName(const std::string& text) const;
    /** @return what makes the object that a text names; aborts if the text is wrong */
    ObjectFactory MakeFactory(const std::string& text) const;

    /** @return what the types are */
    const std::string& GetNoun() const;
    /** @return the type that all derive from */
    TypeId GetBase() const;
    /** @return whether objects of a type can be made, and are what is wanted */
    bool IsKnown(TypeId type) const;

  private:
    /** @return the name of the base without its namespace, for messages */
    std::string GetTitle() const;
    /** @return the names of types @param all whether those that have an alias are among them */
    std::vector<std::string> GetTypeNames(bool all) const;
    /** @return an alias by its name, or null */
    const Alias* Find(const std::string& name) const;
    /** @return an alias by its type, or null */
    const Alias* Find(TypeId type) const;
    /** @return a text that may begin with an alias, spelled as it is here; aborts if it is unknown
     */
    std::string GetKnownAlias(const std::string& text) const;
    /** @return a text whose type may be spelled in another way, spelled as it is; aborts if it is
     * unknown */
    std::string GetKnownType(const std::string& text) const;
    /** Sets what stands between the brackets after the name of a type. */
    void SetAttributes(ObjectFactory& factory, const std::string& text) const;
    /** Sets one of them: "Slot=200us". */
    void SetAttribute(ObjectFactory& factory, const std::string& text) const;

    std::string m_noun;
    TypeId m_base;
    std::vector<Alias> m_aliases;
};

/**
 * The checker of an attribute that holds an ObjectFactory, to be used with
 * MakeObjectFactoryAccessor(): it also takes the texts of TypeAliases.
 * @param aliases a function, called when a text is read
 * @return the checker
 */
Ptr<const AttributeChecker> MakeTypeAliasChecker(const TypeAliases& (*aliases)());

} // namespace ns3

#endif /* PHOTONIC_RAILS_TYPE_ALIASES_H */
