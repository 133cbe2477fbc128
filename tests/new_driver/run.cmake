# Generates drivers of every level with `nnapi new-driver`, without options and with all of them,
# builds them with the installed library like their authors, and tests them as devices.
#
#   cmake -DBUILD=build/release -DWORK=FOLDER -DCXX=c++ -P tests/new_driver/run.cmake

# Runs a command and stores its output in `output`.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
set(nnapi ${WORK}/prefix/bin/nnapi)

# One project for all drivers, so that they build in parallel. Each is one translation unit, which
# also shows that their names do not clash.
set(project "cmake_minimum_required(VERSION 3.25)\nproject(drivers LANGUAGES CXX)\n")
set(all --burst --caching --memory-domains)
foreach(level canonical hidl aidl)
  foreach(options "" "${all}")
    set(name ${level})
    if(options)
      set(name ${level}-full)
    endif()
    run(${nnapi} new-driver ${name} --operations ADD,CONV_2D,SOFTMAX --level ${level} ${options}
        -o ${WORK}/${name})
    string(APPEND project "add_subdirectory(${name})\n")
    list(APPEND names ${name})
    # Disabled parts are removed, and every kernel is marked.
    file(GLOB files ${WORK}/${name}/*.cc ${WORK}/${name}/*.h)
    foreach(file IN LISTS files)
      file(READ ${file} text)
      if(text MATCHES "NPU_|npu_|\"npu\"|\\[for each|\\[end\\]")
        message(FATAL_ERROR "${file} has something of the template: ${CMAKE_MATCH_0}")
      endif()
    endforeach()
    file(READ ${WORK}/${name}/kernels.cc text)
    foreach(operation ADD CONV_2D SOFTMAX)
      if(NOT text MATCHES "// FILL IN: ${operation} ")
        message(FATAL_ERROR "${name}/kernels.cc has no place to fill in ${operation}")
      endif()
    endforeach()
  endforeach()
endforeach()
file(WRITE ${WORK}/CMakeLists.txt "${project}")
run(${CMAKE_COMMAND} -S ${WORK} -B ${WORK}/build -G Ninja -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS=-O0 -g0 -Wall -Wextra -Werror" -DCMAKE_UNITY_BUILD=ON
    -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/build -j 2)

# Without the library, the error names the missing option.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK}/canonical -B ${WORK}/lost -G Ninja -DCMAKE_CXX_COMPILER=${CXX}
                        -DCMAKE_DISABLE_FIND_PACKAGE_nnapi=ON
                RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE errors)
if(result EQUAL 0 OR NOT errors MATCHES "nnapi was not found.*CMAKE_PREFIX_PATH")
  message(FATAL_ERROR "a driver without the library: ${errors}")
endif()

set(vectors)
foreach(name add conv_float conv_quant8 softmax_quant8_1)
  list(APPEND vectors ${CMAKE_CURRENT_LIST_DIR}/../vectors/V1_0/${name}.jsonl.gz)
endforeach()
set(kinds_of_options basics vectors execution refused memory cache concurrency protocol growth)
foreach(name IN LISTS names)
  # Their arithmetic is the same: without options, the kinds of cases that options change.
  set(kinds)
  if(NOT name MATCHES "full")
    list(TRANSFORM kinds_of_options REPLACE "(.+)" "--filter=\\1/*" OUTPUT_VARIABLE kinds)
  endif()
  execute_process(COMMAND ${nnapi} test-device --device ${WORK}/build/${name}/lib${name}.so --jobs 2 --json
                          ${kinds} ${vectors}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  string(REGEX MATCHALL "\"outcome\":\"success\"" successes "${output}")
  list(LENGTH successes count)
  message(STATUS "${name}: ${count} cases succeed")
  if(NOT result EQUAL 0)
    string(REGEX MATCHALL "[^\n]*\"outcome\":\"(failure|hang|crash)\"[^\n]*" failures "${output}")
    string(REPLACE ";" "\n" failures "${failures}")
    message(FATAL_ERROR "${name}:\n${failures}\n${errors}")
  endif()
  # A driver that supports nothing also fails nothing. The options add the optional features.
  set(optional notSupported)
  if(name MATCHES "full")
    set(optional success)
  endif()
  foreach(expected "vectors/add/sync=success" "vectors/conv_quant8/burst=success" "vectors/add/fenced=success"
                   "vectors/conv_float/device_memory=${optional}" "cache/loaded=${optional}")
    string(REGEX MATCH "(.*)=(.*)" whole "${expected}")
    if(NOT output MATCHES "\"name\":\"${CMAKE_MATCH_1}\"[^\n]*\"outcome\":\"${CMAKE_MATCH_2}\"")
      message(FATAL_ERROR "${name}: expected ${expected}")
    endif()
  endforeach()
endforeach()
