# Installs the library from BUILD, moves it, and builds and runs this folder's programs with it as
# docs/install.md says: found by CMake, by pkg-config, and as a part of another project. With BUILD_SHARED_LIBS
# there, the libraries show what is theirs alone, and need no packages that they link inside.
set(all "types validate device_profile convert transform interpreter comparison model_generation device_rules model_io driver device_test device_test_runner neuralnetworks support_library android android_11")
set(optional driver_xnnpack importers service android_service)  # built if their libraries are found, after these:
set(after driver model_io device_test android_11)
foreach(component before IN ZIP_LISTS optional after)
  if(EXISTS ${BUILD}/CMakeFiles/pkgconfig/nnapi-${component}.pc)
    string(REGEX REPLACE "(^| )${before}( |$)" "\\1${before} ${component}\\2" all "${all}")
  endif()
endforeach()
separate_arguments(components UNIX_COMMAND "${all}")

# Runs a command and leaves its output in `output`.
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

# docs/install.md has a row for each component, with its headers; its program includes them.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH tests)
cmake_path(GET tests PARENT_PATH source)
file(READ ${source}/docs/install.md page)
file(GLOB_RECURSE headers RELATIVE ${source}/include/nnapi ${source}/include/nnapi/*.h)
list(FILTER headers EXCLUDE REGEX "^hal/|^testing/|^(answers|checked|checked_model|device_overlay|until).h")  # of old names
foreach(component IN LISTS components optional)
  if(NOT page MATCHES "\\| `${component}` \\| ([^|]*) \\|")
    message(FATAL_ERROR "docs/install.md has no row for component ${component}")
  endif()
  string(REGEX MATCHALL "[A-Za-z_/]+\\.h" row "${CMAKE_MATCH_1}")
  file(READ ${CMAKE_CURRENT_LIST_DIR}/${component}.cc program)
  foreach(header IN LISTS row)
    list(REMOVE_ITEM headers ${header})
    string(FIND "${program}" "#include \"nnapi/${header}\"" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "docs/install.md says ${component} brings ${header}, which ${component}.cc does not try")
    endif()
  endforeach()
endforeach()
if(headers)
  message(FATAL_ERROR "docs/install.md does not say which component brings ${headers}")
endif()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
file(RENAME ${WORK}/installed ${WORK}/prefix)

foreach(library libnnapi_support.so libneuralnetworks_extras.so)
  if(NOT EXISTS ${WORK}/prefix/${LIBDIR}/${library})
    message(FATAL_ERROR "${library} is not installed")
  endif()
endforeach()

# All components without naming one, each separately, and one whose dependencies may be missing.
# `testing` is a component by its name of 0.1.0.
configure(all "-DUSE=${all} testing" "-DALONE=${all}")
run(${CMAKE_COMMAND} --build ${WORK}/all)
foreach(component IN LISTS components ITEMS testing)
  run(${WORK}/all/${component})
endforeach()

# The build tree is a package as well: CMake finds it by the folder of the program in PATH.
configure(tree -DUSE=driver -DCMAKE_PREFIX_PATH=${BUILD})
run(${CMAKE_COMMAND} --build ${WORK}/tree)
run(${WORK}/tree/driver)

set(no_protobuf -DCMAKE_DISABLE_FIND_PACKAGE_Protobuf=ON)
file(GLOB shared ${WORK}/prefix/${LIBDIR}/libnnapi_*.so.*.*.*)
if(shared)
  configure(without "-DUSE=types model_io" ${no_protobuf})
  foreach(library IN LISTS shared)
    run(nm -D --defined-only --with-symbol-versions ${library})
    expect("@@NNAPI_")
    if(output MATCHES " [A-Za-z] _Z(N?K?S|N?K?[0-9]+(absl|fmt|google|kj|capnp))[^\n]*")
      message(FATAL_ERROR "${library} shows what is not ours: ${CMAKE_MATCH_0}")
    endif()
  endforeach()
else()
  set(left_out "component 'model_io' is left out: not found: Protobuf")
  configure(without "-DUSE=types interpreter" ${no_protobuf})
  expect("-- nnapi: ${left_out}")
  configure(optional -DOPTIONAL_COMPONENTS=model_io -DUSE=types ${no_protobuf})
  expect("-- nnapi: ${left_out}")
  refuse(missing "${left_out}" -DCOMPONENTS=model_io ${no_protobuf})
endif()
string(REPLACE " " ", " listed "${all}")
refuse(unknown "no component 'gadgets' is installed, but ${listed}"
       "-DCOMPONENTS=types gadgets")

# pkg-config: a module for each component, and one for the core. Its flags find the headers, which are the
# same for all but the C API; each program is linked with those of its module.
set(ENV{PKG_CONFIG_PATH} ${WORK}/prefix/${LIBDIR}/pkgconfig)
set(ENV{LD_LIBRARY_PATH} ${WORK}/prefix/${LIBDIR})
function(link_by_pkg_config module source)
  run(pkg-config --cflags --libs ${module})
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(${CXX} -std=c++20 ${source} -o ${WORK}/${module} ${flags})
  run(${WORK}/${module})
endfunction()
foreach(component IN LISTS components)
  set(object ${WORK}/all/CMakeFiles/${component}.dir/${component}.cc.o)
  link_by_pkg_config(nnapi-${component} ${object})
endforeach()
foreach(component types neuralnetworks)
  link_by_pkg_config(nnapi-${component} ${CMAKE_CURRENT_LIST_DIR}/${component}.cc)
endforeach()
link_by_pkg_config(nnapi ${CMAKE_CURRENT_LIST_DIR}/convert.cc)
unset(ENV{LD_LIBRARY_PATH})
run(${WORK}/prefix/bin/nnapi --version)
# It finds nnapi-device in its folder.
run(${WORK}/prefix/bin/nnapi devices --device nnapi-reference)
expect("nnapi-reference")
if(shared)
  return()
endif()

# Inside of another project: that stays C++17, and gets no tests, no files and no folders from here.
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
