import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.ts';
import { writePrivateFile } from './private-file.ts';

/** A process that belongs to the running instance. */
export type InstanceProcess = { name: string; pid: number; metricsUrl?: string; adminUrl?: string };

/** The addresses, processes and credentials of a running instance, for tests and tools. */
export type Instance = {
  baseUrl: string;
  dashboardUrl: string;
  /** The page that shows the mails; absent when the user has a mail server. */
  mailboxUrl?: string;
  metricsUrl: string;
  databaseUrl: string;
  /** Absent with Postgres alone. */
  redisUrl?: string | undefined;
  workspaceId: string;
  environmentId: string;
  managementToken: string;
  apiKey: string;
  login: { email: string; password: string };
  admin: { user: string; password: string };
  processes: InstanceProcess[];
};

/**
 * Writes `instance.json` into the home, which means that the instance is ready: atomically, and readable by its owner
 * only.
 */
export function writeInstanceFile(home: string, instance: Instance): void {
  writePrivateFile(instanceFile(home), `${JSON.stringify(instance, null, 2)}\n`);
}

/** The instance that runs in the home; a Failure without one. */
export function readInstanceFile(home: string): Instance {
  if (existsSync(instanceFile(home))) return JSON.parse(readFileSync(instanceFile(home), 'utf8')) as Instance;
  throw new Failure(`No instance runs in ${home}.`, 'Run npm start in another terminal, and this command again.');
}

/** Removes the file, which means that the instance is not ready. Does nothing if there is no file. */
export function removeInstanceFile(home: string): void {
  rmSync(instanceFile(home), { force: true });
}

export function instanceFile(home: string): string {
  return join(home, 'instance.json');
}
