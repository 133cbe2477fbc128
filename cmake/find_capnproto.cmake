# Sets NNAPI_WITH_SERVICE if devices in other processes are enabled and the libraries and the schema
# compiler of Cap'n Proto are found. Its own CMake package requires every project that uses it to
# enable the language C.
set(NNAPI_WITH_SERVICE OFF)
if(NNAPI_SERVICE)
  find_path(CAPNPROTO_INCLUDE_DIR capnp/rpc-twoparty.h)
  find_library(CAPNPROTO_RPC_LIBRARY capnp-rpc)
  find_library(CAPNPROTO_KJ_LIBRARY kj-async)
  find_library(CAPNPROTO_TLS_LIBRARY kj-tls)
  find_program(CAPNPROTO_COMPILER capnp)
  find_program(CAPNPROTO_CXX_PLUGIN capnpc-c++)
  mark_as_advanced(CAPNPROTO_INCLUDE_DIR CAPNPROTO_RPC_LIBRARY CAPNPROTO_KJ_LIBRARY
                   CAPNPROTO_TLS_LIBRARY CAPNPROTO_COMPILER CAPNPROTO_CXX_PLUGIN)
  if(CAPNPROTO_INCLUDE_DIR AND CAPNPROTO_RPC_LIBRARY AND CAPNPROTO_KJ_LIBRARY AND CAPNPROTO_TLS_LIBRARY
     AND CAPNPROTO_COMPILER AND CAPNPROTO_CXX_PLUGIN)
    set(NNAPI_WITH_SERVICE ON)
  elseif(NNAPI_SERVICE STREQUAL "AUTO")
    message(STATUS "nnapi: no service: Cap'n Proto is not found")
  else()
    message(FATAL_ERROR "NNAPI_SERVICE is ${NNAPI_SERVICE}, but Cap'n Proto is not found")
  endif()
endif()

# Generates FOLDER/SCHEMA.c++ and .h from ROOT/SCHEMA, and stores the name of the former in
# `result`.
function(nnapi_capnp result root schema folder)
  set(generated ${folder}/${schema}.c++)
  add_custom_command(
    OUTPUT ${generated} ${folder}/${schema}.h
    COMMAND ${CAPNPROTO_COMPILER} compile -o${CAPNPROTO_CXX_PLUGIN}:${folder} --src-prefix=${root}
            -I${CAPNPROTO_INCLUDE_DIR} ${root}/${schema}
    DEPENDS ${root}/${schema}
    COMMENT "Generating ${schema}.c++"
    VERBATIM)
  cmake_path(GET schema STEM name)
  nnapi_generated_sources(${name} ${generated})
  set_source_files_properties(${generated} PROPERTIES COMPILE_OPTIONS -w SKIP_PRECOMPILE_HEADERS ON)
  set(${result} ${generated} PARENT_SCOPE)
endfunction()
