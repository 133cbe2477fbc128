# Installs the library from BUILD, moves it, and builds and runs this folder's programs with it as
# README.md says: found by CMake, by pkg-config, and as a part of another project.
set(all "types validate convert interpreter testing schema")
separate_arguments(components UNIX_COMMAND "${all}")

# Runs a command and leaves what it prints in `output`.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect text)
  string(REGEX REPLACE "[ \n]+" " " flat "${output}")
  string(FIND "${flat}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "expected '${text}' in:\n${output}")
  endif()
endfunction()

# configure(NAME OPTION...): this folder's project, in a folder of that name.
set(configure ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -G Ninja -DCMAKE_CXX_COMPILER=${CXX}
              -DCMAKE_PREFIX_PATH=${WORK}/prefix)
macro(configure name)
  run(${configure} -B ${WORK}/${name} ${ARGN})
endmacro()

function(refuse name text)
  execute_process(COMMAND ${configure} -B ${WORK}/${name} ${ARGN}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result EQUAL 0)
    message(FATAL_ERROR "${ARGN} is accepted, expected '${text}'")
  endif()
  expect("${text}")
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
file(RENAME ${WORK}/installed ${WORK}/prefix)

# All components without naming one, each alone, and one that not everybody can have.
configure(all "-DUSE=${all}")
run(${CMAKE_COMMAND} --build ${WORK}/all)
foreach(component IN LISTS components)
  run(${WORK}/all/${component})
  configure(${component} -DCOMPONENTS=${component} -DUSE=${component})
endforeach()
set(no_protobuf -DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON)
set(left_out "component 'schema' is left out: not found: Protobuf")
configure(without "-DUSE=types interpreter" ${no_protobuf})
expect("-- nnapi: ${left_out}")
configure(optional -DOPTIONAL_COMPONENTS=schema -DUSE=types ${no_protobuf})
expect("-- nnapi: ${left_out}")
refuse(missing "${left_out}" -DCOMPONENTS=schema ${no_protobuf})
refuse(unknown "no component 'drivers' is installed, but types, validate, convert, interpreter, testing, schema"
       "-DCOMPONENTS=types drivers")

# pkg-config: a module for each component, and one for the core.
set(ENV{PKG_CONFIG_PATH} ${WORK}/prefix/${LIBDIR}/pkgconfig)
function(link_by_pkg_config module source)
  run(pkg-config --cflags --libs ${module})
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(${CXX} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/${source} -o ${WORK}/${module} ${flags})
  run(${WORK}/${module})
endfunction()
foreach(component IN LISTS components)
  link_by_pkg_config(nnapi-${component} ${component}.cc)
endforeach()
link_by_pkg_config(nnapi convert.cc)

# Inside of another project: that stays C++17, and gets no tests, no files and no folders from here.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH tests)
cmake_path(GET tests PARENT_PATH source)
set(parent ${WORK}/subproject)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/subproject -B ${parent} -G Ninja
    -DCMAKE_CXX_COMPILER=${CXX} -DFETCHCONTENT_SOURCE_DIR_NNAPI=${source})
run(${CMAKE_COMMAND} --build ${parent} --target parent child)
run(${parent}/parent)
run(${parent}/child)
run(${CMAKE_CTEST_COMMAND} --test-dir ${parent} -N)
expect("Total Tests: 1")
run(${CMAKE_COMMAND} --install ${parent} --prefix ${parent}/prefix)
file(GLOB_RECURSE installed RELATIVE ${parent}/prefix ${parent}/prefix/*)
if(NOT installed STREQUAL "bin/parent")
  message(FATAL_ERROR "a project around the library installs ${installed}")
endif()
