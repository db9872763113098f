#!/bin/sh
# Installs moto, a server with the interfaces of AWS, from PyPI, once, in ~/.cache/posthorn (or $POSTHORN_TOOLS), in a
# virtual environment of its own. Where it cannot be had, it says so in one line, and the tests that need it are skipped.
set -u
tools=${POSTHORN_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/posthorn}
target=$tools/moto-5.2.5
[ -x "$target/bin/moto_server" ] && exit 0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

skip() {
  echo "skipped  tests of AWS destinations: $1"
  tail -n 3 "$log"
  exit 0
}

python3 -c 'import ensurepip, venv' 2>"$log" || skip 'moto needs Python 3 with venv'
# An environment cannot be moved, so an interrupted one is removed.
rm -rf "$target"
python3 -m venv "$target" >"$log" 2>&1 &&
  "$target/bin/python" -m pip install -q --disable-pip-version-check 'moto[events,s3]==5.2.5' flask flask-cors >>"$log" 2>&1 ||
  { rm -rf "$target"; skip 'moto could not be installed'; }
