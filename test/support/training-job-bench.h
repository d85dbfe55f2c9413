/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_JOB_BENCH_H
#define PHOTONIC_RAILS_TRAINING_JOB_BENCH_H

#include "ns3/picoseconds.h"
#include "ns3/training-job.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @return the times of a unit, in picoseconds
 * @param forward of which attention is a part
 */
UnitTimes MakeUnitTimes(Picoseconds forward,
                        Picoseconds attention,
                        Picoseconds backwardInput,
                        Picoseconds backwardWeight,
                        Picoseconds recompute);

/** Times in which every layer takes as long, and nothing else takes any. */
class EvenTimes : public ComputeTimes
{
  public:
    /** @param layer the times of a layer @param optimizer of the optimizer's step */
    explicit EvenTimes(const UnitTimes& layer, Time optimizer = Time(0));

    UnitTimes GetUnit(const ModelUnit& unit) const override;
    Time GetOptimizer(uint64_t) const override;

  private:
    UnitTimes m_layer;
    Time m_optimizer;
};

/** @return a model of four layers, whose numbers all differ */
ModelShape MakeSmallShape();

/** @return the same with experts in all layers but the first */
ModelShape MakeSmallExperts();

/** @return one micro-batch of two sequences, nothing computed again, on one rank */
TrainingTask MakeSmallTask(const ModelShape& shape = MakeSmallShape());

/** A call of a rank, as others see it. */
struct TrainingCall
{
    GroupRole role{GroupRole::DATA};
    std::string what{}; //!< all-gather, ..., send, receive
    uint64_t bytes{0};
    std::string label{};

    /** @return whether it is made in a forward pass; of tp, cp and ep */
    bool IsForward() const
    {
        return label.rfind("forward", 0) == 0;
    }
};

/** @return a rank's calls in an iteration, in the order of its program
 *  @param job @param rank @param iteration */
std::vector<TrainingCall> ListCalls(const TrainingJob& job, uint32_t rank, uint32_t iteration = 0);

/** How many calls, and their bytes together. */
struct CallSum
{
    uint64_t count{0};
    uint64_t bytes{0};

    /** Adds calls. @param calls how many @param each of so many bytes */
    void Add(uint64_t calls, uint64_t each);

    bool operator==(const CallSum& other) const
    {
        return count == other.count && bytes == other.bytes;
    }

    friend std::ostream& operator<<(std::ostream& os, const CallSum& sum)
    {
        return os << sum.count << " calls, " << sum.bytes << " bytes";
    }
};

/** A call: its rank's part, and its kind. */
using CallTable = std::map<std::pair<GroupRole, std::string>, CallSum>;

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_JOB_BENCH_H */
