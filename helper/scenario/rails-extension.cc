/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rails-extension.h"

#include "ns3/log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <link.h>
#include <sys/stat.h>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RailsExtension");

namespace
{

const std::string COMPILE_AGAIN = "; compile it again, against this build (doc/extending.rst)";

/** @return the difference of a mark from that of this build; empty if there is none */
std::string
FindDifference(const ExtensionMark& mark)
{
    const std::string words(mark.words, strnlen(mark.words, sizeof(mark.words)));
    if (words != g_extensionMark.words)
    {
        const std::size_t begin = std::strlen(ExtensionMark::BEGIN);
        return "it was built against release " + words.substr(begin) +
               " of photonic-rails, and this is " PHOTONIC_RAILS_RELEASE;
    }
    return mark.layouts == g_extensionMark.layouts
               ? ""
               : "it was built against another release of ns-3, or another state of photonic-rails";
}

/** @return whether a file has all that its header points to: the loader touches it unasked */
bool
IsWhole(const std::string& file)
{
    ElfW(Ehdr) header{};
    if (file.size() < sizeof(header))
    {
        return false;
    }
    std::memcpy(&header, file.data(), sizeof(header));
    return header.e_shoff <= file.size() &&
           uint64_t{header.e_shnum} * header.e_shentsize <= file.size() - header.e_shoff;
}

/** @return the mistake in the content of a file; empty if it may be loaded @param file its bytes */
std::string
FindExtensionMistake(const std::string& file)
{
    if (file.rfind("\177ELF", 0) != 0)
    {
        return "it is no shared object; compile it by g++ -shared -fPIC (doc/extending.rst)";
    }
    bool isMarked = false;
    for (std::size_t at = file.find(ExtensionMark::BEGIN); at != std::string::npos;
         at = file.find(ExtensionMark::BEGIN, at + 1))
    {
        ExtensionMark mark{};
        if (at + sizeof(mark) > file.size())
        {
            break;
        }
        std::memcpy(&mark, file.data() + at, sizeof(mark));
        const std::string difference = FindDifference(mark);
        if (!difference.empty())
        {
            return difference + COMPILE_AGAIN;
        }
        isMarked = true;
    }
    if (isMarked)
    {
        return IsWhole(file) ? "" : "its end is missing; compile it again";
    }
    return "it does not say what it was built against; include ns3/rails-extension.h in "
           "its source, and compile it again";
}

} // namespace

std::string
LoadExtension(const std::string& file)
{
    NS_LOG_FUNCTION(file);

    struct stat status
    {
    };

    std::ifstream in(file, std::ios::binary);
    if (!in.is_open() || stat(file.c_str(), &status) != 0)
    {
        return std::string("cannot read it: ") + std::strerror(errno);
    }
    if (!S_ISREG(status.st_mode))
    {
        return "it is no file; give a shared object";
    }
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const std::string mistake = FindExtensionMistake(bytes);
    if (!mistake.empty())
    {
        return mistake;
    }
    // without a slash, it would be looked for in the folders of libraries
    const std::string path = file.find('/') == std::string::npos ? "./" + file : file;
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
    {
        std::string why = dlerror();
        std::replace(why.begin(), why.end(), '\n', ' ');
        return "cannot load it: " + why + COMPILE_AGAIN;
    }
    NS_LOG_INFO(file << " is loaded");
    return "";
}

} // namespace ns3
