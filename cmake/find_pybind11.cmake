# Sets NNAPI_WITH_PYTHON where the module of Python is wanted and pybind11 is there, with the headers
# of Python. The module is loaded by a program of others: it is not built with sanitizers, which must
# be loaded first.
set(NNAPI_WITH_PYTHON OFF)
if(NNAPI_PYTHON AND NOT NNAPI_SANITIZE AND NOT NNAPI_COVERAGE AND NOT NNAPI_FUZZ)
  find_path(pybind11_INCLUDE_DIR pybind11/pybind11.h)
  mark_as_advanced(pybind11_INCLUDE_DIR)
  if(CMAKE_CROSSCOMPILING)
    # The interpreter of the build machine knows nothing of the other; Debian's names do.
    file(GLOB Python3_INCLUDE_DIR ${CMAKE_SYSROOT}/usr/include/python3.*)
    find_package(Python3 QUIET COMPONENTS Development.Module)
    set(Python3_EXECUTABLE ${CMAKE_SYSROOT}/usr/bin/python3)
    set(Python3_SOABI cpython-${Python3_VERSION_MAJOR}${Python3_VERSION_MINOR}-${CMAKE_LIBRARY_ARCHITECTURE})
  else()
    # That of the system, which has the NumPy of the system, before others in PATH.
    if(NOT Python3_EXECUTABLE AND NOT Python3_ROOT_DIR AND EXISTS /usr/bin/python3)
      set(Python3_ROOT_DIR /usr)
    endif()
    find_package(Python3 QUIET COMPONENTS Interpreter Development.Module)
  endif()
  if(pybind11_INCLUDE_DIR AND Python3_FOUND)
    set(NNAPI_WITH_PYTHON ON)
  elseif(NNAPI_PYTHON STREQUAL "AUTO")
    message(STATUS "nnapi: no module of Python: pybind11 or the headers of Python are not found")
  else()
    message(FATAL_ERROR "NNAPI_PYTHON is ${NNAPI_PYTHON}, but pybind11 or the headers of Python are not found")
  endif()
endif()
