#!/bin/sh
# Starts the role that is named by the first argument. `exec`: the container's signals go to Node itself.
set -eu
role=${1:-api}
[ $# -eq 0 ] || shift

case "$role" in
  api) exec node --enable-source-maps services/api/dist/main.js ;;
  dispatcher) exec node --enable-source-maps services/dispatcher/dist/main.js ;;
  migrate) exec node --enable-source-maps services/api/dist/admin.js migrate "$@" ;;
  admin) exec node --enable-source-maps services/api/dist/admin.js "$@" ;;
  *)
    echo "unknown role \"$role\": use api, dispatcher, migrate or admin <command>" >&2
    exit 2
    ;;
esac
