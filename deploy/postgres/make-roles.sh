#!/bin/sh
# Makes Posthorn's two roles in the Postgres of docker-compose.yml, which runs this script when it creates its volume.
# For the volume of an earlier version, stop the services and run it once:
#   docker compose exec postgres sh /docker-entrypoint-initdb.d/make-roles.sh
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
\getenv owner_password POSTGRES_OWNER_PASSWORD
\getenv runtime_password POSTGRES_RUNTIME_PASSWORD
select set_config('posthorn.owner_role', 'posthorn_owner', false),
       set_config('posthorn.owner_password', :'owner_password', false),
       set_config('posthorn.runtime_role', 'posthorn_runtime', false),
       set_config('posthorn.runtime_password', :'runtime_password', false)
\g /dev/null
\i /posthorn/roles.sql
SQL
