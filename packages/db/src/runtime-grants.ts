import type pg from 'pg';
import { roleOf } from './connection.ts';

type Connection = Pick<pg.Client, 'query' | 'escapeIdentifier'>;

/** The services' rights on the tables where they do not have the usual rights. */
const GRANTS: Record<string, string> = {
  // The log is append-only. A trigger that runs as the owner writes its chain.
  audit_entry: 'select, insert',
  audit_chain: 'select',
  _prisma_migrations: 'select',
  installation: 'select',
};
const USUAL = 'select, insert, update, delete';

/**
 * Grants the role of `runtimeUrl` the rights that the services need and revokes all others. The caller owns the tables.
 * Does nothing when both are the same role, or when the URL names none. Idempotent, and possible after each migration.
 */
export async function grantRuntime(connection: Connection, runtimeUrl: string): Promise<void> {
  const role = roleOf(runtimeUrl);
  // A daily table that is not a partition is about to be dropped.
  const { rows } = await connection.query<{ owner: string; table: string }>(
    `select current_user as owner, relname as "table" from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname !~ '_[0-9]{8}$' order by relname`,
  );
  if (role === '' || rows[0]?.owner === role) return;
  const grantee = connection.escapeIdentifier(role);
  const statements = rows.flatMap(({ table }) => {
    const name = `public.${connection.escapeIdentifier(table)}`;
    return [`revoke all on ${name} from ${grantee}`, `grant ${GRANTS[table] ?? USUAL} on ${name} to ${grantee}`];
  });
  const made = await readMade(connection);
  if (made.erasing) statements.push(`grant execute on function public.erase_audit_values(uuid[]) to ${grantee}`);
  if (made.function) statements.push(`grant execute on function public.make_daily_partition(text, date) to ${grantee}`);
  if (made.sequence) statements.push(`grant usage on sequence public.ordering_number to ${grantee}`);
  // One transaction: a running service never finds a table without its rights.
  await connection.query(statements.join(';'));
}

type Made = { function: boolean; sequence: boolean; erasing: boolean };

/** Whether the functions and the sequence of later migrations already exist. */
async function readMade(connection: Connection): Promise<Made> {
  const { rows } = await connection.query<Made>(
    `select to_regprocedure('public.make_daily_partition(text, date)') is not null as "function",
       to_regclass('public.ordering_number') is not null as "sequence",
       to_regprocedure('public.erase_audit_values(uuid[])') is not null as "erasing"`,
  );
  return rows[0] ?? { function: false, sequence: false, erasing: false };
}
