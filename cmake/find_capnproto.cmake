# Sets NNAPI_WITH_SERVICE where devices in other processes are wanted and Cap'n Proto is there: its
# libraries, and the compiler of its schemas. Its own package of CMake wants the language C of every
# project that asks for it.
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
