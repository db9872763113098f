import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { newToken } from '@posthorn/crypto/token';
import { readIfThere, writePrivateFile } from './private-file.ts';

/** The secrets of one home, made up once. `homeId` tells this home from an earlier one at the same path. */
export type Credentials = {
  homeId: string;
  postgresPassword: string;
  sealingKeys: string;
  cursorKeys: string;
  email: string;
  password: string;
  managementToken: string;
  apiKey: string;
  adminUser: string;
  adminPassword: string;
};

/** The home's credentials, made and kept (for their owner only) the first time. */
export function keepCredentials(home: string): Credentials {
  const file = join(home, 'credentials.json');
  const kept = readIfThere(file);
  // A file of an earlier version may lack what a later one needs: that is made up now, the rest stays.
  const credentials = {
    ...makeCredentials(),
    ...(kept === undefined ? {} : (JSON.parse(kept) as Partial<Credentials>)),
  };
  writePrivateFile(file, `${JSON.stringify(credentials, null, 2)}\n`);
  return credentials;
}

/** The same, with what the caller's environment gives in place of what was made up. */
export function withGiven(credentials: Credentials, environment: NodeJS.ProcessEnv): Credentials {
  return {
    ...credentials,
    sealingKeys: environment.SEALING_KEYS ?? credentials.sealingKeys,
    cursorKeys: environment.CURSOR_KEYS ?? credentials.cursorKeys,
    email: environment.BOOTSTRAP_EMAIL ?? credentials.email,
    password: environment.BOOTSTRAP_PASSWORD ?? credentials.password,
    managementToken: environment.BOOTSTRAP_MANAGEMENT_TOKEN ?? credentials.managementToken,
    apiKey: environment.BOOTSTRAP_API_KEY ?? credentials.apiKey,
    adminUser: environment.ADMIN_USER ?? credentials.adminUser,
    adminPassword: environment.ADMIN_PASSWORD ?? credentials.adminPassword,
  };
}

function makeCredentials(): Credentials {
  return {
    homeId: randomUUID(),
    postgresPassword: randomBytes(18).toString('base64url'),
    sealingKeys: `k1:${randomBytes(32).toString('base64')}`,
    cursorKeys: `k1:${randomBytes(32).toString('base64')}`,
    email: 'admin@posthorn.local',
    password: randomBytes(12).toString('base64url'),
    managementToken: newToken('management'),
    apiKey: newToken('apiKey'),
    adminUser: 'admin',
    adminPassword: randomBytes(12).toString('base64url'),
  };
}
