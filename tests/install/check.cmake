# Run by ctest: install into SCRATCH/prefix, configure and build CONSUMER with nothing but that
# prefix to go by, run it and compare what it prints.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output
    ERROR_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "`${command}` failed (${status}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${SCRATCH}")
run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${SCRATCH}/prefix")
run(${CMAKE_COMMAND} -S "${CONSUMER}" -B "${SCRATCH}/build" -G Ninja
  "-DCMAKE_PREFIX_PATH=${SCRATCH}/prefix" "-DCMAKE_CXX_COMPILER=${COMPILER}"
  -DCMAKE_BUILD_TYPE=Release "-DLASTBIT_WANTED=${VERSION}")
run(${CMAKE_COMMAND} --build "${SCRATCH}/build")
run("${SCRATCH}/build/consumer")
set(expected
  "1/10 + 2/10 = 3/10 exactly; two fresh words differ; a mean for 0.3 is entry 1")
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "the consumer printed\n  ${output}\ninstead of\n  ${expected}")
endif()

# Headers must lie under lastbit/ only, and no test may be installed.
file(GLOB_RECURSE headers RELATIVE "${SCRATCH}/prefix/include" "${SCRATCH}/prefix/include/*")
foreach(header IN LISTS headers)
  if(NOT header MATCHES "^lastbit/.*\\.h$")
    message(FATAL_ERROR "unexpected file in the installed include folder: ${header}")
  endif()
endforeach()
