/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_SCHEDULE_FILE_H
#define PHOTONIC_RAILS_OPUS_SCHEDULE_FILE_H

#include <string>

namespace ns3
{

/** A plan file that is there as long as this object; each test has its own, and each process. */
class OpusScheduleFile
{
  public:
    explicit OpusScheduleFile(const std::string& text = "");

    ~OpusScheduleFile();

    OpusScheduleFile(const OpusScheduleFile&) = delete;
    OpusScheduleFile& operator=(const OpusScheduleFile&) = delete;

    /** @return the policy's name */
    std::string GetPolicy() const
    {
        return "recorded:" + m_path;
    }

    /** @return the file's name */
    const std::string& GetPath() const
    {
        return m_path;
    }

  private:
    std::string m_path;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_SCHEDULE_FILE_H */
