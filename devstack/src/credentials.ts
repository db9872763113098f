import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { newToken } from '@posthorn/crypto/token';
import { readIfThere, writePrivateFile } from './private-file.ts';

/** The secrets of one home, generated once. `homeId` distinguishes this home from an earlier one at the same path. */
export type Credentials = {
  homeId: string;
  postgresPassword: string;
  ownerPassword: string;
  runtimePassword: string;
  sealingKeys: string;
  cursorKeys: string;
  email: string;
  password: string;
  managementToken: string;
  apiKey: string;
  adminUser: string;
  adminPassword: string;
};

/**
 * The home's credentials, generated at the first start and stored for their owner only. Credentials in the caller's
 * environment are used instead. Those given at the first start are stored too, because the database is made with them.
 * Given keys are always stored, because the database may hold data sealed with them.
 */
export function keepCredentials(home: string, environment: NodeJS.ProcessEnv): Credentials {
  const file = join(home, 'credentials.json');
  const text = readIfThere(file);
  const made = makeCredentials();
  // A file of an earlier version may lack credentials that a later version needs: these are generated now, the others
  // stay.
  const kept =
    text === undefined ? withGiven(made, environment) : { ...made, ...(JSON.parse(text) as Partial<Credentials>) };
  const { sealingKeys, cursorKeys } = withGiven(kept, environment);
  writePrivateFile(file, `${JSON.stringify({ ...kept, sealingKeys, cursorKeys }, null, 2)}\n`);
  return withGiven(kept, environment);
}

function withGiven(credentials: Credentials, environment: NodeJS.ProcessEnv): Credentials {
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
    ownerPassword: randomBytes(18).toString('base64url'),
    runtimePassword: randomBytes(18).toString('base64url'),
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
