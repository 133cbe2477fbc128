# The rules of `cmake --install`: libraries, headers, and for each component the files by which
# CMake and pkg-config find it. Both are made from the link libraries of the component.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(NNAPI_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/nnapi)
file(RELATIVE_PATH NNAPI_LIBDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH NNAPI_INCLUDEDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH NNAPI_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
     ${CMAKE_INSTALL_PREFIX})

# The origin of the libraries that ours link: the package of CMake, the module of pkg-config or,
# without one, the flags of the linker.
set(NNAPI_LINKED absl::algorithm_container absl::status absl::statusor fmt::fmt
                 protobuf::libprotobuf ZLIB::ZLIB OpenSSL::Crypto OpenSSL::SSL Threads::Threads farmhash dl
                 XNNPACK pthreadpool capnp-rpc capnp kj-tls kj-async kj)
set(NNAPI_PACKAGES absl absl absl fmt Protobuf ZLIB OpenSSL OpenSSL Threads - - - - - - - - -)
set(NNAPI_MODULES absl_algorithm_container absl_status absl_statusor fmt protobuf zlib libcrypto libssl -pthread
                  -lfarmhash -ldl -lXNNPACK -lpthreadpool
                  -lcapnp-rpc -lcapnp -lkj-tls -lkj-async -lkj)

function(nnapi_install_pc name description requires libs cflags)
  set(prefix "\${pcfiledir}/${NNAPI_PREFIX_FROM_PC}")
  set(libdir "\${prefix}/${NNAPI_LIBDIR}")
  set(includedir "\${prefix}/${NNAPI_INCLUDEDIR}")
  # Not where a search path would find it: it points to where it will be installed.
  set(installed ${PROJECT_BINARY_DIR}/CMakeFiles/pkgconfig/${name}.pc)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/nnapi.pc.in ${installed} @ONLY)
  install(FILES ${installed} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT libnnapi-dev)
  # The same for the build tree, where an installation has it: from the folder of the program.
  set(prefix ${PROJECT_BINARY_DIR})
  set(libdir ${PROJECT_BINARY_DIR}/src)
  set(includedir ${PROJECT_SOURCE_DIR}/include)
  string(REPLACE "-L\${libdir}" "-L\${libdir} -L\${prefix}/lib" libs "${libs}")
  string(REPLACE "\${includedir}/nnapi-android" "${PROJECT_SOURCE_DIR}/android/include" cflags "${cflags}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/nnapi.pc.in
                 ${PROJECT_BINARY_DIR}/${NNAPI_LIBDIR}/pkgconfig/${name}.pc @ONLY)
endfunction()

# nnapi_install_component(NAME [HEADERS_ONLY] LINKS ... [ANDROID ...]): see nnapi_library.
function(nnapi_install_component name)
  cmake_parse_arguments(ARG "HEADERS_ONLY" "" "LINKS;ANDROID" ${ARGN})
  foreach(linked IN LISTS ARG_LINKS)
    if(linked MATCHES "^nnapi::(.*)")
      list(APPEND links ${CMAKE_MATCH_1})
      list(APPEND modules "nnapi-${CMAKE_MATCH_1} = ${PROJECT_VERSION}")
      continue()
    endif()
    list(FIND NNAPI_LINKED ${linked} row)
    if(row EQUAL -1)
      message(FATAL_ERROR "nnapi_${name} links ${linked}, which has no row in NNAPI_LINKED")
    endif()
    list(GET NNAPI_PACKAGES ${row} package)
    list(GET NNAPI_MODULES ${row} module)
    list(APPEND packages ${package})
    if(module MATCHES "^-")
      list(APPEND flags ${module})
    else()
      list(APPEND modules ${module})
    endif()
  endforeach()
  list(REMOVE_ITEM packages -)
  list(REMOVE_DUPLICATES packages)
  string(JOIN ", " requires ${modules})
  set(libs)
  if(NOT ARG_HEADERS_ONLY)
    string(JOIN " " libs "-L\${libdir}" "-lnnapi_${name}" ${flags})
  endif()
  set(cflags)
  foreach(folder IN LISTS ARG_ANDROID)
    string(PREPEND cflags " -I\${includedir}/nnapi-android/${folder}")
  endforeach()
  if(NNAPI_STRICT_HAL)
    string(APPEND cflags " -DNNAPI_STRICT_HAL")
  endif()
  nnapi_install_pc(nnapi-${name} "${name} of nnapi" "${requires}" "${libs}" "${cflags}")
  nnapi_install_target(${name} "${links}" "${packages}")
