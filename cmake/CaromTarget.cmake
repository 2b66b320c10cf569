# SPDX-License-Identifier: Apache-2.0
# One place for how every target of the project is compiled.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

add_library(carom_options INTERFACE)
# -fno-semantic-interposition: functions of a file may be inlined into each other although the code is
# position-independent.
# No fused multiply-add behind our back: the same source gives the same bits on every machine
# and in every build type. No -march, for the same reason.
target_compile_options(carom_options INTERFACE
    -ffp-contract=off -fno-math-errno -fno-semantic-interposition -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # the compiler tidies its own memory after 1 GB, not after 128 MB: an eighth of the time to compile
    target_compile_options(carom_options INTERFACE
        --param=ggc-min-expand=300 --param=ggc-min-heapsize=1000000)
endif()
if(CAROM_SANITIZE STREQUAL thread)
    target_compile_options(carom_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
    target_link_options(carom_options INTERFACE -fsanitize=thread)
elseif(CAROM_SANITIZE)
    target_compile_options(carom_options INTERFACE
        -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(carom_options INTERFACE -fsanitize=address,undefined)
    if(CAROM_BUILD_FUZZ)
        # these five are half of the time to compile and find little beside the address sanitizer;
        # the preset asan has them (./test thorough)
        target_compile_options(carom_options INTERFACE
            -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
    endif()
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # a fifth of the time to link, where it is there
    cmake_path(GET CMAKE_CXX_COMPILER_AR PARENT_PATH llvm)
    find_program(CAROM_LLD ld.lld HINTS ${llvm})
    if(CAROM_LLD)
        target_link_options(carom_options INTERFACE -fuse-ld=lld)
    endif()
endif()

option(CAROM_UNITY "Compile several sources as one unit: a third of the time from nothing" ON)

# carom_units(TARGET SOURCES...): gives the sources to the target; those between two '|' are compiled
# as one unit, so that what they all include is read once. With CAROM_UNITY=OFF each source is a
# unit of its own, which shows an include that a file owes to its neighbours (./test thorough).
function(carom_units target)
    set(unit 1)
    foreach(source ${ARGN})
        if(source STREQUAL "|")
            math(EXPR unit "${unit} + 1")
            continue()
        endif()
        target_sources(${target} PRIVATE ${source})
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target}_${unit})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${CAROM_UNITY} UNITY_BUILD_MODE GROUP)
    if(CAROM_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # every type of a source counts as one of a header there
        target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
endfunction()

# carom_headers(NAME HEADERS... USES...): headers that are compiled once for all targets that reuse
# them and have the same options; one with others would quietly be compiled with those of the headers.
# None of our own but what all of those targets include: they are compiled anew when it changes. Without
# CAROM_UNITY the modules reuse none, so that each source shows what it owes to others.
set(carom_headers_source ${CMAKE_CURRENT_LIST_DIR}/headers.cpp)
function(carom_headers name)
    cmake_parse_arguments(SET "" "" "HEADERS;USES" ${ARGN})
    add_library(${name} OBJECT ${carom_headers_source})
    target_link_libraries(${name} PRIVATE ${SET_USES} Eigen3::Eigen carom_options)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_precompile_headers(${name} PRIVATE ${SET_HEADERS} <Eigen/Cholesky> <Eigen/Core> <Eigen/Eigenvalues>
        <Eigen/Geometry> <Eigen/LU> <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory>
        <numbers> <optional> <span> <stdexcept> <string> <string_view> <utility> <variant> <vector>
        "${PROJECT_SOURCE_DIR}/carom/math/types.h")
endfunction()

# How a module is compiled. Those that compute (FAST): small functions on small vectors; what -O2 does
# not inline costs a fifth of the time. Those that read and write (PLAIN) are not optimised under the
# sanitizers: two thirds of the time to compile them.
function(carom_module_options name kind)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    if(kind STREQUAL FAST)
        target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O3>)
    elseif(CAROM_SANITIZE)
        target_compile_options(${name} PRIVATE -O0)
    endif()
    if(CAROM_BUILD_FUZZ)
        # libFuzzer is led by the coverage of the code it tries to break
        target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
endfunction()

# carom_room(NAME [LIBRARY] [PLAIN] SOURCES... USES...): one folder below carom/, one target carom::NAME.
# LIBRARY rooms are installed for other projects, each with its own file of targets, so that one can
# be used without the packages that another needs: see caromConfig.cmake.in. PLAIN rooms read, write
# and compute little. SOURCES as in carom_units.
function(carom_room name)
    cmake_parse_arguments(ROOM "LIBRARY;PLAIN" "" "SOURCES;USES" ${ARGN})
    add_library(carom_${name} STATIC)
    carom_units(carom_${name} ${ROOM_SOURCES})
    add_library(carom::${name} ALIAS carom_${name})
    set_target_properties(carom_${name} PROPERTIES EXPORT_NAME ${name})
    target_compile_features(carom_${name} PUBLIC cxx_std_20)
    target_include_directories(carom_${name} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
    target_link_libraries(carom_${name} PUBLIC ${ROOM_USES} PRIVATE $<BUILD_INTERFACE:carom_options>)
    if(ROOM_PLAIN)
        set(kind PLAIN)
        set(headers carom_plain_headers)
    else()
        set(kind FAST)
        set(headers carom_fast_headers)
    endif()
    carom_module_options(carom_${name} ${kind})
    if(CAROM_UNITY)
        target_precompile_headers(carom_${name} REUSE_FROM ${headers})
    endif()
    if(ROOM_LIBRARY)
        install(TARGETS carom_${name} EXPORT carom_${name} ARCHIVE DESTINATION lib)
        install(EXPORT carom_${name} NAMESPACE carom:: FILE carom_${name}.cmake
                DESTINATION lib/cmake/carom)
        install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ DESTINATION include/carom/${name}
                FILES_MATCHING PATTERN "*.h")
    endif()
endfunction()
