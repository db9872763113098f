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

/** Inserts a workspace with its production environment, a management token and an API key directly into the tables. */
export async function seedWorkspace(
  db: Db,
  options: { plan?: Plan; scopes?: readonly Scope[] } = {},
): Promise<SeededWorkspace> {
  const workspaceId = newUuid(new Date());
  const environmentId = newUuid(new Date());
  const managementToken = newToken('management');
  const apiKey = newToken('apiKey');
  await db.workspace.create({
    data: { id: workspaceId, name: 'Acme', slug: `acme-${workspaceId}`, plan: options.plan ?? 'enterprise' },
  });
  await db.environment.create({
    data: { id: environmentId, workspaceId, name: 'Production', slug: 'production', isDefault: true },
  });
  await db.managementToken.create({
    data: { ...stored(managementToken), workspaceId, scopes: [...(options.scopes ?? SCOPES)] },
  });
  await db.apiKey.create({ data: { ...stored(apiKey), environmentId } });
  return { workspaceId: toId('ws', workspaceId), environmentId: toId('env', environmentId), managementToken, apiKey };
}

function stored(token: string) {
  return { id: newUuid(new Date()), name: 'Test', digest: digestToken(token), preview: tokenPreview(token) };
}
