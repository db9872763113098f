import { awaitBootstrapped, type Bootstrapped } from './bootstrapped.ts';
import { checkSettings } from './check-settings.ts';
import { type Credentials, type HomeCredentials, readCredentials } from './credentials.ts';
import type { Run } from './run.ts';
import { say } from './say.ts';

type Opening = { home: string; environment: NodeJS.ProcessEnv; port: number; egressAllowCidrs: string };

/** Reads or generates the home's credentials, lets the services check all settings, and only then stores them. */
export async function openCredentials(run: Run, opening: Opening): Promise<HomeCredentials> {
  const { home, environment } = opening;
  const credentials = readCredentials(home, environment, run.clock.now());
  await checkSettings(run, { ...opening, credentials: credentials.used });
  for (const note of credentials.notes) say('credentials', note);
  credentials.store();
  return credentials;
}

/**
 * The credentials that the database knows, and its first workspace. A database that had a workspace before this start
 * (`isFounded`) keeps the credentials with which it was made: given ones that differ are not used, and named to the
 * user.
 */
export async function chooseCredentials(
  run: Run,
  databaseUrl: string,
  { kept, used }: HomeCredentials,
  isFounded: boolean,
): Promise<Credentials & Bootstrapped> {
  const tokens = [...new Set([used.managementToken, kept.managementToken])];
  const found = await awaitBootstrapped(run, databaseUrl, tokens);
  const wasMadeWithGiven = found.managementToken !== kept.managementToken;
  if (!isFounded || wasMadeWithGiven) return { ...used, ...found };
  const ignored = Object.entries(BOOTSTRAP_SETTINGS).filter(([, name]) => used[name] !== kept[name]);
  if (ignored.length > 0) {
    const names = ignored.map(([setting]) => setting).join(', ');
    say('credentials', `${names}: not used, because the database has its first workspace; the kept ones are valid`);
  }
  const { email, password, apiKey } = kept;
  return { ...used, email, password, apiKey, ...found };
}

const BOOTSTRAP_SETTINGS = {
  BOOTSTRAP_EMAIL: 'email',
  BOOTSTRAP_PASSWORD: 'password',
  BOOTSTRAP_MANAGEMENT_TOKEN: 'managementToken',
  BOOTSTRAP_API_KEY: 'apiKey',
} as const;
