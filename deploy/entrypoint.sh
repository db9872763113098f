#!/bin/sh
# Starts the role that the first argument names. With `exec`, Node itself gets the signals to the container.
set -eu
role=${1:-api}
[ $# -eq 0 ] || shift

# Docker Compose passes the passwords of Postgres in their own variables, because a URL cannot hold every character as
# it is.
with_password() {
  URL=$1 PASSWORD=$2 node -p '
    const url = new URL(process.env.URL);
    url.password = encodeURIComponent(process.env.PASSWORD);
    url.href'
}
if [ -n "${POSTGRES_RUNTIME_PASSWORD:-}" ]; then
  DATABASE_URL=$(with_password "$DATABASE_URL" "$POSTGRES_RUNTIME_PASSWORD")
  export DATABASE_URL
fi
if [ -n "${POSTGRES_OWNER_PASSWORD:-}" ]; then
  DATABASE_OWNER_URL=$(with_password "$DATABASE_OWNER_URL" "$POSTGRES_OWNER_PASSWORD")
  export DATABASE_OWNER_URL
fi
unset POSTGRES_RUNTIME_PASSWORD POSTGRES_OWNER_PASSWORD

case "$role" in
  api) exec node --enable-source-maps services/api/bundle/main.js ;;
  dispatcher) exec node --enable-source-maps services/dispatcher/bundle/main.js ;;
  all) exec node --enable-source-maps services/all/bundle/main.js ;;
  migrate) exec node --enable-source-maps services/api/bundle/admin.js migrate "$@" ;;
  admin) exec node --enable-source-maps services/api/bundle/admin.js "$@" ;;
  *)
    echo "unknown role \"$role\": use api, dispatcher, all, migrate or admin <command>" >&2
    exit 2
    ;;
esac
