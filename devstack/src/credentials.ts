import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { newToken } from '@posthorn/crypto/token';
import { Failure } from './failure.ts';
import { joinKeys } from './join-keys.ts';
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

export type HomeCredentials = {
  /** The credentials of the home. A given key stands in front of the kept keys. */
  kept: Credentials;
  /** `kept`, with the credentials of the caller's environment in their place. This start uses them. */
  used: Credentials;
  /** What the user is told about given keys. */
  notes: string[];
  /**
   * Stores `kept` for its owner only. A stored file that differs is first copied to `credentials-<time>.json` in the
   * home. Called once the settings have been checked, so that an invalid value is never stored.
   */
  store: () => void;
};

/**
 * Reads the home's credentials, or generates them at the first start. Credentials given at the first start are kept,
 * because the database is made with them. A later start never replaces a kept credential, and never drops a key: what
 * was sealed with it stays readable.
 */
export function readCredentials(home: string, environment: NodeJS.ProcessEnv, now: Date): HomeCredentials {
  const file = credentialsFile(home);
  const text = readIfThere(file);
  const earlier = text === undefined ? undefined : parse(file, text);
  // A file of an earlier version may lack credentials that a later version needs: these are generated now.
  const before =
    earlier === undefined ? withGiven(makeCredentials(), environment) : { ...makeCredentials(), ...earlier };
  // Processes outside of this home may use a given database, so a key must have the same id in each of them.
  const mayRename = environment.DATABASE_URL === undefined;
  const sealing = joinKeys('SEALING_KEYS', environment.SEALING_KEYS, before.sealingKeys, mayRename);
  const cursor = joinKeys('CURSOR_KEYS', environment.CURSOR_KEYS, before.cursorKeys, mayRename);
  const kept = { ...before, sealingKeys: sealing.keys, cursorKeys: cursor.keys };
  const { sealingKeys, cursorKeys } = kept;
  const stored = `${JSON.stringify(kept, null, 2)}\n`;
  return {
    kept,
    used: { ...withGiven(kept, environment), sealingKeys, cursorKeys },
    notes: [...sealing.notes, ...cursor.notes],
    store: () => {
      if (text === stored) return;
      if (text !== undefined) {
        writePrivateFile(join(home, `credentials-${now.toISOString().replaceAll(':', '')}.json`), text);
      }
      writePrivateFile(file, stored);
    },
  };
}

export function credentialsFile(home: string): string {
  return join(home, 'credentials.json');
}

function parse(file: string, text: string): Partial<Credentials> {
  try {
    return JSON.parse(text) as Partial<Credentials>;
  } catch {
    throw new Failure(`${file} is not JSON.`, 'Restore it from a copy: it holds the keys of this home.', 2);
  }
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
    sealingKeys: newKey(),
    cursorKeys: newKey(),
    email: 'admin@posthorn.local',
    password: randomBytes(12).toString('base64url'),
    managementToken: newToken('management'),
    apiKey: newToken('apiKey'),
    adminUser: 'admin',
    adminPassword: randomBytes(12).toString('base64url'),
  };
}

/** Has a random id, so that it differs from a key that is given later. */
function newKey(): string {
  return `k${randomBytes(3).toString('hex')}:${randomBytes(32).toString('base64')}`;
}
