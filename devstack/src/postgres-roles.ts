import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSession } from '@posthorn/db/session';
import { projectRoot } from './project-root.ts';

export type RolePasswords = { ownerPassword: string; runtimePassword: string };

/** The URL for the launcher and the dispatchers' maintenance, and the URL for the services. */
export type DatabaseUrls = { ownerUrl: string; runtimeUrl: string };

/** Makes the two roles of an installation in the embedded database, as its superuser, and returns their URLs. */
export async function makeRoles(superuserUrl: string, passwords: RolePasswords): Promise<DatabaseUrls> {
  const settings = {
    owner_role: 'posthorn_owner',
    owner_password: passwords.ownerPassword,
    runtime_role: 'posthorn_runtime',
    runtime_password: passwords.runtimePassword,
  };
  const client = openSession({ connectionString: superuserUrl });
  await client.connect();
  try {
    for (const [name, value] of Object.entries(settings)) {
      await client.query('select set_config($1, $2, false)', [`posthorn.${name}`, value]);
    }
    await client.query(readFileSync(join(projectRoot, 'deploy/postgres/roles.sql'), 'utf8'));
  } finally {
    await client.end();
  }
  const as = (username: string, password: string) => Object.assign(new URL(superuserUrl), { username, password }).href;
  return {
    ownerUrl: as(settings.owner_role, settings.owner_password),
    runtimeUrl: as(settings.runtime_role, settings.runtime_password),
  };
}
