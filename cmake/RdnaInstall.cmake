# What is installed, and where.
#
# Exported to other projects (find_package(rdnakit), pkg-config): the emulator's C interface, the
# headers for HIP kernels, and the tools as programs. The C++ libraries are not: they have no stable
# interface, they show LLVM's types and so want exactly the LLVM that they were built with, and two
# copies of LLVM in one process do not get along. docs/install.md says so to users.

set(RDNA_ZSH_DIR "share/zsh/site-functions")
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr") # Where Debian's zsh looks for what packages bring.
  set(RDNA_ZSH_DIR "share/zsh/vendor-completions")
endif()
find_program(RDNA_GZIP gzip)

# rdna_install_help(<tool>): manual page and completions, which come from the option table, like
# --help.
function(rdna_install_help name)
  set(bin "${CMAKE_BINARY_DIR}/bin")
  set(page "${name}.1")
  set(zip "")
  if(RDNA_GZIP)
    set(page "${name}.1.gz")
    set(zip COMMAND "${RDNA_GZIP}" -9nkf "${name}.1")
  endif()
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND ${name} --man > "${name}.1" ${zip}
    COMMAND ${name} --completion bash > "${name}.bash"
    COMMAND ${name} --completion zsh > "${name}.zsh"
    COMMAND ${name} --completion fish > "${name}.fish"
    WORKING_DIRECTORY "${bin}" VERBATIM)
  install(FILES "${bin}/${page}" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES "${bin}/${name}.bash" RENAME ${name}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES "${bin}/${name}.zsh" RENAME _${name} DESTINATION ${RDNA_ZSH_DIR})
  install(FILES "${bin}/${name}.fish"
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endfunction()

# The headers for HIP kernels need nothing of this project at link time.
add_library(rdnakit_hip INTERFACE)
set_target_properties(rdnakit_hip PROPERTIES EXPORT_NAME hip)
target_include_directories(rdnakit_hip INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS rdnakit_hip EXPORT rdnakit)
install(DIRECTORY include/rdnakit DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# The configuration finds everything from its own place, so the installed tree can be moved.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rdnakit)
configure_package_config_file(cmake/rdnakitConfig.cmake.in "${CMAKE_BINARY_DIR}/rdnakitConfig.cmake"
  INSTALL_DESTINATION ${config_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/rdnakitConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/rdnakitConfig.cmake"
              "${CMAKE_BINARY_DIR}/rdnakitConfigVersion.cmake" DESTINATION ${config_dir})
install(EXPORT rdnakit NAMESPACE rdnakit:: FILE rdnakitTargets.cmake DESTINATION ${config_dir})
file(RELATIVE_PATH RDNA_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/rdna3emu.pc.in "${CMAKE_BINARY_DIR}/rdna3emu.pc" @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/rdna3emu.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.md" PATTERN "*.schema.json")
install(FILES tests/lit/hsaco-loader/Inputs/scale.s tests/lit/hsaco-loader/Inputs/scale.json
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples) # docs/howto-debug.md
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.c" PATTERN "*.cpp" PATTERN "*.hip" PATTERN "*.json" PATTERN "*.py"
        PATTERN "sizes.txt")
