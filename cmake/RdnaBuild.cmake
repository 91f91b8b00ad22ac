# One place for compiler settings, dependencies and the helpers that declare libraries and tools.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Sources of one target are compiled a dozen at a time: what they include takes most of the time. A
# name without linkage is therefore the only one of its kind in its folder. The debug preset compiles
# each by itself.
option(RDNA_UNITY "Compile the sources of a library or tool together" ON)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

# LLVM's version file accepts only the same major.minor, hence 22.1 and not 22.
find_package(LLVM 22.1 REQUIRED CONFIG)
find_package(LLD REQUIRED CONFIG HINTS "${LLVM_INSTALL_PREFIX}/lib/cmake/lld")
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)

# The shared libLLVM only: the component libraries are static archives, and a second copy of
# LLVM's global state in one process would follow from linking them.
add_library(rdna_llvm INTERFACE)
separate_arguments(RDNA_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_include_directories(rdna_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(rdna_llvm INTERFACE ${RDNA_LLVM_DEFINITIONS})
target_link_libraries(rdna_llvm INTERFACE LLVM)

add_library(rdna_options INTERFACE)
# -Wrestrict is wrong about std::string in GCC 12 (GCC bug 105651).
target_compile_options(rdna_options INTERFACE -Wall -Wextra -Wpedantic
                       $<$<BOOL:${RDNA_WERROR}>:-Werror> -Wno-psabi
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(RDNA_SANITIZE)
  # Instrumented code confuses g++'s flow-based warnings (its manual says so), hence -Wno-error here.
  target_compile_options(rdna_options INTERFACE -fsanitize=address,undefined
                         -fno-sanitize-recover=undefined -fno-omit-frame-pointer -Wno-error)
  target_link_options(rdna_options INTERFACE -fsanitize=address,undefined)
endif()

if(RDNA_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "RDNA_FUZZ needs clang: -DCMAKE_C_COMPILER=clang-22"
                        " -DCMAKE_CXX_COMPILER=clang++-22, in a build folder of its own")
  endif()
  # The build that CI keeps free of warnings is g++'s.
  target_compile_options(rdna_options INTERFACE -fsanitize=fuzzer-no-link,address -g1
                         -fno-omit-frame-pointer -Wno-error)
  target_link_options(rdna_options INTERFACE -fsanitize=address)
endif()

# rdna_unity(<target>): compiled together, unless the target's folder sets RDNA_UNITY to OFF, and
# folder by folder: only what stands side by side has to have different names.
function(rdna_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RDNA_UNITY} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    get_filename_component(folder "${source}" DIRECTORY)
    string(REPLACE "${CMAKE_CURRENT_SOURCE_DIR}" "" folder "${folder}")
    string(MAKE_C_IDENTIFIER "batch${folder}" folder)
    math(EXPR batch "0${count_${folder}} / 12")
    math(EXPR count_${folder} "0${count_${folder}} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${batch}")
  endforeach()
endfunction()

# rdna_add_library(<Name> SOURCES a.cpp ... DEPENDS Support ...): the library lib/<Name>.
# Only what DEPENDS names is visible, so the arrows of docs/design.md are enforced by the build.
function(rdna_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(rdna${name} STATIC ${ARG_SOURCES})
  rdna_unity(rdna${name})
  add_library(rdna::${name} ALIAS rdna${name})
  set_target_properties(rdna${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(rdna${name} PUBLIC "${CMAKE_SOURCE_DIR}/lib")
  target_link_libraries(rdna${name} PUBLIC rdna_llvm fmt::fmt PRIVATE rdna_options ${ARG_LINK})
  foreach(dep IN LISTS ARG_DEPENDS)
    target_link_libraries(rdna${name} PUBLIC rdna${dep})
  endforeach()
endfunction()

# rdna_add_tool(<name> SOURCES ... DEPENDS ...): the command-line tool tools/<name>.
function(rdna_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  rdna_unity(${name})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
  target_link_libraries(${name} PRIVATE rdna_options CLI11::CLI11 ${ARG_LINK})
  foreach(dep IN LISTS ARG_DEPENDS)
    target_link_libraries(${name} PRIVATE rdna${dep})
  endforeach()
  install(TARGETS ${name} EXPORT rdnakit RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  rdna_install_help(${name})
endfunction()
