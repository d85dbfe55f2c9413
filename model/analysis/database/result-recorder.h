/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RESULT_RECORDER_H
#define PHOTONIC_RAILS_RESULT_RECORDER_H

#include "operation-rows.h"
#include "port-rows.h"
#include "result-source.h"
#include "result-writer.h"

#include "ns3/application-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/rail.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class FaultInjector;
struct OpusControlPlane;

/**
 * @ingroup photonic-rails
 * @brief Records a run in a database of results while it goes (ResultDatabase), by the trace
 * sources of its parts.
 *
 * | Add()         | tables                                                    |
 * |---------------|-----------------------------------------------------------|
 * | applications  | operations                                                |
 * | rails         | circuits, plans, drops; ports by AddPorts()               |
 * | control plane | reconfigurations, control_messages                        |
 * | injector      | faults; and drops in fibers, if it is added before rails  |
 *
 * It connects no trace source that fires for every frame or message of the rails, so a run is
 * simulated as without it, with packet trains and with rails folded. Losses in electrical switches
 * are not recorded for that reason.
 * @code
 * ResultRecorder recorder("results.sqlite", 0);
 * recorder.Add(run->applications, [&run](const auto& record) { return run->IterationOf(record); });
 * recorder.Add(run->rails);
 * Simulator::Run();
 * recorder.Finish();
 * @endcode
 */
class ResultRecorder
{
  public:
    /** @param path of a database @param run number of the run in it */
    ResultRecorder(const std::string& path, uint32_t run);
    /** Writes all rows that were added. */
    ~ResultRecorder();
    ResultRecorder(const ResultRecorder&) = delete;
    ResultRecorder& operator=(const ResultRecorder&) = delete;

    /** Records the operations of the ranks of a job; see OperationRows::Record(). */
    void Add(const ApplicationContainer& applications,
             const OperationRows::IterationOf& iterationOf,
             bool inside = false,
             uint32_t job = 0);
    /** Records the messages of rails, which need events of their own then: no rail is folded. */
    void AddMessages(const std::vector<Rail>& rails);
    /** Records rails. */
    void Add(const std::vector<Rail>& rails);
    /** Records a control plane. @param job number in the run of its first job */
    void Add(const OpusControlPlane& plane, uint32_t job = 0);
    /** Records faults. @param injector of them; null: there are none */
    void Add(const Ptr<FaultInjector>& injector);
    /**
     * Adds the ports of a rail, after the run.
     * @param rail its place among the rails of Add()
     * @param end of the run
     * @param counterOf see PortRows::Write()
     * @param isFollowed see PortRows::Write()
     */
    void AddPorts(std::size_t rail,
                  Time end,
                  const PortRows::CounterOf& counterOf,
                  bool isFollowed);

    /** @return the writer, for further rows of the run */
    ResultWriter& GetWriter();

    /** The run is over: adds the rows that are left. */
    void Finish();

  private:
    std::shared_ptr<ResultWriter> m_writer;
    std::vector<Ptr<ResultSource>> m_sources; //!< that have rows to write at the end
    std::vector<Ptr<PortRows>> m_ports;       //!< by rail
    bool m_hasFaults{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RESULT_RECORDER_H */
