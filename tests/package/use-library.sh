#!/usr/bin/env bash
# Uses what is installed at PREFIX as another project would: by pkg-config and by find_package.
#   use-library.sh PREFIX DOC
# DOC is the folder of the installed documentation.
set -euo pipefail
prefix=$1 doc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

libdir=$(dirname "$(find "$prefix"/lib* -name librdna3emu.so | head -1)")
export PKG_CONFIG_PATH=$libdir/pkgconfig
# shellcheck disable=SC2046 # Several words.
cc -std=c99 "$doc/examples/run_asm.c" $(pkg-config --cflags --libs rdna3emu) -o sum
LD_LIBRARY_PATH=$libdir ./sum

cp "$doc/examples/run_asm.c" .
cat >CMakeLists.txt <<'PROJECT'
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(rdnakit 0.1 REQUIRED)
add_executable(sum run_asm.c)
target_link_libraries(sum PRIVATE rdnakit::rdna3emu)
foreach(tool isa-parse vgpr-remap dualfmac-sched hsaco-loader)
  add_custom_target(${tool} COMMAND rdnakit::${tool} --version)
  add_dependencies(sum ${tool})
endforeach()
get_target_property(headers rdnakit::hip INTERFACE_INCLUDE_DIRECTORIES)
if(NOT EXISTS "${headers}/rdnakit/hip.h")
  message(FATAL_ERROR "rdnakit::hip has no headers")
endif()
PROJECT
cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix"
cmake --build build --target sum
./build/sum
