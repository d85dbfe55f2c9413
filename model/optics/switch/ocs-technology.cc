/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ocs-technology.h"

#include "ns3/abort.h"
#include "ns3/known-names.h"

#include <algorithm>

namespace ns3
{

namespace
{

// Reconfiguration times and radices: the table of OCS technologies in "Photonic Rails in ML
// Datacenters" (arXiv 2507.08119). Power and price: the inputs of the cost study published with
// "Opus" (arXiv 2602.12521), 75 W for a switch of 192 ports and 520 dollars a port, which it uses
// for an OCS of any kind; no source gives them, or the loss, technology by technology. An unknown
// loss has no value: set it from a data sheet.
constexpr double WATTS = 75.0 / 192;
constexpr double COST = 520; // dollars a port
const std::nullopt_t LOSS = std::nullopt;

} // namespace

std::vector<OcsTechnology>&
OcsTechnology::GetAll()
{
    static std::vector<OcsTechnology> all{
        {"plzt", "PLZT waveguides (EpiPhotonics)", NanoSeconds(10), 16, LOSS, WATTS, COST, false},
        {"sip", "Silicon photonics (Lightmatter)", MicroSeconds(7), 32, LOSS, WATTS, COST, false},
        {"rotornet", "Rotor (RotorNet, InFocus)", MicroSeconds(10), 128, LOSS, WATTS, COST, true},
        {"mems", "3D MEMS mirrors (Calient)", MilliSeconds(15), 320, LOSS, WATTS, COST, false},
        {"piezo", "Piezo beam steering (Polatis)", MilliSeconds(25), 576, LOSS, WATTS, COST, false},
        {"liquid-crystal",
         "Liquid crystal (Coherent)",
         MilliSeconds(100),
         512,
         LOSS,
         WATTS,
         COST,
         false},
        {"robotic",
         "Robotic patch panel (Telescent)",
         Seconds(120),
         1008,
         LOSS,
         WATTS,
         COST,
         false},
    };
    return all;
}

const OcsTechnology*
OcsTechnology::Find(const std::string& name)
{
    const auto& all = GetAll();
    const auto found = std::find_if(all.begin(), all.end(), [&name](const OcsTechnology& one) {
        return one.name == name;
    });
    return found == all.end() ? nullptr : &*found;
}

const OcsTechnology&
OcsTechnology::Get(const std::string& name)
{
    const KnownName known = FindKnownName(name, GetNamesOf(GetAll()), "technology");
    NS_ABORT_MSG_UNLESS(known.why.empty(),
                        "OcsTechnology: " << name << ": " << known.why
                                          << " Or add yours to OcsTechnology::GetAll()");
    return *Find(known.name);
}

} // namespace ns3
