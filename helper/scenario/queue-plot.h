/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_QUEUE_PLOT_H
#define PHOTONIC_RAILS_QUEUE_PLOT_H

#include "queue-history.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A plot of the queue of a receiver's port over time: data, a script of gnuplot, a picture.
 * @code
 * QueuePlot plot("queue"); // queue.dat, queue.gp, queue.png
 * std::cout << plot.Draw(history) << std::endl;
 * @endcode
 */
class QueuePlot
{
  public:
    /** @param prefix of the names of the files */
    explicit QueuePlot(const std::string& prefix);

    /** @return the names of the files */
    std::vector<std::string> ListFiles() const;

    /**
     * Writes data and script, and runs gnuplot if it is installed. Throws a std::runtime_error if
     * gnuplot fails.
     * @return the names of the written files, in a sentence
     */
    std::string Draw(const QueueHistory& history) const;

  private:
    /** @return the data as lines */
    static std::string MakeData(const QueueHistory& history);
    /** @return the commands for gnuplot */
    std::string MakeScript() const;

    std::string m_data;
    std::string m_script;
    std::string m_picture;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_QUEUE_PLOT_H */
