# The page of isa-parse --html.
# cmake -DD3=d3.min.js -DOUTPUT=page.html -P MakePage.cmake, anywhere.
cmake_minimum_required(VERSION 3.25)
set(here "${CMAKE_CURRENT_LIST_DIR}")
include("${here}/../../common/report/AssemblePage.cmake")
set(scripts "")
foreach(name dom tables summary mix stalls banks pressure timeline sources main)
  list(APPEND scripts "${here}/${name}.js")
endforeach()
assemble_page(
  TITLE "isa-parse report"
  CHOICE "<label id=\"kernel-choice\" hidden>Kernel <select id=\"kernel\"></select></label>"
  CONTENTS "<nav aria-label=\"Sections\"><ul id=\"contents\"></ul></nav>"
  WITHOUT "<code>isa-parse --compare</code> and <code>isa-parse --json</code>"
  ORIGIN "Counts are taken from the text of the assembly. Times, waits and the timeline are predicted
  by a timing model"
  SCRIPTS ${scripts})
