# Fails when a file under tests/ belongs to no suite, so that no test is silently never run.
# Run in tests/.
set(claims
  "^(CMakeLists\\.txt|Check[A-Za-z]+\\.cmake|[A-Za-z]+\\.h)$"
  "^(unit|roundtrip|diff|symbolic|corpus|calls|rewrite|mutation|fuzz|timing|generate|library)/(CMakeLists\\.txt|[A-Za-z0-9]+\\.(h|cpp))$"
  "^api/(CMakeLists\\.txt|CheckExports\\.cmake|exports\\.txt|run_asm\\.py|[A-Za-z0-9]+\\.(h|cpp))$"
  "^corpus/(held-out/)?[a-z0-9_]+\\.(hip|json|h)$"
  "^calls/[a-z0-9_]+\\.(hip|json|h)$"
  "^docs/(CMakeLists\\.txt|docs\\.json|run_docs\\.py|[a-z_]+\\.hip)$"
  "^package/(CMakeLists\\.txt|[a-z-]+\\.(sh|hip))$"
  "^screens/(CMakeLists\\.txt|[a-z_]+\\.py|[a-z0-9-]+\\.(s|hip|json|txt))$"
  "^report/(CMakeLists\\.txt|[a-z_]+\\.py)$"
  "^device-math/(CMakeLists\\.txt|[A-Za-z0-9]+\\.(h|cpp)|[a-z0-9_]+\\.(hip|json))$"
  "^hip/(CMakeLists\\.txt|(Abi|Runtime)Test\\.cpp|check\\.h|[a-z_]+\\.py|[a-z-]+\\.sh|[a-z0-9_]+\\.hip)$"
  "^hip-build/(CMakeLists\\.txt|[a-z_]+\\.py|project/(CMakeLists\\.txt|Makefile|[a-z_]+\\.(h|hip)))$"
  "^calls/by-hand/[a-z0-9_]+\\.(s|json)$"
  "^rewrite/addressing/[a-z0-9_]+\\.(hip|json)$"
  "^rewrite/fragments/(held-out/)?[a-z0-9_]+\\.(hip|json|h)$"
  "^semantics/(CMakeLists\\.txt|Driver\\.cpp|[a-z_]+\\.py)$"
  "^lit/(CMakeLists\\.txt|lit\\.cfg\\.py|lit\\.site\\.cfg\\.py\\.in)$"
  "^lit/([a-z0-9-]+/)*Inputs/.+$"
  "^lit/([a-z0-9-]+/)*[a-z0-9-]+\\.(s|test)$")
file(GLOB_RECURSE files RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" *)
set(orphans "")
foreach(file IN LISTS files)
  if(file MATCHES "__pycache__")
    continue()
  endif()
  set(claimed FALSE)
  foreach(claim IN LISTS claims)
    if(file MATCHES "${claim}")
      set(claimed TRUE)
    endif()
  endforeach()
  if(file MATCHES "^lit/.*\\.(s|test)$" AND NOT file MATCHES "/Inputs/")
    file(STRINGS "${file}" runs REGEX "RUN:")
    if(NOT runs)
      set(claimed FALSE)
    endif()
  elseif(file MATCHES "^calls/by-hand/.*\\.json$")
    string(REGEX REPLACE "json$" "s" source "${file}")
    if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
      set(claimed FALSE)
    endif()
  elseif(file MATCHES "^(corpus|calls|rewrite)/.*\\.json$")
    string(REGEX REPLACE "json$" "hip" source "${file}")
    if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
      set(claimed FALSE)
    endif()
  endif()
  if(NOT claimed)
    string(APPEND orphans "\n  tests/${file}")
  endif()
endforeach()
if(orphans)
  message(FATAL_ERROR "no suite runs these files:${orphans}")
endif()
