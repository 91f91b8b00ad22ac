# Fails when passes or analyses go around the blocks of a function by themselves: data-flow problems
# are solved, and paths are searched, by lib/Analysis/Dataflow.h. Looked for are loops until nothing
# changes and work lists from which edges of the graph are followed. The proof (lib/Symbolic,
# lib/Verify) has loops of its own, on purpose. Run in the source folder, or with
# -DSOURCES=file;file on those.
cmake_minimum_required(VERSION 3.25)

set(own
  lib/Analysis/Dataflow.h
  lib/Analysis/Cfg.cpp    # makes the graph: dominators, loops
  lib/Analysis/Lint.cpp)  # the rules that the proof goes by
set(gap "[ \n]*")
set(fixpoint "for${gap}\\(bool [a-zA-Z]+ = true;${gap}[a-zA-Z]+;|while${gap}\\(${gap}changed${gap}\\)")
set(list "(while|for)${gap}\\([^{}]*![a-zA-Z_]+\\.empty\\(\\)")
set(edges "\\.(successors|predecessors)")

set(faults "")
set(exempt 0)
if(NOT SOURCES)
  list(LENGTH own exempt)
  file(GLOB_RECURSE SOURCES lib/Analysis/*.h lib/Analysis/*.cpp lib/Transform/*.h lib/Transform/*.cpp
       lib/Code/*.h lib/Code/*.cpp lib/Pipeline/*.h lib/Pipeline/*.cpp)
endif()
set(seen 0)
foreach(file IN LISTS SOURCES)
  file(RELATIVE_PATH name "${CMAKE_CURRENT_SOURCE_DIR}" "${file}")
  if(name IN_LIST own)
    math(EXPR seen "${seen} + 1")
    continue()
  endif()
  file(READ "${file}" rest)
  if(NOT rest MATCHES "${edges}")
    continue()
  endif()
  if(rest MATCHES "${fixpoint}")
    string(APPEND faults "\n  ${name}: ${CMAKE_MATCH_0}")
  endif()
  while(rest MATCHES "${list}")
    set(match "${CMAKE_MATCH_0}")
    string(FIND "${rest}" "${match}" at)
    # As far as the loop and what it calls may reach.
    math(EXPR from "${at} - 700")
    if(from LESS 0)
      set(from 0)
    endif()
    string(SUBSTRING "${rest}" ${from} 1700 around)
    if(around MATCHES "${edges}")
      string(APPEND faults "\n  ${name}: ${match}) beside edges of the graph")
    endif()
    string(LENGTH "${match}" length)
    math(EXPR end "${at} + ${length}")
    string(SUBSTRING "${rest}" ${end} -1 rest)
  endwhile()
endforeach()
if(seen LESS exempt)
  message(FATAL_ERROR "of these, which may have loops of their own, one is not there: ${own}")
endif()
if(faults)
  message(FATAL_ERROR "loops over the blocks that belong into Analysis/Dataflow:${faults}")
endif()
