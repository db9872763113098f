import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

/** A process that belongs to the running instance. */
export type InstanceProcess = { name: string; pid: number; metricsUrl?: string; adminUrl?: string };

/** The addresses, processes and credentials of a running instance, for tests and tools. */
export type Instance = {
  baseUrl: string;
  dashboardUrl: string;
  metricsUrl: string;
  databaseUrl: string;
  redisUrl: string;
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

/** Removes the file, which means that the instance is not ready. Does nothing if there is no file. */
export function removeInstanceFile(home: string): void {
  rmSync(instanceFile(home), { force: true });
}

export function instanceFile(home: string): string {
  return join(home, 'instance.json');
}
