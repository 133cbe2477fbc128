include(CheckCXXSourceCompiles)

# Instrumented builds and those without a type are only for tests.
set(NNAPI_FULLY_OPTIMIZED OFF)
if(CMAKE_BUILD_TYPE MATCHES "^(Rel|MinSize)" AND NOT NNAPI_INSTRUMENT)
  set(NNAPI_FULLY_OPTIMIZED ON)
endif()
set(NNAPI_SANITIZE ${NNAPI_INSTRUMENT})
list(REMOVE_ITEM NNAPI_SANITIZE coverage)

# Compiling several files at once takes half the time. CMAKE_UNITY_BUILD=OFF finds files that include too little; it is
# never on for targets that do not call nnapi_unity.
set(NNAPI_UNITY ON)
if(DEFINED CMAKE_UNITY_BUILD)
  set(NNAPI_UNITY ${CMAKE_UNITY_BUILD})
endif()
set(CMAKE_UNITY_BUILD OFF)

# The exported symbols of shared C++ libraries: those of our namespaces, under a version that changes
# with the least change that their users may notice. Code of others that was inlined or instantiated
# stays inside. A variable and its guard are both shown or both hidden.
if(BUILD_SHARED_LIBS)
  set(NNAPI_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set(NNAPI_SYMBOLS ${PROJECT_BINARY_DIR}/nnapi_symbols.map)
  set(patterns "_Z[0-9][0-9]AIBinder_*;")  # functions of the C API of binder
  foreach(scope 2nn 3ndk 4aidl 8AIBinder)
    foreach(qualifiers "" [KOR] K[OR])  # const, && and &
      set(name N${qualifiers}${scope}*)
      string(APPEND patterns "\n    _Z${name}; _ZGV${name}; _ZZ${name}; _ZGVZ${name}; _ZT[chv]*_${name};")
    endforeach()
    string(APPEND patterns "\n    _ZT[HISTVW]N${scope}*; _ZT[ISTV]${scope};")
  endforeach()
  file(CONFIGURE OUTPUT ${NNAPI_SYMBOLS} CONTENT "NNAPI_${NNAPI_SOVERSION} {
  global:
    ${patterns}
  local:
    *;
};
")
endif()

# nnapi_generated_sources(NAME FILES...): generated sources; the target of that name makes all of them. A target of
# their own has them, so that they do not wait for the libraries that their users link.
add_custom_target(nnapi_generated_sources)
function(nnapi_generated_sources name)
  add_custom_target(nnapi_generated_sources_${name} DEPENDS ${ARGN})
  add_dependencies(nnapi_generated_sources nnapi_generated_sources_${name})
endfunction()

# nnapi_library(NAME [STATIC] [UNOPTIMIZED_IF_SANITIZED] [OPTIMIZE_LIGHTLY] [SPEED_CRITICAL SOURCE...]
# [SOURCES SOURCE...] [UNITY SOURCE...] [OBJECTS PART...] [PUBLIC LIBRARY...] [PRIVATE LIBRARY...]
# [ANDROID FOLDER...]): one component, nnapi::NAME, installed with its package files. UNITY sources are compiled
# together, SOURCES one by one, SPEED_CRITICAL ones one by one in optimized builds. OBJECTS are made by nnapi_part.
# ANDROID are folders of android/include that the component has. STATIC: also with BUILD_SHARED_LIBS. The other
# options call the function of that name.
function(nnapi_library name)
  cmake_parse_arguments(ARG "STATIC;UNOPTIMIZED_IF_SANITIZED;OPTIMIZE_LIGHTLY" "" "SPEED_CRITICAL;SOURCES;UNITY;OBJECTS;PUBLIC;PRIVATE;ANDROID" ${ARGN})
  if(NNAPI_FULLY_OPTIMIZED)
    list(APPEND ARG_SOURCES ${ARG_SPEED_CRITICAL})
  else()
    list(APPEND ARG_UNITY ${ARG_SPEED_CRITICAL})
  endif()
  list(TRANSFORM ARG_OBJECTS REPLACE "(.+)" "$<TARGET_OBJECTS:nnapi_\\1>" OUTPUT_VARIABLE parts)
  set(type STATIC)
  if(BUILD_SHARED_LIBS AND NOT ARG_STATIC)
    set(type SHARED)
  endif()
  add_library(nnapi_${name} ${type} ${ARG_SOURCES} ${ARG_UNITY} ${parts})
  if(ARG_UNITY)
    nnapi_unity(nnapi_${name} 12)
    set_source_files_properties(${ARG_SOURCES} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  add_library(nnapi::${name} ALIAS nnapi_${name})
  set_target_properties(nnapi_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON
                                                ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/src)
  target_include_directories(
    nnapi_${name}
    PUBLIC "$<BUILD_INTERFACE:${NNAPI_OVERLAYS}>"
           $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(nnapi_${name} PUBLIC cxx_std_20)
  target_link_libraries(nnapi_${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  nnapi_android_headers(${name} PUBLIC ${ARG_ANDROID})
  nnapi_options(nnapi_${name})
  if(ARG_UNOPTIMIZED_IF_SANITIZED)
    nnapi_unoptimized_if_sanitized(nnapi_${name})
  endif()
  if(ARG_OPTIMIZE_LIGHTLY)
    nnapi_optimize_lightly(nnapi_${name})
  endif()
  nnapi_precompile(nnapi_${name})
  if(type STREQUAL "SHARED")
    # Objects are those of static libraries.
    set_target_properties(nnapi_${name} PROPERTIES DEFINE_SYMBOL "" VERSION ${PROJECT_VERSION} SOVERSION ${NNAPI_SOVERSION}
                                                   LINK_DEPENDS ${NNAPI_SYMBOLS})
    target_link_options(nnapi_${name} PRIVATE -Wl,--version-script=${NNAPI_SYMBOLS})
    if(NOT NNAPI_INSTRUMENT)  # whose functions are those of the program
      target_link_options(nnapi_${name} PRIVATE -Wl,--no-undefined)
    endif()
    # Users need only what headers show; what ours link is found by name.
    list(FILTER ARG_PRIVATE INCLUDE REGEX "^nnapi::")
  endif()
  if(NNAPI_INSTALL)
    nnapi_install_component(${name} LINKS ${ARG_PUBLIC} ${ARG_PRIVATE} ANDROID ${ARG_ANDROID})
  endif()
endfunction()

# nnapi_renamed(OLD NEW...): the name that a component had in 0.1.0, for one release.
function(nnapi_renamed old)
  list(TRANSFORM ARGN PREPEND nnapi:: OUTPUT_VARIABLE links)
  add_library(nnapi_${old} INTERFACE)
  add_library(nnapi::${old} ALIAS nnapi_${old})
  set_target_properties(nnapi_${old} PROPERTIES EXPORT_NAME ${old})
  target_link_libraries(nnapi_${old} INTERFACE ${links})
  set_property(GLOBAL APPEND PROPERTY NNAPI_RENAMED ${old})
  if(NNAPI_INSTALL)
    nnapi_install_component(${old} HEADERS_ONLY LINKS ${links})
  endif()
endfunction()

# nnapi_android_headers(NAME PUBLIC | INTERFACE FOLDER...): the component has headers of Android's
# trees, which are found before those of its libraries.
function(nnapi_android_headers name visibility)
  foreach(folder IN LISTS ARGN)
    target_include_directories(nnapi_${name} BEFORE ${visibility}
                               $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/android/include/${folder}>
                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/nnapi-android/${folder}>)
  endforeach()
endfunction()

# nnapi_part(NAME [UNOPTIMIZED_IF_SANITIZED] SPEED_CRITICAL SOURCE... | SOURCES SOURCE... | UNITY SOURCE...
# LINKS LIBRARY...): a folder that becomes part of a library.
function(nnapi_part name)
  cmake_parse_arguments(ARG "UNOPTIMIZED_IF_SANITIZED" "" "SPEED_CRITICAL;SOURCES;UNITY;LINKS" ${ARGN})
  if(NNAPI_FULLY_OPTIMIZED)
    list(APPEND ARG_SOURCES ${ARG_SPEED_CRITICAL})
  else()
    list(APPEND ARG_UNITY ${ARG_SPEED_CRITICAL})
  endif()
  add_library(nnapi_${name} OBJECT ${ARG_SOURCES} ${ARG_UNITY})
  if(ARG_UNITY)
    nnapi_unity(nnapi_${name} 12)
  endif()
  set_target_properties(nnapi_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(nnapi_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(nnapi_${name} PUBLIC cxx_std_20)
  target_link_libraries(nnapi_${name} PRIVATE ${ARG_LINKS})
  nnapi_options(nnapi_${name})
  if(ARG_UNOPTIMIZED_IF_SANITIZED)
    nnapi_unoptimized_if_sanitized(nnapi_${name})
  endif()
  nnapi_precompile(nnapi_${name})
endfunction()

# nnapi_shared_library(NAME OBJECTS ... HEADERS folder SYMBOLS script LINKS ...): one component that is
# a shared library, libNAME.so: parts, whose symbols are those of the script for the linker, and which
# are compiled against headers of that folder alone. It stays loaded: threads and drivers need its code.
function(nnapi_shared_library name)
  cmake_parse_arguments(ARG "" "HEADERS;SYMBOLS" "OBJECTS;LINKS" ${ARGN})
  list(TRANSFORM ARG_OBJECTS REPLACE "(.+)" "$<TARGET_OBJECTS:nnapi_\\1>" OUTPUT_VARIABLE parts)
  add_library(nnapi_${name} SHARED ${parts})
  add_library(nnapi::${name} ALIAS nnapi_${name})
  set_target_properties(nnapi_${name} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${name} SOVERSION 1 LINKER_LANGUAGE CXX
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib LINK_DEPENDS ${ARG_SYMBOLS})
  foreach(folder . ${ARG_HEADERS})
    target_include_directories(
      nnapi_${name} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include/${folder}>
                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/${folder}>)
  endforeach()
  target_link_libraries(nnapi_${name} PRIVATE ${ARG_LINKS})
  target_link_options(nnapi_${name} PRIVATE -Wl,--version-script=${ARG_SYMBOLS} -Wl,-z,nodelete)
  nnapi_options(nnapi_${name})
  nnapi_fast_start(nnapi_${name})
  if(NNAPI_INSTALL)
    nnapi_install_shared(${name} ${ARG_HEADERS} ${ARG_LINKS})
  endif()
endfunction()

# So many files at once: each has its names in a namespace of its own, or they differ.
function(nnapi_unity target batch)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${NNAPI_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
  # Such a type is used only by its file.
  if(NNAPI_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# Forwarding code: sanitizers do not optimize it, since compiling it takes longer than running it.
function(nnapi_unoptimized_if_sanitized target)
  if(NNAPI_SANITIZE AND NOT NNAPI_FUZZ_ENGINE AND CMAKE_BUILD_TYPE MATCHES "^Rel")
    target_compile_options(${target} PRIVATE -O0)
    set_target_properties(${target} PROPERTIES NNAPI_IS_UNOPTIMIZED ON)
  endif()
endfunction()
set(NNAPI_OPTIMIZED_LIGHTLY)
if(NNAPI_FULLY_OPTIMIZED)
  # With so little, gcc takes what optionals and promises guard for uninitialized.
  set(NNAPI_OPTIMIZED_LIGHTLY -O1 $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

# Optimizes a target for compile time; call it before nnapi_precompile, since gcc 14 reuses a precompiled header only with
# the optimization that it was compiled with.
function(nnapi_optimize_lightly target)
  if(NOT NNAPI_OPTIMIZED_LIGHTLY)
    return()
  endif()
  target_compile_options(${target} PRIVATE ${NNAPI_OPTIMIZED_LIGHTLY})
  set_target_properties(${target} PROPERTIES NNAPI_IS_OPTIMIZED_LIGHTLY ON)
endfunction()

# One parse of the headers that nearly all files of the libraries include, by the first of them for
# all, and by the first of each other optimization for targets like it. A target that names more headers
# parses them all for itself.
function(nnapi_precompile target)
  if(NOT NNAPI_UNITY)
    return()
  endif()
  get_target_property(unoptimized ${target} NNAPI_IS_UNOPTIMIZED)
  get_target_property(little ${target} NNAPI_IS_OPTIMIZED_LIGHTLY)
  set(optimization FULL)
  if(unoptimized)
    set(optimization NONE)
  elseif(little)
    set(optimization OPTIMIZE_LIGHTLY)
  endif()
  get_property(first GLOBAL PROPERTY NNAPI_FIRST_OPTIMIZED_${optimization})
  if(first AND NOT ARGN)
    target_precompile_headers(${target} REUSE_FROM ${first})
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <absl/algorithm/container.h> <fmt/format.h> <nnapi/validate.h> ${ARGN})
  if(NOT ARGN)
    set_property(GLOBAL PROPERTY NNAPI_FIRST_OPTIMIZED_${optimization} ${target})
  endif()
endfunction()

# Packed relative relocations: a tenth of their size, and the dynamic loader applies them in one pass. They need
# glibc 2.36. The option --pack-dyn-relocs=relr of older lld does not record that, and glibc refuses the program.
set(CMAKE_REQUIRED_LINK_OPTIONS -Wl,-z,pack-relative-relocs,--fatal-warnings)
check_cxx_source_compiles("
  #include <cstdlib>
  #if !__GLIBC_PREREQ(2, 36)
  #error
  #endif
  int main() {}" NNAPI_PACKS_RELOCATIONS)
unset(CMAKE_REQUIRED_LINK_OPTIONS)

# nnapi_fast_start(TARGET): a program or shared object that starts in little time. It loads only the libraries whose
# functions it calls, and binds its own functions when it is linked.
function(nnapi_fast_start target)
  if(NOT NNAPI_FULLY_OPTIMIZED)
    return()
  endif()
  target_link_options(${target} PRIVATE -Wl,--as-needed -Wl,-Bsymbolic-functions)
  if(NNAPI_PACKS_RELOCATIONS)
    target_link_options(${target} PRIVATE -Wl,-z,pack-relative-relocs)
  endif()
endfunction()

# For code that does not compute values of models. There, dividing a float by zero and narrowing are
# mistakes, although C++ defines them.
set(NNAPI_STRICT)
if(NNAPI_SANITIZE MATCHES undefined AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(NNAPI_STRICT -fsanitize=float-divide-by-zero,implicit-conversion)
endif()

# Warnings, sanitizers and coverage, the same for every target of this project. Targets that link its
# libraries get C++20. Decisions (which box, which pixel) must not depend on whether a compiler fuses a
# multiplication and an addition: no target may, since gcc takes this from the precompiled header.
function(nnapi_options target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  if(NNAPI_DEVELOP)
    # gcc collects garbage from 128 MB on, which several files at once need anyway: a tenth of the time.
    target_compile_options(${target} PRIVATE -Wall -Wextra $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=800000>)
    # Members of generated structs have no initializers, and conversions leave out those that are zero.
    if(NNAPI_OVERLAYS)
      target_compile_options(${target} PRIVATE -Wno-missing-field-initializers)
    endif()
  endif()
  # Programs and shared objects omit unreachable parts of their libraries.
  if(NNAPI_FULLY_OPTIMIZED)
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
    target_link_options(${target} PRIVATE -Wl,--gc-sections)
  endif()
  if(NNAPI_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${NNAPI_SANITIZE} -fno-sanitize-recover=all
                                            -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${NNAPI_SANITIZE})
    # Vectors, strings, spans and optionals check how they are called. Checks inside of them, of gtest and
    # of abseil as well would take a fifth of the time to compile, and half of the size.
    target_compile_definitions(${target} PUBLIC _GLIBCXX_ASSERTIONS)
    if(NNAPI_SANITIZE MATCHES undefined AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      target_compile_options(
        ${target} PUBLIC
        $<BUILD_INTERFACE:-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/undefined_behavior_ignored.txt>)
    endif()
  endif()
  if(NNAPI_INSTRUMENT STREQUAL "coverage")
    # The counters are in the file of the profile itself (%c), so that processes that are killed count, too.
    target_compile_options(${target} PUBLIC -fprofile-instr-generate -fcoverage-mapping
                                            "SHELL:-mllvm -runtime-counter-relocation")
    target_link_options(${target} PUBLIC -fprofile-instr-generate)
  endif()
  if(NNAPI_FUZZ_ENGINE MATCHES "^-fsanitize=fuzzer")
    target_compile_options(${target} PUBLIC -fsanitize=fuzzer-no-link)
    target_link_options(${target} PUBLIC -fsanitize=fuzzer-no-link)
  endif()
endfunction()
