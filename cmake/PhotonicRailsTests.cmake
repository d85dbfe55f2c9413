# SPDX-License-Identifier: GPL-2.0-only
#
# The standalone build's CTest tests, by label:
#   gtest    every GoogleTest case of test/gtest-*.cc
#   suite    every ns-3 suite: test/<suite>-test-suite.cc holds the suite <suite>
#   script   every test/script-*.py, called with the source and the build folder
#   example  every line of test/examples-to-run.py, which ns-3's test.py reads too
#   long     those of the first two that are called *Long* or photonic-rails-long-*, and scripts at length

find_package(GTest REQUIRED)
include(GoogleTest)

set(seconds_limit 300)
set(seconds_limit_long 3600)
set(slowdown 1)
if(PHOTONIC_RAILS_SANITIZE)
  set(slowdown 20)
  set(seconds_limit ${seconds_limit_long})
endif()

# ---- GoogleTest
add_executable(photonic-rails-gtest ${photonic_rails_gtests})
target_link_libraries(photonic-rails-gtest photonic-rails GTest::gtest GTest::gtest_main)
photonic_rails_tell_source_folder()
gtest_discover_tests(
  photonic-rails-gtest
  TEST_FILTER "-*Long*"
  DISCOVERY_TIMEOUT 60
  PROPERTIES LABELS gtest TIMEOUT ${seconds_limit}
)
gtest_discover_tests(
  photonic-rails-gtest
  TEST_FILTER "*Long*"
  TEST_LIST photonic-rails-gtest_LONG_TESTS
  DISCOVERY_TIMEOUT 60
  PROPERTIES LABELS long TIMEOUT ${seconds_limit_long}
)

# ---- ns-3 suites
add_executable(photonic-rails-suites ${photonic_rails_suites} test/standalone-main.cc)
target_link_libraries(photonic-rails-suites photonic-rails)
foreach(source ${photonic_rails_suites})
  if(NOT source MATCHES "test/(photonic-rails-(.*))-test-suite\\.cc$")
    continue() # what several suites share
  endif()
  set(suite ${CMAKE_MATCH_1})
  if(CMAKE_MATCH_2 MATCHES "^long-")
    add_test(NAME ${suite} COMMAND photonic-rails-suites --suite=${suite} --verbose
                                   --fullness=TAKES_FOREVER
    )
    set_tests_properties(${suite} PROPERTIES LABELS long TIMEOUT ${seconds_limit_long})
  else()
    add_test(NAME ${suite} COMMAND photonic-rails-suites --suite=${suite} --verbose)
    set_tests_properties(${suite} PROPERTIES LABELS suite TIMEOUT ${seconds_limit})
  endif()
endforeach()

# run random scenarios and jobs by their seeds and print what differs, for whoever looks for a fault
foreach(name trains-one-seed jobs-one-seed)
  add_executable(${name} test/${name}.cc)
  target_link_libraries(${name} photonic-rails)
endforeach()

# a simulator that shuffles the events of an instant, for programs that are run with it preloaded
add_library(shuffled-simulator MODULE test/shuffled-simulator.cc)
target_link_libraries(shuffled-simulator PRIVATE PhotonicRails::ns3)

# ---- examples
set(examples_to_run test/examples-to-run.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${examples_to_run})
file(STRINGS ${examples_to_run} lines REGEX "^ *\\(\".*\", *\"True\"")
foreach(line ${lines})
  string(REGEX REPLACE "^ *\\(\"([^\"]*)\".*" "\\1" command_line "${line}")
  separate_arguments(words UNIX_COMMAND "${command_line}")
  list(POP_FRONT words program)
  if(NOT TARGET ${program})
    message(FATAL_ERROR "${examples_to_run} lists ${program}: there is no examples/${program}.cc")
  endif()
  set(name "example ${command_line}")
  string(MAKE_C_IDENTIFIER "${command_line}" folder)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/scratch/${folder})
  file(MAKE_DIRECTORY ${folder})
  add_test(NAME "${name}" COMMAND ${program} ${words} WORKING_DIRECTORY ${folder})
  set_tests_properties("${name}" PROPERTIES LABELS example TIMEOUT ${seconds_limit})
endforeach()

# ---- scripts: what is true of the checkout and the built examples together
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB scripts CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} test/script-*.py)
foreach(script ${scripts})
  get_filename_component(name ${script} NAME_WE)
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/${script}
                                ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}
  )
  set_tests_properties(${name} PROPERTIES LABELS script TIMEOUT ${seconds_limit}
                                           ENVIRONMENT RAILS_TEST_SLOWDOWN=${slowdown}
  )
endforeach()
foreach(script order mistakes progress) # these have more to do with --all
  add_test(NAME script-long-${script}
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/test/script-${script}.py
                   ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR} --all
  )
  set_tests_properties(script-long-${script} PROPERTIES LABELS long TIMEOUT ${seconds_limit_long})
endforeach()
