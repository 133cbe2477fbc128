# Sets NNAPI_WITH_XNNPACK if the XNNPACK driver is enabled and XNNPACK is found. XNNPACK has neither
# a CMake package nor a pkg-config module.
set(NNAPI_WITH_XNNPACK OFF)

# Sets NNAPI_XNNPACK_IS_2022 or NNAPI_XNNPACK_IS_2024 according to the functions that xnnpack.h
# declares; neither for other interfaces. src/op_support/xnnpack/interface.h describes both.
function(nnapi_check_xnnpack)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES ${XNNPACK_INCLUDE_DIR} ${PTHREADPOOL_INCLUDE_DIR})
  set(CMAKE_REQUIRED_QUIET ON)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  check_cxx_source_compiles("
    #include <xnnpack.h>
    xnn_status (*shuffle)(xnn_operator_t, size_t, pthreadpool_t) = xnn_reshape_channel_shuffle_nc_x8;
    xnn_status (*unary)(xnn_unary_operator, xnn_datatype, xnn_datatype, const xnn_unary_params*,
                        const xnn_quantization_params*, const xnn_quantization_params*, uint32_t,
                        xnn_operator_t*) = xnn_create_unary_elementwise_nc;
    xnn_status (*reduce)(xnn_operator_t, size_t, const int64_t*, size_t, const size_t*, size_t*, size_t*,
                         pthreadpool_t) = xnn_reshape_reduce_nd;" NNAPI_XNNPACK_IS_2024)
  if(NOT NNAPI_XNNPACK_IS_2024)
    check_cxx_source_compiles("
      #include <xnnpack.h>
      xnn_status (*shuffle)(xnn_operator_t, size_t, const void*, void*, pthreadpool_t) = xnn_setup_channel_shuffle_nc_x8;
      xnn_status (*unary)(size_t, size_t, size_t, uint32_t, xnn_operator_t*) = xnn_create_abs_nc_f32;
      xnn_status (*prelu)(size_t, size_t, size_t, const float*, uint32_t, xnn_operator_t*) = xnn_create_prelu_nc_f32;"
      NNAPI_XNNPACK_IS_2022)
  endif()
endfunction()

if(NNAPI_XNNPACK)
  find_path(XNNPACK_INCLUDE_DIR xnnpack.h)
  find_library(XNNPACK_LIBRARY XNNPACK)
  find_path(PTHREADPOOL_INCLUDE_DIR pthreadpool.h)
  find_library(PTHREADPOOL_LIBRARY pthreadpool)
  mark_as_advanced(XNNPACK_INCLUDE_DIR XNNPACK_LIBRARY PTHREADPOOL_INCLUDE_DIR PTHREADPOOL_LIBRARY)
  set(missing "XNNPACK or pthreadpool is not found")
  if(XNNPACK_INCLUDE_DIR AND XNNPACK_LIBRARY AND PTHREADPOOL_INCLUDE_DIR AND PTHREADPOOL_LIBRARY)
    nnapi_check_xnnpack()
    set(missing "XNNPACK has neither the operators of 2022 nor those of 2024")
  endif()
  if(NNAPI_XNNPACK_IS_2022 OR NNAPI_XNNPACK_IS_2024)
    set(NNAPI_WITH_XNNPACK ON)
    set(NNAPI_XNNPACK_RESHAPES $<BOOL:${NNAPI_XNNPACK_IS_2024}>)
  elseif(NNAPI_XNNPACK STREQUAL "AUTO")
    message(STATUS "nnapi: no driver_xnnpack: ${missing}")
  else()
    message(FATAL_ERROR "NNAPI_XNNPACK is ${NNAPI_XNNPACK}, but ${missing}")
  endif()
endif()
