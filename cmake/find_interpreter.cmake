# Sets NNAPI_WITH_INTERPRETER: always for the whole library; for the core only if farmhash is found, exceptions are
# enabled, and numbers are little-endian.
set(NNAPI_WITH_INTERPRETER ON)
if(NNAPI_CORE)
  include(CheckCXXSourceCompiles)
  find_library(NNAPI_FARMHASH farmhash)
  check_cxx_source_compiles("int main() { try { throw 1; } catch (int) { return 0; } }" NNAPI_HAS_EXCEPTIONS)
  if(NNAPI_OVERLAYS OR NOT NNAPI_FARMHASH OR NOT NNAPI_HAS_EXCEPTIONS OR CMAKE_CXX_BYTE_ORDER STREQUAL BIG_ENDIAN)
    set(NNAPI_WITH_INTERPRETER OFF)
  endif()
endif()
