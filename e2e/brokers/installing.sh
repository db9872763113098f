# The common part of the scripts that install brokers, which source it first. `tests` says in words which tests need the
# broker.
# shellcheck shell=sh disable=SC2034,SC2154 # The scripts use `tools`, and set `tests`.
set -u
tools=${POSTHORN_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/posthorn}
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

# This machine cannot have the broker. Its tests are skipped, which is no failure.
skip() { # why
  echo "skipped  tests of $tests: $1"
  exit 0
}

# The tools for the installation are there, but it failed. That is a failure, unless the network or the registry is the
# cause.
give_up() { # what
  tail -n 3 "$log"
  grep -qiE "$NO_NETWORK" "$log" && skip "$1: the network or the registry does not answer"
  echo "FAILED   installation for tests of $tests: $1"
  exit 1
}
# Messages of apt-get, pip, mvn and go about a network or registry that does not answer.
NO_NETWORK='could not resolve|temporary failure|failure in name resolution|name or service not known|unknown host|no such host|network is unreachable|no route to host|connection (was |has been )?(refused|reset|timed out)|failed to establish|timed? ?out|unable to locate package|\b(403|407|429|50[0-4])\b'

# Installs packages from PyPI in a virtual environment of their own.
install_with_pip() { # its folder, packages…
  folder=$1
  shift
  python3 -c 'import ensurepip, venv' 2>"$log" || skip 'Python 3 with venv is not installed'
  # A virtual environment cannot be moved into place when it is complete, so remove what an interrupted run left here.
  rm -rf "$folder"
  python3 -m venv "$folder" >"$log" 2>&1 &&
    "$folder/bin/python" -m pip install -q --disable-pip-version-check "$@" >>"$log" 2>&1 ||
    { rm -rf "$folder"; give_up "$1 could not be installed"; }
}
