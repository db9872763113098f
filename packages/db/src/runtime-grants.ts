import pg from 'pg';

type Connection = Pick<pg.Client, 'query'>;

/** What the role of the services may do with a table, where it is not everything that concerns rows. */
const GRANTS: Record<string, string> = {
  // The log is append-only, and its chain is written by a trigger that runs as the owner.
  audit_entry: 'select, insert',
  audit_chain: 'select',
  _prisma_migrations: 'select',
};
const USUAL = 'select, insert, update, delete';

/**
 * Grants the role of `runtimeUrl` what the services do, and takes from it what they do not; the caller is the owner of
 * the tables. It does nothing where both are the same role, or where the URL names none. Harmless to repeat.
 */
export async function grantRuntime(connection: Connection, runtimeUrl: string): Promise<void> {
  const role = decodeURIComponent(new URL(runtimeUrl).username);
  const { rows } = await connection.query<{ owner: string; table: string }>(
    `select current_user as owner, relname as "table" from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`,
  );
  if (role === '' || rows[0]?.owner === role) return;
  const grantee = pg.escapeIdentifier(role);
  const statements = rows.flatMap(({ table }) => {
    const name = `public.${pg.escapeIdentifier(table)}`;
    return [`revoke all on ${name} from ${grantee}`, `grant ${GRANTS[table] ?? USUAL} on ${name} to ${grantee}`];
  });
  statements.push(`grant execute on function public.make_daily_partition(text, date) to ${grantee}`);
  // One transaction: a service that runs meanwhile never meets a table that it may not read.
  await connection.query(statements.join(';'));
}
