# What CMake's HIP language links to every target: the runtime, by its name, because the system has
# it or the program gets it from rdna-run. rdna-clang++ knows its headers and the platform itself.
if(NOT TARGET hip-lang::amdhip64)
  add_library(hip-lang::amdhip64 INTERFACE IMPORTED)
  set_target_properties(hip-lang::amdhip64 PROPERTIES INTERFACE_LINK_LIBRARIES amdhip64)
endif()
if(NOT TARGET hip-lang::device)
  add_library(hip-lang::device INTERFACE IMPORTED)
  set_target_properties(hip-lang::device PROPERTIES
    INTERFACE_COMPILE_DEFINITIONS __HIP_PLATFORM_AMD__
    INTERFACE_LINK_LIBRARIES hip-lang::amdhip64)
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip-lang::device)
