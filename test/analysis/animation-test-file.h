/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ANIMATION_TEST_FILE_H
#define PHOTONIC_RAILS_ANIMATION_TEST_FILE_H

#include "../support/temporary-path.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace ns3
{

/** An animation in a file that is gone when the test is over. */
class AnimationTestFile : public testing::Test
{
  protected:
    AnimationTestFile()
        : name(GetTemporaryPath("animation.xml"))
    {
    }

    ~AnimationTestFile() override
    {
        std::filesystem::remove(name);
    }

    /** @return the content of the file */
    std::string Read() const
    {
        return ReadFile(name);
    }

    /** @return the content of the file while it is written */
    std::string ReadPart() const
    {
        return ReadFile(name + ".part");
    }

    /** @return the file with these elements, and no others */
    static std::string Holding(const std::string& elements)
    {
        return "<anim ver=\"netanim-3.108\" filetype=\"animation\">\n" + elements + "</anim>\n";
    }

    std::string name;

  private:
    static std::string ReadFile(const std::string& path)
    {
        std::ifstream file(path);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ANIMATION_TEST_FILE_H */
