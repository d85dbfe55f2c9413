/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TYPE_ALIASES_H
#define PHOTONIC_RAILS_TYPE_ALIASES_H

#include "known-names.h"

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
 * @brief Short names for types that derive from one base, as used on command lines.
 *
 * A text names a type in one of three ways:
 * - an alias, capitals, `-` and `_` apart: `on-demand`; an argument may follow a colon, and becomes
 *   an attribute: `rotor:200us`;
 * - the name of a type: `ns3::RotorPolicy`;
 * - the name of a type with attributes: `ns3::RotorPolicy[Slot=200us]`.
 *
 * Each type that derives from the base and has a constructor is known by its name: only aliases
 * need a list.
 * @code
 * const TypeAliases aliases("policy", CircuitPolicy::GetTypeId(),
 *                           {{"on-demand", &OnDemandPolicy::GetTypeId}});
 * Ptr<CircuitPolicy> policy = aliases.MakeFactory("on-demand").Create<CircuitPolicy>();
 * @endcode
 */
class TypeAliases
{
  public:
    /** A short name and its type. */
    struct Alias
    {
        std::string name;
        TypeId (*type)();
        bool takesArgument{false}; //!< after a colon
        /**
         * Sets the attributes that the alias stands for, and the attribute that the argument gives
         * (empty: no argument); null: no attributes.
         */
        void (*set)(ObjectFactory& factory, const std::string& argument){nullptr};
    };

    /**
     * @param noun the kind of the types, for messages: "policy"
     * @param base the type that all others derive from
     * @param aliases in the order in which messages list them
     */
    TypeAliases(const std::string& noun, TypeId base, std::vector<Alias> aliases);

    /** @return the kind of the types, for messages */
    const std::string& GetNoun() const;
    /** @return the short names */
    std::vector<std::string> GetNames() const;
    /** @return the short name of a type, or its own if it has none */
    std::string GetNameOf(TypeId type) const;
    /**
     * @param text in one of the three ways
     * @return the text with the name in its known spelling; the alias of a type replaces its name.
     *         An error with the known names and the nearest one if the name is unknown
     */
    KnownName FindKnown(const std::string& text) const;
    /** @return the text as FindKnown() returns it; aborts if the name is unknown */
    std::string GetKnownName(const std::string& text) const;
    /** @return whether a text has the form of a type's name: a namespace, or a type that is known
     */
    bool IsTypeName(const std::string& text) const;
    /** @return the factory that a text describes; aborts if the text is wrong */
    ObjectFactory MakeFactory(const std::string& text) const;

    /** @return the type that all derive from */
    TypeId GetBase() const;
    /** @return whether a type derives from the base and has a constructor */
    bool IsKnown(TypeId type) const;

  private:
    /** @return the name of the base without its namespace, for messages */
    std::string GetTitle() const;
    /** @return the names of types @param all includes those that have an alias */
    std::vector<std::string> GetTypeNames(bool all) const;
    /** @return an alias by its name, or null */
    const Alias* Find(const std::string& name) const;
    /** @return an alias by its type, or null */
    const Alias* Find(TypeId type) const;
    /** @return a text whose alias or type may be misspelled, in the known spelling, or an error */
    KnownName FindSpelling(const std::string& text) const;
    /** Sets the attributes in the brackets after the name of a type. */
    void SetAttributes(ObjectFactory& factory, const std::string& text) const;
    /** Sets one attribute: "Slot=200us". */
    void SetAttribute(ObjectFactory& factory, const std::string& text) const;

    std::string m_noun;
    TypeId m_base;
    std::vector<Alias> m_aliases;
};

/**
 * The checker of an attribute that holds an ObjectFactory, for use with
 * MakeObjectFactoryAccessor(): it also accepts the texts of TypeAliases.
 * @param aliases returns the aliases; called when a text is read
 * @return the checker
 */
Ptr<const AttributeChecker> MakeTypeAliasChecker(const TypeAliases& (*aliases)());

} // namespace ns3

#endif /* PHOTONIC_RAILS_TYPE_ALIASES_H */
