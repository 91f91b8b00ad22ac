#!/usr/bin/env bash
# The emulator on older machines than this one, which qemu stands in for: x86-64-v2 (Nehalem) and v3
# (Haswell). It must run there, and give the same bits as here.
#   levels.sh BIN TEMPLATES
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { # run <output> <program...>
  local output=$1
  shift
  "$@" run "$templates/macro_style.s" --launch "$templates/macro_style.json" --param N=64 \
    --engine "$engine" -o "$output" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}
templates=$2
for engine in interpreter jit; do
  run "$work/here" "$1/hsaco-loader"
  for cpu in Nehalem Haswell; do
    run "$work/$cpu" qemu-x86_64 -cpu "$cpu" "$1/hsaco-loader"
    cmp "$work/here" "$work/$cpu"
    echo "$cpu, $engine: the same $(stat -c %s "$work/here") bytes"
  done
done
