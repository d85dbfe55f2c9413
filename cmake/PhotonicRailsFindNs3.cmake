# SPDX-License-Identifier: GPL-2.0-only
#
# photonic_rails_find_ns3(<module>...) makes the target PhotonicRails::ns3 and sets
# PHOTONIC_RAILS_NS3_VERSION (such as 3.37) and PHOTONIC_RAILS_NS3_CXX_STANDARD.
#
# A distribution's ns-3 (Debian 12: libns3-dev 3.37) installs a ns3Config.cmake that stops unless
# packages it does not depend on are there too (ns3, libgsl-dev, libxml2-dev, python3-dev), so its
# libraries are looked up directly. Where they are not found, or -Dns3_DIR says which ns-3 to take,
# find_package(ns3) is asked.

function(photonic_rails_find_ns3)
  add_library(PhotonicRails::ns3 INTERFACE IMPORTED GLOBAL)
  set(version "")
  if(NOT ns3_DIR)
    photonic_rails_find_ns3_libraries(version ${ARGN})
  endif()
  if(NOT version)
    find_package(ns3 CONFIG REQUIRED)
    set(version ${ns3_VERSION})
    foreach(module ${ARGN})
      if(TARGET ns3::${module}) # from 3.43
        target_link_libraries(PhotonicRails::ns3 INTERFACE ns3::${module})
      else()
        target_link_libraries(PhotonicRails::ns3 INTERFACE ns3::lib${module})
      endif()
    endforeach()
  endif()

  # The standard each release is compiled with: its headers need it, and so do those who include them
  if(version VERSION_GREATER_EQUAL 3.46)
    set(standard 23)
  elseif(version VERSION_GREATER_EQUAL 3.41)
    set(standard 20)
  else()
    set(standard 17)
  endif()
  message(STATUS "ns-3 ${version}, C++${standard}")
  set(PHOTONIC_RAILS_NS3_VERSION ${version} PARENT_SCOPE)
  set(PHOTONIC_RAILS_NS3_CXX_STANDARD ${standard} PARENT_SCOPE)
endfunction()

# Links PhotonicRails::ns3 to the modules' libraries and sets <version_result>, which stays empty if
# the header or one of the libraries is not found.
function(photonic_rails_find_ns3_libraries version_result)
  find_path(PHOTONIC_RAILS_NS3_INCLUDE ns3/core-module.h)
  if(NOT PHOTONIC_RAILS_NS3_INCLUDE)
    return()
  endif()
  # Debian and Ubuntu name them libns3-core.so; an installed ns-3 tree libns3.41-core.so
  foreach(module ${ARGN})
    set(names ns3-${module})
    foreach(minor RANGE 60 36 -1)
      list(APPEND names ns3.${minor}-${module})
    endforeach()
    find_library(PHOTONIC_RAILS_NS3_${module} NAMES ${names})
    if(NOT PHOTONIC_RAILS_NS3_${module})
      return()
    endif()
  endforeach()

  set(defines ${PHOTONIC_RAILS_NS3_INCLUDE}/ns3/version-defines.h)
  get_filename_component(core ${PHOTONIC_RAILS_NS3_core} REALPATH)
  if(EXISTS ${defines})
    file(STRINGS ${defines} lines REGEX "#define NS3_VERSION_(MAJOR|MINOR) ")
    string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*" "\\1.\\2" version "${lines}")
  elseif(core MATCHES "libns(3\\.[0-9]+)-core")
    set(version ${CMAKE_MATCH_1})
  elseif(core MATCHES "\\.so\\.([0-9]+)") # Debian's so version is the release's second number
    set(version 3.${CMAKE_MATCH_1})
  else()
    return()
  endif()

  foreach(module ${ARGN})
    add_library(PhotonicRails::ns3-${module} SHARED IMPORTED GLOBAL)
    set_target_properties(
      PhotonicRails::ns3-${module}
      PROPERTIES IMPORTED_LOCATION ${PHOTONIC_RAILS_NS3_${module}}
                 INTERFACE_INCLUDE_DIRECTORIES ${PHOTONIC_RAILS_NS3_INCLUDE}
    )
    target_link_libraries(PhotonicRails::ns3 INTERFACE PhotonicRails::ns3-${module})
  endforeach()
  # A distribution's ns-3 is a release build with its logs on; without this we would have none
  target_compile_definitions(PhotonicRails::ns3 INTERFACE NS3_LOG_ENABLE)
  set(${version_result} ${version} PARENT_SCOPE)
endfunction()
