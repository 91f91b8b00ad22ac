# HIP kernel sources -> gfx1100 assembly, by each of the three compilers that the project supports.
# Compiler output is never committed: what the tools are tested on is what the installed compilers
# really write.

set(RDNA_KERNEL_COMPILERS clang-16 clang-19 clang-22)
# No device library and no HIP header: templates/device.h says why. -mcumode: a workgroup stays on
# one compute unit, as the SGEMM kernels are laid out for.
set(RDNA_KERNEL_FLAGS -x hip --cuda-device-only --offload-arch=gfx1100 -nogpulib -nogpuinc -mcumode
    -Wall -Wextra -Werror -S)
set(RDNA_KERNEL_DIRECTORY "${CMAKE_BINARY_DIR}/kernels")

set(missing "")
foreach(compiler IN LISTS RDNA_KERNEL_COMPILERS)
  find_program(RDNA_${compiler} ${compiler})
  if(NOT RDNA_${compiler})
    list(APPEND missing ${compiler})
  endif()
endforeach()
if(missing)
  list(JOIN missing " " packages)
  message(FATAL_ERROR "The kernels are compiled with ${RDNA_KERNEL_COMPILERS}; missing: ${packages}."
                      " On Debian 12: apt-get install ${packages}")
endif()

add_custom_target(kernels ALL)
set_property(GLOBAL PROPERTY RDNA_KERNEL_MANIFESTS "manifest")

# An entry of kernels/<manifest>.json.
function(rdna_list_kernel manifest name set compiler optimization assembly launch)
  set_property(GLOBAL APPEND PROPERTY RDNA_KERNEL_MANIFESTS "${manifest}")
  set_property(GLOBAL APPEND PROPERTY RDNA_KERNELS_OF_${manifest}
    "  {\"name\": \"${name}\", \"set\": \"${set}\", \"compiler\": \"${compiler}\", \"optimization\": \"${optimization}\", \"assembly\": \"${assembly}\", \"launch\": \"${launch}\"}")
endfunction()

# rdna_compile_kernel(<name> SOURCE <file> [SET <folder>] [MANIFEST <name>] [FLAGS ...]
#                     [INCLUDES ...] [HEADERS ...] [OPTIMIZATIONS O2 O3 ...])
# compiles <file> into kernels/[<folder>/]<name>.<compiler>.<optimization>.s of the build folder,
# as part of the target `kernels`. HEADERS are those that lie deeper than in the folders of INCLUDES. A launch description <name>.json must lie beside the source.
# What many tests do to every kernel of the manifest `manifest` takes time; MANIFEST lists the
# kernel in another one.
function(rdna_compile_kernel name)
  cmake_parse_arguments(ARG "" "SOURCE;SET;MANIFEST" "FLAGS;INCLUDES;HEADERS;OPTIMIZATIONS" ${ARGN})
  if(NOT ARG_MANIFEST)
    set(ARG_MANIFEST manifest)
  endif()
  if(NOT ARG_OPTIMIZATIONS)
    set(ARG_OPTIMIZATIONS O2 O3)
  endif()
  get_filename_component(source "${ARG_SOURCE}" ABSOLUTE)
  get_filename_component(folder "${source}" DIRECTORY)
  set(launch "${folder}/${name}.json")
  if(NOT EXISTS "${launch}")
    message(FATAL_ERROR "${source}: no launch description ${name}.json beside it")
  endif()
  set(output_folder "${RDNA_KERNEL_DIRECTORY}")
  if(ARG_SET)
    string(APPEND output_folder "/${ARG_SET}")
  endif()
  # Every header that could be included: clang 22 ignores -MF when it compiles for a device only.
  set(headers ${ARG_HEADERS})
  foreach(include IN ITEMS "${folder}" LISTS ARG_INCLUDES)
    file(GLOB found CONFIGURE_DEPENDS "${include}/*.h")
    list(APPEND headers ${found})
  endforeach()
  list(TRANSFORM ARG_INCLUDES PREPEND -I OUTPUT_VARIABLE includes)
  set(outputs "")
  foreach(compiler IN LISTS RDNA_KERNEL_COMPILERS)
    foreach(optimization IN LISTS ARG_OPTIMIZATIONS)
      set(output "${output_folder}/${name}.${compiler}.${optimization}.s")
      add_custom_command(
        OUTPUT "${output}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${output_folder}"
        COMMAND "${RDNA_${compiler}}" ${RDNA_KERNEL_FLAGS} -${optimization} ${ARG_FLAGS}
                ${includes} "${source}" -o "${output}"
        DEPENDS "${source}" ${headers}
        COMMENT "Compiling kernel ${name} with ${compiler} -${optimization}"
        VERBATIM)
      list(APPEND outputs "${output}")
      rdna_list_kernel("${ARG_MANIFEST}" "${name}" "${ARG_SET}" "${compiler}" "${optimization}"
                       "${output}" "${launch}")
    endforeach()
  endforeach()
  add_custom_target(kernel-${name} DEPENDS ${outputs})
  add_dependencies(kernels kernel-${name})
endfunction()

# kernels/<manifest>.json: every kernel listed there, for tests that run over all of them.
function(rdna_write_kernel_manifests)
  get_property(manifests GLOBAL PROPERTY RDNA_KERNEL_MANIFESTS)
  list(REMOVE_DUPLICATES manifests)
  foreach(manifest IN LISTS manifests)
    get_property(entries GLOBAL PROPERTY RDNA_KERNELS_OF_${manifest})
    list(JOIN entries ",\n" text)
    file(GENERATE OUTPUT "${RDNA_KERNEL_DIRECTORY}/${manifest}.json" CONTENT "[\n${text}\n]\n")
  endforeach()
endfunction()
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL rdna_write_kernel_manifests)
