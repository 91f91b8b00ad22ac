# Puts a page of a report together: one file that loads nothing. For MakePage.cmake of the tools, run
# with -DD3=d3.min.js -DOUTPUT=page.html.
#
#   assemble_page(TITLE text CHOICE html CONTENTS html WITHOUT html ORIGIN text SCRIPTS files...)
#
# CHOICE: what else can be chosen at the head; CONTENTS: html behind it; WITHOUT: which commands print
# the figures for those who have no scripts; ORIGIN: where the figures come from.
function(assemble_page)
  cmake_parse_arguments(PARSE_ARGV 0 part "" "TITLE;CHOICE;CONTENTS;WITHOUT;ORIGIN" "SCRIPTS")
  set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  set(shared "${here}/../../isa-parse/report")
  file(READ "${here}/page.html" page)
  file(READ "${shared}/style.css" part_STYLE)
  file(READ "${shared}/d3-license.txt" part_LICENCE)
  file(READ "${D3}" part_D3)
  set(scripts "")
  foreach(name IN LISTS part_SCRIPTS)
    file(READ "${name}" script)
    string(APPEND scripts "${script}\n")
  endforeach()
  set(part_SCRIPTS "${scripts}")
  foreach(name TITLE CHOICE CONTENTS WITHOUT ORIGIN STYLE LICENCE D3 SCRIPTS)
    string(REPLACE "@RDNA_${name}@" "${part_${name}}" page "${page}")
  endforeach()
  file(WRITE "${OUTPUT}" "${page}")
endfunction()
