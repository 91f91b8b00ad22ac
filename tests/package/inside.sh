#!/usr/bin/env bash
# The part of bare-system.sh that runs in the bare system.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
say() { printf '== %s\n' "$*"; }

apt-get update -qq
# Minimal systems throw manual pages away.
rm -f /etc/dpkg/dpkg.cfg.d/docker
say "installing the package: it alone brings what the tools need"
apt-get install -y --no-install-recommends /tmp/rdnakit_*.deb >/tmp/install.log 2>&1 ||
  { tail -20 /tmp/install.log; exit 1; }
dpkg -s rdnakit | grep -E '^(Version|Depends|Installed-Size)'

say "tools"
tools="isa-parse vgpr-remap dualfmac-sched hsaco-loader rdna-run rdna-clang++"
for tool in $tools; do
  "$tool" $([ "$tool" = rdna-clang++ ] && echo --rdna-version || echo --version)
  [ -s "/usr/share/man/man1/$tool.1.gz" ]
  [ -s "/usr/share/bash-completion/completions/$tool" ]
done
cd "$(mktemp -d)"
cp /usr/share/rdnakit/templates/macro_style.s /usr/share/rdnakit/templates/macro_style.json .
dualfmac-sched rewrite --dual-issue macro_style.s -o new.s --score
hsaco-loader verify --against macro_style.s new.s --launch macro_style.json

say "a HIP program, with the packages that this one recommends"
recommended=$(dpkg -s rdnakit | sed -n 's/^Recommends: //p' | tr -d ,)
# shellcheck disable=SC2086
apt-get install -y --no-install-recommends $recommended >/tmp/install2.log 2>&1 ||
  { tail -20 /tmp/install2.log; exit 1; }
cp /tmp/tests/package/scale.hip .
rdna-clang++ -O2 -g scale.hip -o scale
rdna-run --check=all ./scale | grep "all 4096 are right"
sed -i 's/i < n/i <= n/' scale.hip
rdna-clang++ -O2 -g scale.hip -o scale
if rdna-run --check=all --error-exitcode 9 ./scale >out.txt 2>&1; then
  echo "what is wrong was not found" >&2
  exit 1
fi
grep "scale.hip:" out.txt | head -1

say "manual, other compilers: what a developer has as well"
apt-get install -y --no-install-recommends man-db g++ libc6-dev cmake make pkg-config \
  python3 python3-numpy >/tmp/install3.log 2>&1 || { tail -20 /tmp/install3.log; exit 1; }
for tool in $tools; do
  man "$tool" | grep -q EXAMPLES
  [ -z "$(LC_ALL=C.UTF-8 man --warnings "$tool" 2>&1 >/dev/null)" ]
done

say "the C library, by pkg-config and by CMake"
bash /tmp/tests/package/use-library.sh /usr /usr/share/doc/rdnakit | grep "sums are right"

say "the commands of the README and the how-tos"
status=0
prefix=$(mktemp -d) # As the source folder is laid out.
ln -s /usr/include "$prefix/include"
ln -s /usr/share/doc/rdnakit/examples "$prefix/examples"
python3 /tmp/tests/docs/run_docs.py --bin /usr/bin --share /usr/share/rdnakit --prefix "$prefix" ||
  status=$?

say "removing it"
apt-get remove -y rdnakit >/dev/null 2>&1
[ ! -e /usr/bin/isa-parse ]
exit "$status"
