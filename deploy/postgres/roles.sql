-- Makes the two roles that Posthorn works with, neither of them a superuser, and gives the owner everything that stands
-- in the schema `public` of this database already. A superuser, or a role with CREATEROLE that owns the database and these
-- tables, runs it in Posthorn's database, while the services are stopped; it is harmless to repeat. Its four settings come
-- first, in the same session:
--
--   select set_config('posthorn.owner_role', 'posthorn_owner', false),
--          set_config('posthorn.owner_password', '…', false),
--          set_config('posthorn.runtime_role', 'posthorn_runtime', false),
--          set_config('posthorn.runtime_password', '…', false);
--
-- What the runtime role may do is granted by `posthorn-admin migrate`.
DO $$
DECLARE
  kind TEXT;
  role TEXT;
  owner_role TEXT := current_setting('posthorn.owner_role');
  statement TEXT;
BEGIN
  FOREACH kind IN ARRAY ARRAY['owner', 'runtime'] LOOP
    role := current_setting(format('posthorn.%s_role', kind));
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
      EXECUTE format('CREATE ROLE %I', role);
    END IF;
    EXECUTE format('ALTER ROLE %I LOGIN PASSWORD %L', role, current_setting(format('posthorn.%s_password', kind)));
    -- A new role has none of these. Only a superuser may name all of them.
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = role
      AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls)) THEN
      EXECUTE format('ALTER ROLE %I NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', role);
    END IF;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), role);
    -- The detail of an error has values of a row, such as an external id or an address, which an erasure must not leave in
    -- Postgres' log.
    BEGIN
      EXECUTE format('ALTER ROLE %I SET log_error_verbosity = ''terse''', role);
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE WARNING 'set log_error_verbosity = terse for the whole server: this role may not set it';
    END;
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  EXECUTE format('GRANT USAGE, CREATE ON SCHEMA public TO %I', owner_role);
  -- Only a member gives something to a role; a superuser needs no membership.
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    EXECUTE format('GRANT %I TO CURRENT_USER', owner_role);
  END IF;
  FOR statement IN
    SELECT format('ALTER %s %s OWNER TO %I', CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass, owner_role)
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'S')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = pg_class.oid AND d.deptype = 'e')
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO %I', oid::regprocedure, owner_role)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = pg_proc.oid AND d.deptype = 'e')
    UNION ALL
    SELECT format('ALTER TYPE %s OWNER TO %I', oid::regtype, owner_role)
    FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = pg_type.oid AND d.deptype = 'e')
  LOOP
    EXECUTE statement;
  END LOOP;
END
$$;
