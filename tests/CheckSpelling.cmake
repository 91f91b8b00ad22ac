# Fails when code outside of lib/Isa looks at how a mnemonic is spelled: what an opcode is stands in
# lib/Isa/Ops.def and OpTraits.h. Names may be printed and looked up, not taken apart or compared.
# Run in the source folder, or with -DSOURCES=file;file on those.
set(unit "(v|s|ds|global|buffer|flat|scratch|image|tbuffer)_")
set(type "(b|u|i|f|bf|iu)(8|16|24|32|64|96|128|256|512)")
set(word "(cmpx?|cmpk|addk|movk|mulk|d16|d16_hi|saveexec|wrexec|addtid|2addr|stride64|movrel|swaprel|wmma|fmac|atomic|format|load|store|inv|32|64)_?")
set(arguments "\\([^()]*(\\([^()]*\\)[^()]*)*\\)")
set(gap "[ \n]*")
set(tests
  # name.starts_with("v_cmpx"), name.find("_d16"), name.ends_with("_b64")
  "[.>](starts_with|ends_with|find|rfind|contains|compare)${gap}\\(${gap}\"_?${unit}[^\"]*\""
  "[.>](starts_with|ends_with|find|rfind|contains|compare)${gap}\\(${gap}\"_?(${type}|${word})\""
  # name == "v_mov_b32", name.substr(0, 2) == "v_"
  "[=!]=${gap}\"${unit}[a-z0-9_]*\""
  # Tables of names: {"v_mov_b32", Move}, "s_nop", "s_waitcnt"
  "{${gap}\"${unit}([a-z0-9_]+_)?${type}\"${gap},"
  "\"${unit}[a-z0-9_]+\"${gap},${gap}\"${unit}[a-z0-9_]+\""
  # opName(op).ends_with(...), opName(op) == ..., and a name that is kept to be looked at
  "(opName${arguments}|[.>]name\\(\\))${gap}(\\.(starts_with|ends_with|find|rfind|contains|compare|substr|front|back)|\\[)"
  "opName${arguments}${gap}[=!]="
  "[=!]=${gap}opName${gap}\\("
  "string(_view)? [a-zA-Z0-9_]+${gap}[=({]${gap}opName${arguments}${gap}[;)}]")
set(unrelated "\"global_buffer\"") # a kind of kernel argument

if(NOT SOURCES)
  file(GLOB_RECURSE SOURCES lib/*.h lib/*.cpp tools/*.h tools/*.cpp bench/*.h bench/*.cpp)
  list(FILTER SOURCES EXCLUDE REGEX "/lib/Isa/")
endif()
list(LENGTH SOURCES count)
if(count EQUAL 0)
  message(FATAL_ERROR "no sources here")
endif()
set(faults "")
foreach(file IN LISTS SOURCES)
  file(READ "${file}" whole)
  foreach(test IN LISTS tests)
    set(rest "${whole}")
    set(line 1)
    while(rest MATCHES "${test}")
      set(match "${CMAKE_MATCH_0}")
      string(FIND "${rest}" "${match}" at)
      string(LENGTH "${match}" length)
      string(SUBSTRING "${rest}" 0 ${at} before)
      string(REGEX REPLACE "[^\n]" "" lines "${before}")
      string(LENGTH "${lines}" skipped)
      math(EXPR line "${line} + ${skipped}")
      if(NOT match MATCHES "${unrelated}")
        string(APPEND faults "\n${file}:${line}: ${match}")
      endif()
      string(REGEX REPLACE "[^\n]" "" lines "${match}")
      string(LENGTH "${lines}" skipped)
      math(EXPR line "${line} + ${skipped}")
      math(EXPR end "${at} + ${length}")
      string(SUBSTRING "${rest}" ${end} -1 rest)
    endwhile()
  endforeach()
endforeach()
if(faults)
  message(FATAL_ERROR "mnemonics are taken apart outside of lib/Isa:${faults}")
endif()
