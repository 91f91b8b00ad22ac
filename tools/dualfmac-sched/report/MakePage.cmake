# The page of `tune report --html`. Colours and elements are those of isa-parse's page.
# cmake -DD3=d3.min.js -DOUTPUT=page.html -P MakePage.cmake, anywhere.
cmake_minimum_required(VERSION 3.25)
set(here "${CMAKE_CURRENT_LIST_DIR}")
include("${here}/../../common/report/AssemblePage.cmake")
assemble_page(
  TITLE "tune report"
  CHOICE "<label>Size <select id=\"study\"></select></label>"
  CONTENTS ""
  WITHOUT "<code>dualfmac-sched tune report</code> and its <code>--csv</code>"
  ORIGIN "All times are predicted by a timing model"
  SCRIPTS "${here}/../../isa-parse/report/dom.js" "${here}/tune.js")
