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

/** A figure and its source. */
template <typename T>
struct SourcedFigure
{
    T value;            //!< the figure
    std::string source; //!< its source
};

/** One figure, as printed beside a result. */
struct NetworkInput
{
    std::string name;   //!< its name
    double value;       //!< the figure
    std::string unit;   //!< its unit; empty: a count
    std::string source; //!< its source
};

/**
 * @ingroup photonic-rails
 * @brief Power and price of the parts of a network: the inputs of a FabricBill.
 *
 * The known generations stand in one array, NetworkInputs::GetAll(), with their sources. A changed
 * figure states its new source:
 * @code
 * NetworkInputs inputs = NetworkInputs::Get("h200");
 * inputs.transceiverDollars = {300, "a quote"};
 * @endcode
 * NICs and fibers are in no bill: they are the same in all fabrics.
 */
struct NetworkInputs
{
    std::string name;                         //!< its name in scripts
    std::string product;                      //!< the hardware generation
    SourcedFigure<uint32_t> gpusPerServer;    //!< that the scale-up fabric connects
    SourcedFigure<uint32_t> switchPorts;      //!< of a packet switch
    SourcedFigure<double> switchWatts;        //!< power of a packet switch, without transceivers
    SourcedFigure<double> switchDollars;      //!< price of a packet switch
    SourcedFigure<double> transceiverWatts;   //!< power of a transceiver
    SourcedFigure<double> transceiverDollars; //!< price of a transceiver
    SourcedFigure<uint32_t> ocsPorts;         //!< of the optical switch whose power is known
    SourcedFigure<double> ocsWatts;           //!< power of that optical switch
    SourcedFigure<double> ocsDollarsPerPort;  //!< price of an optical switch, divided by its ports
    SourcedFigure<uint32_t> ocsPortsPerGpu;   //!< of a photonic rail
    SourcedFigure<uint32_t> transceiversPerGpu; //!< in its NIC, in any fabric
    SourcedFigure<bool> transceiversAtSwitches; //!< ports of packet switches have one each

    /** @return the known generations */
    static std::vector<NetworkInputs>& GetAll();

    /** @return the generation of that name, or null */
    static const NetworkInputs* Find(const std::string& name);

    /**
     * @param name an unknown name aborts with a list of the known names
     * @return the generation of that name
     */
    static const NetworkInputs& Get(const std::string& name);

    /** @return watts of a packet switch, divided by its ports */
    double GetSwitchWattsPerPort() const;
    /** @return dollars of a packet switch, divided by its ports */
    double GetSwitchDollarsPerPort() const;
    /** @return watts of an optical switch, divided by its ports */
    double GetOcsWattsPerPort() const;

    /** @return all figures, with names, units and sources */
    std::vector<NetworkInput> List() const;

    /** @return the mistake that makes a network impossible; empty if there is none */
    std::string GetMistake() const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_NETWORK_INPUTS_H */
