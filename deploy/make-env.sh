#!/bin/sh
# Writes .env for Docker Compose: a copy of .env.example with a new project name and new secrets. It never overwrites a
# file.
#   sh deploy/make-env.sh [FILE]
set -eu
umask 077
target=${1:-.env}
example=$(dirname "$0")/../.env.example

if [ -e "$target" ]; then
  echo "$target exists already. Keep it: only its keys can decrypt the data." >&2
  exit 1
fi

key() { printf 'k%s:%s' "$(head -c 3 /dev/urandom | od -An -tx1 | tr -d ' \n')" "$(head -c 32 /dev/urandom | base64 | tr -d '\n')"; }
project() { printf 'posthorn-%s' "$(head -c 3 /dev/urandom | od -An -tx1 | tr -d ' \n')"; }
password() { head -c 24 /dev/urandom | base64 | tr -d '\n' | tr '+/' '-_'; }

# Makes a credential like posthorn-admin: a prefix, 40 random characters of Crockford's base32, and their CRC-32 in 7
# more.
alphabet=0123456789abcdefghjkmnpqrstvwxyz
token() {
  text=$1_$(LC_ALL=C tr -dc "$alphabet" </dev/urandom | head -c 40)
  # The output of gzip ends with the CRC-32 and the length, four bytes each in little-endian order.
  set -- $(printf %s "$text" | gzip -c | tail -c 8 | od -An -N4 -tu1)
  crc=$(($1 + ($2 << 8) + ($3 << 16) + ($4 << 24)))
  for _ in 1 2 3 4 5 6 7; do
    text=$text$(printf %s "$alphabet" | cut -c $(((crc & 31) + 1)))
    crc=$((crc >> 5))
  done
  printf %s "$text"
}

sed \
  -e "s|^COMPOSE_PROJECT_NAME=\$|&$(project)|" \
  -e "s|^POSTGRES_PASSWORD=\$|&$(password)|" \
  -e "s|^POSTGRES_OWNER_PASSWORD=\$|&$(password)|" \
  -e "s|^POSTGRES_RUNTIME_PASSWORD=\$|&$(password)|" \
  -e "s|^SEALING_KEYS=\$|&$(key)|" \
  -e "s|^CURSOR_KEYS=\$|&$(key)|" \
  -e "s|^ADMIN_PASSWORD=\$|&$(password)|" \
  -e "s|^BOOTSTRAP_PASSWORD=\$|&$(password)|" \
  -e "s|^BOOTSTRAP_MANAGEMENT_TOKEN=\$|&$(token phm)|" \
  -e "s|^BOOTSTRAP_API_KEY=\$|&$(token phk)|" \
  "$example" >"$target"

if grep -n '^[A-Z_]*=$' "$target" >&2; then
  echo "These settings of $target have no value: deploy/make-env.sh does not know them." >&2
  exit 1
fi
echo "$target is written, for its owner only. Keep a copy of SEALING_KEYS apart from the database." >&2
echo "BOOTSTRAP_… in it are the first login, management token and API key." >&2
