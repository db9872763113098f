#!/bin/sh
# Writes .env for Docker Compose: .env.example with every secret made on this machine. It overwrites nothing.
#   sh deploy/make-env.sh [FILE]
set -eu
umask 077
target=${1:-.env}
example=$(dirname "$0")/../.env.example

if [ -e "$target" ]; then
  echo "$target exists already. Keep it: what its keys sealed can be opened by them alone." >&2
  exit 1
fi

key() { printf 'k1:%s' "$(head -c 32 /dev/urandom | base64 | tr -d '\n')"; }
# It stands in URLs: A-Z a-z 0-9 - _ only.
password() { head -c 24 /dev/urandom | base64 | tr -d '\n' | tr '+/' '-_'; }

sed \
  -e "s|^POSTGRES_PASSWORD=\$|&$(password)|" \
  -e "s|^POSTGRES_OWNER_PASSWORD=\$|&$(password)|" \
  -e "s|^POSTGRES_RUNTIME_PASSWORD=\$|&$(password)|" \
  -e "s|^SEALING_KEYS=\$|&$(key)|" \
  -e "s|^CURSOR_KEYS=\$|&$(key)|" \
  -e "s|^BOOTSTRAP_PASSWORD=\$|&$(password)|" \
  "$example" >"$target"

if grep -n '^[A-Z_]*=$' "$target" >&2; then
  echo "These settings of $target have no value: deploy/make-env.sh does not know them." >&2
  exit 1
fi
echo "$target is written, for its owner only. Keep a copy of SEALING_KEYS apart from the database." >&2
