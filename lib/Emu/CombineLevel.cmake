# Makes one object of a level's objects that can lie beside those of other levels: everything in it
# is local but its table. Inline functions of headers would else be one for all levels, whichever
# the linker meets first, and a machine would run instructions that it does not have.
#   -DLINKER=ld -DOBJCOPY=objcopy -DREADELF=readelf -DNM=nm -DTABLE=symbol -DOUTPUT=file
#   -DOBJECTS=a.o,b.o
string(REPLACE "," ";" OBJECTS "${OBJECTS}")
execute_process(COMMAND "${LINKER}" -r --force-group-allocation -o "${OUTPUT}" ${OBJECTS}
                COMMAND_ERROR_IS_FATAL ANY)
# Code that runs before main() would run on every machine.
execute_process(COMMAND "${READELF}" -SW "${OUTPUT}" OUTPUT_VARIABLE sections
                COMMAND_ERROR_IS_FATAL ANY)
if(sections MATCHES "init_array")
  file(REMOVE "${OUTPUT}")
  message(FATAL_ERROR "${OUTPUT}: a handler file has a variable that is initialised at run time")
endif()
execute_process(COMMAND "${OBJCOPY}" "--keep-global-symbol=${TABLE}" "${OUTPUT}"
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${NM}" -g --defined-only --format=posix "${OUTPUT}" OUTPUT_VARIABLE globals
                COMMAND_ERROR_IS_FATAL ANY)
if(NOT globals MATCHES "^${TABLE} [^\n]*\n$")
  file(REMOVE "${OUTPUT}")
  message(FATAL_ERROR "${OUTPUT}: more than ${TABLE} can be seen from outside:\n${globals}")
endif()
