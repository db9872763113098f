import { toId } from '@posthorn/contract/ids';
import { digestToken } from '@posthorn/crypto/token';
import pg from 'pg';
import { Failure } from './failure.ts';

/** The workspace that the API made for the management token at its start, and that workspace's default environment. */
export async function findBootstrapped(
  databaseUrl: string,
  managementToken: string,
): Promise<{ workspaceId: string; environmentId: string }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const found = await client.query<{ workspace_id: string; environment_id: string }>(
      `select token.workspace_id, environment.id as environment_id
       from management_token token
       join environment on environment.workspace_id = token.workspace_id
       where token.digest = $1 and environment.is_default and environment.deleted_at is null`,
      [digestToken(managementToken)],
    );
    const row = found.rows[0];
    if (row !== undefined) {
      return { workspaceId: toId('ws', row.workspace_id), environmentId: toId('env', row.environment_id) };
    }
  } finally {
    await client.end();
  }
  throw new Failure(
    'The database does not know the management token of this home.',
    'It may belong to another home: name another DATABASE_URL, or give that home’s BOOTSTRAP_MANAGEMENT_TOKEN.',
  );
}