endfunction()

# nnapi_install_shared(NAME FOLDER LINK...): a component that is a shared library, which contains its
# dependencies, except for the other shared libraries of this project.
function(nnapi_install_shared name folder)
  nnapi_install_pc(nnapi-${name} "${name} of nnapi" "" "-L\${libdir} -l${name}"
                   " -I\${includedir}/${folder}")
  set(links)
  if(BUILD_SHARED_LIBS)
    get_property(components GLOBAL PROPERTY NNAPI_COMPONENTS)
    foreach(component IN LISTS components)
      if(nnapi::${component} IN_LIST ARGN)
        list(APPEND links ${component})
      endif()
    endforeach()
  endif()
  nnapi_install_target(${name} "${links}" "")
endfunction()

# nnapi_find_shared(TARGET FOLDER): objects that are installed into that folder of the prefix find our shared libraries,
# wherever the prefix is.
function(nnapi_find_shared target folder)
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH path ${CMAKE_INSTALL_PREFIX}/${folder} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(${target} PROPERTIES INSTALL_RPATH $ORIGIN/${path})
  endif()
endfunction()

# The library, and what CMake has to know of it: the components and packages that it links.
function(nnapi_install_target name links packages)
  nnapi_find_shared(nnapi_${name} ${NNAPI_LIBDIR})
  # Programs open shared libraries by the name without a version.
  install(TARGETS nnapi_${name} EXPORT nnapi_${name}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libnnapi-dev
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libneuralnetworks1)
  install(EXPORT nnapi_${name} NAMESPACE nnapi:: FILE nnapi_${name}.cmake
          DESTINATION ${NNAPI_CMAKE_DIR} COMPONENT libnnapi-dev)
  # CMake finds the build tree by PATH, if the program is run from there: it is a package, too.
  export(EXPORT nnapi_${name} NAMESPACE nnapi:: FILE ${PROJECT_BINARY_DIR}/nnapi_${name}.cmake)
  set_property(GLOBAL APPEND PROPERTY NNAPI_COMPONENTS ${name})
  set_property(GLOBAL APPEND_STRING PROPERTY NNAPI_NEEDS
               "set(_nnapi_${name}_links ${links})\nset(_nnapi_${name}_packages ${packages})\n")
endfunction()

# The files that all components share; called after the last component.
function(nnapi_install_package)
  install(DIRECTORY include/nnapi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT libnnapi-dev)
  install(DIRECTORY android/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nnapi-android
          COMPONENT libnnapi-dev)
  install(DIRECTORY schemas/nnapi DESTINATION ${CMAKE_INSTALL_DATADIR}/nnapi/schemas COMPONENT libnnapi-dev)
  nnapi_install_pc(nnapi "Types, conversions and validation for the Android NNAPI"
                   "nnapi-convert = ${PROJECT_VERSION}" "" "")
  get_property(components GLOBAL PROPERTY NNAPI_COMPONENTS)
  get_property(renamed GLOBAL PROPERTY NNAPI_RENAMED)
  get_property(needs GLOBAL PROPERTY NNAPI_NEEDS)
  configure_package_config_file(cmake/nnapiConfig.cmake.in nnapiConfig.cmake
                                INSTALL_DESTINATION ${NNAPI_CMAKE_DIR}
                                NO_CHECK_REQUIRED_COMPONENTS_MACRO)
  write_basic_package_version_file(nnapiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/nnapiConfig.cmake ${PROJECT_BINARY_DIR}/nnapiConfigVersion.cmake
          DESTINATION ${NNAPI_CMAKE_DIR} COMPONENT libnnapi-dev)
endfunction()
