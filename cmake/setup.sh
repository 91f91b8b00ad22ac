# Sourced by ./demo and ./check: installs what is missing, configures and builds.
# The sourcing script sets $root, the repository.
# shellcheck shell=bash disable=SC2154

say() {
  if [ -t 2 ] && [ -z "${NO_COLOR:-}" ]; then
    printf '\033[1m== %s\033[0m\n' "$*" >&2
  else
    printf '== %s\n' "$*" >&2
  fi
}

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Packages of packages.txt that dpkg does not know as installed.
missing_packages() {
  local package
  sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$root/cmake/packages.txt" | while read -r package; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      printf '%s\n' "$package"
  done
}

# Runs a command with its output in a log that is shown only when the command fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  [ "$status" -eq 0 ] || cat "$log" >&2
  rm -f "$log"
  return "$status"
}

install_packages() {
  local missing # Of package names, separated by blanks: split on purpose where it is not quoted.
  command -v dpkg-query >/dev/null ||
    fail "this is no Debian system; install what cmake/packages.txt names by other means"
  missing=$(missing_packages | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  [ "$(id -u)" -eq 0 ] || fail "these packages are missing, and only root can install them: $missing"
  say "installing $missing"
  export DEBIAN_FRONTEND=noninteractive
  quietly apt-get update || fail "apt-get update failed"
  # Recommended packages would bring a second LLVM and documentation along.
  # shellcheck disable=SC2086
  quietly apt-get install -y --no-install-recommends $missing || fail "apt-get install failed"
}

# build <preset> [ninja target...]
build() {
  local preset=$1
  shift
  say "building ($preset)"
  (
    cd "$root"
    # A configured folder is brought up to date by ninja itself.
    [ -f "build/$preset/build.ninja" ] || quietly cmake --preset "$preset" || fail "cmake failed"
    if [ -t 1 ]; then
      cmake --build "build/$preset" ${1:+--target} "$@"
    else
      quietly cmake --build "build/$preset" ${1:+--target} "$@"
    fi
  ) || fail "the build failed"
}
