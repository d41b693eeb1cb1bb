# One target per folder: lastbit_module() makes the library of the folder it is called in, its unit
# tests (every *_test.cc next to the code) and the install rules, so a module's CMakeLists.txt says
# only which other modules it depends on.

# The flags that all our targets are compiled with. Contraction is pinned because a fused
# multiply-add would change results between machines. Messages name files as seen from the source folder,
# so that no program holds a path of the machine that built it.
add_library(lastbit_flags INTERFACE)
target_compile_features(lastbit_flags INTERFACE cxx_std_20)
target_compile_options(lastbit_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -ffp-contract=off
  "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
if(LASTBIT_WERROR)
  target_compile_options(lastbit_flags INTERFACE -Werror)
endif()
# g++ 12 sees an overlap in every `"literal" + std::string` that it inlines; there is none. The
# other three warnings below are similar; <string> turns them off itself, but g++ forgets that in a
# precompiled header.
target_compile_options(lastbit_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:
  -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
if(LASTBIT_SANITIZE)
  target_compile_options(lastbit_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(lastbit_flags INTERFACE -fsanitize=address,undefined)
  # Long enumerations are thinned out where every step costs many times as much.
  target_compile_definitions(lastbit_flags INTERFACE LASTBIT_SANITIZED)
endif()
if(LASTBIT_COVERAGE)
  target_compile_options(lastbit_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(lastbit_flags INTERFACE --coverage)
endif()

# lastbit_shareable(target): lets the objects of a library be linked into the Python extension as well. Only
# libraries need it: the tests, which are most of a build, stay as they are. Functions of ours are never replaced
# at run time, so the compiler may inline them as in any other build.
function(lastbit_shareable target)
  if(LASTBIT_PYTHON)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  endif()
endfunction()

# Precompiled headers: for most files, reading these takes longer than compiling the rest. Every
# file still includes what it uses; tools/check_includes.py checks that.
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/empty.cc" CONTENT "")
function(lastbit_headers name)
  cmake_parse_arguments(HEADERS "" "" "HEADERS;DEPENDS" ${ARGN})
  add_library(${name} OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/empty.cc")
  target_link_libraries(${name} PRIVATE lastbit_flags fmt::fmt GMP::GMPXX ${HEADERS_DEPENDS})
  target_precompile_headers(${name} PRIVATE
    <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <optional> <set> <span>
    <string> <string_view> <utility> <variant> <vector> <fmt/core.h> <gmpxx.h> ${HEADERS_HEADERS})
endfunction()
lastbit_headers(lastbit_library_headers)
lastbit_headers(lastbit_json_headers
  HEADERS <nlohmann/json.hpp> DEPENDS nlohmann_json::nlohmann_json)
lastbit_shareable(lastbit_library_headers)
lastbit_shareable(lastbit_json_headers)
if(LASTBIT_TESTS)
  lastbit_headers(lastbit_test_headers HEADERS <gtest/gtest.h> <rapidcheck/gtest.h>
    DEPENDS GTest::gtest rapidcheck rapidcheck_gtest)
endif()

# lastbit_module(NAME [NO_INSTALL] [COLD] [HEADERS target]
#   [FOLDERS folders…] [DEPENDS modules or libraries…] [PRIVATE libraries…])
# NO_INSTALL keeps a module out of the installed package: one that needs a library the package does
# not carry. COLD is for code that runs once, where compile time matters more. HEADERS are the
# precompiled headers, by default those of the library.
function(lastbit_module name)
  cmake_parse_arguments(MODULE "NO_INSTALL;COLD" "HEADERS" "FOLDERS;DEPENDS;PRIVATE" ${ARGN})
  set(source_patterns "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
  set(header_patterns "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  foreach(folder IN LISTS MODULE_FOLDERS)
    list(APPEND source_patterns "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cc")
    list(APPEND header_patterns "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.h")
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${source_patterns})
  file(GLOB headers CONFIGURE_DEPENDS ${header_patterns})
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  set(target lastbit_${name})

  if(sources)
    add_library(${target} ${sources})
    lastbit_shareable(${target})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:lastbit_flags> ${MODULE_PRIVATE})
    if(NOT MODULE_HEADERS)
      set(MODULE_HEADERS lastbit_library_headers)
    endif()
    target_precompile_headers(${target} REUSE_FROM ${MODULE_HEADERS})
    if(MODULE_COLD)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(lastbit::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} ${scope} ${MODULE_DEPENDS})

  set_property(GLOBAL APPEND PROPERTY lastbit_modules ${target})
  if(NOT MODULE_NO_INSTALL)
    list(FILTER headers EXCLUDE REGEX "test_support\\.h$")
    foreach(header IN LISTS headers)
      file(RELATIVE_PATH header_folder "${PROJECT_SOURCE_DIR}" "${header}/..")
      install(FILES ${header} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${header_folder}")
    endforeach()
    install(TARGETS ${target} EXPORT lastbit-targets)
    set_property(GLOBAL APPEND PROPERTY lastbit_installed_modules ${target})
  endif()

  if(LASTBIT_TESTS AND tests)
    lastbit_test(${name}_test SOURCES ${tests} DEPENDS lastbit::${name})
  endif()
endfunction()

# lastbit_slow_tests(OUT files…): sets OUT to the tests that the files mark as slow, for
# --gtest_filter. A line `// SLOW: Suite.Test` or `// SLOW: Suite.*` above a test marks it. A line
# that names no test of its file is an error, so that a renamed test does not lose its mark
# unnoticed.
function(lastbit_slow_tests out)
  set(slow "")
  foreach(source IN LISTS ARGN)
    file(STRINGS "${source}" marks REGEX "// *SLOW")
    if(NOT marks)
      continue()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
    file(READ "${source}" text)
    foreach(mark IN LISTS marks)
      if(NOT mark MATCHES "^// SLOW: ([A-Za-z0-9]+)\\.([A-Za-z0-9]+|\\*)$")
        message(FATAL_ERROR "${source}: write `// SLOW: Suite.Test` or `// SLOW: Suite.*`, not ${mark}")
      endif()
      set(test "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}")
      string(REPLACE "*" "[A-Za-z0-9]+" name "${CMAKE_MATCH_2}")
      if(NOT text MATCHES "\n(TEST|TEST_F|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\\(${CMAKE_MATCH_1},[ \n]*${name}[,)]")
        message(FATAL_ERROR "${source}: there is no test ${test}, which a line calls slow")
      endif()
      list(APPEND slow "${test}")
    endforeach()
  endforeach()
  list(JOIN slow ":" slow)
  set(${out} "${slow}" PARENT_SCOPE)
endfunction()

# lastbit_test(NAME [COST cost] SOURCES files… DEPENDS targets…): one GoogleTest program, each case a
# ctest test. Those marked as slow get the label `slow`. Tests with a COST start first, the highest before
# the others, so that no core is idle at the end while another runs a long test; slow tests have one.
# Property tests draw their cases from a recorded seed, so that test runs repeat exactly; run the program
# by hand to try fresh cases. Under sanitizers, where a process takes longer to start than most cases take to run,
# the cases are dealt out to a few runs of the program.
function(lastbit_test name)
  cmake_parse_arguments(TEST "" "COST" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE
    lastbit_flags ${TEST_DEPENDS} GTest::gtest GTest::gtest_main rapidcheck rapidcheck_gtest)
  target_compile_definitions(${name} PRIVATE LASTBIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_precompile_headers(${name} REUSE_FROM lastbit_test_headers)
  # Half of a test's compile time would go into optimising code that runs once.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  set(environment "RC_PARAMS=seed=20260711")
  set(properties TIMEOUT 600 ENVIRONMENT "${environment}")
  if(TEST_COST)
    list(APPEND properties COST ${TEST_COST})
  endif()
  lastbit_slow_tests(slow ${TEST_SOURCES})
  if(LASTBIT_SANITIZE)
    lastbit_dealt_tests(${name} "${slow}" "${environment}" ${TEST_SOURCES})
  elseif(slow)
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 TEST_FILTER "-${slow}" PROPERTIES ${properties})
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 TEST_FILTER "${slow}"
      PROPERTIES ${properties} LABELS slow COST 50)
  else()
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
  endif()
endfunction()

# lastbit_dealt_tests(NAME SLOW ENVIRONMENT files…): the cases of a program in a few runs, about five files' cases in
# each; those that SLOW names are one run of their own, with that label.
function(lastbit_dealt_tests name slow environment)
  list(LENGTH ARGN files)
  math(EXPR runs "${files} / 5 + 1")
  math(EXPR last "${runs} - 1")
  foreach(run RANGE ${last})
    add_test(NAME ${name}.${run} COMMAND ${name} --gtest_brief=1 "--gtest_filter=-${slow}")
    set_tests_properties(${name}.${run} PROPERTIES TIMEOUT 600 COST 20
      ENVIRONMENT "${environment};GTEST_TOTAL_SHARDS=${runs};GTEST_SHARD_INDEX=${run}")
  endforeach()
  if(slow)
    add_test(NAME ${name}.slow COMMAND ${name} --gtest_brief=1 "--gtest_filter=${slow}")
    set_tests_properties(${name}.slow PROPERTIES TIMEOUT 600 LABELS slow ENVIRONMENT "${environment}")
  endif()
endfunction()
