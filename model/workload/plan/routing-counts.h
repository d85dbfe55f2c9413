/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ROUTING_COUNTS_H
#define PHOTONIC_RAILS_ROUTING_COUNTS_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The tokens that routers sent to experts in a training run, by layer, expert and step.
 *
 * Counts are proportions: a job may have other numbers of tokens than the run had that was
 * measured. Iteration i of a job has the counts of step i, and after the last step those of the
 * first again.
 * @code
 * const RoutingFile file = ReadRoutingCounts("routing.csv");
 * if (file.error.empty())
 * {
 *     recipe.router.counts = file.counts;
 * }
 * @endcode
 */
class RoutingCounts
{
  public:
    /** By expert: the tokens that visit it. */
    using Tokens = std::vector<uint64_t>;

    /**
     * @param steps by layer and step: the tokens; each layer has the same number of steps, one or
     *              more, and each step the same number of experts
     */
    explicit RoutingCounts(std::map<uint32_t, std::vector<Tokens>> steps)
        : m_steps(std::move(steps))
    {
    }

    /** @return by layer and step: the tokens */
    const std::map<uint32_t, std::vector<Tokens>>& GetSteps() const
    {
        return m_steps;
    }

    /** @return the number of experts of each layer */
    uint32_t GetExperts() const
    {
        return m_steps.begin()->second.front().size();
    }

    /** @return the tokens of a layer in an iteration */
    const Tokens& Get(uint32_t layer, uint32_t iteration) const
    {
        const std::vector<Tokens>& steps = m_steps.at(layer);
        return steps[iteration % steps.size()];
    }

  private:
    std::map<uint32_t, std::vector<Tokens>> m_steps;
};

/** The result of reading routing counts: the counts, or an error. */
struct RoutingFile
{
    std::shared_ptr<const RoutingCounts> counts; //!< null: there are none
    std::string error{};                         //!< with file and line
};

/**
 * Reads routing counts from a CSV file with the header `layer,expert,step,tokens` and a row for
 * each expert of each layer in each step, in any order. Layers have the numbers that they have in
 * the model, from 0; layers without experts have no rows. Experts and steps are counted from 0.
 * @return the counts, or an error
 */
RoutingFile ReadRoutingCounts(const std::string& file);

} // namespace ns3

#endif /* PHOTONIC_RAILS_ROUTING_COUNTS_H */
