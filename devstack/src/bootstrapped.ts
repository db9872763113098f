import { toId } from '@posthorn/contract/ids';
import { digestToken } from '@posthorn/crypto/token';
import { openSession } from '@posthorn/db/session';
import type pg from 'pg';
import { Failure } from './failure.ts';
import type { Run } from './run.ts';
import { waitUntil } from './wait-until.ts';

export type Bootstrapped = { workspaceId: string; environmentId: string; managementToken: string };

const MADE_WITHIN_MS = 20_000;

/**
 * The workspace that the API makes for the management token at its start, its default environment, and the first of
 * `managementTokens` that the database knows. A Failure if it knows none of them: the API makes only the first workspace
 * of a database.
 */
export async function awaitBootstrapped(
  run: Run,
  databaseUrl: string,
  managementTokens: readonly string[],
): Promise<Bootstrapped> {
  const { clock, signal } = run;
  const client = openSession({ connectionString: databaseUrl });
  client.on('error', () => {}); // The next query reports the same error.
  await client.connect();
  try {
    const find = async () => {
      for (const managementToken of managementTokens) {
        const found = await findBootstrapped(client, managementToken);
        if (found !== undefined) return { ...found, managementToken };
      }
      return undefined;
    };
    const found = await waitUntil(find, { clock, signal, timeoutMs: MADE_WITHIN_MS });
    if (found !== undefined) return found;
  } finally {
    await client.end();
  }
  throw new Failure(
    'The database does not know the management token of this home: it was first used with another.',
    'Give that token and its key (BOOTSTRAP_MANAGEMENT_TOKEN, BOOTSTRAP_API_KEY), or use an empty database.',
  );
}

async function findBootstrapped(
  client: pg.Client,
  managementToken: string,
): Promise<Omit<Bootstrapped, 'managementToken'> | undefined> {
  const { rows } = await client.query<{ workspace_id: string; environment_id: string }>(
    `select token.workspace_id, environment.id as environment_id
     from management_token token
     join environment on environment.workspace_id = token.workspace_id
     where token.digest = $1 and environment.is_default and environment.deleted_at is null`,
    [digestToken(managementToken)],
  );
  const row = rows[0];
  return row && { workspaceId: toId('ws', row.workspace_id), environmentId: toId('env', row.environment_id) };
}

/** Whether the database has a workspace; the API then ignores the settings BOOTSTRAP_…. */
export async function hasWorkspace(databaseUrl: string): Promise<boolean> {
  const client = openSession({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query('select 1 from workspace limit 1')).rows.length > 0;
  } finally {
    await client.end();
  }
}
