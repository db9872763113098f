import { type Plan, SCOPES, type Scope } from '@posthorn/contract/access';
import { newUuid, toId } from '@posthorn/contract/ids';
import { digestToken, newToken, tokenPreview } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';

export type SeededWorkspace = {
  workspaceId: string;
  environmentId: string;
  managementToken: string;
  apiKey: string;
};

/**
 * Inserts a workspace with its production environment, a management token and an API key directly into the tables. It
 * only uses columns of the first release, so that it also works before an upgrade.
 */
export async function seedWorkspace(
  db: Db,
  options: { plan?: Plan; scopes?: readonly Scope[] } = {},
): Promise<SeededWorkspace> {
  const workspaceId = newUuid(new Date());
  const environmentId = newUuid(new Date());
  const managementToken = newToken('management');
  const apiKey = newToken('apiKey');
  const token = stored(managementToken);
  const key = stored(apiKey);
  await db.$executeRaw`insert into workspace (id, name, slug, plan)
    values (${workspaceId}::uuid, 'Acme', ${`acme-${workspaceId}`}, ${options.plan ?? 'enterprise'}::plan)`;
  await db.$executeRaw`insert into environment (id, workspace_id, name, slug, is_default)
    values (${environmentId}::uuid, ${workspaceId}::uuid, 'Production', 'production', true)`;
  await db.$executeRaw`insert into management_token (id, workspace_id, name, digest, preview, scopes)
    values (${token.id}::uuid, ${workspaceId}::uuid, 'Test', ${token.digest}, ${token.preview}, ${[...(options.scopes ?? SCOPES)]})`;
  await db.$executeRaw`insert into api_key (id, environment_id, name, digest, preview)
    values (${key.id}::uuid, ${environmentId}::uuid, 'Test', ${key.digest}, ${key.preview})`;
  return { workspaceId: toId('ws', workspaceId), environmentId: toId('env', environmentId), managementToken, apiKey };
}

function stored(token: string) {
  return { id: newUuid(new Date()), digest: digestToken(token), preview: tokenPreview(token) };
}
