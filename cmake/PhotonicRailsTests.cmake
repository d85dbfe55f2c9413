# SPDX-License-Identifier: GPL-2.0-only
#
# The standalone build's CTest tests, by label:
#   gtest    every GoogleTest case of test/*/gtest-*.cc that is not long
#   suite    every ns-3 suite: test/*/<suite>-test-suite.cc holds the suite <suite>
#   script   every test/scripts/script-*.py, called with the source and the build folder
#   example  every line of test/examples-to-run.py, which ns-3's test.py reads too
#   long     suites that are called photonic-rails-long-*, GoogleTests of *AtLength, and scripts at length

find_package(GTest REQUIRED)
include(GoogleTest)

set(seconds_limit 900) # for what hangs; no test is about time
set(seconds_limit_long 3600)
set(slowdown 1)
if(PHOTONIC_RAILS_SANITIZE)
  set(slowdown 20)
  set(seconds_limit ${seconds_limit_long})
endif()

# photonic_rails_compile_as_test(TARGET LEVEL [HEADER...]): all files of a target at one level, as g++ 12
# crashes over precompiled headers of another
function(photonic_rails_compile_as_test target level)
  photonic_rails_precompile_headers(${target} ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
endfunction()

# ---- GoogleTest
set(strict test/support/strict-simulator.cc) # events in the past are errors, as where ns-3 has asserts
add_executable(photonic-rails-gtest ${photonic_rails_gtests} ${photonic_rails_gtests_shared} ${strict})
target_link_libraries(photonic-rails-gtest photonic-rails GTest::gtest GTest::gtest_main)
photonic_rails_compile_as_test(photonic-rails-gtest -O1 <gtest/gtest.h>) # the library does the work
photonic_rails_tell_source_folder()
photonic_rails_compile_by_folder(photonic-rails-gtest ${photonic_rails_gtests} ${photonic_rails_gtests_shared})
gtest_discover_tests(
  photonic-rails-gtest
  TEST_FILTER "-*AtLength.*"
  TEST_LIST gtests
  DISCOVERY_TIMEOUT 60
  PROPERTIES LABELS gtest TIMEOUT ${seconds_limit}
)
gtest_discover_tests(
  photonic-rails-gtest
  TEST_FILTER "*AtLength.*"
  TEST_LIST gtests_long
  DISCOVERY_TIMEOUT 60
  PROPERTIES LABELS long TIMEOUT ${seconds_limit_long}
)

# ---- ns-3 suites
set(suites ${photonic_rails_suites})
list(FILTER suites INCLUDE REGEX "-test-suite\\.cc$")
set(suites_shared ${photonic_rails_suites})
list(REMOVE_ITEM suites_shared ${suites})
# what suites share: random scenarios and jobs too, which have code for each event
add_library(photonic-rails-suites-shared OBJECT ${suites_shared})
target_link_libraries(photonic-rails-suites-shared PRIVATE photonic-rails)
photonic_rails_compile_as_test(photonic-rails-suites-shared -O2)
photonic_rails_compile_by_folder(photonic-rails-suites-shared ${suites_shared})

add_executable(photonic-rails-suites
  ${suites} $<TARGET_OBJECTS:photonic-rails-suites-shared> test/support/standalone-main.cc ${strict}
)
target_link_libraries(photonic-rails-suites photonic-rails)
photonic_rails_use_malloc(photonic-rails-suites)
photonic_rails_compile_as_test(photonic-rails-suites -O1)
photonic_rails_compile_by_folder(photonic-rails-suites ${suites})
foreach(source ${suites})
  string(REGEX MATCH "/(photonic-rails-([^/]*))-test-suite\\.cc$" found ${source})
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
foreach(source test/trains/trains-one-seed.cc test/jobs/jobs-one-seed.cc test/collective/intra-node-one-seed.cc
               test/collective/memo-one-seed.cc test/faults/faults-one-seed.cc test/helper/recovery-one-seed.cc
)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source} $<TARGET_OBJECTS:photonic-rails-suites-shared> ${strict})
  target_link_libraries(${name} photonic-rails)
  photonic_rails_use_malloc(${name})
endforeach()

# a simulator that shuffles the events of an instant, for programs that are run with it preloaded
add_library(shuffled-simulator MODULE test/support/photonic-rails-shuffled-simulator.cc)
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
    message(FATAL_ERROR "${examples_to_run} lists ${program}: there is no ${program}.cc in examples or tools")
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
file(GLOB scripts CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} test/scripts/script-*.py)
foreach(script ${scripts})
  get_filename_component(name ${script} NAME_WE)
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/${script}
                                ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}
  )
  # the longest begin first, so that none is left alone at the end
  set_tests_properties(${name} PROPERTIES LABELS script TIMEOUT ${seconds_limit} COST 1000 SKIP_RETURN_CODE 77
                                           ENVIRONMENT RAILS_TEST_SLOWDOWN=${slowdown}
  )
endforeach()
foreach(script docs fidelity figures fit labs options order mistakes plans progress site) # these have more to do with --all
  add_test(NAME script-long-${script}
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/test/scripts/script-${script}.py
                   ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR} --all
  )
  set_tests_properties(script-long-${script} PROPERTIES LABELS long TIMEOUT ${seconds_limit_long} SKIP_RETURN_CODE 77)
endforeach()
set_tests_properties(script-long-docs PROPERTIES TIMEOUT 7200) # published figures of an hour
