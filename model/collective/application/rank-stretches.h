/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANK_STRETCHES_H
#define PHOTONIC_RAILS_RANK_STRETCHES_H

#include "collective-settings.h"
#include "numbered-program.h"
#include "operation-choices.h"
#include "operation-record.h"
#include "operations-in-flight.h"
#include "program-runner.h"
#include "program-stretches.h"
#include "rank-computations.h"
#include "rank-connections.h"
#include "stretch-rank.h"

#include "ns3/nstime.h"
#include "ns3/picoseconds.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The stretches of a rank's program (ProgramStretches) that are worked out with those of the
 * other ranks of its server, as a whole (IntraNodeFabric::EnterStretch()).
 *
 * In one, the rank has a single event: its end. Then all of its operations are over, with the times
 * and counts that they have one by one.
 */
class RankStretches : private StretchRank
{
  public:
    /** The program of the rank. */
    class Listener
    {
      public:
        virtual ~Listener() = default;
        /** @return by how much computations are longer than in the program; none: that is random,
         * or operations are observed one by one */
        virtual std::optional<double> GetFactor() const = 0;
        /** An operation is under way, of a stretch that goes on one by one. */
        virtual void StretchIsLeftAt(uint32_t operation) = 0;
        /** An operation is over, now or earlier. */
        virtual void OperationOver(const OperationRecord& record) = 0;
        /** All operations of a stretch are over. */
        virtual void StretchEnded() = 0;
        /** Something has happened, now or earlier. */
        virtual void NoteEarlierProgress(Picoseconds at) = 0;
        /** Messages of a flow had waited for its operation. */
        virtual void MessagesWereEarly(std::size_t waiting) = 0;
    };

    RankStretches(const NumberedProgram& program,
                  const RankConnections& connections,
                  const CollectiveSettings& settings,
                  ProgramRunner& runner,
                  OperationChoices& choices,
                  OperationsInFlight& inFlight,
                  RankComputations& computations,
                  Listener& listener);

    /**
     * The rank begins an operation.
     * @return whether it begins a stretch, which is worked out as a whole
     */
    bool Enter(uint32_t operation);

    /** The rank goes on operation by operation, if it is in a stretch. */
    void Leave() const;

  private:
    // StretchRank
    void StretchIsOver(const std::vector<StretchTime>& over) override;
    void CallAgain(std::size_t step) override;
    void ComputeOn(std::size_t step, Picoseconds start) override;
    void StretchHadEarly(uint64_t most) override;

    /** @return whether a rank may be in a stretch, as far as it knows */
    bool MayEnter(const ProgramStretch& stretch) const;
    /** @return the steps of a stretch; null: an operation can't be in one */
    std::shared_ptr<const StretchSteps> FindSteps(const ProgramStretch& stretch, double factor);
    /** @return the same, which are not known */
    std::shared_ptr<const StretchSteps> MakeSteps(const ProgramStretch& stretch, double factor);
    /** @return the record of an operation that is over */
    const OperationRecord& Record(uint32_t operation, const StretchStep& step, const StretchTime&);

    /** The steps of a shape. */
    struct Known
    {
        bool isKnown{false};
        PathCosts costs; //!< on which the choices depend
        std::shared_ptr<const StretchSteps> steps;
    };

    const NumberedProgram& m_program;
    const RankConnections& m_connections;
    const CollectiveSettings& m_settings;
    ProgramRunner& m_runner;
    OperationChoices& m_choices;
    OperationsInFlight& m_inFlight;
    RankComputations& m_computations;
    Listener& m_listener;
    std::vector<Known> m_known;               //!< by shape
    double m_factor{1};                       //!< of these
    bool m_isIn{false};                       //!< the rank is in a stretch
    const ProgramStretch* m_stretch{nullptr}; //!< that one, or the last one
    std::shared_ptr<const StretchSteps> m_steps;
    OperationRecord m_record; //!< the last one; its texts are not made anew
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANK_STRETCHES_H */
