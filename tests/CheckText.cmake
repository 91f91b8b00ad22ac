# Fails when a pass puts instruction text together: instructions come from Code/Build.h and
# Code/Change.h, and only lib/Code prints them. Messages may quote instructions. Run in the source
# folder, or with -DSOURCES=file;file on those.
set(operand "([vs]?{|[vs]\\[|[vs][0-9]|0x|[0-9]|vcc|exec|m0)")
set(tests
  "Code::text${gap}\\("
  "Code::Text${gap}{"
  # "s_add_u32 s{}, {}"
  "\"(\\\\t)?(v|s|ds|global|buffer|flat|scratch)_[a-z0-9_]+ ${operand}"
  # Parsing what was just made
  "Module::parse\\(")

if(NOT SOURCES)
  file(GLOB_RECURSE SOURCES lib/Analysis/*.cpp lib/Symbolic/*.cpp lib/Transform/*.h lib/Transform/*.cpp
       lib/Verify/*.cpp lib/Pipeline/*.h lib/Pipeline/*.cpp
       lib/Generate/*.h lib/Generate/*.cpp)
  list(FILTER SOURCES EXCLUDE REGEX "/Analysis/Lint.cpp$") # It names the wait that is missing.
  list(FILTER SOURCES EXCLUDE REGEX "/Generate/KernelFinish.cpp$") # Nothing was parsed before it.
endif()
list(LENGTH SOURCES count)
if(count EQUAL 0)
  message(FATAL_ERROR "no sources here")
endif()
set(faults "")
foreach(file IN LISTS SOURCES)
  file(READ "${file}" whole)
  foreach(test IN LISTS tests)
    if(whole MATCHES "${test}")
      string(APPEND faults "\n${file}: ${CMAKE_MATCH_0}")
    endif()
  endforeach()
endforeach()
if(faults)
  message(FATAL_ERROR "instruction text outside of lib/Code:${faults}")
endif()
