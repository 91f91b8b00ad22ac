#!/usr/bin/env bash
# Installs a build to a prefix, moves that, and uses it from there.
#   moved.sh BUILD
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/moved"
[ -z "$(grep -rlF "$work/first" "$work/moved" || true)" ] || { echo "knows where it was"; exit 1; }
for tool in isa-parse vgpr-remap dualfmac-sched hsaco-loader; do
  "$work/moved/bin/$tool" --version
  man --warnings -l "$work"/moved/share/man/man1/$tool.1* 2>&1 >/dev/null | tee "$work/warnings"
  [ ! -s "$work/warnings" ]
done
# The JIT's semantics are inside of the tool.
"$work/moved/bin/hsaco-loader" run --engine jit --launch \
  "$work/moved/share/rdnakit/templates/macro_style.json" \
  "$work/moved/share/rdnakit/templates/macro_style.s" >"$work/log"
"$(dirname "$0")/use-library.sh" "$work/moved" "$(dirname "$(find "$work/moved" -name README.md)")"
