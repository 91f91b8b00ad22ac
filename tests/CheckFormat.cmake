# Fails when clang-format would change a source. Run in the source folder with -DCLANG_FORMAT=...
file(GLOB_RECURSE sources lib/*.h lib/*.cpp tools/*.h tools/*.cpp tests/*.h tests/*.cpp tests/*.hip
     bench/*.h bench/*.cpp templates/*.h templates/*.hip include/*.h examples/*.c examples/*.cpp
     examples/*.hip fuzz/*.h fuzz/*.cpp)
execute_process(COMMAND "${CLANG_FORMAT}" --dry-run -Werror ${sources} RESULT_VARIABLE result)
if(result)
  message(FATAL_ERROR "clang-format-22 -i would change the lines above")
endif()
