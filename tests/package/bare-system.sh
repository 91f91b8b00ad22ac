#!/usr/bin/env bash
# Installs the Debian package in a bare Debian 12 and uses it as a user would: tools, manual pages,
# completions, the C library through CMake and pkg-config, the how-tos' commands.
#
#   tests/package/bare-system.sh PACKAGE.deb [FOLDER]
#
# As root, with debootstrap and a Debian mirror: not a test that ctest runs. FOLDER keeps the bare
# system for the next time (about 300 MB, 2 minutes); the packages are installed into a copy of it.
set -euo pipefail
package=$(readlink -f "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(readlink -m "${2:-$(mktemp -d)}")
[ "$(id -u)" -eq 0 ] || { echo "only root can do that" >&2; exit 3; }
command -v debootstrap >/dev/null || { echo "apt-get install debootstrap" >&2; exit 3; }

mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
bare=$work/bare system=$work/system
if [ ! -e "$bare/ready" ]; then
  rm -rf "$bare"
  debootstrap --variant=minbase bookworm "$bare" "$mirror" >&2
  touch "$bare/ready"
fi
rm -rf "$system"
cp -a "$bare" "$system"
# LLVM 22 comes from bookworm-security.
cat >"$system/etc/apt/sources.list" <<SOURCES
deb $mirror bookworm main
deb $mirror bookworm-updates main
deb $mirror-security bookworm-security main
SOURCES
cp /etc/resolv.conf /etc/hosts "$system/etc/"
cp "$package" "$system/tmp/"
mkdir -p "$system/tmp/tests"
cp -r "$root/README.md" "$root/docs" "$system/tmp/"
cp -r "$root/tests/docs" "$root/tests/hip-build" "$root/tests/package" "$system/tmp/tests/"
ln -s /usr/share/rdnakit/templates "$system/tmp/templates"
mount --bind /proc "$system/proc"
trap 'umount "$system/proc"' EXIT
chroot "$system" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root \
  http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
  bash /tmp/tests/package/inside.sh
