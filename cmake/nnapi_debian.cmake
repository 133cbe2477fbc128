# Packages for Debian, made by cpack in a build folder: scripts/package has the settings they need.
# Each is a component of `install` with its name, or that of NAME_component.
set(packages libneuralnetworks1 libnnapi-dev nnapi-tools)
if(TARGET nnapi_xnnpack)
  list(APPEND packages libnnapi-xnnpack)
endif()
if(TARGET nnapi_python)
  list(APPEND packages python3-nnapi)
endif()
set(site ${PROJECT_SOURCE_DIR}/build/site)  # built by scripts/docs
if(EXISTS ${site} AND NOT CMAKE_CROSSCOMPILING)
  list(APPEND packages nnapi-doc)
  install(DIRECTORY ${site}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/nnapi-doc/html COMPONENT nnapi-doc EXCLUDE_FROM_ALL)
endif()

set(libneuralnetworks1_section libs)
set(libneuralnetworks1_description "C API of the Android Neural Networks API, for Linux
libneuralnetworks.so runs applications and frameworks that use NNAPI over
drivers in plug-ins, support libraries and other processes, and has devices
of its own. libnnapi_support.so offers these to frameworks that open a
support library.")

set(libnnapi-xnnpack_section libs)
set(libnnapi-xnnpack_description "fast CPU device for the Android Neural Networks API, by XNNPACK
libnnapi_xnnpack.so executes models of NNAPI on the processor by XNNPACK. It is
a support library, which frameworks and programs of any compiler open, and a
plug-in of the programs and libraries of nnapi.")

set(libnnapi-dev_section libdevel)
# Omits a component of CMake if its libraries are missing.
set(libnnapi-dev_depends "libneuralnetworks1 (= ${PROJECT_VERSION}), libabsl-dev, libfmt-dev")
set(libnnapi-dev_recommends "libfarmhash-dev, libssl-dev, libprotobuf-dev, zlib1g-dev, libcapnp-dev, \
libxnnpack-dev, libpthreadpool-dev, libflatbuffers-dev")
set(libnnapi-dev_description "types, conversions and validation for Android NNAPI: development files
Static libraries and headers for drivers of the Android Neural Networks API
outside of Android: canonical types and those of HIDL 1.0 to 1.3 and AIDL 1
to 4, conversions with an account of every loss, validators with reasons, a
reference interpreter, wrappers and adapters, and tests for drivers.")

set(nnapi-tools_section devel)
set(nnapi-tools_depends "libneuralnetworks1 (= ${PROJECT_VERSION})")
set(nnapi-tools_description "tests drivers and models of the Android Neural Networks API
The program nnapi validates, converts, runs and compares models of NNAPI,
TensorFlow Lite and ONNX, and tells which version they need. The program
nnapi-device, which it executes, tests drivers of any version, runs models on
them, and serves devices to other processes.")

set(python3-nnapi_component python)
set(python3-nnapi_section python)
math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
set(python3-nnapi_depends "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
set(python3-nnapi_recommends python3-pytest)
set(python3-nnapi_description "models and devices of the Android Neural Networks API for Python
The package nnapi loads, builds, validates, converts and executes models of
NNAPI, TensorFlow Lite and ONNX, with arrays of NumPy, on a reference
interpreter and on devices, and has fixtures for pytest that test a device.")

set(nnapi-doc_section doc)
set(CPACK_DEBIAN_NNAPI-DOC_PACKAGE_ARCHITECTURE all)
set(nnapi-doc_description "types, conversions and validation for Android NNAPI: documentation
Manuals for those who write drivers, test them, run models and applications,
or leave NNAPI, each operation and rule, and the reference of the headers.")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "the nnapi authors")
set(CPACK_PACKAGE_CONTACT "the nnapi authors <nnapi@localhost>" CACHE STRING "Who makes the packages: NAME <MAIL>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
if(CMAKE_CROSSCOMPILING)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${NNAPI_ARCHITECTURE})
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_SYSROOT}/lib/${CMAKE_LIBRARY_ARCHITECTURE}
      ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
endif()
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/compress_manuals.cmake)

file(WRITE ${PROJECT_BINARY_DIR}/debian/copyright "nnapi\n\n")
file(READ ${PROJECT_SOURCE_DIR}/NOTICE notice)
file(APPEND ${PROJECT_BINARY_DIR}/debian/copyright
     "${notice}\nOn Debian systems, the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.\n")
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${PROJECT_BINARY_DIR}/debian/changelog
     "nnapi (${PROJECT_VERSION}) stable; urgency=medium\n\n  * Version ${PROJECT_VERSION}: see CHANGELOG.md of the project.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${now}\n")
file(ARCHIVE_CREATE OUTPUT ${PROJECT_BINARY_DIR}/debian/changelog.gz PATHS ${PROJECT_BINARY_DIR}/debian/changelog
     FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
set(CPACK_COMPONENTS_ALL "")
foreach(package IN LISTS packages)
  set(component ${package})
  if(DEFINED ${package}_component)
    set(component ${${package}_component})
  endif()
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${${package}_section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${${package}_depends}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_RECOMMENDS "${${package}_recommends}")
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${${package}_description}")
  install(FILES ${PROJECT_BINARY_DIR}/debian/copyright ${PROJECT_BINARY_DIR}/debian/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
set(CPACK_DEBIAN_LIBNNAPI-DEV_PACKAGE_SHLIBDEPS OFF)
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
foreach(upper IN ITEMS LIBNEURALNETWORKS1 LIBNNAPI-XNNPACK)
  set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)
endforeach()
# What Python compiles comes and goes with the package.
set(postinst "if [ \"$1\" = configure ]; then py3compile -p python3-nnapi; fi")
set(prerm "py3clean -p python3-nnapi")
foreach(script IN ITEMS postinst prerm)
  file(WRITE ${PROJECT_BINARY_DIR}/debian/${script} "#!/bin/sh\nset -e\n${${script}}\n")
  file(CHMOD ${PROJECT_BINARY_DIR}/debian/${script}
       PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/postinst ${PROJECT_BINARY_DIR}/debian/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
