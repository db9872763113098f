#!/bin/sh
# Unpacks Debian's pgbouncer and its libraries for e2e/pgbouncer.test.ts, once, in ~/.cache/posthorn (or $POSTHORN_TOOLS).
# It installs nothing and needs no privileges. It does nothing if pgbouncer is on the PATH. If pgbouncer cannot be
# downloaded, the script says so in one line, and the test is skipped.
set -u
tools=${POSTHORN_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/posthorn}
target=$tools/pgbouncer
command -v pgbouncer >/dev/null && exit 0
[ -x "$target/usr/sbin/pgbouncer" ] && exit 0

skip() {
  echo "skipped  test of pgbouncer: $1"
  exit 0
}

for tool in apt-get apt-cache dpkg; do
  command -v "$tool" >/dev/null || skip "it is fetched from Debian, and there is no $tool"
done
mkdir -p "$tools" && work=$(mktemp -d "$tools/unpack-XXXXXX") && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p lists/partial cache/archives/partial

fetch() { # apt's options…: downloads pgbouncer and those of its libraries that a system rarely has
  libraries=$(apt-cache "$@" depends pgbouncer | sed -nE 's/.*Depends: (lib(c-ares|cares|event)[^ ]*).*/\1/p')
  # shellcheck disable=SC2086 # As root, apt would download as a user that may not enter this folder.
  apt-get -qq "$@" -o APT::Sandbox::User="$(id -un)" -o Acquire::http::Timeout=20 download pgbouncer $libraries
}

# Try first with the system's package lists. If they are missing or too old, download separate lists.
set -- -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache"
{ fetch || { apt-get -qq "$@" update && fetch "$@"; }; } >/dev/null 2>&1 || skip 'its Debian packages cannot be downloaded'
for package in *.deb; do dpkg -x "$package" tree || skip 'its Debian packages cannot be unpacked'; done
rm -rf "$target" && mv tree "$target"
