# The Debian package: `cpack -G DEB` in the build folder of the preset `package`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rdnakit)
set(CPACK_PACKAGE_VENDOR "rdnakit")
set(RDNA_CONTACT "the rdnakit authors <rdnakit@example.org>" CACHE STRING "Whom a package names")
set(CPACK_PACKAGE_CONTACT "${RDNA_CONTACT}")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"tools that rewrite and check AMD RDNA3 assembly
Rewrites the assembly of kernels for RDNA3 graphics cards (gfx1100 to gfx1103)
for dual issue and free register banks, proves each rewrite equal to the
original, and runs and checks kernels on an emulator, so that no such card is
needed.
.
The emulator is also a library with a C interface.")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS libopenblas0) # loaded when it is needed
# What rdna-clang++ compiles, bundles and links with. The other tools need none of it.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-22, clang-tools-22, llvm-22, lld-22, libamdhip64-dev, libstdc++-12-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "man-db")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
    GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# What Debian's policy asks for in place of LICENSE. The tools have parts of D3 and of lld inside.
if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr" OR NOT TARGET rdna3emu)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
  include(CPack)
  return()
endif()
set(debian "${CMAKE_BINARY_DIR}/debian")
file(READ LICENSE mit)
string(REGEX REPLACE "^MIT License\n\nCopyright[^\n]*\n\n" "" mit "${mit}")
file(READ tools/isa-parse/report/d3-license.txt bsd)
foreach(text mit bsd) # A blank line is a dot, every line is indented.
  string(STRIP "${${text}}" ${text})
  string(REGEX REPLACE "\n\n+" "\n.\n" ${text} "${${text}}")
  string(REPLACE "\n" "\n " ${text} "${${text}}")
endforeach()
configure_file(cmake/copyright.in "${debian}/copyright" @ONLY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # Or SOURCE_DATE_EPOCH's.
file(WRITE "${debian}/changelog" "rdnakit (${PROJECT_VERSION}) unstable; urgency=low

  * Packaged from its own build.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
execute_process(COMMAND "${RDNA_GZIP}" -9nf "${debian}/changelog" COMMAND_ERROR_IS_FATAL ANY)
# CPack by itself calls ldconfig from maintainer scripts, where Debian wants its trigger.
get_target_property(soname rdna3emu SOVERSION)
file(WRITE "${debian}/triggers" "activate-noawait ldconfig\n")
file(WRITE "${debian}/shlibs" "librdna3emu ${soname} rdnakit (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${debian}/triggers;${debian}/shlibs")
install(FILES "${debian}/copyright" "${debian}/changelog.gz" DESTINATION ${CMAKE_INSTALL_DOCDIR})
include(CPack)
