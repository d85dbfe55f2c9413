/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NETWORK_INPUTS_H
#define PHOTONIC_RAILS_NETWORK_INPUTS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** A figure, and where it is from. */
template <typename T>
struct SourcedFigure
{
    T value;            //!< the figure
    std::string source; //!< where it is from
};

/** One figure as it is printed beside a result. */
struct NetworkInput
{
    std::string name;   //!< what it is
    double value;       //!< the figure
    std::string unit;   //!< of it; empty: a number of things
    std::string source; //!< where it is from
};

/**
 * @ingroup photonic-rails
 * @brief What the parts of a network draw and cost: the figures that a FabricBill is made of.
 *
 * The known generations stand in one array, NetworkInputs::GetAll(), with their sources. Whoever
 * changes a figure says where the new one is from:
 * @code
 * NetworkInputs inputs = NetworkInputs::Get("h200");
 * inputs.transceiverDollars = {300, "a quote"};
 * @endcode
 * NICs and fibers are in no bill: all fabrics have the same.
 */
struct NetworkInputs
{
    std::string name;                           //!< what scripts call it
    std::string product;                        //!< which generation it is
    SourcedFigure<uint32_t> gpusPerServer;      //!< that the scale-up fabric joins
    SourcedFigure<uint32_t> switchPorts;        //!< of a packet switch
    SourcedFigure<double> switchWatts;          //!< drawn by a packet switch, without transceivers
    SourcedFigure<double> switchDollars;        //!< its price
    SourcedFigure<double> transceiverWatts;     //!< drawn by a transceiver
    SourcedFigure<double> transceiverDollars;   //!< its price
    SourcedFigure<uint32_t> ocsPorts;           //!< of the optical switch whose power is known
    SourcedFigure<double> ocsWatts;             //!< drawn by it
    SourcedFigure<double> ocsDollarsPerPort;    //!< its price, over its ports
    SourcedFigure<uint32_t> ocsPortsPerGpu;     //!< of a photonic rail
    SourcedFigure<uint32_t> transceiversPerGpu; //!< in its NIC, in any fabric
    SourcedFigure<bool> transceiversAtSwitches; //!< ports of packet switches have one each, too

    /** @return the known generations */
    static std::vector<NetworkInputs>& GetAll();

    /** @return the generation of that name, or null */
    static const NetworkInputs* Find(const std::string& name);

    /**
     * @param name a name; an unknown one aborts and lists the known ones
     * @return the generation of that name
     */
    static const NetworkInputs& Get(const std::string& name);

    /** @return watts of a packet switch, over its ports */
    double GetSwitchWattsPerPort() const;
    /** @return dollars of a packet switch, over its ports */
    double GetSwitchDollarsPerPort() const;
    /** @return watts of an optical switch, over its ports */
    double GetOcsWattsPerPort() const;

    /** @return all figures, with names, units and sources */
    std::vector<NetworkInput> List() const;

    /** @return what no network can be made of; empty if nothing */
    std::string GetMistake() const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_NETWORK_INPUTS_H */
